#include "scene/room/mesh_statistics.h"

#include <algorithm>
#include <cstddef>

#include "core/vector/expansion.h"
#include "scene/solid/edges.h"

namespace tocsin::scene {
namespace {

std::array<core::Pair, 3> edge_between(const Vec3f& a, const Vec3f& b) {
  return {core::exact_difference(double{a.x}, double{b.x}),
          core::exact_difference(double{a.y}, double{b.y}),
          core::exact_difference(double{a.z}, double{b.z})};
}

std::uint64_t count_vertices(const Environment& environment, const Object& object) {
  const auto triangles =
      environment.triangles().subspan(object.first_triangle, object.triangle_count);
  std::vector<std::uint32_t> used;
  used.reserve(triangles.size() * 3);
  for (const TriangleIndices& t : triangles) used.insert(used.end(), t.begin(), t.end());
  std::sort(used.begin(), used.end());
  return static_cast<std::uint64_t>(std::unique(used.begin(), used.end()) - used.begin());
}

MeshStatistics statistics_of(const Environment& environment, const Object& object) {
  MeshStatistics out;
  out.triangles = object.triangle_count;
  out.vertices = count_vertices(environment, object);
  for (std::uint32_t i = 0; i < object.triangle_count; ++i) {
    const std::array<Vec3f, 3> corners = environment.corners(object.first_triangle + i);
    if (has_zero_area(corners)) ++out.degenerate;
    if (i == 0) out.bounds = {corners[0], corners[0]};
    for (const Vec3f& v : corners) {
      auto& [low, high] = out.bounds;
      low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
      high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
  }
  const EdgeCounts edges = count_edges(environment, object);
  out.edges = edges.edges;
  out.boundary_edges = edges.boundary;
  out.nonmanifold_edges = edges.nonmanifold;
  out.twisted_edges = edges.twisted;
  return out;
}

}  // namespace

bool has_zero_area(const std::array<Vec3f, 3>& corners) {
  const std::array<core::Pair, 3> e = edge_between(corners[1], corners[0]);
  const std::array<core::Pair, 3> f = edge_between(corners[2], corners[0]);
  return core::determinant_sign(e[0], f[1], e[1], f[0]) == 0 &&
         core::determinant_sign(e[1], f[2], e[2], f[1]) == 0 &&
         core::determinant_sign(e[2], f[0], e[0], f[2]) == 0;
}

EnvironmentStatistics mesh_statistics(const Environment& environment) {
  EnvironmentStatistics out;
  out.total.bounds = environment.bounds();
  for (const Object& object : environment.objects()) {
    const MeshStatistics one = statistics_of(environment, object);
    out.total.vertices += one.vertices;
    out.total.triangles += one.triangles;
    out.total.degenerate += one.degenerate;
    out.total.edges += one.edges;
    out.total.boundary_edges += one.boundary_edges;
    out.total.nonmanifold_edges += one.nonmanifold_edges;
    out.total.twisted_edges += one.twisted_edges;
    out.objects.push_back(one);
  }
  return out;
}

}  // namespace tocsin::scene
