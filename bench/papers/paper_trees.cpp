#include "papers/paper_trees.h"

#include <utility>

#include "cpu/tree/make_tree_culler.h"
#include "papers/kdop_culler.h"
#include "papers/tree_kinds.h"
#include "scene/tree/kdop_tree-inl.h"

namespace tocsin::scene {

#define TOCSIN_TREE(K, W) template class KdopTree<K, W>;
TOCSIN_FOR_OTHER_TREES(TOCSIN_TREE)
#undef TOCSIN_TREE

}  // namespace tocsin::scene

namespace tocsin::papers {

std::unique_ptr<cpu::TreeCuller> make_culler(const Environment& environment,
                                             const TreeChoice& choice,
                                             std::shared_ptr<const cpu::TreeCuller> room) {
  return with_tree_kind(choice.k, choice.width,
                        [&]<int K, int W>() -> std::unique_ptr<cpu::TreeCuller> {
                          return std::make_unique<KdopCuller<K, W>>(
                              build_tree<K, W>(environment, choice.build), std::move(room));
                        });
}

std::unique_ptr<cpu::TreeCuller> make_culler(const Environment& environment,
                                             const TreeChoice& choice) {
  return make_culler(environment, choice, cpu::make_tree_culler(environment));
}

}  // namespace tocsin::papers
