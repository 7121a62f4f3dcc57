// What a tree is made of: nodes of volumes, and blocks of triangles. docs/trees.md.
#pragma once

#include <cstdint>

#include "scene/tree/topology.h"

namespace tocsin::scene {

/// No triangle of an environment, no child of a node.
inline constexpr std::uint32_t kNone = 0xFFFFFFFF;
/// A child with this bit is a leaf; the others are the index of its block.
inline constexpr std::uint32_t kLeafBit = 0x80000000;
/// No tree is deeper (TreeStatistics::depth): builders use the median from depth 64 on, which
/// leaves 31 levels for 2^31 triangles. Caches refuse deeper trees, because each level of a
/// traversal takes room on its stack.
inline constexpr int kMaxDepth = 96;

/// The triangles of a leaf, coordinate by coordinate, so that one instruction tests all of them.
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

}  // namespace tocsin::scene
