// A quick look at two moving hulls: how long they are proved to stay apart along directions that
// cost little to find. What it leaves open, certify_hulls decides. docs/exact.md, "Two trees".
#pragma once

#include <cstdint>

#include "core/motion/frame_motion.h"
#include "core/query/advance.h"
#include "core/query/box_pair.h"
#include "core/query/hull.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// A moving hull at one time. Of fewer than three corners, the last is there again.
struct SeenHull {
  Vec3 p[kMostCorners];  ///< metres
  Vec3 v[kMostCorners];  ///< metres per step
};

/// The hull with its frame in a state, relative to a point at -shift from the frame's ref.
TOCSIN_HD inline SeenHull seen_hull(const Hull& hull, const FrameState& s, const Vec3& shift) {
  SeenHull out;
  for (std::int32_t i = 0; i < kMostCorners; ++i) {
    out.p[i] = position_of(s, hull.corner[i]) + shift;
    out.v[i] = velocity_of(s, hull.corner[i]);
  }
  return out;
}

/// The same of a frame that stands still.
TOCSIN_HD inline SeenHull still_hull(const Hull& hull, const Vec3& shift) {
  SeenHull out;
  for (std::int32_t i = 0; i < kMostCorners; ++i) out.p[i] = hull.corner[i] + shift;
  return out;
}

/// Two of them.
struct HullLook {
  SeenHull f;
  SeenHull g;
  double acceleration = 0.0;  ///< of all points of both together, for the whole step
  double reach = 0.0;         ///< no farther apart than this: they do not count as apart; metres
  double left = 1.0;          ///< the time that is asked about
  double enough = 1.0;        ///< a time that is worth no better direction
};

namespace detail {

/// A point of the hull near `p`: the nearest, up to rounding. By the regions of a triangle's
/// corners, edges and face. Nothing that is proved depends on it.
TOCSIN_HD inline Vec3 point_near(const SeenHull& hull, const Vec3& p) {
  const Vec3& a = hull.p[0];
  const Vec3& b = hull.p[1];
  const Vec3& c = hull.p[2];
  const Vec3 ab = b - a;
  const Vec3 ac = c - a;
  const Vec3 ap = p - a;
  const double b_of_a = dot(ab, ap);
  const double c_of_a = dot(ac, ap);
  if (b_of_a <= 0.0 && c_of_a <= 0.0) return a;
  const Vec3 bp = p - b;
  const double b_of_b = dot(ab, bp);
  const double c_of_b = dot(ac, bp);
  if (b_of_b >= 0.0 && c_of_b <= b_of_b) return b;
  const double beside_ab = b_of_a * c_of_b - b_of_b * c_of_a;
  if (beside_ab <= 0.0 && b_of_a > 0.0 && b_of_b <= 0.0) {  // 0 here: a and b are one point
    return a + (b_of_a / (b_of_a - b_of_b)) * ab;
  }
  const Vec3 cp = p - c;
  const double b_of_c = dot(ab, cp);
  const double c_of_c = dot(ac, cp);
  if (c_of_c >= 0.0 && b_of_c <= c_of_c) return c;
  const double beside_ac = b_of_c * c_of_a - b_of_a * c_of_c;
  if (beside_ac <= 0.0 && c_of_a >= 0.0 && c_of_c <= 0.0) {
    return a + (c_of_a / (c_of_a - c_of_c)) * ac;
  }
  const double beside_bc = b_of_b * c_of_c - b_of_c * c_of_b;
  const double from_b = c_of_b - b_of_b;
  const double from_c = b_of_c - c_of_c;
  if (beside_bc <= 0.0 && from_b >= 0.0 && from_c >= 0.0) {
    return b + (from_b / (from_b + from_c)) * (c - b);
  }
  const double whole = 1.0 / (beside_bc + beside_ac + beside_ab);
  return a + ((beside_ac * whole) * ab + (beside_ab * whole) * ac);
}

/// The farthest along n, and the fastest, though they need not be one corner.
struct Foremost {
  double far = 0.0;   ///< metres
  double fast = 0.0;  ///< metres per step
};

TOCSIN_HD inline Foremost foremost(const SeenHull& hull, const Vec3& n) {
  Foremost out{dot(n, hull.p[0]), dot(n, hull.v[0])};
  for (std::int32_t i = 1; i < kMostCorners; ++i) {
    out.far = max_of(dot(n, hull.p[i]), out.far);
    out.fast = max_of(dot(n, hull.v[i]), out.fast);
  }
  return out;
}

/// How long both are proved to stay apart along n, which points from g to f. True for *any* unit
/// vector n.
TOCSIN_HD inline double clear_time_along(const HullLook& look, const Vec3& n) {
  const Foremost g = foremost(look.g, n);
  double least = kToEnd;
  for (std::int32_t i = 0; i < kMostCorners; ++i) {
    const double time = clear_time(dot(n, look.f.p[i]) - g.far - look.reach,
                                   dot(n, look.f.v[i]) - g.fast, look.acceleration, look.left);
    if (!(time > 0.0)) return 0.0;
    least = min_of(time, least);
  }
  return least;
}

/// Along the line from x to y, whatever they are.
TOCSIN_HD inline double clear_time_between(const HullLook& look, const Vec3& y, const Vec3& x) {
  const Vec3 d = y - x;
  const double length = norm(d);
  if (!(length > kLeastLength)) return 0.0;
  return clear_time_along(look, (1.0 / length) * d);
}

}  // namespace detail

