// Triangles that rasterisers miss: slivers, edge-on, without area, huge, tiny, across borders.
// Fixed seeds only.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "support/scenes/random_link.h"
#include "tocsin/types.h"

namespace tocsin::test {

enum class TriangleKind : std::uint8_t {
  kAny,
  kSliver,
  kZeroArea,
  kPoint,
  kAxisAligned,  ///< in a plane across an axis: edge-on in two of the three views
  kEdgeOn,       ///< in a plane that holds an axis, up to rounding
  kSubPixel,
  kTileCrossing,
  kDepthCrossing,  ///< through the slab's box from before it to behind it
  kHuge,           ///< up to 1e6 m
  kNeedle,         ///< two corners together, one up to 1e5 m away
  kTiny,           ///< down to 1e-6 m
  kLattice,        ///< corners on corners of pixels
};
inline constexpr int kTriangleKinds = 13;
inline constexpr std::array<const char*, kTriangleKinds> kTriangleKindNames{
    "any",           "sliver",         "zero area", "point",  "axis-aligned", "edge-on", "subpixel",
    "tile-crossing", "depth-crossing", "huge",      "needle", "tiny",         "lattice"};

namespace detail {

inline Vec3 in_box(RandomLinks& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}
inline Vec3 mixed(const Vec3& a, const Vec3& b, double t) { return a + t * (b - a); }
inline double power(RandomLinks& random, double low, double high) {
  return std::pow(10.0, random.uniform(low, high));
}

}  // namespace detail

/// About the origin, in a box of +-half metres more or less; `pixel`: metres.
inline std::array<Vec3, 3> random_triangle(RandomLinks& random, TriangleKind kind, double half,
                                           double pixel) {
  using detail::in_box;
  using detail::mixed;
  using detail::power;
  const Vec3 a = in_box(random, half);
  const Vec3 b = in_box(random, half);
  const Vec3 c = in_box(random, half);
  const Vec3 on_ab = mixed(a, b, random.uniform(-0.2, 1.2));
  const auto axis = static_cast<int>(random.uniform(0, 2.999));
  switch (kind) {
    case TriangleKind::kAny:
      return {a, b, c};
    case TriangleKind::kSliver:
      return {a, b, on_ab + in_box(random, pixel * power(random, -7, 0))};
    case TriangleKind::kZeroArea:
      return random.uniform(0, 1) < 0.5 ? std::array<Vec3, 3>{a, b, b}
                                        : std::array<Vec3, 3>{a, on_ab, b};
    case TriangleKind::kPoint:
      return {a, a, a};
    case TriangleKind::kAxisAligned:
      if (axis == 0) return {a, {a.x, b.y, b.z}, {a.x, c.y, c.z}};
      if (axis == 1) return {a, {b.x, a.y, b.z}, {c.x, a.y, c.z}};
      return {a, {b.x, b.y, a.z}, {c.x, c.y, a.z}};
    case TriangleKind::kEdgeOn:
      if (axis == 0) return {a, b, {c.x, on_ab.y, on_ab.z}};
      if (axis == 1) return {a, b, {on_ab.x, c.y, on_ab.z}};
      return {a, b, {on_ab.x, on_ab.y, c.z}};
    case TriangleKind::kSubPixel:
      return {a, a + in_box(random, 0.5 * pixel), a + in_box(random, 0.5 * pixel)};
    case TriangleKind::kTileCrossing:
      return {in_box(random, 5 * half), in_box(random, 5 * half), a};
    case TriangleKind::kDepthCrossing:
      return {a + random.uniform(1, 9) * (a - b), b + random.uniform(1, 9) * (b - a), c};
    case TriangleKind::kHuge: {
      const double size = half * power(random, 1, 6);
      return {mixed(a, in_box(random, size), 1), in_box(random, size), in_box(random, size)};
    }
    case TriangleKind::kNeedle:
      return {a, a + in_box(random, pixel), in_box(random, half * power(random, 0, 5))};
    case TriangleKind::kTiny: {
      const double size = pixel * power(random, -5, -1);
      return {a, a + in_box(random, size), a + in_box(random, size)};
    }
    case TriangleKind::kLattice:
      break;
  }
  const auto snapped = [pixel](const Vec3& p) {
    return Vec3{std::round(p.x / pixel) * pixel, std::round(p.y / pixel) * pixel,
                std::round(p.z / pixel) * pixel};
  };
  return {snapped(a), snapped(b), snapped(mixed(a, c, 0.3))};
}

}  // namespace tocsin::test
