// Near-closest points of two hulls of up to three points each, in closed form, for every shape of
// either: points, segments, triangles, slivers. "Near" as in core/query/distance.h: nothing that is
// proved depends on how near. And whether two of them surely pierce each other.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/query/distance.h"
#include "core/query/hull.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// A feasible pair: y on the first hull, x on the second (both to within rounding).
struct ClosestHulls {
  double squared = 0.0;  ///< |y - x|^2, metres^2
  Vec3 y;
  Vec3 x;
  double first[kMostCorners]{};   ///< y as the weights of the first hull's corners
  double second[kMostCorners]{};  ///< x as those of the second's
  Vec3 across;  ///< the features' own normal, not of unit length; zero if they have none
};

namespace detail {

TOCSIN_HD inline void weights_on_edge(double (&weight)[kMostCorners], Edge e, double s) {
  for (double& w : weight) w = 0.0;
  weight[e.to] = s;
  weight[e.from] = 1.0 - s;  // after the other: of a point, both are one
}

TOCSIN_HD inline void weights_on_face(double (&weight)[kMostCorners], double b, double c) {
  weight[0] = (1.0 - b) - c;
  weight[1] = b;
  weight[2] = c;
}

/// All edges of one against all of the other.
TOCSIN_HD inline void edges_against_edges(ClosestHulls& best, const HullPart& f,
                                          const HullPart& g) {
  for (std::int32_t i = 0; i < edges_of(f.corners); ++i) {
    const Edge ef = edge_of(f.corners, i);
    const Vec3 d = f.p[ef.to] - f.p[ef.from];
    const double dd = dot(d, d);
    for (std::int32_t j = 0; j < edges_of(g.corners); ++j) {
      const Edge eg = edge_of(g.corners, j);
      const Vec3 e = g.p[eg.to] - g.p[eg.from];
      const Parameters at = nearest_parameters(d, dd, g.p[eg.from] - f.p[ef.from], e);
      const Vec3 y = f.p[ef.from] + at.s * d;
      const Vec3 x = g.p[eg.from] + at.t * e;
      const Vec3 apart = y - x;
      const double squared = dot(apart, apart);
      if (!(squared < best.squared)) continue;
      best.squared = squared;
      best.y = y;
      best.x = x;
      best.across = cross(d, e);
      weights_on_edge(best.first, ef, at.s);
      weights_on_edge(best.second, eg, at.t);
    }
  }
}

/// A triangle's face, for points beside it.
struct Face {
  Vec3 v0;
  Vec3 e1;
  Vec3 e2;
  Vec3 n;
  double nn = 0.0;
};

TOCSIN_HD inline Face face_of(const HullPart& g) {
  Face face;
  face.v0 = g.p[0];
  face.e1 = g.p[1] - g.p[0];
  face.e2 = g.p[2] - g.p[0];
  face.n = cross(face.e1, face.e2);
  face.nn = dot(face.n, face.n);
  return face;
}

/// A point of the hull `f`, on an edge of it at s, against a face. flipped: the face is the first
/// hull's.
TOCSIN_HD inline void point_against_face(ClosestHulls& best, const Vec3& point, Edge edge, double s,
                                         const Face& face, bool flipped) {
  const Vec3 w = point - face.v0;
  const double b = dot(cross(w, face.e2), face.n) / face.nn;
  const double c = dot(cross(face.e1, w), face.n) / face.nn;
  if (!(b >= 0.0 && c >= 0.0 && b + c <= 1.0)) return;
  const Vec3 foot = face.v0 + (b * face.e1 + c * face.e2);
  const Vec3 apart = point - foot;
  const double squared = dot(apart, apart);
  if (!(squared < best.squared)) return;
  best.squared = squared;
  best.y = flipped ? foot : point;
  best.x = flipped ? point : foot;
  best.across = face.n;
  weights_on_edge(flipped ? best.second : best.first, edge, s);
  weights_on_face(flipped ? best.first : best.second, b, c);
}

/// The corners of `f`, and the points where its edges cross the plane, against the face of `g`.
TOCSIN_HD inline void against_face(ClosestHulls& best, const HullPart& f, const HullPart& g,
                                   bool flipped) {
  if (g.corners < 3) return;
  const Face face = face_of(g);
  if (!(face.nn > 0.0)) return;
  double height[kMostCorners]{};
  for (std::int32_t i = 0; i < f.corners; ++i) {
    height[i] = dot(f.p[i] - face.v0, face.n);
    point_against_face(best, f.p[i], {i, i}, 0.0, face, flipped);
  }
  if (f.corners < 2) return;
  for (std::int32_t i = 0; i < edges_of(f.corners); ++i) {
    const Edge e = edge_of(f.corners, i);
    const double a = height[e.from];
    const double b = height[e.to];
    if ((a < 0.0) == (b < 0.0)) continue;
    // No threshold decides "pierces": where the edge crosses the plane is a point like any other.
    const double s = clamp_to(a / (a - b), 0.0, 1.0);
    point_against_face(best, f.p[e.from] + s * (f.p[e.to] - f.p[e.from]), e, s, face, flipped);
  }
}

}  // namespace detail

