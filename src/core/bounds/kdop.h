// k-DOPs: convex polytopes bounded by k planes with fixed normals, in single precision, rounded
// outward. Metres, any frame that the caller keeps to. Paper 001, sections 3.3.3 and 4.4;
// docs/trees.md, "k-DOPs".
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "core/bounds/box.h"
#include "core/vector/hd.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// A direction of a k-DOP: integer coordinates -1, 0 or 1, not of unit length.
struct KdopDirection {
  int x = 0;
  int y = 0;
  int z = 0;
};

/// The paper's directions; each bounds from both sides, so k/2 of them. The first three are the
/// axes in every set: a 6-DOP is a box.
template <int K>
inline constexpr std::array<KdopDirection, K / 2> kKdopDirections{};
template <>
inline constexpr std::array<KdopDirection, 3> kKdopDirections<6>{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
template <>
inline constexpr std::array<KdopDirection, 7> kKdopDirections<14>{
    {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}, {1, -1, 1}, {1, 1, -1}, {1, -1, -1}}};
template <>
inline constexpr std::array<KdopDirection, 9> kKdopDirections<18>{{{1, 0, 0},
                                                                   {0, 1, 0},
                                                                   {0, 0, 1},
                                                                   {1, 1, 0},
                                                                   {1, 0, 1},
                                                                   {0, 1, 1},
                                                                   {1, -1, 0},
                                                                   {1, 0, -1},
                                                                   {0, 1, -1}}};
template <>
inline constexpr std::array<KdopDirection, 13> kKdopDirections<26>{{{1, 0, 0},
                                                                    {0, 1, 0},
                                                                    {0, 0, 1},
                                                                    {1, 1, 1},
                                                                    {1, -1, 1},
                                                                    {1, 1, -1},
                                                                    {1, -1, -1},
                                                                    {1, 1, 0},
                                                                    {1, 0, 1},
                                                                    {0, 1, 1},
                                                                    {1, -1, 0},
                                                                    {1, 0, -1},
                                                                    {0, 1, -1}}};

/// Closed intervals [lo, hi] of D.p over the directions D, metres times |D|, rounded outward. The
/// default one is empty: it overlaps nothing.
template <int K>
struct Kdop {
  static constexpr int kDirections = K / 2;
  std::array<float, K / 2> lo;
  std::array<float, K / 2> hi;
  TOCSIN_HD constexpr Kdop() {
    for (int i = 0; i < K / 2; ++i) {
      lo[static_cast<std::size_t>(i)] = HUGE_VALF;
      hi[static_cast<std::size_t>(i)] = -HUGE_VALF;
    }
  }
};

/// The length of every direction with one, two or three coordinates that are not 0: 1, sqrt(2) and
/// sqrt(3), rounded up. One unit in the last place less, and a ball would reach through its k-DOP.
inline constexpr double kLengthUp[4] = {0.0, 1.0, 0x1.6a09e667f3bcdp+0, 0x1.bb67ae8584cabp+0};

/// The order in which overlap() tests the directions: the direction that separates most pairs
/// first, then the one that separates most of the remaining pairs, and so on. Measured in a
/// furnished house (docs/trees.md). Any order gives the same answers.
template <int K>
inline constexpr std::array<int, K / 2> kTestOrder{};
template <>
inline constexpr std::array<int, 3> kTestOrder<6>{0, 2, 1};
template <>
inline constexpr std::array<int, 7> kTestOrder<14>{0, 2, 1, 5, 3, 4, 6};
template <>
inline constexpr std::array<int, 9> kTestOrder<18>{0, 2, 1, 6, 7, 4, 3, 5, 8};
template <>
inline constexpr std::array<int, 13> kTestOrder<26>{0, 2, 1, 10, 11, 8, 7, 9, 6, 3, 12, 4, 5};

