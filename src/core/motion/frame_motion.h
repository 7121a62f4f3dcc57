// The frame at the end of a chain of joints over one step, for everything that is fixed to it:
// bounds of any point's motion, and where all points are at one time. docs/exact.md, "Bounds that
// hold for the whole step" and "Two hulls".
#pragma once

#include <cstdint>

#include "core/motion/joint_motion.h"
#include "core/motion/link_motion.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// A chain of joints over one step. `bounds` are those of its last joint's origin and turn.
struct FrameMotion {
  const JointMotion* joints = nullptr;  ///< motions of the skeleton's joints
  const std::int32_t* chain = nullptr;  ///< joint indices from the root to the last joint
  std::int32_t chain_length = 0;
  InBetween kind = InBetween::kScrew;
  Vec3 ref;  ///< all coordinates are relative to it, as a link's (LinkMotion::ref)
  ChainBounds bounds;
};

/// A chain as LinkMotion has one; its bounds are computed here.
TOCSIN_HD inline FrameMotion frame_motion(const JointMotion* joints, const std::int32_t* chain,
                                          std::int32_t chain_length, InBetween kind,
                                          const Vec3& ref) {
  FrameMotion out{joints, chain, chain_length, kind, ref, {}};
  for (std::int32_t k = 0; k < chain_length; ++k) {
    out.bounds = extend(out.bounds, joints[chain[k]], kind, ref);
  }
  return out;
}

/// The frame that a link is fixed to.
TOCSIN_HD inline FrameMotion frame_motion(const LinkMotion& m) {
  return frame_motion(m.joints, m.chain, m.chain_length, m.kind, m.ref);
}
/// What stands still, relative to the link's ref.
TOCSIN_HD inline FrameMotion still_frame(const LinkMotion& m) {
  return frame_motion(nullptr, nullptr, 0, m.kind, m.ref);
}

/// A: |p''(t)| <= A for a point this far from the last joint's origin, metres per step^2.
TOCSIN_HD inline double acceleration_at(const FrameMotion& m, double distance) {
  return (m.bounds.acceleration + m.bounds.turn * m.bounds.turn * distance) * kBoundGrowth;
}

/// The frame at one time: its unit vectors and its origin relative to ref, and their velocities.
/// A point l is at origin + l.x x + l.y y + l.z z.
struct FrameState {
  Vec3 x;
  Vec3 y;
  Vec3 z;
  Vec3 origin;      ///< metres
  Vec3 x_velocity;  ///< per step
  Vec3 y_velocity;
  Vec3 z_velocity;
  Vec3 velocity;  ///< of the origin, metres per step
};

/// The frame at local time t in [0, 1]: M_1(t) ... M_K(t), less ref. Errors: docs/exact.md, "Two
/// hulls".
TOCSIN_HD inline FrameState evaluate(const FrameMotion& motion, double t) {
  FrameState s{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, {}, {}, {}, {}, {}};
  for (std::int32_t k = motion.chain_length - 1; k >= 0; --k) {
    const JointMotion& m = motion.joints[motion.chain[k]];
    const detail::JointState j = detail::joint_state(m, motion.kind, t);
    detail::carry_vector(m, j, s.x, s.x_velocity);
    detail::carry_vector(m, j, s.y, s.y_velocity);
    detail::carry_vector(m, j, s.z, s.z_velocity);
    detail::carry(m, j, k == 0 ? m.c - motion.ref : m.c, s.origin, s.velocity);
  }
  return s;
}

/// Where a point of the frame is, relative to ref, metres.
TOCSIN_HD inline Vec3 position_of(const FrameState& s, const Vec3& l) {
  return s.origin + (l.x * s.x + l.y * s.y + l.z * s.z);
}

/// How fast it moves, metres per step.
TOCSIN_HD inline Vec3 velocity_of(const FrameState& s, const Vec3& l) {
  return s.velocity + (l.x * s.x_velocity + l.y * s.y_velocity + l.z * s.z_velocity);
}

}  // namespace tocsin::core
