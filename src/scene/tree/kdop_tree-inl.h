// The members of KdopTree, for the sources that instantiate a kind of tree.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "scene/tree/kdop_tree.h"
#include "scene/tree/tree_blocks.h"
#include "scene/tree/tree_fit.h"
#include "scene/tree/tree_parallel.h"
#include "scene/tree/tree_shape.h"

namespace tocsin::scene {

inline core::Box box_around(const Environment& environment) {
  const std::array<Vec3f, 2> bounds = environment.bounds();
  return {bounds[0], bounds[1]};
}

template <int K, int W>
KdopTree<K, W>::KdopTree(const Environment& environment, const TreeOptions& options)
    : KdopTree(environment, sah_topology(environment, options), options.threads) {}

template <int K, int W>
KdopTree<K, W>::KdopTree(const Environment& environment, const Topology& topology, int threads) {
  if (environment.triangles().empty()) return;
  bounds_ = box_around(environment);
  with_threads(threads, [&] {
    const TreeShape shape = shape_tree(environment, topology, W);
    nodes_.resize(shape.children.size() / W);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      std::copy_n(shape.children.begin() + static_cast<std::ptrdiff_t>(i * W), W, nodes_[i].child);
    }
    blocks_.resize(shape.leaves.size());
    const BlockFiller filler(environment);
    fit_nodes<K, W>(nodes_, blocks_, [&](std::uint32_t block) {
      const Topology::Node& leaf = topology.nodes[shape.leaves[block]];
      filler.fill(std::span(topology.order).subspan(leaf.first, leaf.count), blocks_[block]);
    });
  });
}

template <int K, int W>
KdopTree<K, W>::KdopTree(const std::vector<Node>& nodes, const std::vector<TriangleBlock>& blocks,
                         const core::Box& bounds)
    : nodes_(nodes.begin(), nodes.end()), blocks_(blocks.begin(), blocks.end()), bounds_(bounds) {}

template <int K, int W>
void KdopTree<K, W>::refit(const Environment& environment) {
  if (nodes_.empty()) return;
  bounds_ = box_around(environment);
  const BlockFiller filler(environment);
  fit_nodes<K, W>(nodes_, blocks_, [&](std::uint32_t block) { filler.move(blocks_[block]); });
}

template <int K, int W>
TreeStatistics KdopTree<K, W>::statistics() const {
  TreeStatistics out;
  out.nodes = nodes_.size();
  out.blocks = blocks_.size();
  out.bytes = nodes_.size() * sizeof(Node) + blocks_.size() * sizeof(TriangleBlock);
  for (const TriangleBlock& block : blocks_) {
    out.triangles += static_cast<std::size_t>(
        std::count_if(block.triangle, block.triangle + kBlockSize,
                      [](std::uint32_t triangle) { return triangle != kNone; }));
  }
  std::vector<int> depth(nodes_.size(), 1);  // children come after their parents
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    out.depth = std::max(out.depth, depth[i]);
    for (const std::uint32_t child : nodes_[i].child) {
      if ((child & kLeafBit) == 0) depth[child] = depth[i] + 1;
    }
  }
  return out;
}

}  // namespace tocsin::scene
