// What a Motion and its Steps share: the poses, frame-major.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tocsin/motion.h"

namespace tocsin::detail {

/// Seconds. Nothing is recorded faster than a nanosecond or slower than once in eleven days; beyond
/// that a file is damaged, and times and rates would overflow in a report.
inline constexpr double kLeastFrameTime = 1e-9;
inline constexpr double kMostFrameTime = 1e6;

/// What is wrong with a frame time, or an empty string.
std::string frame_time_problem(double seconds);

/// Immutable once a Motion holds it. Invariants: the skeleton has joints; poses.size() is a
/// multiple of their number, at least one frame; everything is finite, quaternions are of unit
/// length.
struct MotionData {
  Skeleton skeleton;
  double frame_time = 0.0;  ///< seconds
  std::vector<Transform>
      poses;  ///< poses[frame * skeleton.size() + joint], metres, joint to parent
  MotionSource source;

  [[nodiscard]] std::span<const Transform> pose(std::int64_t frame) const {
    const auto joints = static_cast<std::size_t>(skeleton.size());
    return std::span(poses).subspan(static_cast<std::size_t>(frame) * joints, joints);
  }
};

}  // namespace tocsin::detail
