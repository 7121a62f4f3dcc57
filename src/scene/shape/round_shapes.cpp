// Shapes that are made: hulls of points, prisms and pyramids around cylinders and cones.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "core/vector/trig.h"
#include "scene/room/coordinate_limit.h"
#include "scene/shape/convex_hull.h"
#include "tocsin/shape.h"

namespace tocsin {

namespace {

/// Sides of a prism or pyramid; more are refused. A triangle a side and cap is cheap, but so many
/// mean a wrong unit.
constexpr std::uint32_t kMostSides = 4096;

/// The prism's corners are farther out by this part: rounding of sines and of the corners, which is
/// below 2^-50, may not let the round shape stand out.
constexpr double kPrismRoom = 0x1p-48;

/// A ring of corners around a circle: every chord is outside it.
struct Ring {
  std::uint32_t sides = 0;
  double radius = 0.0;  ///< of the corners, metres
};

double corner_radius(double radius, std::uint32_t sides) {
  return radius * (1.0 + kPrismRoom) / core::sincos_quadrant(core::kPi / sides).cos;
}

/// The ring of the fewest sides that reaches at most `tolerance` beyond a circle; none: it needs
/// too many.
std::optional<Ring> ring_around(double radius, double tolerance) {
  const auto fits = [&](std::uint32_t sides) {
    return corner_radius(radius, sides) - radius <= tolerance;
  };
  if (!fits(kMostSides)) return std::nullopt;
  std::uint32_t few = 2;  // fit not
  std::uint32_t many = kMostSides;
  while (many - few > 1) {
    const std::uint32_t middle = few + (many - few) / 2;
    (fits(middle) ? many : few) = middle;
  }
  return Ring{many, corner_radius(radius, many)};
}

void append_ring(std::vector<Vec3>& corners, const Ring& ring, double y) {
  for (std::uint32_t i = 0; i < ring.sides; ++i) {
    const core::SinCos at = core::sincos_degrees(360.0 * i / ring.sides);
    corners.push_back({ring.radius * at.cos, y, -ring.radius * at.sin});
  }
}

/// A cap of a ring that begins at corner `first`; seen from `up`, counterclockwise.
void append_cap(std::vector<TriangleIndices>& triangles, std::uint32_t first, std::uint32_t sides,
                bool up) {
  for (std::uint32_t i = 1; i + 1 < sides; ++i) {
    triangles.push_back(up ? TriangleIndices{first, first + i, first + i + 1}
                           : TriangleIndices{first, first + i + 1, first + i});
  }
}

Error no_shape(std::string text) { return {ErrorCode::kInput, std::move(text)}; }

/// What the two round shapes have in common: the ring, or why there is none.
Result<Ring> checked_ring(std::string_view what, double radius, double height, double tolerance) {
  const auto sound = [](double x) { return x > 0.0 && x <= scene::kMaxCoordinate; };
  if (!sound(radius) || !sound(height) || !sound(tolerance)) {
    return no_shape(
        fmt::format("a {}'s radius, height and tolerance must be above 0 and at most 1e6 m, "
                    "are {}, {} and {}",
                    what, radius, height, tolerance));
  }
  const auto ring = ring_around(radius, tolerance);
  if (ring) return *ring;
  return no_shape(fmt::format("a {} of radius {} needs more than {} sides for a tolerance of {}",
                              what, radius, kMostSides, tolerance));
}

}  // namespace

Result<Shape> Shape::convex(std::span<const Vec3> points, double radius) {
  if (points.size() >= (std::size_t{1} << 31U)) return no_shape("a convex hull of too many points");
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (scene::within_reach(points[i])) continue;
    return no_shape(
        fmt::format("corner {} of a shape must be finite and within 1e6 m, is ({}, {}, {})", i,
                    points[i].x, points[i].y, points[i].z));
  }
  auto triangles = scene::convex_hull(points);
  if (!triangles) return triangles.error();
  return make({points.begin(), points.end()}, std::move(triangles).value(), radius);
}

Result<Shape> Shape::cylinder(double base_radius, double height, double tolerance, double radius) {
  const auto ring = checked_ring("cylinder", base_radius, height, tolerance);
  if (!ring) return ring.error();
  const std::uint32_t n = ring->sides;
  std::vector<Vec3> corners;
  append_ring(corners, *ring, -0.5 * height);
  append_ring(corners, *ring, 0.5 * height);
  std::vector<TriangleIndices> triangles;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t j = (i + 1) % n;
    triangles.push_back({i, j, n + j});
    triangles.push_back({i, n + j, n + i});
  }
  append_cap(triangles, 0, n, false);
  append_cap(triangles, n, n, true);
  return make(std::move(corners), std::move(triangles), radius);
}

Result<Shape> Shape::cone(double base_radius, double height, double tolerance, double radius) {
  const auto ring = checked_ring("cone", base_radius, height, tolerance);
  if (!ring) return ring.error();
  const std::uint32_t n = ring->sides;
  std::vector<Vec3> corners;
  append_ring(corners, *ring, -0.5 * height);
  corners.push_back({0.0, 0.5 * height, 0.0});
  std::vector<TriangleIndices> triangles;
  for (std::uint32_t i = 0; i < n; ++i) triangles.push_back({i, (i + 1) % n, n});
  append_cap(triangles, 0, n, false);
  return make(std::move(corners), std::move(triangles), radius);
}

}  // namespace tocsin
