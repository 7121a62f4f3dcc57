// The stages of a batch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tocsin::cuda {

/// The stages whose costs are told apart; copies down are part of the stage that needs them.
enum class Stage : std::uint8_t { kUpload, kBounds, kTraversal, kCertify, kLinkPairs };
inline constexpr std::size_t kStages = 5;

/// How a tree is asked, for measuring: no contact depends on it, only time and what is counted of
/// the tree.
struct Traversal {
  /// 2: candidates are counted, then written in a second traversal. 1: written at once, where there
  /// is room for them.
  unsigned traversals = 2;
  /// Threads a link, 2^n: each takes the part of the tree below another node.
  unsigned lane_bits = 0;
};

}  // namespace tocsin::cuda
