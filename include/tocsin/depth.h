// How deep a link is in an object, or how far from it, at one instant.
#pragma once

#include <cstdint>

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
  /// surface, one of those that it meets; of one that is inside, nearest to the corner that is.
  std::uint32_t triangle = 0;
  Vec3 point;  ///< on it, nearest to the axis
  /// The start of the axis lies in the object, which is solid: depth = radius + distance. Else
  /// depth = radius - distance. Of a shape: a corner of one of its parts does (of each part, the
  /// first corner of its first feature), and depth = radius + the distance of the deepest of these
  /// from the surface.
  bool inside = false;
};

}  // namespace tocsin
