// The edges of an object: is its surface closed, and of how many shells?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tocsin/environment.h"

namespace tocsin::scene {

/// Counts over one object. An edge joins two different positions, whichever vertices have them; -0
/// and 0 are one position. Edges of a triangle with two corners at one place are not counted.
struct EdgeCounts {
  std::uint64_t edges = 0;        ///< distinct
  std::uint64_t boundary = 0;     ///< of one triangle
  std::uint64_t nonmanifold = 0;  ///< of more than two triangles
  std::uint64_t twisted = 0;      ///< of two triangles that both run along it in the same direction

  /// Every edge is shared by exactly two triangles, in opposite directions.
  [[nodiscard]] bool closed() const {
    return edges > 0 && boundary == 0 && nonmanifold == 0 && twisted == 0;
  }
};

/// `shells`: if it is not null and the surface is closed, a number per triangle: triangles that
/// share an edge have the same one. O(n log n).
EdgeCounts count_edges(const Environment& environment, const Object& object,
                       std::vector<std::uint32_t>* shells = nullptr);

/// False: some edge has not as many triangles along it in one direction as in the other, so the
/// object is not closed. True says nothing. O(n), and much faster than count_edges.
bool may_be_closed(const Environment& environment, const Object& object);

}  // namespace tocsin::scene
