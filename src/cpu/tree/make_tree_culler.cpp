#include "cpu/tree/make_tree_culler.h"

#include "cpu/tree/kdop_culler.h"
#include "scene/tree/tree_kinds.h"

namespace tocsin::cpu {

std::unique_ptr<TreeCuller> make_tree_culler(const Environment& environment,
                                             const TreeChoice& choice) {
  return scene::with_tree_kind(
      choice.k, choice.width, [&]<int K, int W>() -> std::unique_ptr<TreeCuller> {
        return std::make_unique<KdopCuller<K, W>>(scene::KdopTree<K, W>(environment, choice.build));
      });
}

}  // namespace tocsin::cpu
