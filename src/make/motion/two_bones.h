// Two bones that share a hinge (thigh and shin, upper arm and forearm): where the hinge must be for
// the end to be at a given point. The hinge bends one way only.
#pragma once

#include <cmath>

#include "make/motion/rotation.h"

namespace tocsin::make {

/// The most of its length that a limb stretches to. At 1 the hinge's speed is unbounded as the end
/// moves on; 0.9986 leaves it bent by 6 degrees, as a relaxed straight limb is.
inline constexpr double kFullStretch = 0.9986;

struct TwoBones {
  Vec3 upper;  ///< unit vector along the upper bone
  Vec3 lower;  ///< unit vector along the lower bone
  Vec3 axis;   ///< unit vector: the hinge turns about it, right-handed, as it bends
  Vec3 bend;   ///< unit vector across the line from root to end, to the hinge's side
  /// Cosine and sine of half the hinge's angle; 0 degrees is straight.
  double half_cos = 1.0;
  double half_sin = 0.0;
};

/// From the root to `reach` (relative to it, metres; not near zero), with bones of lengths l1, l2.
/// The hinge lies on the side of `pole` (not parallel to `reach`). A reach beyond kFullStretch of
/// l1 + l2 ends there, in its direction.
inline TwoBones solve_two_bones(const Vec3& reach, double l1, double l2, const Vec3& pole) {
  const double wanted = core::norm(reach);
  const Vec3 e = (1.0 / wanted) * reach;
  const double d = core::min_of(wanted, kFullStretch * (l1 + l2));
  TwoBones out;
  out.bend = unit_across(pole, e);
  out.axis = core::cross(out.bend, e);
  const double along = 0.5 * (d + (l1 * l1 - l2 * l2) / d);
  const double across = std::sqrt(core::max_of(l1 * l1 - along * along, 0.0));
  out.upper = (1.0 / l1) * (along * e + across * out.bend);
  out.lower = (1.0 / l2) * ((d - along) * e - across * out.bend);
  const double bend = (d * d - l1 * l1 - l2 * l2) / (2.0 * l1 * l2);  // cosine of the hinge's angle
  out.half_cos = std::sqrt(core::max_of(0.5 * (1.0 + bend), 0.0));
  out.half_sin = std::sqrt(core::max_of(0.5 * (1.0 - bend), 0.0));
  return out;
}

}  // namespace tocsin::make
