// A bounding volume tree of k-DOPs over an environment's triangles, W children a node, laid out for
// SIMD. Paper 001, section 3; docs/trees.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/box.h"
#include "core/kdop.h"
#include "scene/large_array.h"
#include "scene/topology.h"
#include "tocsin/environment.h"

namespace tocsin::scene {

/// No triangle of an environment, no child of a node.
inline constexpr std::uint32_t kNone = 0xFFFFFFFF;
/// A child with this bit is a leaf; the others are the index of its block.
inline constexpr std::uint32_t kLeafBit = 0x80000000;
/// No tree is deeper (TreeStatistics::depth): builders go over to the median 64 nodes down, which
/// leaves 31 levels for 2^31 triangles. Caches refuse deeper ones, as each level of a traversal
/// takes room on its stack.
inline constexpr int kMaxDepth = 96;

/// The triangles of a leaf, coordinate by coordinate, so that one instruction sees all of them.
/// Lanes in use come first; the coordinates of others are NaN: no comparison with them is true.
struct alignas(32) TriangleBlock {
  float v[3][3][kBlockSize];           ///< corner, axis, lane; metres, world
  std::uint32_t triangle[kBlockSize];  ///< index in the environment; kNone: lane not in use
};

/// The children of a node, direction by direction. Children in use come first; the volumes of
/// others are empty (lo = +inf, hi = -inf) and overlap nothing.
template <int K, int W>
struct alignas(4 * W) KdopNode {
  float lo[K / 2][W];
  float hi[K / 2][W];
  std::uint32_t
      child[W];  ///< index of a node (greater than this one's), kLeafBit | block, or kNone
};

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
  /// Builds. The same tree for any number of threads. Throws std::bad_alloc only.
  explicit KdopTree(const Environment& environment, const TreeOptions& options = {});
  /// Takes parts as they are: for a cache that has checked them (tree_bytes.h).
  KdopTree(const std::vector<Node>& nodes, const std::vector<TriangleBlock>& blocks,
           const core::Box& bounds);
  KdopTree(LargeArray<Node>&& nodes, LargeArray<TriangleBlock>&& blocks, const core::Box& bounds)
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
  LargeArray<Node> nodes_;
  LargeArray<TriangleBlock> blocks_;
  core::Box bounds_;
};

}  // namespace tocsin::scene
