// The last test of culling: can a link touch a triangle during a piece of a step? Scalar and in a
// fixed order of roundings, so that SIMD and GPU versions give the same answers. docs/exact.md,
// "Culling".
#pragma once

#include <cmath>

#include "core/bounds/box.h"
#include "core/vector/hd.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// The number of a link's own directions.
inline constexpr int kLinkDirections = 3;

/// The extent of a link in a piece of a step along its own directions: along its axis, across the
/// plane it moves in, and across both. n: any length, world. No point of the link is outside [lo,
/// hi], metres times |n|. The interval includes the error of float dot products with a triangle's
/// corners. An unused direction is 0 and separates nothing.
struct LinkDirections {
  Vec3f n[kLinkDirections];
  float lo[kLinkDirections] = {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
  float hi[kLinkDirections] = {HUGE_VALF, HUGE_VALF, HUGE_VALF};
};

namespace detail {

/// Vectors whose coordinates add up to less have no direction worth testing: a link that is a
/// point, does not move, or moves along itself. Any vector would be valid; this keeps floats
/// normal.
inline constexpr double kLeastDirection = 0x1p-30;
/// Coordinates beyond this are not tested along a link's directions, so that floats do not
/// overflow.
inline constexpr double kFarthestCoordinate = 0x1p90;

TOCSIN_HD inline double sum_of_sizes(const Vec3& p) {
  return (std::fabs(p.x) + std::fabs(p.y)) + std::fabs(p.z);
}
TOCSIN_HD inline double largest_size(const Vec3& p) {
  return max_of(max_of(std::fabs(p.x), std::fabs(p.y)), std::fabs(p.z));
}

/// The coordinate axis that is least along p.
TOCSIN_HD inline Vec3 axis_across(const Vec3& p) {
  const double x = std::fabs(p.x);
  const double y = std::fabs(p.y);
  const double z = std::fabs(p.z);
  if (x <= y && x <= z) return {1.0, 0.0, 0.0};
  return y <= z ? Vec3{0.0, 1.0, 0.0} : Vec3{0.0, 0.0, 1.0};
}

/// p scaled so that its coordinates add up to 1; 0 if that has no meaning.
TOCSIN_HD inline Vec3 scaled(const Vec3& p, double least) {
  const double size = sum_of_sizes(p);
  return size > least && size < kFarthestCoordinate ? (1.0 / size) * p : Vec3{};
}

TOCSIN_HD constexpr Vec3f to_float(const Vec3& p) {
  return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}

}  // namespace detail

/// The piece's link lies in the hull of four balls: radius grow_a about a0 and a1, grow_b about b0
/// and b1 (scene/swept/swept_link.h); metres, world. farthest: the greatest |coordinate| of any
/// triangle that will be tested.
///
/// A direction is rounded to float before anything is made from it, so it is exact, whatever it is.
/// With u = 2^-24, M = farthest and N = |n|_1: the dot product of a corner in float, (x + y) + z of
/// three products, errs by at most (3 u + 7 u^2) N M, and by 2^-148 if products underflow. In
/// double the centres' dot products, |n| grow and their difference err by less than 2^-48 N (M' +
/// grow), M' the greatest |coordinate| of the centres. The slack 4 u N (max(M, M') + grow + 2^-60)
/// exceeds their sum: N is at least 2^-31, if it is not 0.
TOCSIN_HD inline LinkDirections link_directions(const Vec3& a0, const Vec3& b0, const Vec3& a1,
                                                const Vec3& b1, double grow_a, double grow_b,
                                                double farthest) {
  LinkDirections out;
  const double far_link = max_of(max_of(detail::largest_size(a0), detail::largest_size(a1)),
                                 max_of(detail::largest_size(b0), detail::largest_size(b1)));
  const double reach = (max_of(farthest, far_link) + max_of(grow_a, grow_b)) + 0x1p-60;
  if (!(reach < detail::kFarthestCoordinate)) return out;
  const Vec3 along = detail::scaled((b0 - a0) + (b1 - a1), detail::kLeastDirection);
  const Vec3 moved = detail::scaled((a1 - a0) + (b1 - b0), detail::kLeastDirection);
  const Vec3 first = detail::sum_of_sizes(along) > 0.0 ? along : moved;
  if (!(detail::sum_of_sizes(first) > 0.0)) return out;
  Vec3 second = cross(first, moved);
  if (!(detail::sum_of_sizes(second) > detail::kLeastDirection)) {
    second = cross(first, detail::axis_across(first));
  }
  const Vec3 wanted[kLinkDirections] = {first, second, cross(first, second)};
  for (int i = 0; i < kLinkDirections; ++i) {
    const Vec3f rounded = detail::to_float(wanted[i]);
    const Vec3 n = to_double(rounded);
    const double slack = 0x1p-22 * (detail::sum_of_sizes(n) * reach);
    const double length = norm(n);
    const double pad_a = length * grow_a + slack;
    const double pad_b = length * grow_b + slack;
    const double p0 = dot(n, a0);
    const double p1 = dot(n, a1);
    const double q0 = dot(n, b0);
    const double q1 = dot(n, b1);
    out.n[i] = rounded;
    out.lo[i] = float_below(min_of(min_of(p0, p1) - pad_a, min_of(q0, q1) - pad_b));
    out.hi[i] = float_above(max_of(max_of(p0, p1) + pad_a, max_of(q0, q1) + pad_b));
  }
  return out;
}

/// True if one of the directions proves that the triangle stays clear.
TOCSIN_HD inline bool separated(const LinkDirections& d, const Vec3f& a, const Vec3f& b,
                                const Vec3f& c) {
  for (int i = 0; i < kLinkDirections; ++i) {
    const Vec3f& n = d.n[i];
    const float p = (n.x * a.x + n.y * a.y) + n.z * a.z;
    const float q = (n.x * b.x + n.y * b.y) + n.z * b.z;
    const float r = (n.x * c.x + n.y * c.y) + n.z * c.z;
    if ((p > d.hi[i] && q > d.hi[i] && r > d.hi[i]) ||
        (p < d.lo[i] && q < d.lo[i] && r < d.lo[i])) {
      return true;
    }
  }
  return false;
}

/// True if the triangle's box meets the piece's: the first test of every culler.
TOCSIN_HD constexpr bool meets(const Box& piece, const Vec3f& a, const Vec3f& b, const Vec3f& c) {
  return overlap(piece, join(box_of(a), join(box_of(b), box_of(c))));
}

}  // namespace tocsin::core
