// How deep a link is in an object, or how far from it, at one instant.
#pragma once

#include <cstdint>

#include "tocsin/types.h"

namespace tocsin {

/// Detector::depth. Metres, world. Computed, not certified: off by rounding (docs/exact.md,
/// "Solids").
struct Depth {
  /// Above 0: the link's surface reaches so far into the object; below 0: it is free, by -depth.
  double depth = 0.0;
  double distance = 0.0;  ///< of the link's axis from the object's surface, >= 0
  std::uint32_t triangle =
      0;       ///< nearest to the axis; index within the object; of several the first
  Vec3 point;  ///< on it, nearest to the axis
  /// The start of the axis lies in the object, which is solid: depth = radius + distance. Else
  /// depth = radius - distance.
  bool inside = false;
};

}  // namespace tocsin
