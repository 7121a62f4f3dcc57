// The times of a clip's keys, and the frames that follow from them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/import/animated_scene.h"

namespace tocsin::io {

/// Allowed error of a time, in seconds. Files hold times as 32-bit floats of seconds. assimp
/// multiplies them by 1,000 and rounds again. So each of two compared times has two roundings.
/// Larger: slightly uneven takes are forced to a grid. Smaller: even takes are not recognised.
double time_tolerance(double seconds);

/// The distinct times at which a clip has keys, in order; those that only rounding tells apart are
/// one. Tracks with a single key count only if there are no others: they do not move anything.
/// Times before 0 do not count in FBX takes (assimp delivers one such key in places) unless all
/// are.
std::vector<double> key_times(const SceneClip& clip, bool from_zero);

/// Frame k is at first + k frame_time.
struct FrameGrid {
  double first = 0.0;       ///< seconds
  double frame_time = 0.0;  ///< seconds
  std::int64_t count = 1;
};

/// The grid that all keys lie on, to within rounding, and whose spacing is that of the two closest;
/// nothing if there is none, or less than two keys. The frame time is the simplest that agrees with
/// every key: the one stated by the file (`stated`, 0: none), else 1/n for a whole number of Hz,
/// else the decimal with the fewest digits.
std::optional<FrameGrid> even_grid(const std::vector<double>& times, double stated);

}  // namespace tocsin::io
