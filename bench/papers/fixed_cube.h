// The fixed-size cube of a body that turns: paper 000, section 4.1.
#pragma once

#include "core/bounds/box.h"
#include "core/vector/vec.h"

namespace tocsin::papers {

/// The greatest float that is surely not above a - b, and the least not below a + b, for a rounded
/// difference and sum: half a unit in the last place of a double is added on the way.
inline float below_difference(double a, double b) {
  const double d = a - b;
  return core::float_below(d - std::fabs(d) * 0x1p-52);
}
inline float above_sum(double a, double b) { return -below_difference(-a, b); }

/// A cube that holds everything within `radius` metres of `centre`, rounded outward. With the
/// radius about the centre of a body's farthest point it holds the body at any orientation: a link
/// about the middle of its axis has half its axis' length plus its own radius, an avatar about its
/// root the sum of its bones. Precondition: in float's range, radius >= 0.
inline core::Box fixed_cube(const Vec3& centre, double radius) {
  return {{below_difference(centre.x, radius), below_difference(centre.y, radius),
           below_difference(centre.z, radius)},
          {above_sum(centre.x, radius), above_sum(centre.y, radius), above_sum(centre.z, radius)}};
}

}  // namespace tocsin::papers
