// A bounding volume tree of k-DOPs over an environment's triangles, W children a node, laid out for
// SIMD. Paper 001, section 3; docs/trees.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/large_array.h"
#include "core/bounds/box.h"
#include "core/bounds/kdop.h"
#include "scene/tree/topology.h"
#include "scene/tree/tree_nodes.h"
#include "tocsin/environment.h"

namespace tocsin::scene {

struct TreeStatistics {
  std::size_t triangles = 0;
  std::size_t nodes = 0;
  std::size_t blocks = 0;
  int depth = 0;          ///< nodes from the root to the deepest leaf's parent
  std::size_t bytes = 0;  ///< of nodes and blocks
};

/// K: 6, 14, 18 or 26; W: 2, 4 or 8. Immutable but for refit(); safe to share between threads.
template <int K, int W>
class KdopTree {
 public:
  using Node = KdopNode<K, W>;

  /// An empty tree: of no triangles.
  KdopTree() = default;
  /// Builds, by sah_topology. The same tree for any number of threads. Throws std::bad_alloc only.
  explicit KdopTree(const Environment& environment, const TreeOptions& options = {});
  /// Builds, over a topology of the environment's triangles; on so many threads, 0: all.
  KdopTree(const Environment& environment, const Topology& topology, int threads);
  /// Uses the parts without checks: for a cache that has checked them (tree_bytes.h).
  KdopTree(const std::vector<Node>& nodes, const std::vector<TriangleBlock>& blocks,
           const core::Box& bounds);
  KdopTree(base::LargeArray<Node>&& nodes, base::LargeArray<TriangleBlock>&& blocks,
           const core::Box& bounds)
      : nodes_(std::move(nodes)), blocks_(std::move(blocks)), bounds_(bounds) {}

  /// Fits every volume to moved vertices; the topology stays. Precondition: the environment has the
  /// triangles the tree was built from (Environment::with_vertices).
  void refit(const Environment& environment);

  /// Nodes, the root first; none for an empty tree. A tree of a single leaf has one node.
  [[nodiscard]] std::span<const Node> nodes() const { return nodes_; }
  [[nodiscard]] std::span<const TriangleBlock> blocks() const { return blocks_; }
  /// The box around all triangles; empty if there are none.
  [[nodiscard]] const core::Box& bounds() const { return bounds_; }
  [[nodiscard]] TreeStatistics statistics() const;

 private:
  base::LargeArray<Node> nodes_;
  base::LargeArray<TriangleBlock> blocks_;
  core::Box bounds_;
};

/// The tree of a room. bench_trees measured every k and W: boxes of eight children cull fastest
/// (docs/trees.md). Other kinds are compiled for benches and tests alone (bench/papers).
using RoomTree = KdopTree<6, 8>;

extern template class KdopTree<6, 8>;

}  // namespace tocsin::scene
