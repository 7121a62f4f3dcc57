// What the kernels find about the triangles of a block.
#pragma once

#include <cstdint>

#include "scene/tree/tree_nodes.h"

namespace tocsin::cpu {

/// What the first iteration of core::certify, at t = 0, finds about the triangles of a block. Bit i
/// of a mask and entry i of an array are lane i.
struct EarlyOut {
  std::uint32_t overlap = 0;  ///< certify answers kOverlap
  std::uint32_t free = 0;     ///< certify answers kFree, after one evaluation
  /// In [0, 1]. certify proves freedom on [0, free_until) in its first step: with a stop_after
  /// below that it answers kFree, or with a lo > stop_after. 0: that step proves nothing.
  alignas(64) double free_until[scene::kBlockSize] = {};
};

/// The result of conservative advancement in lanes: core::certify's iterations, as long as nothing
/// touches and the proof has no gap.
struct Advanced {
  std::uint32_t settled = 0;      ///< bit i: certify answers kFree or kPruned; not set: ask it
  std::uint32_t evaluations = 0;  ///< of the link and a triangle
};

}  // namespace tocsin::cpu
