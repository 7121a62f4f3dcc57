// The part of a touched triangle that a picture tints: what lies near the point.
#pragma once

#include <vector>

#include "tocsin/contact.h"
#include "tocsin/environment.h"

namespace tocsin::view {

/// Metres from the point. Floors and walls are triangles of many metres: tinted whole, they would
/// say that everything is touched. About as wide as a limb; twice as much, and it covers feet.
inline constexpr double kTouchedReach = 0.12;

/// A convex polygon in the triangle's plane.
struct TouchedPart {
  std::vector<Vec3> corners;  ///< world, metres; at least three
  Vec3 normal;                ///< unit
};

/// The part of a triangle within a disc of 32 corners and radius kTouchedReach about `point`; a
/// triangle without a corner outside the ball about it is its own part. A triangle without area, or
/// one that the disc does not meet, is taken whole.
TouchedPart touched_part(const Environment& room, const RoomTriangle& touched, const Vec3& point);

}  // namespace tocsin::view
