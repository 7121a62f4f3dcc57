// Bodies that build a tree of k-DOPs: Morton codes, the hierarchy (Karras 2012, "Maximizing
// Parallelism in the Construction of BVHs, Octrees, and k-d Trees"), volumes from the leaves up.
// docs/cuda.md, "Trees".
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "core/batch/layout.h"
#include "core/batch/tree.h"
#include "core/bounds/box.h"
#include "core/bounds/kdop.h"
#include "core/vector/atomic.h"
#include "core/vector/hd.h"
#include "core/vector/vec.h"

namespace tocsin::core::batch {

/// The lower 21 bits of x, each followed by two zeros.
TOCSIN_HD constexpr std::uint64_t spread_bits(std::uint64_t x) {
  x &= 0x1FFFFFU;
  x = (x | x << 32U) & 0x001F00000000FFFFU;
  x = (x | x << 16U) & 0x001F0000FF0000FFU;
  x = (x | x << 8U) & 0x100F00F00F00F00FU;
  x = (x | x << 4U) & 0x10C30C30C30C30C3U;
  x = (x | x << 2U) & 0x1249249249249249U;
  return x;
}

/// Cells per metre of a grid of cubes that holds the box: 2^21 along its longest side; 0 for a box
/// that is a point or empty.
TOCSIN_HD inline double morton_scale(const Box& box) {
  const Vec3 size = to_double(box.hi) - to_double(box.lo);
  const double longest = max_of(size.x, max_of(size.y, size.z));
  return longest > 0.0 ? static_cast<double>(1U << kMortonBitsPerAxis) / longest : 0.0;
}

/// Which cell a coordinate lies in; coordinates outside count as at the border.
TOCSIN_HD inline std::uint64_t morton_cell(double x, float low, double scale) {
  constexpr double kLast = (1U << kMortonBitsPerAxis) - 1;
  return static_cast<std::uint64_t>(clamp_to((x - static_cast<double>(low)) * scale, 0.0, kLast));
}

/// Per triangle the Morton code of its centroid in the room's box, and its own index.
struct MortonCodes {
  RoomView room;
  double scale;  ///< morton_scale(room.bounds)
  std::uint64_t* codes;
  std::uint32_t* triangles;
  TOCSIN_HD void operator()(std::size_t i) const {
    const Corners v = corners_of(room, static_cast<std::uint32_t>(i));
    const Vec3 sum = (to_double(v.a) + to_double(v.b)) + to_double(v.c);
    const Vec3f& low = room.bounds.lo;
    codes[i] = spread_bits(morton_cell(sum.x / 3.0, low.x, scale)) << 2U |
               spread_bits(morton_cell(sum.y / 3.0, low.y, scale)) << 1U |
               spread_bits(morton_cell(sum.z / 3.0, low.z, scale));
    triangles[i] = static_cast<std::uint32_t>(i);
  }
};

/// The triangles in the order of their codes, and their division by nodes. Each node's part of the
/// list is computed independently of other nodes. It begins or ends at the node's own index.
struct SortedCodes {
  const std::uint64_t* codes = nullptr;
  std::int64_t count = 0;

  /// Places first ... last, divided behind `split`. Parts of one place have no node.
  struct Range {
    std::int64_t first;
    std::int64_t split;
    std::int64_t last;
  };
  /// Precondition: 0 <= node < count - 1.
  [[nodiscard]] TOCSIN_HD Range range_of(std::int64_t node) const {
    const std::int64_t end = end_of(node);
    const std::int64_t split = split_of(node, end);
    return node < end ? Range{node, split, end} : Range{end, split, node};
  }

