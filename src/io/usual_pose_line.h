// The fast way through a .poses file: a pose's line as writers of the format lay it out.
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

/// Reads a line whose keys stand in their order, with as many numbers as `local` takes. False for
/// anything else, which may be sound all the same, as JSON has many ways to say a thing; what was
/// read until then is left in `tick` and `local`.
bool read_usual_pose_line(std::string_view line, double& tick, std::span<Transform> local);

}  // namespace tocsin::io
