// Hulls of one, two or three points, rounded by a radius: the features of any shape (a sphere's
// centre, a capsule's axis, a mesh's triangle), and how they move.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/motion/frame_motion.h"
#include "core/vector/vec.h"

namespace tocsin::core {

inline constexpr std::int32_t kMostCorners = 3;

/// A hull in its frame.
struct Hull {
  Vec3 corner[kMostCorners];  ///< frame of the last joint, metres
  std::int32_t corners = 3;   ///< 1, 2 or 3
  double radius = 0.0;        ///< metres, 0 or more
};

/// The distance of the farthest corner from the frame's origin, metres; NaN if a corner is.
TOCSIN_HD inline double reach_of(const Hull& hull) {
  double most = 0.0;
  for (std::int32_t i = 0; i < hull.corners; ++i) {
    const double distance = norm(hull.corner[i]);
    // Not max_of, which drops a NaN that stands first.
    if (!(distance <= most)) most = distance;
    if (std::isnan(distance)) break;
  }
  return most;
}

/// How the acceleration of a frame's points is bounded: origin + slope |l|, metres per step^2.
struct AccelerationLine {
  double origin = 0.0;
  double slope = 0.0;

  [[nodiscard]] TOCSIN_HD double at(double distance) const { return origin + slope * distance; }
};

TOCSIN_HD inline AccelerationLine acceleration_line(const FrameMotion& m) {
  return {acceleration_at(m, 0.0), m.bounds.turn * m.bounds.turn * kBoundGrowth};
}

/// A moving hull, or a part of one, at one time. Every point of it is a convex combination of the
/// corners, and so are its velocity and its acceleration.
struct HullPart {
  Vec3 l[kMostCorners];                 ///< in the frame, metres
  Vec3 p[kMostCorners];                 ///< metres
  Vec3 v[kMostCorners];                 ///< metres per step
  double acceleration[kMostCorners]{};  ///< bounds for the whole step, metres per step^2
  AccelerationLine bound;
  std::int32_t corners = 0;
};

/// The hull with its frame in a state, relative to a point at -shift from the frame's ref.
TOCSIN_HD inline HullPart part_at(const Hull& hull, const FrameState& s, const Vec3& shift,
                                  const AccelerationLine& bound) {
  HullPart out;
  out.corners = hull.corners;
  out.bound = bound;
  for (std::int32_t i = 0; i < hull.corners; ++i) {
    out.l[i] = hull.corner[i];
    out.p[i] = position_of(s, hull.corner[i]) + shift;
    out.v[i] = velocity_of(s, hull.corner[i]);
    out.acceleration[i] = bound.at(norm(hull.corner[i]));
  }
  return out;
}

/// A point of a part. Its acceleration is bounded by its own distance from the frame's origin,
/// which may be far less than the corners'.
struct HullPoint {
  Vec3 p;
  Vec3 v;
  double acceleration = 0.0;
};

/// The point with these weights of the corners.
TOCSIN_HD inline HullPoint point_of(const HullPart& part, const double (&weight)[kMostCorners]) {
  HullPoint out;
  Vec3 l;
  for (std::int32_t i = 0; i < part.corners; ++i) {
    out.p = out.p + weight[i] * part.p[i];
    out.v = out.v + weight[i] * part.v[i];
    l = l + weight[i] * part.l[i];
  }
  out.acceleration = part.bound.at(norm(l));
  return out;
}

/// An edge of a hull as its two corners. A hull of two points has one; a point counts as an edge of
/// no length.
struct Edge {
  std::int32_t from = 0;
  std::int32_t to = 0;
};

TOCSIN_HD constexpr std::int32_t edges_of(std::int32_t corners) { return corners == 3 ? 3 : 1; }

TOCSIN_HD constexpr Edge edge_of(std::int32_t corners, std::int32_t i) {
  return {i, i + 1 < corners ? i + 1 : 0};
}

}  // namespace tocsin::core
