// Proofs about two rounded hulls, both moving: are they farther apart than the sum of their radii
// over an interval, do they touch at a time? The search in time is IntervalProver's.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "core/motion/joint_motion.h"
#include "oracle/bounds.h"
#include "oracle/hulls/hull_separation.h"
#include "oracle/hulls/moving_frame.h"
#include "oracle/interval_prover.h"

namespace tocsin::oracle {

/// One of two hulls over one step.
struct MovingHull {
  std::vector<core::JointMotion> chain;  ///< stored parameters, root first; at least one
  InBetween kind = InBetween::kScrew;
  std::vector<Vec3> corners;  ///< one to three, in the last joint's frame, metres
  double radius = 0.0;        ///< metres
};

/// A question: two hulls, both moving. They touch where their distance is at most the sum of the
/// radii.
struct HullQuery {
  MovingHull first;
  MovingHull second;
};

/// A hull over one step. Coordinates are relative to origin(), the frame's.
class HullPath {
 public:
  explicit HullPath(const MovingHull& hull);
  /// `corners`: one to three, in the frame, metres.
  HullPath(std::shared_ptr<const MovingFrame> frame, std::span<const RealVec> corners);

  [[nodiscard]] Corners at(Real t) const;
  [[nodiscard]] const Vec3& origin() const { return frame_->origin(); }
  /// Of the corner that moves fastest and reaches farthest.
  [[nodiscard]] const MotionBounds& bounds() const { return bounds_; }
  /// Of one corner.
  [[nodiscard]] Real acceleration(std::size_t corner) const { return acceleration_[corner]; }

 private:
  std::shared_ptr<const MovingFrame> frame_;
  Corners corners_;
  MotionBounds bounds_;
  std::array<Real, 3> acceleration_{};
};

/// One direction at two times. Two points, one of each body, with margins m0 and m1 across it then,
/// stay apart in between if sqrt(m0) + sqrt(m1) > duration * sqrt(bend / 2). bend: the sum of their
/// accelerations.
bool stay_apart(Real m0, Real m1, Real bend, Real duration);

/// Bound of the rounding error of a computed distance between points of two frames, no farther from
/// their origins than these arms, metres.
Real rounding_slack(const MovingFrame& first, Real arm, const MovingFrame& second, Real other_arm);

/// The paths must outlive it. `radius`: the sum of both, metres.
class HullProver : public IntervalProver {
 public:
  HullProver(const HullPath& first, const HullPath& second, Real radius);

 private:
  [[nodiscard]] Instant at(Real t) const override;
  [[nodiscard]] bool clear_between(const Instant& left, const Instant& right) const override;
  struct Part;
  struct Parts;
  [[nodiscard]] bool clear_across(const RealVec& n0, const RealVec& n1, const Parts& parts,
                                  Real duration) const;
  static std::array<PartingPlanes, 2> planes_of(const Parts& parts);
  [[nodiscard]] bool points_clear(const PartingPlanes& seen, const Parts& parts,
                                  Real duration) const;

  const HullPath& first_;
  const HullPath& second_;
  RealVec shift_;  ///< second's origin less first's: coordinates are relative to first's
};

}  // namespace tocsin::oracle
