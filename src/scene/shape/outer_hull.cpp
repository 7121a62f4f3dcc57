#include "scene/shape/outer_hull.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/bounds/kdop.h"
#include "core/vector/vec.h"
#include "scene/shape/polytope.h"

namespace tocsin::scene {

namespace {

using core::OrientedBox;

/// Planes are moved out by this part of the box's size: corners of a polytope err by 2^-42 of it.
constexpr double kRoomOfSize = 0x1p-40;
/// The same, of the distance from the frame's origin: points are turned into the box and back.
constexpr double kRoomOfReach = 0x1p-44;
/// Metres: a box has an inside even if all points are one.
constexpr double kLeastRoom = 0x1p-60;
/// A plane beyond which nothing reaches farther than this part of the size is left out: some six
/// corners less.
constexpr double kLeastHullCut = 0x1p-6;

Vec3 seen_from(const OrientedBox& box, const Vec3& p) {
  const Vec3 d = p - box.center;
  return {core::dot(box.axis[0], d), core::dot(box.axis[1], d), core::dot(box.axis[2], d)};
}

Vec3 out_of(const OrientedBox& box, const Vec3& p) {
  return box.center + (p.x * box.axis[0] + (p.y * box.axis[1] + p.z * box.axis[2]));
}

Vec3 unit_along(const core::KdopDirection& d) {
  const Vec3 n{static_cast<double>(d.x), static_cast<double>(d.y), static_cast<double>(d.z)};
  return (1.0 / core::norm(n)) * n;
}

/// The least and the greatest height of the points along n, in the box's own coordinates.
struct Heights {
  double lo = HUGE_VAL;
  double hi = -HUGE_VAL;
};

Heights heights_of(std::span<const Vec3> points, const OrientedBox& box, const Vec3& n) {
  Heights out;
  for (const Vec3& p : points) {
    const double height = core::dot(n, seen_from(box, p));
    out.lo = std::min(out.lo, height);
    out.hi = std::max(out.hi, height);
  }
  return out;
}

}  // namespace

OuterHull outer_hull(std::span<const Vec3> points, const OrientedBox& box) {
  OuterHull out{{}, {box.axis[0], box.axis[1], box.axis[2]}};
  if (points.size() <= kMostHullCorners) {
    out.corners.assign(points.begin(), points.end());
    return out;
  }
  const double size = std::max({box.half[0], box.half[1], box.half[2]});
  const double room = kRoomOfSize * size + kRoomOfReach * box.reach + kLeastRoom;
  const Vec3 half = Vec3{box.half[0], box.half[1], box.half[2]} + Vec3{room, room, room};
  Polytope polytope(-half, half);
  for (std::size_t i = 3; i < core::kKdopDirections<26>.size(); ++i) {
    const Vec3 n = unit_along(core::kKdopDirections<26>[i]);
    const Heights h = heights_of(points, box, n);
    polytope.cut(n, h.hi + room, kLeastHullCut * size);
    polytope.cut(-n, room - h.lo, kLeastHullCut * size);
  }
  for (Polytope::Mask rest = polytope.corners(); rest != 0; rest &= rest - 1) {
    out.corners.push_back(
        out_of(box, polytope.corner(static_cast<std::size_t>(std::countr_zero(rest)))));
  }
  return out;
}

}  // namespace tocsin::scene
