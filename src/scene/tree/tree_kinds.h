// Which k-DOP trees there are: every k with every number of children a node.
#pragma once

#include <cassert>

// clang-format off
/// DO(K, W) for every kind of tree: for what has to be written out once for each.
#define TOCSIN_FOR_EVERY_TREE(DO) \
  DO(6, 2) DO(6, 4) DO(6, 8)      \
  DO(14, 2) DO(14, 4) DO(14, 8)   \
  DO(18, 2) DO(18, 4) DO(18, 8)   \
  DO(26, 2) DO(26, 4) DO(26, 8)
// clang-format on

namespace tocsin::scene {

/// body.template operator()<K, W>() for numbers that are known when the program runs. Precondition:
/// there is such a tree.
template <class Body>
auto with_tree_kind(int k, int width, const Body& body) {
  const auto with_width = [&]<int K>() {
    switch (width) {
      case 2:
        return body.template operator()<K, 2>();
      case 4:
        return body.template operator()<K, 4>();
      default:
        assert(width == 8);
        return body.template operator()<K, 8>();
    }
  };
  switch (k) {
    case 6:
      return with_width.template operator()<6>();
    case 14:
      return with_width.template operator()<14>();
    case 18:
      return with_width.template operator()<18>();
    default:
      assert(k == 26);
      return with_width.template operator()<26>();
  }
}

}  // namespace tocsin::scene
