// Volumes of a tree's nodes, from its triangles upwards.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "core/bounds/kdop.h"
#include "scene/tree/float4.h"
#include "scene/tree/tree_nodes.h"
#include "scene/tree/tree_parallel.h"

namespace tocsin::scene {

/// Nodes that one thread takes at a time: some 100 us of work.
inline constexpr std::size_t kNodeGrain = 256;

inline Vec3f corner_of(const TriangleBlock& block, int corner, int lane) {
  return {block.v[corner][0][lane], block.v[corner][1][lane], block.v[corner][2][lane]};
}

/// The least and the greatest coordinate. Lanes not in use are NaN, which min4 passes over.
inline void fit_axis(const TriangleBlock& block, std::size_t axis, float& least, float& greatest) {
  Float4 lo = all4(HUGE_VALF);
  Float4 hi = all4(-HUGE_VALF);
  for (const auto& corner : block.v) {
    for (const float* half : {corner[axis], corner[axis] + 4}) {
      lo = min4(load4(half), lo);
      hi = max4(load4(half), hi);
    }
  }
  least = std::min(std::min(lo[0], lo[1]), std::min(lo[2], lo[3]));
  greatest = std::max(std::max(hi[0], hi[1]), std::max(hi[2], hi[3]));
}

template <int K, int W>
void set_volume(KdopNode<K, W>& node, int child, const core::Kdop<K>& volume) {
  for (std::size_t i = 0; i < K / 2; ++i) {
    node.lo[i][child] = volume.lo[i];
    node.hi[i][child] = volume.hi[i];
  }
}

/// The k-DOP around all children.
template <int K, int W>
core::Kdop<K> fit_node(const KdopNode<K, W>& node) {
  core::Kdop<K> out;
  for (std::size_t i = 0; i < K / 2; ++i) {
    for (int c = 0; c < W; ++c) {
      if (node.lo[i][c] < out.lo[i]) out.lo[i] = node.lo[i][c];
      if (node.hi[i][c] > out.hi[i]) out.hi[i] = node.hi[i][c];
    }
  }
  return out;
}

/// The k-DOP of the block's triangles: join() of kdop_of() of each.
template <int K>
core::Kdop<K> fit_block(const TriangleBlock& block) {
  core::Kdop<K> out;
  if constexpr (K > 6) {
    for (int lane = 0; lane < kBlockSize && block.triangle[lane] != kNone; ++lane) {
      out = join(out, core::kdop_of<K>(corner_of(block, 0, lane), corner_of(block, 1, lane),
                                       corner_of(block, 2, lane)));
    }
  } else {
    for (std::size_t axis = 0; axis < 3; ++axis) fit_axis(block, axis, out.lo[axis], out.hi[axis]);
  }
  return out;
}

/// Sets the volumes of all children of all nodes. Calls prepare(b) once for every block b, from any
/// thread, before it looks at it: what was just written need not be fetched again. Precondition:
/// children's index greater than the parent's.
template <int K, int W>
void fit_nodes(std::span<KdopNode<K, W>> nodes, std::span<const TriangleBlock> blocks,
               const std::function<void(std::uint32_t)>& prepare) {
  in_pieces(nodes.size(), kNodeGrain, [&](std::size_t begin, std::size_t end) {
    for (KdopNode<K, W>& node : nodes.subspan(begin, end - begin)) {
      for (int c = 0; c < W; ++c) {
        if (node.child[c] == kNone) {
          set_volume(node, c, core::Kdop<K>{});
        } else if ((node.child[c] & kLeafBit) != 0) {
          const std::uint32_t block = node.child[c] & ~kLeafBit;
          prepare(block);
          set_volume(node, c, fit_block<K>(blocks[block]));
        }
      }
    }
  });
  for (std::size_t i = nodes.size(); i-- > 0;) {
    for (int c = 0; c < W; ++c) {
      const std::uint32_t child = nodes[i].child[c];
      if ((child & kLeafBit) == 0) set_volume(nodes[i], c, fit_node(nodes[child]));
    }
  }
}

}  // namespace tocsin::scene
