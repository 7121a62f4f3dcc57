// Paper 001's construction rules, section 3.3.4: how benches and tests build trees to compare the
// product's with.
#pragma once

#include <cstdint>

#include "scene/tree/topology.h"
#include "tocsin/environment.h"

namespace tocsin::papers {

/// How a node's triangles are divided in two.
enum class AxisRule : std::uint8_t {
  kMinSum,       ///< the axis with the least sum of the children's k-DOP volumes
  kMinMax,       ///< ... with the least larger one of them
  kSplatter,     ///< ... along which the centroids have the greatest variance
  kLongestSide,  ///< ... along which the node's k-DOP is longest
  kSah,          ///< the product's: scene::sah_topology
};

/// Where along the axis the centroids are divided; kSah chooses its own plane.
enum class SplitPoint : std::uint8_t { kMean, kMedian };

struct BuildRules {
  AxisRule rule = AxisRule::kSah;
  SplitPoint split = SplitPoint::kMean;
  int leaf_size = scene::kBlockSize;  ///< most triangles in a leaf, 1 to kBlockSize
  int threads = 0;                    ///< 0: all. The tree is the same for any number
};

/// A node this deep, the root being 0, and all below it are divided at the median: the mean can cut
/// off a triangle at a time (centroids at 1, 100, 10000 ... m), and the traversal's stack is
/// bounded. No leaf lies deeper than kMeanDepth + 31. In rooms trees are a third as deep, so that a
/// greater number would change nothing; a much smaller one would change trees.
inline constexpr int kMeanDepth = 64;

/// Min sum and min max measure k-DOPs of K. Precondition: any rule but kSah.
template <int K>
scene::Topology paper_topology(const Environment& environment, const BuildRules& rules);

}  // namespace tocsin::papers
