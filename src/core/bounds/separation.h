// A lower bound of the distance between a segment and a triangle, for proofs of clearance.
#pragma once

#include "core/query/distance.h"
#include "core/vector/vec.h"

namespace tocsin::core {

namespace detail {

/// How far the segment lies beyond the plane with unit normal n that supports the triangle;
/// negative: not.
TOCSIN_HD inline double support_gap(const Vec3& a, const Vec3& b, const Triangle& tri,
                                    const Vec3& n, const Vec3& x) {
  return min_of(dot(n, a - x), dot(n, b - x)) - support(tri, n, x);
}

}  // namespace detail

/// At most the distance, metres, between segment a-b and the triangle (up to rounding), at least 0;
/// equal to it as far as the direction of the closest pair is known. The closest pair's own length
/// would not do: it is only *near* the least (distance.h), so it bounds from above.
TOCSIN_HD inline double separation(const Vec3& a, const Vec3& b, const Triangle& tri) {
  const Closest c = closest_points(a, b, tri);
  const Vec3 d = c.y - c.x;
  const double distance = std::sqrt(c.squared);
  if (!(distance > kLeastLength)) return 0.0;
  double best = max_of(0.0, detail::support_gap(a, b, tri, (1.0 / distance) * d, c.x));
  const Vec3 f = feature_direction(b - a, tri, c.feature);
  const double length = norm(f);
  if (length > kLeastLength) {
    const double sign = dot(f, d) < 0.0 ? -1.0 : 1.0;
    best = max_of(best, detail::support_gap(a, b, tri, (sign / length) * f, c.x));
  }
  return min_of(best, distance);
}

}  // namespace tocsin::core
