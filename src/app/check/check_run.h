// The run of a check, from a job to its outcome and its report: what one check and each of a folder
// have in common.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "app/check/job.h"
#include "app/check/table.h"
#include "base/output_file.h"
#include "tocsin/detector.h"
#include "tocsin/result.h"

namespace tocsin::app {

inline constexpr std::string_view kCheckCommand = "tocsin check";

/// The detector of a job. Its warnings, and a note about options that its backend does not have, go
/// to standard error. Errors: as Detector::make().
Result<Detector> make_detector(const Job& job);

/// Runs all steps and fills `outcome`, whose load_ms and build_ms are set already. `report`: gets
/// the report's lines, summary included; null: they are made for their hash and counts and dropped.
/// `what`: for the progress line. Errors: as Detector::run(); kResource: the report's.
Status run_reported(const Job& job, const Detector& detector, const std::stop_token& stop,
                    const std::string& what, base::OutputFile* report, Outcome& outcome);

/// An error of the run as it is told: an interruption says what was `written`.
Error as_told(const Error& error, std::string_view written);

}  // namespace tocsin::app
