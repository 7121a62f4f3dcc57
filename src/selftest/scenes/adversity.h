// Kinds of adversarial scenes.
#pragma once

#include <cstdint>
#include <string_view>

namespace tocsin::selftest {

/// What is hard about a scene. "Box": that of a piece of the link's step, which a view is fitted
/// to; "pixel": the longest edge of one at 64 x 64.
enum class Adversity : std::uint8_t {
  kSliver,      ///< length / height 10^2 to 10^8
  kEdgeOnX,     ///< no area, exactly, when seen along x
  kEdgeOnY,     ///< along y
  kEdgeOnZ,     ///< along z
  kSubPixel,    ///< triangles of 1e-3 to 0.7 pixels
  kCoplanar,    ///< in a plane that the link slides along, or that its axis stays in
  kContained,   ///< inside the swept volume
  kContaining,  ///< a closed mesh around the swept volume
  kNearFar,     ///< through two opposite sides of the box
  kCorner,      ///< over a corner or an edge of the box
  kGrazing,     ///< least distance within 1e-13 to 1e-6 m of the radius
  kPivot,       ///< a fast turn about a point inside the link
  kTwisted,     ///< travels and turns about the way it goes: a twisted patch
  kSliding,     ///< along itself while turning: a folded patch
  kStill,       ///< nothing moves
  kPoint,       ///< links of zero length, also of 1e-6 m
  kDegenerate,  ///< triangles of zero area: points and segments
  kHuge,        ///< triangles of 5 to 200 m, some to 5 km, through many cells
  kFar100,      ///< 100 m from the origin; any of the shapes and motions above
  kFar10km,     ///< 10 km: vertices on a grid of 1 mm
  kFar300km,    ///< 300 km: vertices on a grid of 3 cm
};
inline constexpr int kAdversities = 21;

/// "sliver", "edge on x", ...
std::string_view name_of(Adversity kind);

}  // namespace tocsin::selftest
