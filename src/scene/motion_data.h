// What a Motion and its Steps share: the poses, frame-major.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tocsin/motion.h"

namespace tocsin::detail {

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
