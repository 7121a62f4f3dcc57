// `tocsin check --each`: every take alone in one room; one table, and on request a report a take.
#pragma once

#include <stop_token>

#include "app/check/check_command.h"
#include "app/cli/exit_status.h"

namespace tocsin::app {

/// Checks one take after the other. A take that is refused is told, counted, and does not stop the
/// others. Exit status: that of the gravest error, else kFound if something was touched under
/// --fail-on-contact, else kDone.
ExitStatus run_check_each(const CheckCommand& command, const std::stop_token& stop);

}  // namespace tocsin::app
