// How deep a link is in an object, or how far from it, at one instant.
#pragma once

#include <cstdint>
#include <optional>

#include "tocsin/contact.h"
#include "tocsin/types.h"

namespace tocsin {

/// Detector::depth. Metres, world. Computed, not certified: off by rounding (docs/exact.md,
/// "Solids"). Of a link with a shape, all features are what the axis is of others (docs/exact.md,
/// "Depth of a shape").
struct Depth {
  /// Above 0: the link's surface reaches so far into the object; below 0: it is free, by -depth.
  double depth = 0.0;
  double distance = 0.0;  ///< of the link's axis from the object's surface, >= 0
  /// Nearest to the axis; index within the object; of several the first. Of a shape that meets the
  /// surface, the first of those that it meets; of one that is inside, nearest to the corner that
  /// is.
  std::uint32_t triangle = 0;
  Vec3 point;  ///< on it, nearest to the axis
  /// The start of the axis lies in the object, which is solid: depth = radius + distance. Else
  /// depth = radius - distance. Of a shape: a corner of one of its parts does (of each part, the
  /// first corner of its first feature), and depth = radius + the distance of the deepest of these
  /// from the surface.
  bool inside = false;
};

/// A link and an object that are near each other at one instant: Detector::nearest. Metres, world.
/// Computed, not certified; off by rounding as Depth is.
struct LinkDistance {
  std::int32_t link = 0;  ///< index into the avatar's links
  /// The object, and its triangle that is nearest: Depth::triangle.
  RoomTriangle nearest;
  /// Between the surfaces. Below 0: so deep is the link in the object, -Depth::depth. Where the
  /// link's axis meets the surface it is at least so deep, and no more is known.
  double distance = 0.0;
  /// On the link's surface, |distance| from `point`. Where `inside`: the point that deep of the
  /// ball of the link's radius around the axis's point that is nearest to `point` (of a shape,
  /// around the corner that is inside). Where the axis meets the surface, both are on the axis.
  Vec3 own;
  Vec3 point;           ///< on the triangle: Depth::point
  bool inside = false;  ///< Depth::inside
  /// Of a link that has a shape: the feature that is nearest, an index into Shape::features(). None
  /// where `inside`.
  std::optional<std::uint32_t> link_feature;

  friend bool operator==(const LinkDistance&, const LinkDistance&) = default;
};

}  // namespace tocsin
