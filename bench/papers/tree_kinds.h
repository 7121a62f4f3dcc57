// The k-DOP trees of paper 001: every k with every number of children a node.
#pragma once

#include <cassert>

// clang-format off
/// DO(K, W) for every kind of tree but a room's own (scene::RoomTree), which is the product's.
#define TOCSIN_FOR_OTHER_TREES(DO) \
  DO(6, 2) DO(6, 4)               \
  DO(14, 2) DO(14, 4) DO(14, 8)   \
  DO(18, 2) DO(18, 4) DO(18, 8)   \
  DO(26, 2) DO(26, 4) DO(26, 8)
// clang-format on

namespace tocsin::papers {

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

}  // namespace tocsin::papers
