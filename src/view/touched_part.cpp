#include "view/touched_part.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <utility>

#include "core/vector/vec.h"

namespace tocsin::view {
namespace {

using core::cross;
using core::dot;
using core::norm;

using Polygon = std::vector<Vec3>;

/// The part of a convex polygon on the side of the plane through `on` to which `inward` points
/// (Sutherland and Hodgman 1974).
Polygon clipped(const Polygon& polygon, const Vec3& on, const Vec3& inward) {
  Polygon out;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3& p = polygon[i];
    const Vec3& q = polygon[(i + 1) % polygon.size()];
    const double at_p = dot(p - on, inward);
    const double at_q = dot(q - on, inward);
    if (at_p >= 0.0) out.push_back(p);
    if ((at_p < 0.0) != (at_q < 0.0)) out.push_back(p + (at_p / (at_p - at_q)) * (q - p));
  }
  return out;
}

Polygon disc(const Vec3& centre, const Vec3& along, const Vec3& normal) {
  constexpr int kCorners = 32;
  const Vec3 u = (kTouchedReach / norm(along)) * along;
  const Vec3 v = cross(normal, u);
  Polygon out;
  for (int i = 0; i < kCorners; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / kCorners;
    out.push_back(centre + std::cos(angle) * u + std::sin(angle) * v);
  }
  return out;
}

}  // namespace

TouchedPart touched_part(const Environment& room, const RoomTriangle& touched, const Vec3& point) {
  const auto at = room.corners(room.objects()[touched.object].first_triangle + touched.triangle);
  const std::array<Vec3, 3> corner{core::to_double(at[0]), core::to_double(at[1]),
                                   core::to_double(at[2])};
  const Vec3 across = cross(corner[1] - corner[0], corner[2] - corner[0]);
  const double area = norm(across);
  TouchedPart out{{corner.begin(), corner.end()}, {0.0, 1.0, 0.0}};
  if (!(area > core::kLeastLength)) return out;
  out.normal = (1.0 / area) * across;
  const bool small = std::all_of(corner.begin(), corner.end(), [&point](const Vec3& c) {
    return norm(c - point) <= kTouchedReach;
  });
  if (small) return out;
  Polygon part = disc(point, corner[1] - corner[0], out.normal);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 edge = corner.at((i + 1) % 3) - corner.at(i);
    part = clipped(part, corner.at(i), cross(out.normal, edge));
  }
  if (part.size() >= 3) out.corners = std::move(part);
  return out;
}

}  // namespace tocsin::view
