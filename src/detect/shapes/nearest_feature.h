// The nearest of some triangles of the room to a link that has a shape, at one time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bounds/box.h"
#include "detect/shapes/feature_distance.h"
#include "detect/shapes/link_features.h"
#include "detect/shapes/near_room.h"
#include "detect/step/moving_links.h"

namespace tocsin::detect {

/// Keeps the nearest of the triangles that were shown to it; of several as near the one of the
/// least index, whatever the order. Triangles that the shape meets, up to rounding, are all as near
/// as each other. Owns memory that is used again; one thread at a time asks.
class NearestFeature {
 public:
  /// Starts on a link and a time. room: the box of all triangles, metres. limit: those that are
  /// farther need not be found, metres.
  void begin(MovingLinks& links, std::size_t link, double time, const core::Box& room,
             double limit);
  /// The same on any features, whose frame is in a state relative to ref. slack: of all distances,
  /// metres. Then no capsule is known, and triangles are shown as features only.
  void begin(const Features& shape, const core::FrameState& state, const Vec3& ref, double slack,
             double limit);
  /// Forgets the triangles, and looks for others.
  void begin_again(double limit);

  /// Takes an index into the environment.
  void look_at(const Environment& environment, std::uint32_t triangle);
  /// The same of a triangle that stands somewhere else: relative to ref(), one feature and root.
  void look_at(std::uint32_t triangle, const Features& feature);

  [[nodiscard]] bool any() const { return triangle_ != kNoTriangle; }
  /// Of the nearest, without radii, metres; where the shape meets it, at most slack().
  [[nodiscard]] double distance() const { return least_; }
  [[nodiscard]] std::uint32_t triangle() const { return triangle_; }
  /// Where both are nearest, from scratch: a pure function of the shape and the triangle. The
  /// pair's second feature is 0; places are relative to ref().
  [[nodiscard]] NearestFeatures answer(const Environment& environment);
  [[nodiscard]] NearestFeatures answer(const Features& feature);

  [[nodiscard]] const Vec3& ref() const { return ref_; }
  /// What holds the shape then.
  [[nodiscard]] HoldingCapsule capsule() const;
  /// The radius of all features, margin included, metres.
  [[nodiscard]] double radius() const { return shape_.radius; }
  [[nodiscard]] double slack() const { return slack_; }

 private:
  static constexpr std::uint32_t kNoTriangle = ~std::uint32_t{0};

  [[nodiscard]] bool meets() const { return any() && least_ <= slack_; }

  FeatureStore store_;
  FeatureStore of_triangle_;
  FeatureDistance measure_;
  Features shape_;
  core::FrameState state_;
  core::FrameState still_ = still_state();
  core::AxisState axis_;
  Vec3 ref_;
  double capsule_radius_ = 0.0;
  double slack_ = 0.0;
  double least_ = 0.0;
  std::uint32_t triangle_ = kNoTriangle;
};

}  // namespace tocsin::detect
