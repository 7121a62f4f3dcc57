// The shape of a bounding volume tree before it has volumes: which triangles go together.
#pragma once

#include <cstdint>
#include <vector>

#include "tocsin/environment.h"

namespace tocsin::scene {

/// Most triangles in a leaf: one block (tree_nodes.h).
inline constexpr int kBlockSize = 8;

/// How a node's triangles are divided in two. Paper 001, section 3.3.4, but for kSah.
enum class AxisRule : std::uint8_t {
  kMinSum,       ///< the axis with the least sum of the children's k-DOP volumes
  kMinMax,       ///< ... with the least larger one of them
  kSplatter,     ///< ... along which the centroids have the greatest variance
  kLongestSide,  ///< ... along which the node's k-DOP is longest
  kSah,          ///< binned surface area heuristic: axis and plane together
};

/// Where along the axis the centroids are divided; kSah chooses its own plane.
enum class SplitPoint : std::uint8_t { kMean, kMedian };

struct TreeOptions {
  AxisRule rule = AxisRule::kSah;
  SplitPoint split = SplitPoint::kMean;
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

/// In paper_topology: a node this deep, the root being 0, and all below it are divided at the
/// median: the mean can cut off a triangle at a time (centroids at 1, 100, 10000 ... m), and the
/// traversal's stack is bounded. No leaf lies deeper than kMeanDepth + 31. In rooms trees are a
/// third as deep, so that a greater number would change nothing; a much smaller one would change
/// trees.
inline constexpr int kMeanDepth = 64;

/// By paper 001's rules; min sum and min max measure k-DOPs of K. Any rule but kSah.
template <int K>
Topology paper_topology(const Environment& environment, const TreeOptions& options);

/// By the binned surface area heuristic, in parallel.
Topology sah_topology(const Environment& environment, const TreeOptions& options);

}  // namespace tocsin::scene
