// Trees of every kind and rule, and a culler that walks them: what the product's tree was chosen
// from, and what tests compare it with.
#pragma once

#include <memory>

#include "cpu/tree/tree_culler.h"
#include "papers/paper_topology.h"
#include "scene/tree/kdop_tree.h"
#include "tocsin/environment.h"

namespace tocsin::papers {

/// Which tree. The defaults are the product's.
struct TreeChoice {
  int k = 6;      ///< 6, 14, 18 or 26
  int width = 8;  ///< children a node: 2, 4 or 8
  BuildRules build;
};

template <int K, int W>
scene::KdopTree<K, W> build_tree(const Environment& environment, const BuildRules& rules) {
  if (rules.rule == AxisRule::kSah) {
    return scene::KdopTree<K, W>(environment,
                                 {.leaf_size = rules.leaf_size, .threads = rules.threads});
  }
  return scene::KdopTree<K, W>(environment, paper_topology<K>(environment, rules), rules.threads);
}

/// Culls by a tree of this kind. All other questions go to `room`, the product's culler of the same
/// environment. Precondition: there is such a tree.
std::unique_ptr<cpu::TreeCuller> make_culler(const Environment& environment,
                                             const TreeChoice& choice,
                                             std::shared_ptr<const cpu::TreeCuller> room);

/// The same; builds the product's culler first.
std::unique_ptr<cpu::TreeCuller> make_culler(const Environment& environment,
                                             const TreeChoice& choice);

}  // namespace tocsin::papers
