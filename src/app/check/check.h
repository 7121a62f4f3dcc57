// `tocsin check`: from files to contacts, as a report or as a table for people.
#pragma once

#include <stop_token>

#include "app/check/check_command.h"
#include "app/cli/exit_status.h"

namespace tocsin::app {

/// Runs the check and writes its result; messages go to standard error.
ExitStatus run_check(const CheckCommand& command, const std::stop_token& stop);

}  // namespace tocsin::app