/// Near-closest points. The least distance is attained between two edges, between a corner and a
/// face, or (0) where an edge pierces a face.
TOCSIN_HD inline ClosestHulls closest_points(const HullPart& f, const HullPart& g) {
  ClosestHulls best;
  best.squared = HUGE_VAL;
  detail::edges_against_edges(best, f, g);
  detail::against_face(best, f, g, false);
  detail::against_face(best, g, f, true);
  return best;
}

namespace detail {

/// The sign of the determinant of three vectors whose ends may each be off by `error`, metres: +1,
/// -1, or 0 where it is not sure. Each vector is off by 2 error at most; 2.5 pays for rounding.
TOCSIN_HD inline int sure_sign(const Vec3& u, const Vec3& v, const Vec3& w, double error) {
  const double off = 2.5 * error;
  const double lu = norm(u) + off;
  const double lv = norm(v) + off;
  const double lw = norm(w) + off;
  const double bound = off * (lv * lw + lu * lw + lu * lv);
  const double volume = dot(u, cross(v, w));
  return volume > bound ? 1 : volume < -bound ? -1 : 0;
}

/// True if the segment p-q surely goes through the triangle: p and q lie on both sides of its
/// plane, and its three edges pass the line on one side.
TOCSIN_HD inline bool surely_pierces(const Vec3& p, const Vec3& q, const HullPart& g,
                                     double error) {
  const Vec3 e1 = g.p[1] - g.p[0];
  const Vec3 e2 = g.p[2] - g.p[0];
  const int above = sure_sign(p - g.p[0], e1, e2, error);
  if (above == 0 || sure_sign(q - g.p[0], e1, e2, error) != -above) return false;
  const Vec3 d = q - p;
  const Vec3 a = g.p[0] - p;
  const Vec3 b = g.p[1] - p;
  const Vec3 c = g.p[2] - p;
  const int side = sure_sign(d, a, b, error);
  return side != 0 && sure_sign(d, b, c, error) == side && sure_sign(d, c, a, error) == side;
}

TOCSIN_HD inline bool edge_surely_pierces(const HullPart& f, const HullPart& g, double error) {
  if (f.corners < 2 || g.corners < 3) return false;
  for (std::int32_t i = 0; i < edges_of(f.corners); ++i) {
    const Edge e = edge_of(f.corners, i);
    if (surely_pierces(f.p[e.from], f.p[e.to], g, error)) return true;
  }
  return false;
}

}  // namespace detail

/// True if both surely meet, though every coordinate of either may be off by `error`, metres: an
/// edge of one goes through the other's triangle. Two segments, or a point, never surely meet.
TOCSIN_HD inline bool surely_pierce(const HullPart& f, const HullPart& g, double error) {
  return detail::edge_surely_pierces(f, g, error) || detail::edge_surely_pierces(g, f, error);
}

}  // namespace tocsin::core
