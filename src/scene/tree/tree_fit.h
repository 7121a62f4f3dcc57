// Volumes of a tree's nodes, from its triangles upwards.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "core/bounds/kdop.h"
#include "scene/tree/tree_nodes.h"

namespace tocsin::scene {

/// The k-DOP of the block's triangles: join() of kdop_of() of each.
template <int K>
core::Kdop<K> fit_block(const TriangleBlock& block);

/// Sets the volumes of all children of all nodes. Calls prepare(b) once for every block b, from any
/// thread, before it looks at it: what was just written need not be fetched again. Precondition:
/// children's index greater than the parent's.
template <int K, int W>
void fit_nodes(std::span<KdopNode<K, W>> nodes, std::span<const TriangleBlock> blocks,
               const std::function<void(std::uint32_t)>& prepare);

}  // namespace tocsin::scene
