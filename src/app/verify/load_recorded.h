// From a report back to the job that made it. `verify` and `render` share it.
#pragma once

#include <string>

#include "app/check/job.h"
#include "io/report/report_reader.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// A report is an input: its wrong options are errors of the input, not of usage.
Error as_input_error(const Error& error, const std::string& report);

/// Reads a report, or the head of a live session's record (.poses), which is one without a result.
/// Errors: as io::read_report(), io::read_record_head().
Result<io::ReadReport> read_recorded(const std::string& file);

/// Reads the inputs that a report or record names, with its options, on `threads` threads (0: all).
/// Proved contacts are the same on every backend, so the CPU checks them; only a device can repeat
/// an answer of image space. Errors (kInput), naming the file: not found; not the bytes that the
/// report was made from (sha256); of reading.
Result<Job> load_recorded(const io::ReadReport& report, const std::string& file, int threads);

}  // namespace tocsin::app
