// Divides items by the surface area heuristic, on one thread, until few enough are left.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "scene/tree/sah_bins.h"
#include "scene/tree/topology.h"

namespace tocsin::scene {

/// A node this deep, the root being 0, and all below it are divided at the median, so that no input
/// makes a tree deeper than kSahDepth + 31. The heuristic alone can cut off a few triangles at a
/// time (sizes that halve towards a corner). Rooms do not come near.
inline constexpr int kSahDepth = 64;

class SahSubtree {
 public:
  /// A node whose items weigh at most `leaf` is not divided. The cost is counted in blocks of
  /// `block` triangles. From sah_depth on nodes are divided at the median.
  SahSubtree(std::uint32_t leaf, std::uint32_t block, int sah_depth)
      : leaf_(leaf), block_(block), sah_depth_(sah_depth) {}

  /// The tree of the items, whose order changes; its nodes' places and its order are those of
  /// items. `spare`: as many more, for passing. depth: of the root.
  Topology build(std::span<SahItem> items, std::span<SahItem> spare, int depth);

 private:
  /// Bins of the two children of a node that is being divided.
  struct Pair {
    SahBins bins[2];
  };
  /// A node to be built. Bins: null for a leaf.
  struct Part {
    std::span<SahItem> items;
    std::span<SahItem> spare;
    SahBound bound;
    std::uint32_t weight = 0;
    int depth = 0;
    SahBins* bins = nullptr;
  };

  [[nodiscard]] bool is_leaf(std::size_t items, std::uint32_t weight) const {
    return weight <= leaf_ || items == 1;
  }
  Pair& pair_at(int depth);
  std::uint32_t add(const Part& part);
  SahSplit split_of(const Part& part) const;
  void divide_at(const Part& part, const SahSplit& split, Part children[2]);
  void divide_at_median(const Part& part, Part children[2]);

  std::uint32_t leaf_;
  std::uint32_t block_;
  int sah_depth_;
  int root_depth_ = 0;
  std::vector<std::unique_ptr<Pair>> pairs_;  ///< one for each level in work
  Topology out_;
};

}  // namespace tocsin::scene
