// Axis-aligned boxes in single precision, rounded outward: what cullers compare.
#pragma once

#include <cmath>

#include "core/hd.h"
#include "core/vec.h"

namespace tocsin::core {

/// The greatest float not above x.
TOCSIN_HD inline float float_below(double x) {
  const float f = static_cast<float>(x);
  return static_cast<double>(f) > x ? std::nextafterf(f, -HUGE_VALF) : f;
}
/// The least float not below x.
TOCSIN_HD inline float float_above(double x) {
  const float f = static_cast<float>(x);
  return static_cast<double>(f) < x ? std::nextafterf(f, HUGE_VALF) : f;
}

/// A closed box, metres. The default one is empty: it overlaps nothing.
struct Box {
  Vec3f lo{HUGE_VALF, HUGE_VALF, HUGE_VALF};
  Vec3f hi{-HUGE_VALF, -HUGE_VALF, -HUGE_VALF};
};

TOCSIN_HD constexpr bool overlap(const Box& a, const Box& b) {
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
         a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}

TOCSIN_HD constexpr Box join(const Box& a, const Box& b) {
  return {{a.lo.x < b.lo.x ? a.lo.x : b.lo.x, a.lo.y < b.lo.y ? a.lo.y : b.lo.y,
           a.lo.z < b.lo.z ? a.lo.z : b.lo.z},
          {a.hi.x > b.hi.x ? a.hi.x : b.hi.x, a.hi.y > b.hi.y ? a.hi.y : b.hi.y,
           a.hi.z > b.hi.z ? a.hi.z : b.hi.z}};
}

TOCSIN_HD constexpr Box box_of(const Vec3f& p) { return {p, p}; }

/// The box of two points grown by `pad` metres on all sides, rounded outward.
TOCSIN_HD inline Box grown_box(const Vec3& p, const Vec3& q, double pad) {
  return {{float_below(min_of(p.x, q.x) - pad), float_below(min_of(p.y, q.y) - pad),
           float_below(min_of(p.z, q.z) - pad)},
          {float_above(max_of(p.x, q.x) + pad), float_above(max_of(p.y, q.y) + pad),
           float_above(max_of(p.z, q.z) + pad)}};
}

}  // namespace tocsin::core
