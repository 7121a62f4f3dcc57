// Forward kinematics, one chain at a time: the world positions of a link's ends. scene's
// pose_kernels compute the same bits for many joints in SIMD lanes.
#pragma once

#include <cstdint>

#include "core/motion/swept_link.h"
#include "core/vector/hd.h"
#include "core/vector/vec.h"
#include "tocsin/types.h"

namespace tocsin::core {

/// A joint's frame in the world, metres.
struct WorldFrame {
  Mat3 rotation;
  Vec3 position;
};

/// The frame of a joint without a parent.
TOCSIN_HD constexpr WorldFrame root_frame(const Transform& local) {
  return {to_matrix(local.rotation), local.translation};
}

/// The frame of a joint whose parent's is given.
TOCSIN_HD constexpr WorldFrame child_frame(const WorldFrame& parent, const Transform& local) {
  return {parent.rotation * to_matrix(local.rotation),
          parent.position + parent.rotation * local.translation};
}

/// A point of the joint's frame in the world.
TOCSIN_HD constexpr Vec3 in_world(const WorldFrame& frame, const Vec3& p) {
  return frame.position + frame.rotation * p;
}

/// The ends of a link with `length` >= 1 joints from the root to its own. local: joint to parent,
/// of all joints; a, b: in the frame of the last joint, metres.
TOCSIN_HD inline AxisEnds ends_in_world(const Transform* local, const std::int32_t* chain,
                                        std::int32_t length, const Vec3& a, const Vec3& b) {
  WorldFrame frame = root_frame(local[chain[0]]);
  for (std::int32_t k = 1; k < length; ++k) frame = child_frame(frame, local[chain[k]]);
  return {in_world(frame, a), in_world(frame, b)};
}

}  // namespace tocsin::core
