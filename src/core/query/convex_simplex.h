// The difference of two convex bodies at some of its corners, and the point of their hull that is
// nearest to the origin. docs/nearest.md, "From corners to features".
#pragma once

#include <cmath>
#include <cstdint>

#include "core/vector/hd.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// A corner of the first body less one of the second. All in the first body's frame, metres.
struct DifferenceCorner {
  Vec3 w;  ///< a - b
  Vec3 a;
  Vec3 b;
  std::uint32_t first = 0;   ///< index of a
  std::uint32_t second = 0;  ///< index of b
};

inline constexpr std::int32_t kMostOfSimplex = 4;

/// Up to four such corners, and of their hull the point z that is nearest to the origin.
struct DifferenceSimplex {
  DifferenceCorner corner[kMostOfSimplex];
  double weight[kMostOfSimplex]{};  ///< of z
  std::int32_t count = 0;
  Vec3 z;
  double squared = 0.0;  ///< |z|^2
  /// Not of unit length. Three corners: their plane's normal, to the side on which z is seen from
  /// the origin. Two: z less its rounding along the edge. One: z.
  Vec3 normal;
  bool inside = false;  ///< the origin surely lies in the hull of four
};

namespace detail {

TOCSIN_HD inline DifferenceSimplex simplex_of(const DifferenceCorner& p) {
  DifferenceSimplex out;
  out.corner[0] = p;
  out.weight[0] = 1.0;
  out.count = 1;
  out.z = p.w;
  out.squared = dot(p.w, p.w);
  out.normal = p.w;
  return out;
}

TOCSIN_HD inline void keep_nearer(DifferenceSimplex& best, const DifferenceSimplex& one) {
  if (one.squared < best.squared) best = one;
}

/// If z is between both.
TOCSIN_HD inline void add_edge(DifferenceSimplex& best, const DifferenceCorner& p,
                               const DifferenceCorner& q) {
  const Vec3 d = q.w - p.w;
  const double dd = dot(d, d);
  const double along = -dot(p.w, d);
  if (!(along > 0.0 && along < dd)) return;
  const double s = along / dd;
  const Vec3 z = p.w + s * d;
  const double squared = dot(z, z);
  if (!(squared < best.squared)) return;
  DifferenceSimplex out;
  out.corner[0] = p;
  out.corner[1] = q;
  out.weight[0] = 1.0 - s;
  out.weight[1] = s;
  out.count = 2;
  out.z = z;
  out.squared = squared;
  out.normal = z - (dot(z, d) / dd) * d;
  best = out;
}

/// If z is inside the triangle.
TOCSIN_HD inline void add_face(DifferenceSimplex& best, const DifferenceCorner& p,
                               const DifferenceCorner& q, const DifferenceCorner& r) {
  const Vec3 d = q.w - p.w;
  const Vec3 e = r.w - p.w;
  const Vec3 n = cross(d, e);
  const double nn = dot(n, n);
  const double s = dot(cross(e, p.w), n);
  const double t = dot(cross(p.w, d), n);
  if (!(s > 0.0 && t > 0.0 && s + t < nn)) return;
  const Vec3 z = p.w + ((s / nn) * d + (t / nn) * e);
  const double squared = dot(z, z);
  if (!(squared < best.squared)) return;
  DifferenceSimplex out;
  out.corner[0] = p;
  out.corner[1] = q;
  out.corner[2] = r;
  out.weight[1] = s / nn;
  out.weight[2] = t / nn;
  out.weight[0] = (1.0 - out.weight[1]) - out.weight[2];
  out.count = 3;
  out.z = z;
  out.squared = squared;
  out.normal = dot(n, p.w) < 0.0 ? -n : n;
  best = out;
}

/// 1 or -1: the sign of det(u, v, w), 0 where rounding may change it.
TOCSIN_HD inline int clear_sign(const Vec3& u, const Vec3& v, const Vec3& w) {
  const double volume = dot(u, cross(v, w));
  const double bound = 0x1p-48 * (norm(u) * (norm(v) * norm(w)));
  return volume > bound ? 1 : volume < -bound ? -1 : 0;
}

/// True if the origin surely lies in the tetrahedron.
TOCSIN_HD inline bool surrounds(const DifferenceCorner (&c)[kMostOfSimplex]) {
  const int sign = clear_sign(c[1].w, c[2].w, c[3].w);
  return sign != 0 && clear_sign(c[0].w, c[3].w, c[2].w) == sign &&
         clear_sign(c[0].w, c[1].w, c[3].w) == sign && clear_sign(c[0].w, c[2].w, c[1].w) == sign;
}

}  // namespace detail

/// The simplex of a new corner and those that an old one kept: the old one's z was the nearest of
/// its hull, so only hulls that have the new corner are looked at. What lies farther than the old z
/// is none: squared is then not below the old one's.
TOCSIN_HD inline DifferenceSimplex with_corner(const DifferenceSimplex& old,
                                               const DifferenceCorner& p) {
  DifferenceSimplex best = detail::simplex_of(p);
  for (std::int32_t i = 0; i < old.count; ++i) {
    detail::add_edge(best, old.corner[i], p);
    for (std::int32_t j = 0; j < i; ++j) detail::add_face(best, old.corner[j], old.corner[i], p);
  }
  if (old.count < 3) return best;
  DifferenceSimplex all = old;
  all.corner[3] = p;
  all.count = 4;
  if (!detail::surrounds(all.corner)) return best;
  all.inside = true;
  all.squared = 0.0;
  return all;
}

}  // namespace tocsin::core
