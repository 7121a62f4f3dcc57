// Bounds of a link's axis over a whole step: speed, acceleration, and the slack that covers the
// oracle's own rounding. Derived in docs/oracle.md.
#pragma once

#include <span>

#include "core/motion/joint_motion.h"
#include "oracle/number.h"
#include "tocsin/motion.h"

namespace tocsin::oracle {

/// Bounds over t in [0, 1]. The bounds of both ends' derivatives, interpolated, bound those of the
/// points between the ends.
struct MotionBounds {
  Real speed = 0.0L;           ///< L >= |p'(t)| for every point of the axis, metres per step
  Real acceleration_a = 0.0L;  ///< >= |a''(t)|, metres per step^2
  Real acceleration_b = 0.0L;  ///< >= |b''(t)|
  Real reach = 0.0L;           ///< X >= the sum of all lengths that go into p(t) - origin, metres
  int joints = 0;              ///< K

  /// Of the point a + s (b - a).
  [[nodiscard]] Real acceleration(Real s) const {
    return acceleration_a + s * (acceleration_b - acceleration_a);
  }
};

/// Bounds of a joint's frame: what a point of it does depends on how far from its origin it is.
struct FrameBounds {
  Real speed = 0.0L;  ///< of the origin
  Real speed_per_arm = 0.0L;
  Real acceleration = 0.0L;  ///< of the origin
  Real acceleration_per_arm = 0.0L;
  Real reach = 0.0L;    ///< of the origin, as MotionBounds::reach
  Real stretch = 1.0L;  ///< >= the length of a vector of the frame in the world, by its own length
  int joints = 0;

  /// Of an axis with its ends so far from the frame's origin, metres.
  [[nodiscard]] MotionBounds of(Real arm_a, Real arm_b) const;
  [[nodiscard]] MotionBounds of(Real arm) const { return of(arm, arm); }
};

/// Bounds of a chain, root first; `origin` is subtracted from the root's translation. They hold for
/// the stored numbers as they are: a rotation that is orthonormal only up to rounding, an axis of
/// length only about 1. No joints: a frame that stands still.
FrameBounds frame_bounds(std::span<const core::JointMotion> chain, InBetween kind,
                         const Vec3& origin);

/// The same of an axis with the ends a and b, in the last joint's frame.
MotionBounds motion_bounds(std::span<const core::JointMotion> chain, InBetween kind, const Vec3& a,
                           const Vec3& b, const Vec3& origin);

/// Bound of the rounding error in a computed distance between the axis and points up to `extent`
/// metres away from the origin, at any time: 128 (K + 2) 2^-64 (X + extent).
Real rounding_slack(const MotionBounds& bounds, Real extent);

}  // namespace tocsin::oracle
