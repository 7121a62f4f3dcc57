// The least proved clearance of every link over a take, for people.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tocsin/motion.h"
#include "tocsin/step_report.h"

namespace tocsin::app {

/// The least clearance of one link over a take.
struct LeastClearance {
  double metres = 0.0;   ///< infinite: there was nothing that it could touch
  double seconds = 0.0;  ///< begin of the step in which it was proved
};

/// Merges a step's clearances into the least ones so far, one a link. No effect if the step has
/// none.
void keep_least(const Step& step, const StepReport& report, std::vector<LeastClearance>& least);

/// A table of them. `links`: their names.
std::string render_clearances(std::span<const std::string> links,
                              std::span<const LeastClearance> least);

}  // namespace tocsin::app
