// Small shapes of every kind in which a test of two meshes may be expected to fail.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "random.h"
#include "tocsin/shape.h"

namespace tocsin::oracle::test {

enum class ShapeKind : std::uint8_t {
  kBall,     ///< closed, 20 to 40 triangles, with bumps
  kBox,      ///< 12 triangles
  kTetra,    ///< 4 triangles
  kSoup,     ///< 4 to 40 triangles that have no corner in common; some have no area
  kNeedles,  ///< 4 to 12 triangles, 10^2 to 10^4 times as long as wide
  kPlate,    ///< a flat sheet of 8 to 32 triangles in one plane, or nearly so
  kPoints,   ///< 1 to 12 single points, or segments
};
inline constexpr int kShapeKinds = 7;

std::string_view name_of(ShapeKind kind);

/// Corners lie within 1 of the origin, but for bumps. The radius is 0.
struct UnitShape {
  std::vector<Vec3> corners;
  std::vector<TriangleIndices> features;
};
UnitShape unit_shape(ShapeKind kind, Random& random);

/// True if an edge of it can go through the face of another surface, or the other way round.
inline bool has_faces(ShapeKind kind) { return kind != ShapeKind::kPoints; }

}  // namespace tocsin::oracle::test