namespace kdop_detail {

/// Calls f(std::integral_constant<std::size_t, i>) for every direction i, unrolled: its coordinates
/// are constants there, and no product with 0 or 1 is left.
template <int K, class F>
TOCSIN_HD constexpr void for_each_direction(const F& f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (f(std::integral_constant<std::size_t, I>{}), ...);
  }
  (std::make_index_sequence<static_cast<std::size_t>(K / 2)>{});
}

/// How many coordinates of direction I are not 0.
template <int K, std::size_t I>
inline constexpr int kTerms = (kKdopDirections<K>[I].x != 0 ? 1 : 0) +
                              (kKdopDirections<K>[I].y != 0 ? 1 : 0) +
                              (kKdopDirections<K>[I].z != 0 ? 1 : 0);

/// D.p by at most two additions, left to right; each errs by at most u = 2^-53 of |p|_1. The first
/// coordinate of a direction that is not 0 is 1.
template <int K, std::size_t I>
TOCSIN_HD constexpr double along(const Vec3& p) {
  constexpr KdopDirection d = kKdopDirections<K>[I];
  static_assert(d.x == 1 || (d.x == 0 && (d.y == 1 || (d.y == 0 && d.z == 1))));
  if constexpr (d.x == 0 && d.y == 0) {
    return p.z;
  } else {
    double sum = d.x == 1 ? p.x : p.y;
    if constexpr (d.x == 1 && d.y == 1) sum = sum + p.y;
    if constexpr (d.x == 1 && d.y == -1) sum = sum - p.y;
    if constexpr (d.z == 1) sum = sum + p.z;
    if constexpr (d.z == -1) sum = sum - p.z;
    return sum;
  }
}

TOCSIN_HD constexpr float coordinate(const Vec3f& p, std::size_t axis) {
  return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

TOCSIN_HD constexpr float least(float a, float b) { return a < b ? a : b; }
TOCSIN_HD constexpr float greatest(float a, float b) { return a > b ? a : b; }

template <std::size_t I, int K>
TOCSIN_HD constexpr bool overlap_along(const Kdop<K>& a, const Kdop<K>& b) {
  return a.lo[I] <= b.hi[I] && b.lo[I] <= a.hi[I];
}

TOCSIN_HD inline double norm_1(const Vec3& p) {
  return (std::fabs(p.x) + std::fabs(p.y)) + std::fabs(p.z);
}

}  // namespace kdop_detail

/// The k-DOP of a triangle; every float within +-2^125. Along the axes it is the box, bit for bit.
///
/// Rounding, u = 2^-53: along the other directions a sum errs by at most 2 u (1 + u) |p|_1, and
/// taking the slack off it by u (1 + 4 u) |p|_1 more. The slack 4 u |p|_1, of the corner where that
/// is greatest, covers both and its own three roundings. Floats are then rounded outward.
template <int K>
TOCSIN_HD inline Kdop<K> kdop_of(const Vec3f& a, const Vec3f& b, const Vec3f& c) {
  namespace kd = kdop_detail;
  const Vec3 p = to_double(a);
  const Vec3 q = to_double(b);
  const Vec3 r = to_double(c);
  const double slack = 0x1p-51 * max_of(kd::norm_1(p), max_of(kd::norm_1(q), kd::norm_1(r)));
  Kdop<K> out;
  kd::for_each_direction<K>([&](auto index) {
    constexpr std::size_t i = index();
    if constexpr (i < 3) {
      const float x = kd::coordinate(a, i);
      const float y = kd::coordinate(b, i);
      const float z = kd::coordinate(c, i);
      out.lo[i] = kd::least(x, kd::least(y, z));
      out.hi[i] = kd::greatest(x, kd::greatest(y, z));
    } else {
      const double x = kd::along<K, i>(p);
      const double y = kd::along<K, i>(q);
      const double z = kd::along<K, i>(r);
      out.lo[i] = float_below(min_of(x, min_of(y, z)) - slack);
      out.hi[i] = float_above(max_of(x, max_of(y, z)) + slack);
    }
  });
  return out;
}

/// The k-DOP of a point.
template <int K>
TOCSIN_HD inline Kdop<K> kdop_of(const Vec3f& p) {
  return kdop_of<K>(p, p, p);
}

