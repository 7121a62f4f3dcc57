// A joint's frame over one step: where it is, and how fast its points move. Hulls of one frame
// share it.
#pragma once

#include <cstddef>
#include <span>
#include <unordered_map>

#include "core/motion/joint_motion.h"
#include "oracle/bounds.h"
#include "oracle/kinematics.h"

namespace tocsin::oracle {

/// Coordinates are relative to origin(): the root's translation at t = 0, which is a stored number.
/// It remembers where it was: one thread at a time asks.
class MovingFrame {
 public:
  /// `chain`: stored parameters from a root to the joint, at least one.
  MovingFrame(std::span<const core::JointMotion> chain, InBetween kind)
      : MovingFrame(chain, kind, chain.front().c) {}

  /// A frame that stands still, along the world's axes.
  static MovingFrame still(const Vec3& origin) { return {{}, InBetween::kScrew, origin}; }

  [[nodiscard]] const Frame<Real>& at(Real t) const {
    if (known_.size() >= kMostKnown) known_.clear();
    const auto [place, fresh] = known_.try_emplace(t);
    if (fresh) place->second = path_.at(t);
    return place->second;
  }
  [[nodiscard]] const Vec3& origin() const { return origin_; }
  [[nodiscard]] const FrameBounds& bounds() const { return bounds_; }

 private:
  MovingFrame(std::span<const core::JointMotion> chain, InBetween kind, const Vec3& origin)
      : origin_(origin), path_(chain, kind, origin), bounds_(frame_bounds(chain, kind, origin)) {}

  /// More: memory. Fewer: the same times are worked out again.
  static constexpr std::size_t kMostKnown = 4096;

  Vec3 origin_;
  FramePath<Real> path_;
  FrameBounds bounds_;
  mutable std::unordered_map<Real, Frame<Real>> known_;
};

}  // namespace tocsin::oracle
