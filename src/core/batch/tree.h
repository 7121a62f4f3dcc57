// A binary tree of k-DOPs over a room's triangles, as kernels see it. docs/cuda.md, "Trees".
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/bounds/kdop.h"
#include "core/vector/hd.h"

namespace tocsin::core::batch {

/// Set in a child that is a leaf. The other bits are where its triangles begin in TreeView::order:
/// rooms have at most 2^31 triangles.
inline constexpr std::uint32_t kLeafBit = 0x80000000U;

/// A leaf has at most so many triangles. With 1 a near link visits 1.6 times as many nodes, and the
/// tree has 2.7 times as many. With 8 it tests a tenth more triangles and visits a sixth fewer
/// nodes (docs/cuda.md, "Trees").
inline constexpr int kLeafTriangles = 4;

/// An inner node. It holds its children's volumes, not its own: one read decides about both. In a
/// tree of one leaf child[1] is a leaf without triangles; its volume is empty.
template <int K>
struct alignas(16) TreeNode {
  Kdop<K> volume[2];       ///< world, metres
  std::uint32_t child[2];  ///< a node, or kLeafBit and a place in the order
  std::uint32_t count[2];  ///< triangles of a leaf; of no meaning for a node
};

/// Node 0 is the root; a tree of any triangle has one.
template <int K>
struct TreeView {
  const TreeNode<K>* nodes = nullptr;
  const std::uint32_t* order = nullptr;  ///< the room's triangles, leaf after leaf
  std::uint32_t node_count = 0;
};

/// Bits of a Morton code per axis, and in all. Fewer: in large rooms many triangles share a cell,
/// and their order is then unrelated to their places. 2^-21 of 20 m is 0.01 mm.
inline constexpr int kMortonBitsPerAxis = 21;
inline constexpr int kMortonBits = 3 * kMortonBitsPerAxis;

/// No path from the root has more inner nodes. All triangles below a node agree in a prefix of
/// (code, place): the node divides them at the first bit in which they do not, so that those below
/// a child agree in at least one bit more. A code has 63 bits, a place, being below 2^31, 31.
inline constexpr int kDeepestPath = kMortonBits + 31;

/// How a traversal reads a node: one of 64 bytes whole, in four loads of 16 bytes on a device (a
/// load for each number it compares would be 16, and lanes of a warp read nodes far from each
/// other); larger ones number by number, as most tests end with the first axes.
template <int K>
using NodeRead =
    std::conditional_t<sizeof(TreeNode<K>) <= 64, const TreeNode<K>, const TreeNode<K>&>;

/// One of 2^bits threads that walk a tree together.
struct Lane {
  std::uint32_t number = 0;
  unsigned bits = 0;

  /// Of thread i, where the lanes of a link follow each other.
  TOCSIN_HD static constexpr Lane of(std::size_t i, unsigned bits) {
    return {static_cast<std::uint32_t>(i & ((std::size_t{1} << bits) - 1)), bits};
  }
};

/// Calls visit(triangle) for every triangle of all leaves for whose volumes, and for those of all
/// nodes above, `meets` is true; until it returns false. meets(const Kdop<K>&): true of a volume if
/// of one inside it. Returns how many nodes were visited, each with two volumes tested.
///
/// The stack cannot overflow: what lies on it are siblings of nodes on the path to the one that is
/// visited, one a level.
///
/// A lane of several walks what lies below one node of the level 2^bits: all of them together visit
/// every triangle once, and the nodes above several times.
template <int K, class Meets, class Visit>
TOCSIN_HD inline std::uint32_t walk(const TreeView<K>& tree, const Meets& meets, const Visit& visit,
                                    Lane lane = {}) {
  std::uint32_t stack[kDeepestPath];
  int pending = 0;
  std::uint32_t visited = 0;
  std::uint32_t at = 0;
  unsigned sides = 3;  // of the node `at`
  bool more = tree.node_count != 0;
  for (unsigned level = 0; more && level < lane.bits; ++level) {
    const unsigned side = lane.number >> level & 1U;
    const std::uint32_t child = tree.nodes[at].child[side];
    ++visited;
    if (!meets(tree.nodes[at].volume[side])) return visited;
    if ((child & kLeafBit) != 0) {
      // Of the lanes that come here, the one that goes left at all levels below visits it.
      if (lane.number >> level >> 1U != 0) return visited;
      sides = 1U << side;
      break;
    }
    at = child;
  }
  while (more) {
    ++visited;
    const NodeRead<K> node = tree.nodes[at];
    bool deeper = false;
    for (int side = 0; side < 2; ++side) {
      if ((sides >> side & 1U) == 0 || !meets(node.volume[side])) continue;
      const std::uint32_t child = node.child[side];
      if ((child & kLeafBit) != 0) {
        const std::uint32_t* const triangle = tree.order + (child & ~kLeafBit);
        for (std::uint32_t n = 0; n < node.count[side]; ++n) {
          if (!visit(triangle[n])) return visited;
        }
      } else if (!deeper) {
        at = child;
        deeper = true;
      } else {
        stack[pending++] = child;
      }
    }
    sides = 3;
    if (!deeper) {
      more = pending > 0;
      if (more) at = stack[--pending];
    }
  }
  return visited;
}

}  // namespace tocsin::core::batch
