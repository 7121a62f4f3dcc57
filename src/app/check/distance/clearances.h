// The least proved clearance of every link over a take, for people.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tocsin/motion.h"
#include "tocsin/step_report.h"

namespace tocsin::app {

/// The least clearance of one link over a take.
struct LeastClearance {
  double metres = 0.0;                   ///< infinite: there was nothing that it could touch
  double seconds = 0.0;                  ///< begin of the step in which it was proved
  std::int64_t step = 0;                 ///< that step
  std::array<std::int64_t, 2> frames{};  ///< its frames
};

/// What is nearest to a link then.
struct NearestThing {
  std::string name;              ///< empty: nothing is known
  std::optional<double> metres;  ///< between the surfaces; none: it touches
  std::optional<Touched> thing;  ///< the object (its triangle is 0), or the other link
};

/// Merges a step's clearances into the least ones so far, one a link. No effect if the step has
/// none.
void keep_least(const Step& step, const StepReport& report, std::vector<LeastClearance>& least);

/// A table of them. `links`: their names; `nearest`: one a link, or none at all.
std::string render_clearances(std::span<const std::string> links,
                              std::span<const LeastClearance> least,
                              std::span<const NearestThing> nearest = {});

}  // namespace tocsin::app
