// Features that are fixed to a frame, over one step.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "oracle/hulls/moving_frame.h"
#include "oracle/hulls/prove_hulls.h"
#include "oracle/shapes/feature_tree.h"
#include "tocsin/environment.h"

namespace tocsin::oracle {

/// Copies share the frame and the features. One thread at a time asks.
class MovingShape {
 public:
  MovingShape(std::shared_ptr<const MovingFrame> frame, std::shared_ptr<const FeatureTree> features)
      : frame_(std::move(frame)), features_(std::move(features)) {}

  [[nodiscard]] const MovingFrame& frame() const { return *frame_; }
  [[nodiscard]] const FeatureTree& features() const { return *features_; }
  [[nodiscard]] HullPath feature(std::size_t i) const { return path(features_->feature(i)); }
  /// One corner of a feature.
  [[nodiscard]] HullPath corner(std::size_t feature, std::size_t i) const {
    const RealVec point = features_->feature(feature).at[i];
    return {frame_, {&point, 1}};
  }

 private:
  [[nodiscard]] HullPath path(const Corners& c) const { return {frame_, {c.at.data(), c.count}}; }

  std::shared_ptr<const MovingFrame> frame_;
  std::shared_ptr<const FeatureTree> features_;
};

/// A line swept sphere's axis as the only feature; joint frame, metres.
FeatureTree axis_feature(const Vec3& a, const Vec3& b);

/// Triangles of an environment, by their indices, as features that stand still. `origin`: of the
/// coordinates. Precondition: there are some.
MovingShape room_shape(const Environment& environment, std::span<const std::uint32_t> triangles,
                       const Vec3& origin);

}  // namespace tocsin::oracle
