// `tocsin send --protocol vmc|xsens|udp`: a take as motion capture over UDP.
#pragma once

#include <stop_token>

#include "app/cli/exit_status.h"
#include "app/send/send_options.h"

namespace tocsin::app {

/// Sends the take at its pace, with the chances that were asked for. No answer comes. Precondition:
/// options.protocol.
ExitStatus run_send_datagrams(const SendOptions& options, const std::stop_token& stop);

}  // namespace tocsin::app
