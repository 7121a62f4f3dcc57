// The shape of a bounding volume tree before it has volumes: which triangles go together.
#pragma once

#include <cstdint>
#include <vector>

#include "tocsin/environment.h"

namespace tocsin::scene {

/// Most triangles in a leaf: one block (tree_nodes.h).
inline constexpr int kBlockSize = 8;

struct TreeOptions {
  int leaf_size = kBlockSize;  ///< most triangles in a leaf, 1 to kBlockSize
  int threads = 0;             ///< 0: all. The tree is the same for any number
};

/// A binary tree over a permutation of the triangles.
struct Topology {
  struct Node {
    std::uint32_t first = 0;  ///< its triangles are order[first] ... order[first + count - 1]
    std::uint32_t count = 0;
    std::uint32_t left = 0;  ///< 0: a leaf, and count <= leaf_size
    std::uint32_t right = 0;
  };
  std::vector<Node> nodes;           ///< the root first; children come after their parents
  std::vector<std::uint32_t> order;  ///< every triangle of the environment once
  /// Proportional to the surface of each node's box; empty: the builder does not know.
  std::vector<float> surface;
};

/// By the binned surface area heuristic, in parallel: docs/trees.md, "Layout and build".
Topology sah_topology(const Environment& environment, const TreeOptions& options);

}  // namespace tocsin::scene
