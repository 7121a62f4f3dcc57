// `tocsin serve`: the service. docs/service.md.
#pragma once

#include <string>
#include <vector>

#include "app/cli/exit_status.h"
#include "app/cli/interrupt.h"
#include "app/serve/serve_options.h"

namespace tocsin::app {

/// Serves until a signal comes, then lets steps in flight finish. Writes its address to standard
/// output, one line, once it listens. All other messages go to standard error.
ExitStatus run_serve(const ServeOptions& options, InterruptWatch& interrupt);

/// `[NAME=]FILE` of every `--env`: without a name the file's stem is it; files of one NAME are
/// merged. Throws UsageError: a name that is none, or that two files without one would share.
std::vector<ServedRoom> parse_rooms(const std::vector<std::string>& values);

}  // namespace tocsin::app
