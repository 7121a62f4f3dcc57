// `tocsin report`: reports as pages that any browser opens.
#pragma once

#include <stop_token>

#include "app/cli/exit_status.h"
#include "app/report/report_options.h"

namespace tocsin::app {

ExitStatus run_report(const ReportOptions& options, const std::stop_token& stop);

}  // namespace tocsin::app
