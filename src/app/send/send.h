// `tocsin send`: the simplest client of `tocsin serve`, and the one that loads it.
// docs/service-client.md.
#pragma once

#include <stop_token>

#include "app/cli/exit_status.h"
#include "app/send/send_options.h"

namespace tocsin::app {

/// Sends, and shows the result: latencies, skipped frames, contacts, and whether there was a gap.
/// kFound (status 1) if there was a gap, or a contact under --fail-on-contact.
ExitStatus run_send(const SendOptions& options, const std::stop_token& stop);

}  // namespace tocsin::app
