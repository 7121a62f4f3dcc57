// `tocsin export`: a report as a file that other programs open.
#pragma once

#include <cstdint>
#include <string>

#include "app/cli/exit_status.h"

namespace tocsin::app {

struct ExportOptions {
  std::string report;
  std::string output;         ///< .glb, .usda or .csv
  bool room = true;           ///< the room is part of it
  std::int64_t substeps = 1;  ///< samples of the motion within each step
};

/// More samples a step show nothing more, and fill a disk.
inline constexpr std::int64_t kMostSubsteps = 64;

ExitStatus run_export(const ExportOptions& options);

}  // namespace tocsin::app
