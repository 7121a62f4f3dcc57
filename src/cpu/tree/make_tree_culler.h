// The CPU's culler of a room.
#pragma once

#include <memory>

#include "cpu/tree/tree_culler.h"
#include "scene/tree/kdop_tree.h"
#include "tocsin/environment.h"

namespace tocsin::cpu {

/// Takes a tree that is there. Throws std::bad_alloc only.
std::unique_ptr<TreeCuller> make_tree_culler(scene::RoomTree tree);

/// Builds the tree first.
std::unique_ptr<TreeCuller> make_tree_culler(const Environment& environment,
                                             const scene::TreeOptions& options = {});

}  // namespace tocsin::cpu
