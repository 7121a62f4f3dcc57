// How a convex polytope and a triangle lie to each other, in long double and without the code that
// draws them: what pictures of the two are judged by. Metres, relative to the skin's origin.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "core/query/distance.h"
#include "core/vector/vec.h"
#include "scene/swept/slab.h"

namespace tocsin::test {

using Corners = std::array<Vec3f, 3>;
using HalfSpace = scene::SlabSkin::HalfSpace;

namespace exact_detail {

using Point = std::array<long double, 3>;

inline Point point(const Vec3& p) { return {p.x, p.y, p.z}; }

/// n.p - d: above 0 outside.
inline long double above(const HalfSpace& h, const Point& p, long double grow) {
  return (h.n.x * p[0] + h.n.y * p[1] + h.n.z * p[2]) - (h.d + grow * core::norm(h.n));
}

/// The least distance of two triangles that do not cross; 0 if they do.
inline double distance(const core::Triangle& p, const core::Triangle& q) {
  double squared = HUGE_VAL;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3;
    squared = std::min(squared, core::closest_points(p.v[i], p.v[j], q).squared);
    squared = std::min(squared, core::closest_points(q.v[i], q.v[j], p).squared);
  }
  return std::sqrt(squared);
}

}  // namespace exact_detail

/// A triangle's corners relative to an origin; exact where the exponents of the two are less than
/// 2^29 apart.
inline core::Triangle relative_to(const Vec3f& origin, const Corners& corners) {
  core::Triangle out{};
  for (std::size_t i = 0; i < 3; ++i) {
    out.v[i] = core::to_double(corners[i]) - core::to_double(origin);
  }
  return out;
}

/// Whether the triangle has a point in all half-spaces, each moved outwards by `grow`. By clipping
/// (Sutherland and Hodgman): right to some 2^-60 of the greatest coordinate.
inline bool meets(std::span<const HalfSpace> solid, const core::Triangle& triangle,
                  long double grow) {
  using exact_detail::Point;
  std::vector<Point> polygon;
  std::vector<Point> left;
  for (const Vec3& v : triangle.v) polygon.push_back(exact_detail::point(v));
  for (const HalfSpace& h : solid) {
    left.clear();
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Point& p = polygon[i];
      const Point& q = polygon[(i + 1) % polygon.size()];
      const long double a = exact_detail::above(h, p, grow);
      const long double b = exact_detail::above(h, q, grow);
      if (a <= 0) left.push_back(p);
      if ((a <= 0) == (b <= 0)) continue;
      const long double t = a / (a - b);
      left.push_back(
          {p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])});
    }
    polygon.swap(left);
    if (polygon.empty()) return false;
  }
  return true;
}

/// A lower bound of the distance, along the half-spaces' own normals; below 0 if none separates.
inline double separation(std::span<const HalfSpace> solid, const core::Triangle& triangle) {
  double best = -HUGE_VAL;
  for (const HalfSpace& h : solid) {
    const double least = std::min({core::dot(h.n, triangle.v[0]), core::dot(h.n, triangle.v[1]),
                                   core::dot(h.n, triangle.v[2])});
    best = std::max(best, (least - h.d) / core::norm(h.n));
  }
  return best;
}

/// Whether the polytope, given by its half-spaces and by its surface, stays farther from the
/// triangle than `distance`, > 0; to some 2^-45 of the greatest coordinate. Between polytopes that
/// do not meet the least distance is that of two triangles of their surfaces.
inline bool farther(std::span<const HalfSpace> solid, std::span<const std::array<Vec3f, 3>> surface,
                    const core::Triangle& triangle, double distance) {
  if (separation(solid, triangle) > distance) return true;
  if (meets(solid, triangle, 0)) return false;
  return std::all_of(surface.begin(), surface.end(), [&](const std::array<Vec3f, 3>& side) {
    return exact_detail::distance(relative_to({}, side), triangle) > distance;
  });
}

}  // namespace tocsin::test
