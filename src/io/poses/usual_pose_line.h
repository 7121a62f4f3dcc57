// The fast path for .poses files: reads a pose's line of the usual form.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "tocsin/types.h"

namespace tocsin::io {

/// Of a transform: w, x, y, z, tx, ty, tz.
inline constexpr std::size_t kPoseNumbers = 7;

inline Transform pose_transform(std::span<const double, kPoseNumbers> n) {
  return {{n[0], n[1], n[2], n[3]}, {n[4], n[5], n[6]}};
}

/// Reads a line whose keys are in their usual order, with as many numbers as `local` takes. False
/// for anything else, which may still be valid JSON. Then `tick` and `local` are undefined.
bool read_usual_pose_line(std::string_view line, double& tick, std::span<Transform> local);

}  // namespace tocsin::io
