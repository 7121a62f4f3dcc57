// The deepest moment between the frames of an episode.
#pragma once

#include <optional>

#include "app/check/distance/deeper.h"
#include "app/check/distance/pair_run.h"

namespace tocsin::app {

/// A moment between frames is told only where it is deeper than all frames by more than this,
/// metres, and none is deeper than what is told by more. Smaller: more moments are looked at, and
/// tables name moments where a frame would do.
inline constexpr double kBetweenSlack = 1e-3;

/// The deepest moment between the frames that `frames` knows, if it is deeper than its greatest
/// depth by more than kBetweenSlack, or if all frames are free. docs/exact.md, "Depth of an
/// episode", says what bounds the search.
std::optional<Deeper> deeper_between(const PairRun& run, const Deeper& frames);

/// True if a pair of this depth is free, metres: it is farther from touching than rounding.
bool is_free(double depth);

}  // namespace tocsin::app
