// Directed conservative advancement: how long a link is proved to stay clear of a triangle.
// docs/exact.md, "Directed advancement"; the wake-up time of paper 002, section 6.1, with proved
// bounds.
#pragma once

#include "core/motion/link_motion.h"
#include "core/query/distance.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// "Free to the end of the step": longer than any step.
inline constexpr double kToEnd = 2.0;

/// A part of a link's axis at one time. Its points are convex combinations of its ends, and so are
/// their velocities and accelerations.
struct AxisPart {
  AxisState ends;
  double acceleration_a =
      0.0;  ///< bound of the end's acceleration for the whole step, metres per step^2
  double acceleration_b = 0.0;
};

/// The whole axis of a link in a state.
TOCSIN_HD inline AxisPart whole_axis(const LinkMotion& link, const AxisState& state) {
  return {state, link.acceleration_a, link.acceleration_b};
}

/// x + s (y - x)
TOCSIN_HD constexpr double between(double x, double y, double s) { return x + s * (y - x); }

/// The part between parameters s0 and s1 of another.
TOCSIN_HD inline AxisPart part_of(const AxisPart& p, double s0, double s1) {
  const Vec3 d = p.ends.b - p.ends.a;
  const Vec3 dv = p.ends.vb - p.ends.va;
  return {{p.ends.a + s0 * d, p.ends.a + s1 * d, p.ends.va + s0 * dv, p.ends.va + s1 * dv},
          between(p.acceleration_a, p.acceleration_b, s0),
          between(p.acceleration_a, p.acceleration_b, s1)};
}

/// The constants of a query of one link and one triangle.
struct Encounter {
  Triangle triangle;    ///< relative to the link's ref, metres
  double radius = 0.0;  ///< r, metres
  double eta = 0.0;     ///< rounding margin, metres
};

/// The greatest time h, up to `left`, for which g + h v - A h^2 / 2 > 0 on [0, h]; kToEnd if that
/// is all of `left`, 0 if nothing is proved (g <= 0, or NaN). g: gap, metres; v: its rate, metres
/// per step.
TOCSIN_HD inline double clear_time(double g, double v, double acceleration, double left) {
  if (!(g > 0.0)) return 0.0;
  // Concave, so positive at both ends is positive throughout.
  if (g + left * (v - 0.5 * acceleration * left) > 0.0) return kToEnd;
  const double root = std::sqrt(v * v + 2.0 * acceleration * g);
  return v < 0.0 ? 2.0 * g / (root - v) : (v + root) / acceleration;
}

/// How long `part` is proved to stay on its side of the plane with unit normal n that supports the
/// triangle, farther than r + eta. x: a point near the plane. True for *any* n and x.
TOCSIN_HD inline double clear_time_along(const AxisPart& part, const Encounter& e, const Vec3& n,
                                         const Vec3& x, double left) {
  const double offset = support(e.triangle, n, x) + (e.radius + e.eta);
  const AxisState& p = part.ends;
  const double ta = clear_time(dot(n, p.a - x) - offset, dot(n, p.va), part.acceleration_a, left);
  if (!(ta > 0.0)) return 0.0;
  return min_of(ta, clear_time(dot(n, p.b - x) - offset, dot(n, p.vb), part.acceleration_b, left));
}

/// The best of the two natural directions at a closest pair: the one that connects the points, and
/// the features' own normal, which stays accurate where the points nearly meet.
TOCSIN_HD inline double clear_time_at(const AxisPart& part, const Encounter& e, const Closest& c,
                                      double good_enough, double left) {
  const Vec3 d = c.y - c.x;
  const double distance = std::sqrt(c.squared);
  double best = 0.0;
  if (distance > kLeastLength) {
    best = clear_time_along(part, e, (1.0 / distance) * d, c.x, left);
    if (best >= good_enough) return best;
  }
  const Vec3 f = feature_direction(part.ends.b - part.ends.a, e.triangle, c.feature);
  const double length = norm(f);
  if (!(length > kLeastLength)) return best;
  const double sign = dot(f, d) < 0.0 ? -1.0 : 1.0;
  return max_of(best, clear_time_along(part, e, (sign / length) * f, c.x, left));
}

/// The same for a part whose closest points are not known yet.
TOCSIN_HD inline double clear_time_of(const AxisPart& part, const Encounter& e, double good_enough,
                                      double left) {
  const Closest c = closest_points(part.ends.a, part.ends.b, e.triangle);
  return clear_time_at(part, e, c, good_enough, left);
}

/// How long the whole axis is proved to stay clear. `own` is what the motion of the closest point
/// alone would allow: if the end points allow less than half of that, the axis turns about its
/// closest point, convergence would be linear (169 iterations where 9 suffice), and it is cut
/// around that point.
TOCSIN_HD inline double clear_time_split(const AxisPart& axis, const Encounter& e, const Closest& c,
                                         double own, double left) {
  double whole = clear_time_at(axis, e, c, 0.5 * own, left);
  if (!(whole > 0.0)) whole = 0.0;  // a NaN proves nothing, and must not be the greater below
  const double length = norm(axis.ends.b - axis.ends.a);
  if (whole >= 0.5 * own || !(length > kLeastLength)) return whole;
  // Beside the closest point the distance grows like x^2 / (2 r): at this half width it has
  // doubled.
  const double gap = std::sqrt(c.squared) - (e.radius + e.eta);
  if (!(gap > 0.0)) return whole;
  const double half_width = 2.0 * std::sqrt(2.0 * e.radius * gap) / length;
  const double s0 = c.s - half_width;
  const double s1 = c.s + half_width;
  const AxisPart middle = part_of(axis, max_of(s0, 0.0), min_of(s1, 1.0));
  double pieces = clear_time_at(middle, e, c, own, left);
  if (s0 > 0.0 && pieces > whole) {
    pieces = min_of(pieces, clear_time_of(part_of(axis, 0.0, s0), e, own, left));
  }
  if (s1 < 1.0 && pieces > whole) {
    pieces = min_of(pieces, clear_time_of(part_of(axis, s1, 1.0), e, own, left));
  }
  return max_of(whole, pieces);
}

}  // namespace tocsin::core
