// The way from a check's options and files to a job.
#pragma once

#include <string>
#include <vector>

#include "app/check/job.h"
#include "app/cli/options.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// The rooms of a check, read.
struct Rooms {
  Environment environment;  ///< all of them, merged
  io::InputLog inputs;
  std::vector<std::string> warnings;
};

/// Reads the rooms. Errors (kInput): a refused file.
Result<Rooms> load_rooms(const CheckOptions& options);

/// Reads the inputs and resolves every option. Errors: kInput for a refused input, kUsage for an
/// option that does not fit the inputs (frames beyond the end, an output that is an input, ...).
/// rooms: those of `options`, if they are read already: their warnings are told then, and the job
/// has none of them.
Result<Job> load_job(const CheckOptions& options, const Rooms* rooms = nullptr);

/// What is known before anything is read: a backend that does not work here.
Status check_backend(const CheckOptions& options);

}  // namespace tocsin::app
