// Builds the CPU's culler for a choice of tree.
#pragma once

#include <memory>

#include "cpu/tree/tree_culler.h"
#include "scene/tree/topology.h"
#include "tocsin/environment.h"

namespace tocsin::cpu {

/// Which tree. The defaults are what bench/trees found best (docs/trees.md); every choice gives the
/// same contacts.
struct TreeChoice {
  int k = 6;      ///< 6, 14, 18 or 26
  int width = 8;  ///< children a node: 2, 4 or 8
  scene::TreeOptions build;
};

/// Builds the tree. Precondition: `choice` names one of the trees there are. Throws std::bad_alloc
/// only.
std::unique_ptr<TreeCuller> make_tree_culler(const Environment& environment,
                                             const TreeChoice& choice = {});

}  // namespace tocsin::cpu
