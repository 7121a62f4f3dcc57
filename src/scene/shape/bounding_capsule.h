// A line swept sphere that holds points: what every backend culls a shaped link by.
#pragma once

#include <span>

#include "tocsin/types.h"

namespace tocsin::scene {

/// All points within `radius` of the segment a-b.
struct BoundingCapsule {
  Vec3 a;
  Vec3 b;
  double radius = 0.0;
};

/// The narrower of those along the axes of a box around the points. It holds them with room for
/// rounding. Precondition: not empty.
BoundingCapsule bounding_capsule(std::span<const Vec3> points);

}  // namespace tocsin::scene
