// A link with a shape over a stretch of the step: what its skin is drawn around. docs/gl.md, "Skins
// of shapes".
#pragma once

#include <array>
#include <span>
#include <vector>

#include "scene/swept/swept_link.h"
#include "tocsin/avatar.h"

namespace tocsin::scene {

/// One corner of a shape's outer hull over [t0, t1]: it stays in the hull of two balls. World,
/// metres.
struct SweptCorner {
  Vec3 from;
  Vec3 to;
  double grow = 0.0;  ///< the radius of both
};

/// The shape lies in the convex hull of the balls of all corners, with its radius, the margin and
/// all that certify_hulls needs (SweptLink::motion.radius). Memory is reused.
class HullSlab {
 public:
  /// The link over [t0, t1] within [0, 1]. `source`: what `link` was made of, with a shape.
  void set(const SweptLink& link, const Link& source, double t0, double t1);

  [[nodiscard]] std::span<const SweptCorner> corners() const { return corners_; }
  /// The axes of a box around the shape, near the stretch's middle; any length, 0 if half a turn
  /// leaves none.
  [[nodiscard]] const std::array<Vec3, 3>& axes() const { return axes_; }
  /// How far the corners move, on the average, metres.
  [[nodiscard]] const Vec3& moved() const { return moved_; }

 private:
  std::vector<SweptCorner> corners_;
  std::array<Vec3, 3> axes_;
  Vec3 moved_;
};

}  // namespace tocsin::scene
