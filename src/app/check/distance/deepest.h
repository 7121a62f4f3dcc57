// The worst moment of an episode: where its link is deepest.
#pragma once

#include <cstddef>
#include <functional>

#include "app/check/distance/pair_run.h"
#include "io/report/episodes.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// No frame of an episode is deeper than what is told by more than this, metres. Far below what a
/// take knows; smaller: more frames of a link that hardly moves are looked at.
inline constexpr double kDepthSlack = 1e-4;

/// Numbers that are costly to find, and bounds that are not.
struct CostlyValues {
  std::size_t count = 0;  ///< at least 1
  std::function<double(std::size_t)> value;
  std::function<double(std::size_t)> most;  ///< most(i) >= value(i); cheaper
  /// most_change(i, j) >= |value(i) - value(j)|; cheapest.
  std::function<double(std::size_t, std::size_t)> most_change;
};

/// The index of the greatest value, to within `slack`. Values that cannot be greater than it are
/// not found. O(count log count) calls of most_change, at most `count` of the others.
std::size_t greatest(const CostlyValues& values, double slack);

/// The deepest moment of an episode, from its first touch to its end: the deepest frame, to within
/// kDepthSlack, or a moment between frames (between_frames.h) that is deeper by more than
/// kBetweenSlack or than all frames that are free. Errors: as Detector::depth.
Result<io::Deepest> deepest_moment(const PairRun& run);

}  // namespace tocsin::app
