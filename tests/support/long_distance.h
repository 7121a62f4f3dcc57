// How far two segments are from each other, in long double, for the tests: the least of all
// candidates, each of which is a distance between two of their points.
#pragma once

#include <algorithm>

#include "core/motion/link_motion.h"
#include "support/long_position.h"

namespace tocsin::test {

/// A segment in long double, metres.
struct LongAxis {
  LongVec a;
  LongVec b;
};

/// A link's axis at time t, relative to `origin`.
inline LongAxis long_axis(const core::LinkMotion& link, const Vec3& origin, long double t) {
  const LongVec shift = wide(link.ref) - wide(origin);
  return {long_position(link, link.a, t) + shift, long_position(link, link.b, t) + shift};
}

inline long double distance_to(const LongVec& point, const LongAxis& axis) {
  const LongVec d = axis.b - axis.a;
  const long double length2 = d.squaredNorm();
  const long double s =
      length2 > 0 ? std::clamp<long double>((point - axis.a).dot(d) / length2, 0, 1) : 0;
  return (axis.a + s * d - point).norm();
}

/// The least is attained between an end and the other segment, or between two inner points, which
/// then solve the normal equations.
inline long double long_distance(const LongAxis& p, const LongAxis& q) {
  long double least = std::min(
      {distance_to(p.a, q), distance_to(p.b, q), distance_to(q.a, p), distance_to(q.b, p)});
  const LongVec d = p.b - p.a;
  const LongVec e = q.b - q.a;
  const LongVec w = q.a - p.a;
  const long double determinant = d.dot(d) * e.dot(e) - d.dot(e) * d.dot(e);
  if (determinant > 0) {
    const long double s = (d.dot(w) * e.dot(e) - e.dot(w) * d.dot(e)) / determinant;
    const long double t = (d.dot(w) * d.dot(e) - e.dot(w) * d.dot(d)) / determinant;
    if (s >= 0 && s <= 1 && t >= 0 && t <= 1) {
      least = std::min(least, (p.a + s * d - q.a - t * e).norm());
    }
  }
  return least;
}

/// Between the axes of two links at time t, metres.
inline long double long_distance(const core::LinkMotion& p, const core::LinkMotion& q,
                                 long double t) {
  return long_distance(long_axis(p, p.ref, t), long_axis(q, p.ref, t));
}

}  // namespace tocsin::test
