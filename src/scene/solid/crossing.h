// Whether a ray leaves or enters a closed surface through a triangle, decided without any error.
// docs/exact.md, "Solids".
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/vector/expansion.h"
#include "core/vector/vec.h"
#include "tocsin/types.h"

namespace tocsin::scene {

/// How a ray and a triangle meet.
enum class Crossing : std::uint8_t {
  kApart,
  kOut,      ///< the ray leaves by the side that the triangle's normal points to
  kIn,       ///< it enters
  kThrough,  ///< its start lies on the triangle
};

/// A point's coordinates are rounded to multiples of this, metres, before crossings are asked for:
/// then no product of the predicates underflows. It moves a point by less than 1e-18 m.
inline constexpr double kPointGrid = 0x1p-60;

/// The point on that grid. Coordinates above 2^-8 m are on it as they are.
inline Vec3 on_grid(const Vec3& p) {
  const auto snap = [](double x) { return std::nearbyint(x / kPointGrid) * kPointGrid; };
  return {snap(p.x), snap(p.y), snap(p.z)};
}

namespace detail {

/// A corner less the ray's start, without error.
using Corner = std::array<core::Pair, 3>;

inline Corner corner_from(const Vec3& p, const Vec3f& v) {
  return {core::exact_difference(double{v.x}, p.x), core::exact_difference(double{v.y}, p.y),
          core::exact_difference(double{v.z}, p.z)};
}

/// On which side of the edge v-w, seen along x, the origin lies: 1 to its left, -1 to its right. An
/// origin on the line counts as moved by (0, e, e^2), e > 0 and less than any number. 0: v and w
/// are one point.
inline int side_of(const Corner& v, const Corner& w, const Vec3f& from, const Vec3f& to) {
  const int side = core::determinant_sign(v[1], w[2], v[2], w[1]);
  if (side != 0) return side;
  if (from.z != to.z) return from.z > to.z ? 1 : -1;
  if (from.y != to.y) return to.y > from.y ? 1 : -1;
  return 0;
}

/// The sign of det(a, b, c), exactly.
inline int exact_volume_sign(const Corner& a, const Corner& b, const Corner& c) {
  core::Expansion<192> sum;
  const auto add = [&sum](const core::Pair& x, const core::Pair& y, const core::Pair& z,
                          double sign) {
    for (const double p : {x.high, x.low}) {
      for (const double q : {y.high, y.low}) {
        const core::Pair pq = core::exact_product(sign * p, q);
        for (const double r : {z.high, z.low}) {
          sum.add(core::exact_product(pq.low, r));
          sum.add(core::exact_product(pq.high, r));
        }
      }
    }
  };
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const std::size_t k = (i + 2) % 3;
    add(a[i], b[j], c[k], 1.0);
    add(a[i], b[k], c[j], -1.0);
  }
  return sum.sign();
}

inline int volume_sign(const Corner& a, const Corner& b, const Corner& c) {
  double det = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    const std::size_t k = (i + 2) % 3;
    const double p = b[j].high * c[k].high;
    const double q = b[k].high * c[j].high;
    det += a[i].high * (p - q);
    size += std::fabs(a[i].high) * (std::fabs(p) + std::fabs(q));
  }
  // Ten factors and operations at most on any way through, each off by one part in 2^53.
  if (std::fabs(det) > 0x1p-48 * size) return core::sign_of(det);
  return exact_volume_sign(a, b, c);
}

}  // namespace detail

/// The ray from p along +x, metres. Its start counts as moved by (0, e, e^2) for an e > 0 that is
/// less than any number, so it meets no edge and no vertex; the answers for all triangles of a
/// surface belong to one such ray. Precondition: p is on_grid().
inline Crossing cross_ray(const Vec3& p, const std::array<Vec3f, 3>& v) {
  const auto [least_x, most_x] = std::minmax({v[0].x, v[1].x, v[2].x});
  if (double{most_x} < p.x) return Crossing::kApart;
  const std::array<detail::Corner, 3> c = {
      detail::corner_from(p, v[0]), detail::corner_from(p, v[1]), detail::corner_from(p, v[2])};
  const int side = detail::side_of(c[0], c[1], v[0], v[1]);
  if (side == 0 || detail::side_of(c[1], c[2], v[1], v[2]) != side ||
      detail::side_of(c[2], c[0], v[2], v[0]) != side) {
    return Crossing::kApart;
  }
  // Seen along -x the corners turn left: the normal points along +x.
  const Crossing ahead = side > 0 ? Crossing::kOut : Crossing::kIn;
  if (double{least_x} > p.x) return ahead;
  const int volume = detail::volume_sign(c[0], c[1], c[2]);
  if (volume == 0) return Crossing::kThrough;
  return volume == side ? ahead : Crossing::kApart;
}

}  // namespace tocsin::scene
