// The result of a check as a table for people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/check/distance/clearances.h"
#include "app/check/episode_table.h"
#include "app/check/job.h"
#include "io/report/episodes.h"
#include "io/report/report.h"

namespace tocsin::app {

/// The result of a check.
struct Outcome {
  io::Tally tally;
  std::vector<io::Episode> episodes;  ///< sorted
  std::string hash;
  std::vector<std::vector<LeastClearance>>
      clearances;                                  ///< per avatar, link; empty if not asked for
  std::vector<std::vector<NearestThing>> nearest;  ///< as clearances
  std::vector<io::NearPair> near;                  ///< with --near
  std::vector<io::FrameDistance> distances;        ///< with --nearest: of each pair the least
  std::string backend;
  std::string device;
  std::string backend_reason;  ///< Detector::backend_reason()
  std::string fallback;        ///< why the device failed during the check; empty if it did not
  double load_ms = 0.0;
  double build_ms = 0.0;
  double check_ms = 0.0;
  std::optional<double> near_ms;      ///< of --near
  std::optional<double> distance_ms;  ///< of --nearest
  double depth_ms = 0.0;              ///< of the episodes' depths
  double write_ms = 0.0;
};

/// What was checked, one row per episode, and the result in a sentence.
std::string render_table(const Job& job, const Outcome& outcome, const TableWishes& wishes);

}  // namespace tocsin::app
