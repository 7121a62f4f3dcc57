// The parser of the command line.
#pragma once

#include "app/command.h"

namespace tocsin::app {

/// Reads the arguments. Throws UsageError with a sentence that names the option.
Command parse_command_line(int argc, const char* const* argv);

}  // namespace tocsin::app
