#include "cpu/tree_culler.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <thread>
#include <utility>

#include "cpu/kdop_culler.h"

namespace tocsin::cpu {

namespace {

template <int K>
std::unique_ptr<TreeCuller> make(const Environment& environment, const TreeChoice& choice) {
  const auto made = [&]<int W>() {
    return std::make_unique<KdopCuller<K, W>>(scene::KdopTree<K, W>(environment, choice.build));
  };
  switch (choice.width) {
    case 2:
      return made.template operator()<2>();
    case 4:
      return made.template operator()<4>();
    default:
      assert(choice.width == 8);
      return made.template operator()<8>();
  }
}

}  // namespace

std::string TreeCuller::device() const {
  return std::to_string(std::max(1U, std::thread::hardware_concurrency())) + " hardware threads";
}

std::unique_ptr<TreeCuller> make_tree_culler(const Environment& environment,
                                             const TreeChoice& choice) {
  switch (choice.k) {
    case 6:
      return make<6>(environment, choice);
    case 14:
      return make<14>(environment, choice);
    case 18:
      return make<18>(environment, choice);
    default:
      assert(choice.k == 26);
      return make<26>(environment, choice);
  }
}

}  // namespace tocsin::cpu
