// `tocsin report`: reports as pages that any browser opens.
#pragma once

#include "app/cli/exit_status.h"
#include "app/report/report_options.h"

namespace tocsin::app {

ExitStatus run_report(const ReportOptions& options);

}  // namespace tocsin::app
