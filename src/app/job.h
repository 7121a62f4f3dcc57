// Everything that a check needs, read and put together: the way from files to steps.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"
#include "io/report.h"
#include "tocsin/tocsin.h"

namespace tocsin::app {

/// A check that is ready to run.
struct Job {
  Motion motion;  ///< placed
  Avatar avatar;
  Environment environment;
  ActivePairs active;
  StepList steps;
  DetectorOptions detector;
  std::vector<io::InputRecord> inputs;
  io::ReportOptions options;          ///< resolved
  std::string avatar_reason;          ///< why this avatar, for a person; empty if it was asked for
  std::vector<std::string> warnings;  ///< from the readers, and about options that do nothing
};

/// Reads the inputs and resolves every option. Errors: kInput where an input is refused, kUsage
/// where an option does not go with the inputs (frames beyond the end, an output that is an input,
/// ...).
Result<Job> load_job(const CheckOptions& options);

/// What is known before anything is read: a backend that this version does not have.
Status check_backend(Backend backend);

/// The run line of a job.
io::RunRecord run_record(const Job& job, const Detector& detector);

/// Names of the avatar's links and the environment's objects, in order.
std::vector<std::string> link_names(const Avatar& avatar);
std::vector<std::string> object_names(const Environment& environment);

}  // namespace tocsin::app