 private:
  /// Length of the common prefix of the (code, place) of two places in the list, bits; -1 if there
  /// is no place j. Equal codes thus divide as places do.
  [[nodiscard]] TOCSIN_HD int shared_prefix(std::int64_t i, std::int64_t j) const {
    if (j < 0 || j >= count) return -1;
    const std::uint64_t differ = codes[i] ^ codes[j];
    if (differ != 0) return std::countl_zero(differ);
    return 64 + std::countl_zero(static_cast<std::uint32_t>(i) ^ static_cast<std::uint32_t>(j));
  }
  [[nodiscard]] TOCSIN_HD std::int64_t end_of(std::int64_t i) const {
    const std::int64_t way = shared_prefix(i, i + 1) > shared_prefix(i, i - 1) ? 1 : -1;
    const int outside = shared_prefix(i, i - way);
    std::int64_t step = 2;
    while (shared_prefix(i, i + step * way) > outside) step *= 2;
    std::int64_t length = 0;
    for (step /= 2; step > 0; step /= 2) {
      if (shared_prefix(i, i + (length + step) * way) > outside) length += step;
    }
    return i + length * way;
  }
  [[nodiscard]] TOCSIN_HD std::int64_t split_of(std::int64_t i, std::int64_t end) const {
    const std::int64_t way = end > i ? 1 : -1;
    const int shared = shared_prefix(i, end);
    std::int64_t split = 0;
    std::int64_t step = (end - i) * way;
    do {
      step = (step + 1) / 2;
      if (shared_prefix(i, i + (split + step) * way) > shared) split += step;
    } while (step > 1);
    return way > 0 ? i + split : i - split - 1;
  }
};

/// flags[i]: 1 if Karras's node i holds more triangles than a leaf may, else 0. These stay nodes.
struct FlagInner {
  SortedCodes sorted;
  std::uint32_t* flags;
  TOCSIN_HD void operator()(std::size_t i) const {
    const SortedCodes::Range range = sorted.range_of(static_cast<std::int64_t>(i));
    flags[i] = range.last - range.first >= kLeafTriangles ? 1 : 0;
  }
};

/// The link upwards of a node or a leaf: 2 * (node above) + side; kNone: none.
struct TreeLinks {
  std::uint32_t* of_node = nullptr;
  std::uint32_t* of_leaf = nullptr;  ///< by place in the order; kNone where no leaf begins
};

/// One node: its children, and their links upwards. Writes no volumes but the one of a leaf without
/// triangles. links.of_leaf: kNone before. Launched for all of Karras's nodes, or once for a tree
/// of one leaf.
template <int K>
struct Hierarchy {
  SortedCodes sorted;           ///< count > 0
  const std::uint64_t* places;  ///< per node of Karras's: how many before it stay
  TreeNode<K>* nodes;
  TreeLinks links;

  TOCSIN_HD void operator()(std::size_t i) const {
    if (i == 0) links.of_node[0] = kNone;
    if (sorted.count <= kLeafTriangles) {
      hang(0, 0, 0, 0, sorted.count - 1);
      nodes[0].child[1] = kLeafBit;
      nodes[0].count[1] = 0;
      nodes[0].volume[1] = Kdop<K>();
      return;
    }
    const SortedCodes::Range range = sorted.range_of(static_cast<std::int64_t>(i));
    if (range.last - range.first < kLeafTriangles) return;
    const auto node = static_cast<std::uint32_t>(places[i]);
    hang(node, 0, range.split, range.first, range.split);
    hang(node, 1, range.split + 1, range.split + 1, range.last);
  }

 private:
  /// The child that holds places first ... last: a leaf, or Karras's node `inner`.
  TOCSIN_HD void hang(std::uint32_t node, std::uint32_t side, std::int64_t inner,
                      std::int64_t first, std::int64_t last) const {
    TreeNode<K>& above = nodes[node];
    const std::uint32_t link = 2 * node + side;
    const std::int64_t size = last - first + 1;
    above.count[side] = static_cast<std::uint32_t>(size);
    if (size <= kLeafTriangles) {
      above.child[side] = static_cast<std::uint32_t>(first) | kLeafBit;
      links.of_leaf[first] = link;
    } else {
      above.child[side] = static_cast<std::uint32_t>(places[inner]);
      links.of_node[above.child[side]] = link;
    }
  }
};

/// Volumes from one leaf upwards; launched for every place in the order. Of two threads that reach
/// a node the second continues, with the volume that the first has written. Joining is exact, so
/// the order does not matter.
template <int K>
struct FitTree {
  RoomView room;
  const std::uint32_t* order;
  TreeNode<K>* nodes;
  TreeLinks links;
  std::uint32_t* arrived;  ///< per node, 0 before
  TOCSIN_HD void operator()(std::size_t i) const {
    std::uint32_t link = links.of_leaf[i];
    if (link == kNone) return;
    Kdop<K> volume;
    const std::uint32_t count = nodes[link >> 1U].count[link & 1U];
    for (std::uint32_t n = 0; n < count; ++n) {
      const Corners v = corners_of(room, order[i + n]);
      volume = join(volume, kdop_of<K>(v.a, v.b, v.c));
    }
    while (link != kNone) {
      TreeNode<K>& node = nodes[link >> 1U];
      const std::uint32_t side = link & 1U;
      node.volume[side] = volume;
      publish();
      if (atomic_add(arrived[link >> 1U], 1U) == 0) return;
      publish();  // and make the other thread's writes visible
      volume = join(volume, node.volume[1U - side]);
      link = links.of_node[link >> 1U];
    }
  }
};

}  // namespace tocsin::core::batch
