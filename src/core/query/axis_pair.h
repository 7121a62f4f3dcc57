// Two axes at one time: near-closest points, and how long both are proved to stay apart when both
// move. docs/exact.md, "Two links".
#pragma once

#include <cmath>

#include "core/query/advance.h"
#include "core/query/distance.h"
#include "core/vector/hd_apart.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// A feasible pair of points: y on axis a, x on axis b (both to within rounding).
struct ClosestPair {
  double squared = 0.0;  ///< |y - x|^2, metres^2
  double s = 0.0;        ///< y = a.a + s (a.b - a.a)
  double q = 0.0;        ///< x = b.a + q (b.b - b.a)
  Vec3 y;
  Vec3 x;
};

/// Near-closest points of two axes, in closed form, for every shape of either: points, parallels,
/// crossings. "Near" as in core/query/distance.h.
TOCSIN_HD inline ClosestPair closest_points(const AxisState& a, const AxisState& b) {
  const Vec3 d = a.b - a.a;
  const Vec3 e = b.b - b.a;
  const detail::Parameters at = detail::nearest_parameters(d, dot(d, d), b.a - a.a, e);
  ClosestPair c;
  c.s = at.s;
  c.q = at.t;
  c.y = a.a + at.s * d;
  c.x = b.a + at.t * e;
  const Vec3 apart = c.y - c.x;
  c.squared = dot(apart, apart);
  return c;
}

/// Parts of two moving axes, and the distance at which they touch.
struct PartPair {
  AxisPart a;
  AxisPart b;
  double reach = 0.0;  ///< sum of the radii plus eta, metres
};

namespace detail {

/// Axes at a smaller angle (2^-10) have no common normal worth its digits. Which direction is taken
/// only decides how much is proved; at this angle either errs by less than eta.
inline constexpr double kLeastSquaredSine = 0x1p-20;

/// The direction across the closest features, unnormalised: the axes' common normal where they
/// cross, across an axis where its inside is closest to an end, across both if they are parallel;
/// zero between two ends of others.
TOCSIN_HD inline Vec3 feature_direction(const PartPair& p, const ClosestPair& c) {
  const Vec3 d = p.a.ends.b - p.a.ends.a;
  const Vec3 e = p.b.ends.b - p.b.ends.a;
  const double dd = dot(d, d);
  const double ee = dot(e, e);
  const bool inside_a = c.s > 0.0 && c.s < 1.0;
  const bool inside_b = c.q > 0.0 && c.q < 1.0;
  const Vec3 n = cross(d, e);
  const bool parallel = !(dot(n, n) > kLeastSquaredSine * dd * ee);
  if (inside_a && inside_b && !parallel) return n;
  const Vec3 apart = c.y - c.x;
  if ((inside_b || parallel) && ee > 0.0) return apart - (dot(apart, e) / ee) * e;
  if ((inside_a || parallel) && dd > 0.0) return apart - (dot(apart, d) / dd) * d;
  return {};
}

}  // namespace detail

/// How long the parts are proved to stay on their sides of a slab with unit normal n that is as
/// wide as `reach`. x: a point near it. True for *any* n and x. Four parabolas, one for every two
/// ends: at any time their least is the least of a's along n less the greatest of b's, and nothing
/// tighter follows from these bounds.
TOCSIN_HD inline double clear_time_along(const PartPair& p, const Vec3& n, const Vec3& x,
                                         double left) {
  const AxisState& a = p.a.ends;
  const AxisState& b = p.b.ends;
  const double height_a[2] = {dot(n, a.a - x), dot(n, a.b - x)};
  const double height_b[2] = {dot(n, b.a - x) + p.reach, dot(n, b.b - x) + p.reach};
  const double rate_a[2] = {dot(n, a.va), dot(n, a.vb)};
  const double rate_b[2] = {dot(n, b.va), dot(n, b.vb)};
  const double acceleration_a[2] = {p.a.acceleration_a, p.a.acceleration_b};
  const double acceleration_b[2] = {p.b.acceleration_a, p.b.acceleration_b};
  double least = kToEnd;
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 2; ++j) {
      const double time = clear_time(height_a[i] - height_b[j], rate_a[i] - rate_b[j],
                                     acceleration_a[i] + acceleration_b[j], left);
      if (!(time > 0.0)) return 0.0;
      least = min_of(time, least);
    }
  }
  return least;
}

