// `tocsin serve --vmc`, `--xsens` and `--udp`.
#pragma once

#include <memory>
#include <vector>

#include "app/serve/serve_log.h"
#include "app/serve/serve_options.h"
#include "service/live/live_sources.h"
#include "service/live/osc_out.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// The sources with what their files say. Errors, which name the option: kUsage: no such room of
/// --env, an address that needs senders; kInput: a skeleton or model that cannot be read.
Result<std::vector<service::LiveOptions>> load_live(const ServeOptions& options);

/// Null: it was not asked for. Errors, which name the option: as service::OscOut::to().
Result<std::shared_ptr<service::OscOut>> open_osc_out(const ServeOptions& options);

/// Listens. Errors: as service::LiveSources::start().
Result<std::unique_ptr<service::LiveSources>> start_live(
    const std::vector<service::LiveOptions>& sources, service::Engine& engine,
    service::Access& access, const ServeLog& said, bool quiet);

}  // namespace tocsin::app
