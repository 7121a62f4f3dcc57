// Links and triangles as sets of features.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/motion/frame_motion.h"
#include "detect/shapes/feature_search.h"
#include "detect/step/moving_links.h"
#include "tocsin/environment.h"

namespace tocsin::detect {

/// A triangle whose corners move on straight lines during a step, and its number in its object.
struct MovingTriangle {
  std::uint32_t triangle = 0;
  std::array<Vec3f, 3> from;  ///< world, metres
  std::array<Vec3f, 3> to;
};

/// The same at any time.
inline core::FrameState still_state() {
  return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {}, {}, {}, {}, {}};
}

/// Memory for features that no shape holds. What it gives is valid until it is asked again.
class FeatureStore {
 public:
  /// Of a link: those of its shape; of a line swept sphere, one.
  Features of_link(const MovingLinks& links, std::size_t link);
  /// Of triangles of the room, by their indices in the environment, relative to ref; each is a
  /// root.
  Features of_triangles(const Environment& environment, std::span<const std::uint32_t> triangles,
                        const Vec3& ref);
  /// Of triangles that deform, relative to ref; each is a root. Its node holds it all the while.
  Features of_triangles(std::span<const MovingTriangle> triangles, const Vec3& ref);
  /// Of one of them where it is at a local time, relative to ref.
  Features of_triangle_at(const MovingTriangle& triangle, double time, const Vec3& ref);
  /// Of a point, in its frame.
  Features of_point(const Vec3& point);

 private:
  /// One feature that has these corners_, and no radius.
  Features one_feature(const TriangleIndices& feature);

  std::vector<Vec3> corners_;
  std::vector<Vec3> changes_;
  std::vector<TriangleIndices> features_;
  std::vector<scene::ShapeNode> nodes_;
};

}  // namespace tocsin::detect
