// Axis-aligned boxes in single precision, rounded outward: what cullers compare.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/vector/hd.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// The least float not below x; x within float's range. Without a branch, because the direction of
/// rounding cannot be predicted.
TOCSIN_HD inline float float_above(double x) {
  const float f = static_cast<float>(x) + 0.0F;  // no -0
  const auto bits = std::bit_cast<std::int32_t>(f);
  const std::int32_t up = static_cast<double>(f) < x ? 1 : 0;
  return std::bit_cast<float>(bits + (bits >= 0 ? up : -up));
}
/// The greatest float not above x.
TOCSIN_HD inline float float_below(double x) { return -float_above(-x); }

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

/// Distance from a point to the box's farthest corner, metres; 0 for an empty box.
TOCSIN_HD inline double farthest_corner(const Vec3& ref, const Box& box) {
  if (!(box.lo.x <= box.hi.x)) return 0.0;
  const Vec3 lo = to_double(box.lo) - ref;
  const Vec3 hi = to_double(box.hi) - ref;
  return norm(Vec3{max_of(std::fabs(lo.x), std::fabs(hi.x)),
                   max_of(std::fabs(lo.y), std::fabs(hi.y)),
                   max_of(std::fabs(lo.z), std::fabs(hi.z))});
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
