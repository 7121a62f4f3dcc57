// What a check found, as a table for people.
#pragma once

#include <string>
#include <vector>

#include "app/clearances.h"
#include "app/job.h"
#include "io/episodes.h"
#include "io/report.h"

namespace tocsin::app {

/// What a check found, beside the job itself.
struct Outcome {
  io::Tally tally;
  std::vector<io::Episode> episodes;  ///< sorted
  std::string hash;
  std::vector<std::vector<LeastClearance>>
      clearances;  ///< per avatar, link; empty if not asked for
  std::string backend;
  std::string device;
  std::string fallback;  ///< why the device was given up on the way; empty if it was not
  double load_ms = 0.0;
  double build_ms = 0.0;
  double check_ms = 0.0;
  double write_ms = 0.0;
};

/// What was checked, one row per episode, and the result in a sentence.
std::string render_table(const Job& job, const Outcome& outcome);

}  // namespace tocsin::app