/// The best of the two natural directions at a closest pair: the one that connects the points, and
/// the features' own, which stays accurate where the points nearly meet.
TOCSIN_HD inline double clear_time_at(const PartPair& p, const ClosestPair& c, double good_enough,
                                      double left) {
  const Vec3 apart = c.y - c.x;
  const double distance = std::sqrt(c.squared);
  double best = 0.0;
  if (distance > kLeastLength) {
    best = clear_time_along(p, (1.0 / distance) * apart, c.x, left);
    if (best >= good_enough) return best;
  }
  const Vec3 f = detail::feature_direction(p, c);
  const double length = norm(f);
  if (!(length > kLeastLength)) return best;
  const double sign = dot(f, apart) < 0.0 ? -1.0 : 1.0;
  return max_of(best, clear_time_along(p, (sign / length) * f, c.x, left));
}

namespace detail {

/// Where an axis is cut: part i lies between parameters at[i] and at[i + 1].
struct Cuts {
  double at[4] = {0.0, 1.0, 1.0, 1.0};
  int parts = 1;
  int middle = 0;  ///< the part that holds the closest point
};

/// Cut on both sides of s; no part is empty.
TOCSIN_HD inline Cuts cuts_around(double s, double half_width) {
  Cuts c;
  c.parts = 0;
  if (s - half_width > 0.0) c.at[++c.parts] = s - half_width;
  c.middle = c.parts;
  if (s + half_width < 1.0) c.at[++c.parts] = s + half_width;
  c.at[++c.parts] = 1.0;
  return c;
}

/// The part that comes k-th if the middle comes first: it is the likeliest to end the search.
TOCSIN_HD inline AxisPart kth_part(const AxisPart& p, const Cuts& cuts, int k) {
  const int i = (cuts.middle + k) % cuts.parts;
  return part_of(p, cuts.at[i], cuts.at[i + 1]);
}

/// The least time of all parts of one against all parts of the other, or `whole` if that is longer.
TOCSIN_HD_APART inline double clear_time_cut(const PartPair& p, const Cuts& of_a, const Cuts& of_b,
                                             const ClosestPair& c, double whole, double own,
                                             double left) {
  double least = kToEnd;
  for (int k = 0; k < of_a.parts; ++k) {
    for (int l = 0; l < of_b.parts; ++l) {
      const PartPair cut{kth_part(p.a, of_a, k), kth_part(p.b, of_b, l), p.reach};
      const bool middle = k == 0 && l == 0;
      const double time =
          clear_time_at(cut, middle ? c : closest_points(cut.a.ends, cut.b.ends), own, left);
      if (!(time > whole)) return whole;
      least = min_of(time, least);
    }
  }
  return least;
}

/// If both axes turn about their closest points, the slower one is cut as well if its end speed is
/// at least this part of the other's. 0: worst cases are the same, but resting axes are cut too.
/// 1/4: where both turn, the worst takes four times as long.
inline constexpr double kWorthACut = 0x1p-4;

}  // namespace detail

/// How long both parts are proved to stay apart. n: unit vector of the closest pair. `own` is what
/// the motion of the closest points alone would allow: if the ends allow less than half of that, an
/// axis turns about its closest point, and convergence would be linear. Then the turning axes are
/// cut there: one or both.
TOCSIN_HD inline double clear_time_split(const PartPair& p, const ClosestPair& c, const Vec3& n,
                                         double own, double left) {
  double whole = clear_time_at(p, c, 0.5 * own, left);
  if (!(whole > 0.0)) whole = 0.0;  // a NaN proves nothing, and must not be the greater below
  const double gap = std::sqrt(c.squared) - p.reach;
  if (whole >= 0.5 * own || !(gap > 0.0)) return whole;
  const AxisState& a = p.a.ends;
  const AxisState& b = p.b.ends;
  const double rate_a[2] = {dot(n, a.va), dot(n, a.vb)};
  const double rate_b[2] = {dot(n, b.va), dot(n, b.vb)};
  // How much faster than its closest point an end comes nearer.
  const double turn_a = between(rate_a[0], rate_a[1], c.s) - min_of(rate_a[0], rate_a[1]);
  const double turn_b = max_of(rate_b[0], rate_b[1]) - between(rate_b[0], rate_b[1], c.q);
  // Beside the closest point the distance grows like x^2 / (2 r): at this half width it has
  // doubled.
  const double half_width = 2.0 * std::sqrt(2.0 * p.reach * gap);
  const double length_a = norm(a.b - a.a);
  const double length_b = norm(b.b - b.a);
  detail::Cuts of_a;
  detail::Cuts of_b;
  if (length_a > kLeastLength && turn_a >= detail::kWorthACut * turn_b) {
    of_a = detail::cuts_around(c.s, half_width / length_a);
  }
  if (length_b > kLeastLength && turn_b >= detail::kWorthACut * turn_a) {
    of_b = detail::cuts_around(c.q, half_width / length_b);
  }
  if (of_a.parts * of_b.parts == 1) return whole;
  return detail::clear_time_cut(p, of_a, of_b, c, whole, own, left);
}

}  // namespace tocsin::core
