// From arguments to an exit status: which part of the command does what they ask.
#pragma once

#include "app/cli/exit_status.h"

namespace tocsin::app {

/// Throws UsageError where the arguments are wrong.
ExitStatus run_command(int argc, const char* const* argv);

}  // namespace tocsin::app
