#include "cpu/tree_culler.h"

#include <algorithm>
#include <thread>

#include "cpu/kdop_culler.h"
#include "scene/tree_kinds.h"

namespace tocsin::cpu {

std::string TreeCuller::device() const {
  return std::to_string(std::max(1U, std::thread::hardware_concurrency())) + " hardware threads";
}

std::unique_ptr<TreeCuller> make_tree_culler(const Environment& environment,
                                             const TreeChoice& choice) {
  return scene::with_tree_kind(
      choice.k, choice.width, [&]<int K, int W>() -> std::unique_ptr<TreeCuller> {
        return std::make_unique<KdopCuller<K, W>>(scene::KdopTree<K, W>(environment, choice.build));
      });
}

}  // namespace tocsin::cpu
