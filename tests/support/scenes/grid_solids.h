// Closed surfaces with corners on a small grid of whole numbers, and an exact answer to how often
// they wind around a point: by a ray of another direction than the engine's, in whole numbers.
// Fixed seeds only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tocsin/environment.h"

namespace tocsin::test {

/// A point in half units of the grid: corners have even numbers, points that are asked about any.
using GridPoint = std::array<std::int64_t, 3>;

/// A closed, consistently oriented surface. It may pass through itself.
struct GridSolid {
  std::vector<GridPoint> vertices;  ///< distinct, even
  std::vector<TriangleIndices> triangles;
};

/// How often the surface winds around p; none: p lies on it.
class GridWinding {
 public:
  explicit GridWinding(std::uint64_t seed) : random_(seed) {}

  std::optional<int> operator()(const GridSolid& solid, const GridPoint& p) {
    for (;;) {
      GridPoint ray{};
      for (std::int64_t& r : ray) r = std::uniform_int_distribution(-99991, 99991)(random_);
      if (ray == GridPoint{}) continue;
      int winding = 0;
      bool again = false;
      for (const TriangleIndices& t : solid.triangles) {
        const std::array<GridPoint, 3> v = {minus(solid.vertices[t[0]], p),
                                            minus(solid.vertices[t[1]], p),
                                            minus(solid.vertices[t[2]], p)};
        if (on(v)) return std::nullopt;
        const std::int64_t volume = det(v[0], v[1], v[2]);
        if (volume == 0) continue;  // its plane holds p, the triangle does not
        const std::array<std::int64_t, 3> s = {det(ray, v[0], v[1]), det(ray, v[1], v[2]),
                                               det(ray, v[2], v[0])};
        const bool some_above = s[0] > 0 || s[1] > 0 || s[2] > 0;
        const bool some_below = s[0] < 0 || s[1] < 0 || s[2] < 0;
        if (some_above && some_below) continue;
        if (s[0] == 0 || s[1] == 0 || s[2] == 0) {  // an edge, or a plane along the ray
          again = true;
          break;
        }
        if ((volume > 0) == some_above) winding += some_above ? 1 : -1;
      }
      if (!again) return winding;
    }
  }

  static GridPoint minus(const GridPoint& a, const GridPoint& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  }
  static GridPoint cross(const GridPoint& a, const GridPoint& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
  }
  static std::int64_t dot(const GridPoint& a, const GridPoint& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }
  static std::int64_t det(const GridPoint& a, const GridPoint& b, const GridPoint& c) {
    return dot(a, cross(b, c));
  }

 private:
  /// The origin lies on the triangle, or on the segment or point that it is.
  static bool on(const std::array<GridPoint, 3>& v) {
    if (det(v[0], v[1], v[2]) != 0) return false;
    const GridPoint n = cross(minus(v[1], v[0]), minus(v[2], v[0]));
    if (n != GridPoint{}) {
      for (std::size_t i = 0; i < 3; ++i) {
        if (dot(n, cross(v[i], v[(i + 1) % 3])) < 0) return false;
      }
      return true;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const GridPoint& a = v[i];
      const GridPoint& b = v[(i + 1) % 3];
      if (cross(a, b) == GridPoint{} && dot(a, b) <= 0) return true;
    }
    return false;
  }

  std::mt19937_64 random_;
};

/// Six times the volume, signed.
inline std::int64_t volume(const GridSolid& solid) {
  std::int64_t out = 0;
  for (const TriangleIndices& t : solid.triangles) {
    out += GridWinding::det(solid.vertices[t[0]], solid.vertices[t[1]], solid.vertices[t[2]]);
  }
  return out;
}

/// A torus (`rings` > 2) or a sphere's net of `rings` x `sides` squares, each cut in two, with
/// corners drawn by lot from a grid of `size` units: flat, folded, thin, through itself. Turned so
/// that its volume is above 0; none: it is 0.
inline std::optional<GridSolid> random_grid_solid(std::mt19937_64& random, int rings, int sides,
                                                  std::int64_t size) {
  GridSolid out;
  std::set<GridPoint> taken;
  std::uniform_int_distribution<std::int64_t> at(0, size);
  while (out.vertices.size() < static_cast<std::size_t>(rings) * static_cast<std::size_t>(sides)) {
    const GridPoint p = {2 * at(random), 2 * at(random), 2 * at(random)};
    if (taken.insert(p).second) out.vertices.push_back(p);
  }
  const auto number = [&](int i, int j) {
    return static_cast<std::uint32_t>((i % rings) * sides + j % sides);
  };
  for (int i = 0; i < rings; ++i) {
    for (int j = 0; j < sides; ++j) {
      out.triangles.push_back({number(i, j), number(i + 1, j), number(i + 1, j + 1)});
      out.triangles.push_back({number(i, j), number(i + 1, j + 1), number(i, j + 1)});
    }
  }
  const std::int64_t six = volume(out);
  if (six == 0) return std::nullopt;
  if (six < 0) {
    for (TriangleIndices& t : out.triangles) std::swap(t[1], t[2]);
  }
  return out;
}

/// As an object, half a unit of the grid being `half` metres (a power of two) and the grid's origin
/// at `origin`: exact in floats if the sums are.
inline ObjectMesh mesh_of(const GridSolid& solid, const std::string& name, float half,
                          const Vec3f& origin) {
  ObjectMesh out{name, {}, solid.triangles};
  for (const GridPoint& v : solid.vertices) {
    out.vertices.push_back({origin.x + half * static_cast<float>(v[0]),
                            origin.y + half * static_cast<float>(v[1]),
                            origin.z + half * static_cast<float>(v[2])});
  }
  return out;
}

/// A box with its normals outward.
inline ObjectMesh box_mesh(const std::string& name, const Vec3f& lo, const Vec3f& hi) {
  return {name,
          {{lo.x, lo.y, lo.z},
           {hi.x, lo.y, lo.z},
           {hi.x, hi.y, lo.z},
           {lo.x, hi.y, lo.z},
           {lo.x, lo.y, hi.z},
           {hi.x, lo.y, hi.z},
           {hi.x, hi.y, hi.z},
           {lo.x, hi.y, hi.z}},
          {{0, 2, 1},
           {0, 3, 2},
           {4, 5, 6},
           {4, 6, 7},
           {0, 1, 5},
           {0, 5, 4},
           {1, 2, 6},
           {1, 6, 5},
           {2, 3, 7},
           {2, 7, 6},
           {3, 0, 4},
           {3, 4, 7}}};
}

/// The same surface with its normals turned round.
inline ObjectMesh turned(ObjectMesh mesh) {
  for (TriangleIndices& t : mesh.triangles) std::swap(t[1], t[2]);
  return mesh;
}

/// Both surfaces as one object.
inline ObjectMesh joined(ObjectMesh a, const ObjectMesh& b) {
  const auto first = static_cast<std::uint32_t>(a.vertices.size());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const TriangleIndices& t : b.triangles) {
    a.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  }
  return a;
}

}  // namespace tocsin::test
