// One link over one step as the oracle sees it: where its axis is, how fast that changes, and how
// far the computed position can be off.
#pragma once

#include <span>

#include "core/motion/joint_motion.h"
#include "oracle/bounds.h"
#include "oracle/kinematics.h"

namespace tocsin::oracle {

/// A link's axis over one step. Coordinates are relative to origin(): the root's translation at t =
/// 0, which is a stored number, so that nothing is lost far away from the world's origin.
class LinkPath {
 public:
  /// `chain`: stored parameters from a root to the link's joint, at least one; `a` and `b` in that
  /// joint's frame, metres.
  LinkPath(std::span<const core::JointMotion> chain, InBetween kind, const Vec3& a, const Vec3& b)
      : origin_(chain.front().c),
        path_(chain, kind, a, b, origin_),
        bounds_(motion_bounds(chain, kind, a, b, origin_)) {}

  [[nodiscard]] Axis<Real> at(Real t) const { return path_.at(t); }
  [[nodiscard]] const Vec3& origin() const { return origin_; }
  [[nodiscard]] const MotionBounds& bounds() const { return bounds_; }

 private:
  Vec3 origin_;
  AxisPath<Real> path_;
  MotionBounds bounds_;
};

}  // namespace tocsin::oracle