/// The least k-DOP that holds both.
template <int K>
TOCSIN_HD constexpr Kdop<K> join(const Kdop<K>& a, const Kdop<K>& b) {
  Kdop<K> out;
  for (std::size_t i = 0; i < K / 2; ++i) {
    out.lo[i] = kdop_detail::least(a.lo[i], b.lo[i]);
    out.hi[i] = kdop_detail::greatest(a.hi[i], b.hi[i]);
  }
  return out;
}

/// False only if a direction separates them: conservative, paper 001, section 4.4. At most k
/// comparisons and no arithmetic. Unrolled: device code cannot index a table of the CPU's.
template <int K>
TOCSIN_HD constexpr bool overlap(const Kdop<K>& a, const Kdop<K>& b) {
  return [&]<std::size_t... N>(std::index_sequence<N...>) {
    return (kdop_detail::overlap_along<static_cast<std::size_t>(kTestOrder<K>[N])>(a, b) && ...);
  }
  (std::make_index_sequence<static_cast<std::size_t>(K / 2)>{});
}

/// True if every interval of `inner` lies in that of `outer`; an empty one lies in every other.
template <int K>
TOCSIN_HD constexpr bool contains(const Kdop<K>& outer, const Kdop<K>& inner) {
  for (std::size_t i = 0; i < K / 2; ++i) {
    if (!(outer.lo[i] <= inner.lo[i] && inner.hi[i] <= outer.hi[i])) return false;
  }
  return true;
}

/// What its axes bound.
template <int K>
TOCSIN_HD constexpr Box box_of(const Kdop<K>& v) {
  return {{v.lo[0], v.lo[1], v.lo[2]}, {v.hi[0], v.hi[1], v.hi[2]}};
}

/// The k-DOP of the hull of four balls: radius grow_a >= 0 about a0 and a1, grow_b >= 0 about b0
/// and b1; metres, within float's range. What a link sweeps in a piece of a step
/// (scene/swept/swept_link.h).
///
/// Along the axes these are the bits of core::grown_box: x - grow is rounded once there, by u (|x|
/// + grow), which is included in grow (docs/exact.md, "Culling"). Rounding along the other
/// directions, with M = max |centre|_1, g = max(grow) and |D| < 1.74: a sum of coordinates errs by
/// 2 u M, |D| grow by 1.74 u g and raising it by the slack by 1.75 u g, the last difference by u (M
/// + 1.75 g); together below 3.1 u M + 5.3 u g. The slack 8 u (M + g) covers them and its own four
/// roundings.
template <int K>
TOCSIN_HD inline Kdop<K> swept_kdop(const Vec3& a0, const Vec3& b0, const Vec3& a1, const Vec3& b1,
                                    double grow_a, double grow_b) {
  namespace kd = kdop_detail;
  const double farthest =
      max_of(max_of(kd::norm_1(a0), kd::norm_1(a1)), max_of(kd::norm_1(b0), kd::norm_1(b1)));
  const double slack = 0x1p-50 * (farthest + max_of(grow_a, grow_b));
  Kdop<K> out;
  kd::for_each_direction<K>([&](auto index) {
    constexpr std::size_t i = index();
    constexpr double length = kLengthUp[kd::kTerms<K, i>];
    const double pad_a = i < 3 ? grow_a : length * grow_a + slack;
    const double pad_b = i < 3 ? grow_b : length * grow_b + slack;
    const double p0 = kd::along<K, i>(a0);
    const double p1 = kd::along<K, i>(a1);
    const double q0 = kd::along<K, i>(b0);
    const double q1 = kd::along<K, i>(b1);
    out.lo[i] = float_below(min_of(min_of(p0, p1) - pad_a, min_of(q0, q1) - pad_b));
    out.hi[i] = float_above(max_of(max_of(p0, p1) + pad_a, max_of(q0, q1) + pad_b));
  });
  return out;
}

}  // namespace tocsin::core