/// A box and a moving hull at one time.
struct BoxLook {
  const OrientedBox& box;
  const PlacedBox& placed;
  const FrameState& frame;  ///< the box's
  const SeenHull& hull;
  double acceleration = 0.0;  ///< of all points of both together, for the whole step
  double reach = 0.0;         ///< no farther apart than this: they do not count as apart; metres
  double left = 1.0;          ///< the time that is asked about
};

namespace detail {

/// From the hull to the box.
TOCSIN_HD inline double clear_time_along(const BoxLook& look, const Vec3& n) {
  const Foremost hull = foremost(look.hull, n);
  const Extent box = extent_along(look.box, look.placed, look.frame, n);
  const double rate = dot(n, velocity_of(look.frame, look.box.center));
  return clear_time((dot(n, look.placed.center) - box.length) - hull.far - look.reach,
                    (rate - box.rate) - hull.fast, look.acceleration, look.left);
}

}  // namespace detail

/// How long a box and a hull are proved to stay apart along the line from a point of the hull to
/// what of the box is nearest to it; below 0: the point is no farther from the box than `reach`,
/// and no direction separates them.
TOCSIN_HD inline double clear_time_of_look(const BoxLook& look) {
  const Vec3 x = detail::point_near(look.hull, look.placed.center);
  const Vec3 d = look.placed.center - x;
  Vec3 outside;
  for (int i = 0; i < 3; ++i) {
    const double at = dot(look.placed.unit[i], d);
    const double half = look.box.half[i];
    outside = outside + (at - clamp_to(at, -half, half)) * look.placed.unit[i];
  }
  const double length = norm(outside);
  if (length <= look.reach) return -1.0;
  if (!(length > kLeastLength)) return 0.0;
  return detail::clear_time_along(look, (1.0 / length) * outside);
}

/// How long the hulls are proved to stay more than `reach` apart, from their time on; kToEnd if for
/// all of `left`. First along the line from the middle of f to what is nearest to it, which is
/// often enough; then nearer and nearer points of both are tried.
TOCSIN_HD inline double clear_time_of_look(const HullLook& look) {
  // More: of pairs that are near, few more are settled. Fewer: certify_hulls is asked more often.
  constexpr int kMostTries = 4;
  Vec3 y = (1.0 / 3.0) * (look.f.p[0] + look.f.p[1] + look.f.p[2]);
  double best = 0.0;
  for (int i = 0; i < kMostTries; ++i) {
    const Vec3 x = detail::point_near(look.g, y);
    if (i > 0) y = detail::point_near(look.f, x);
    best = max_of(detail::clear_time_between(look, y, x), best);
    if (best >= look.enough) break;
  }
  return best;
}

}  // namespace tocsin::core
