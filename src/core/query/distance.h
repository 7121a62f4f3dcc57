// Near-closest points of a segment and a triangle, in closed form, for every shape of either:
// points, segments, slivers. "Near": rounding may pick a slightly farther pair. Nothing that
// certify proves depends on how near; only the number of its iterations does. docs/exact.md,
// "Distance".
#pragma once

#include <cstdint>

#include "core/vector/hd.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// A triangle's corners, relative to the link's ref, metres.
struct Triangle {
  Vec3 v[3];
};

/// How far the triangle reaches beyond x along n: its support, metres if n is of unit length.
TOCSIN_HD inline double support(const Triangle& tri, const Vec3& n, const Vec3& x) {
  return max_of(dot(n, tri.v[0] - x), max_of(dot(n, tri.v[1] - x), dot(n, tri.v[2] - x)));
}

/// Which features hold the closest points; certify tries their own normal where the connecting
/// direction is numerically poor.
enum class Feature : std::uint8_t {
  kFace,   ///< an end point above the face, or the axis through it
  kEdge0,  ///< the axis and edge v0-v1
  kEdge1,  ///< the axis and edge v1-v2
  kEdge2,  ///< the axis and edge v2-v0
};

/// A feasible pair: y on the segment, x on the triangle (both to within rounding).
struct Closest {
  double squared = 0.0;  ///< |y - x|^2, metres^2
  double s = 0.0;        ///< y = a + s (b - a)
  Vec3 y;
  Vec3 x;
  Feature feature = Feature::kFace;
};

namespace detail {

TOCSIN_HD inline void keep_nearer(Closest& best, double s, const Vec3& y, const Vec3& x,
                                  Feature f) {
  const Vec3 d = y - x;
  const double squared = dot(d, d);
  if (squared < best.squared) best = {squared, s, y, x, f};
}

/// Where two segments are near-closest: parameters in [0, 1].
struct Parameters {
  double s = 0.0;
  double t = 0.0;
};

/// Of a + s d and p + t e with w = p - a and dd = d.d.
TOCSIN_HD inline Parameters nearest_parameters(const Vec3& d, double dd, const Vec3& w,
                                               const Vec3& e) {
  // The lines' common normal, not the determinant of the normal equations, whose cancellation loses
  // half the digits of nearly parallel lines.
  const Vec3 n = cross(d, e);
  const double nn = dot(n, n);
  const double ee = dot(e, e);
  Parameters at;
  at.s = nn > 0.0 ? clamp_to(dot(cross(w, e), n) / nn, 0.0, 1.0) : 0.0;
  at.t = ee > 0.0 ? clamp_to(dot(at.s * d - w, e) / ee, 0.0, 1.0) : 0.0;
  at.s = dd > 0.0 ? clamp_to(dot(w + at.t * e, d) / dd, 0.0, 1.0) : 0.0;
  return at;
}

/// Segment a + s d (s in [0, 1]) against the edge p + t e (t in [0, 1]).
TOCSIN_HD inline void against_edge(Closest& best, const Vec3& a, const Vec3& d, double dd,
                                   const Vec3& p, const Vec3& e, Feature f) {
  const Parameters at = nearest_parameters(d, dd, p - a, e);
  keep_nearer(best, at.s, a + at.s * d, p + at.t * e, f);
}

/// A point of the segment against the triangle's face, without its edges.
TOCSIN_HD inline void against_face(Closest& best, double s, const Vec3& y, const Vec3& v0,
                                   const Vec3& e1, const Vec3& e2, const Vec3& n, double nn) {
  const Vec3 w = y - v0;
  const double beta = dot(cross(w, e2), n) / nn;
  const double gamma = dot(cross(e1, w), n) / nn;
  if (beta >= 0.0 && gamma >= 0.0 && beta + gamma <= 1.0) {
    keep_nearer(best, s, y, v0 + (beta * e1 + gamma * e2), Feature::kFace);
  }
}

}  // namespace detail

/// Near-closest points of the segment a-b and the triangle. The least distance is attained between
/// the axis and an edge, between an end point and the face, or (0) where the axis pierces the face.
TOCSIN_HD inline Closest closest_points(const Vec3& a, const Vec3& b, const Triangle& tri) {
  const Vec3 d = b - a;
  const double dd = dot(d, d);
  const Vec3 e1 = tri.v[1] - tri.v[0];
  const Vec3 e2 = tri.v[2] - tri.v[0];
  Closest best;
  best.squared = HUGE_VAL;
  detail::against_edge(best, a, d, dd, tri.v[0], e1, Feature::kEdge0);
  detail::against_edge(best, a, d, dd, tri.v[1], tri.v[2] - tri.v[1], Feature::kEdge1);
  detail::against_edge(best, a, d, dd, tri.v[0], e2, Feature::kEdge2);

  const Vec3 n = cross(e1, e2);
  const double nn = dot(n, n);
  if (!(nn > 0.0)) return best;
  detail::against_face(best, 0.0, a, tri.v[0], e1, e2, n, nn);
  detail::against_face(best, 1.0, b, tri.v[0], e1, e2, n, nn);
  const double above_a = dot(a - tri.v[0], n);
  const double above_b = dot(b - tri.v[0], n);
  if ((above_a < 0.0) != (above_b < 0.0)) {
    // No threshold decides "pierces": where the axis crosses the plane is a point like any other.
    const double s = clamp_to(above_a / (above_a - above_b), 0.0, 1.0);
    detail::against_face(best, s, a + s * d, tri.v[0], e1, e2, n, nn);
  }
  return best;
}

/// The direction of the closest features themselves: the face's normal, or the common normal of
/// axis and edge; unnormalised, zero if they have none.
TOCSIN_HD inline Vec3 feature_direction(const Vec3& axis, const Triangle& tri, Feature f) {
  switch (f) {
    case Feature::kEdge0:
      return cross(axis, tri.v[1] - tri.v[0]);
    case Feature::kEdge1:
      return cross(axis, tri.v[2] - tri.v[1]);
    case Feature::kEdge2:
      return cross(axis, tri.v[2] - tri.v[0]);
    default:
      return cross(tri.v[1] - tri.v[0], tri.v[2] - tri.v[0]);
  }
}

}  // namespace tocsin::core
