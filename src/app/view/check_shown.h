// A check that is shown at once, without a report on disk.
#pragma once

#include <stop_token>
#include <string>

#include "app/check/job.h"
#include "app/export/shown_report.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// Runs a job, and tells it as load_shown() tells its report. `name` stands for the report's file.
/// `progress`: on the terminal. Errors: as Detector::make() and Detector::run(); kCancelled:
/// `stop`.
Result<ShownReport> check_shown(Job job, const std::string& name, const std::stop_token& stop,
                                bool progress);

}  // namespace tocsin::app
