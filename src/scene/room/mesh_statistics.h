// Statistics of a room's meshes: for `tocsin info`.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tocsin/environment.h"

namespace tocsin::scene {

/// Counts over one object, or over a whole environment (sums; objects share no edges).
///
/// An edge joins two different positions, whichever vertices have them. So a mesh whose triangles
/// repeat their corners (STL) is counted like a mesh that shares them. Within an object, an edge of
/// one triangle is a boundary edge, and an edge of more than two is non-manifold. One of two
/// triangles that run along it in the same direction is twisted. Edges of a triangle with two
/// corners at one place are not counted.
struct MeshStatistics {
  std::uint64_t vertices = 0;  ///< that triangles use, by index
  std::uint64_t triangles = 0;
  std::uint64_t degenerate = 0;  ///< triangles of exactly zero area: all corners on a line
  std::uint64_t edges = 0;       ///< distinct
  std::uint64_t boundary_edges = 0;
  std::uint64_t nonmanifold_edges = 0;
  std::uint64_t twisted_edges = 0;
  /// Of an object: every edge is shared by two triangles, in opposite directions.
  [[nodiscard]] bool closed() const {
    return edges > 0 && boundary_edges + nonmanifold_edges + twisted_edges == 0;
  }
  std::array<Vec3f, 2> bounds{};  ///< metres; {0, 0} if there are no triangles
};

struct EnvironmentStatistics {
  MeshStatistics total;
  std::vector<MeshStatistics> objects;  ///< as in the environment
};

/// Takes O(n log n) time and, for each object in turn, memory in proportion to its triangles.
EnvironmentStatistics mesh_statistics(const Environment& environment);

/// True if the triangle's area is exactly zero. Decided without rounding: a double's estimate
/// decides where its error bound allows, otherwise expansions (Shewchuk 1997) do.
bool has_zero_area(const std::array<Vec3f, 3>& corners);

}  // namespace tocsin::scene
