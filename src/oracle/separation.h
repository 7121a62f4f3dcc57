// Distance between a segment and a triangle, as two bounds that are proved separately: two feasible
// points (no more than), and a pair of parallel supporting planes (no less than).
//
// The points minimise the convex quadratic |y(s) - x(u, v)|^2 over s in [0, 1] and the triangle by
// enumerating the 3 x 7 pairs of faces (segment: inside, a, b; triangle: inside, 3 edges, 3
// corners), solving each small system and taking the least. Triangles of zero area and segments of
// zero length need no case of their own: a system that is singular is skipped, as its minimum is
// also attained on a smaller face.
#pragma once

#include <array>

#include "oracle/kinematics.h"
#include "oracle/number.h"

namespace tocsin::oracle {

/// A triangle relative to a path's origin, with what the distance needs worked out.
struct TriangleFrame {
  TriangleFrame() = default;
  TriangleFrame(const std::array<Vec3f, 3>& corners, const Vec3& origin);

  std::array<RealVec, 3> corner;
  std::array<RealVec, 3> edge;      ///< edge[i] = corner[i + 1] - corner[i]
  std::array<Real, 3> edge_square;  ///< |edge[i]|^2
  RealVec normal;                   ///< edge[0] x -edge[2], not of unit length
  Real normal_square = 0.0L;
  Real extent = 0.0L;  ///< largest |corner|
};

/// What is known about the distance of an axis and a triangle, or another axis, at one time.
struct Separation {
  Real upper = 0.0L;     ///< |y - x| of the nearest pair found: the distance is no more than this
  Real lower = 0.0L;     ///< gap between supporting planes across `direction`: no less than this
  Real s = 0.0L;         ///< y = a + s (b - a)
  RealVec direction;     ///< unit, from triangle (other axis) to axis; zero if the two meet
  RealVec point;         ///< x, on the triangle (other axis)
  Real other_s = 0.0L;   ///< of two axes: x = a + other_s (b - a) on the other
  bool pierced = false;  ///< of two hulls: one surely goes through the other
};

/// Both bounds, without slack (bounds.h, rounding_slack).
Separation separation(const Axis<Real>& axis, const TriangleFrame& triangle);

/// The largest n.corner.
Real support(const TriangleFrame& triangle, const RealVec& n);

}  // namespace tocsin::oracle
