// The shape of a tree of several children a node, made from one of two. The same for every k.
#pragma once

#include <cstdint>
#include <vector>

#include "scene/tree/topology.h"
#include "scene/tree/tree_nodes.h"
#include "tocsin/environment.h"

namespace tocsin::scene {

struct TreeShape {
  std::vector<std::uint32_t> children;  ///< `width` a node, as in KdopNode::child
  std::vector<std::uint32_t> leaves;    ///< the topology's node of every block
};

/// A block for every leaf; and nodes of up to `width` children, chosen so that a query meets the
/// fewest. width: at most 8.
TreeShape shape_tree(const Environment& environment, const Topology& topology, int width);

}  // namespace tocsin::scene
