// Paper 001's construction rules, section 3.3.4 (topology.h declares the builder).
#pragma once

namespace tocsin::scene {

/// A node this deep, the root being 0, and all below it are divided at the median: the mean can cut
/// off a triangle at a time (centroids at 1, 100, 10000 ... m), and the traversal's stack has an
/// end. No leaf lies deeper than kMeanDepth + 31. In rooms trees are a third as deep, so that a
/// greater number would change nothing; a much smaller one would change trees.
inline constexpr int kMeanDepth = 64;

}  // namespace tocsin::scene
