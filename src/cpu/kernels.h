// The exact step's arithmetic, several numbers at a time: the same bits as src/core at every SIMD
// target, chosen when the program runs (Highway). docs/performance.md, "SIMD".
#pragma once

#include <cstdint>

#include "core/certify.h"
#include "core/link_motion.h"
#include "scene/kdop_tree.h"

namespace tocsin::cpu {

/// core::evaluate(link, t), bit for bit.
core::AxisState evaluate(const core::LinkMotion& link, double t);

/// core::certify(link, at0, triangle, tolerance, stop_after), bit for bit.
core::Certificate certify(const core::LinkMotion& link, const core::AxisState& at0,
                          const core::Triangle& triangle, double tolerance, double stop_after);

/// What the first iteration of core::certify, at t = 0, finds about the triangles of a block. Bit i
/// of a mask and entry i of an array are lane i.
struct FirstLook {
  std::uint32_t overlap = 0;  ///< certify answers kOverlap
  std::uint32_t free = 0;     ///< certify answers kFree, after one evaluation
  /// In [0, 1]. certify proves freedom on [0, free_until) in its first step: with a stop_after
  /// below that it answers kFree, or with a lo > stop_after. 0: that step proves nothing.
  alignas(64) double free_until[scene::kBlockSize] = {};
};

/// at0: evaluate(link, 0). Lanes that are not in use (scene::TriangleBlock), not finite or more
/// than 2^100 m away have no bit set and free_until = 0.
FirstLook first_look(const core::LinkMotion& link, const core::AxisState& at0,
                     const scene::TriangleBlock& block);

/// What becomes of a block's triangles when core::certify's path is followed as long as nothing
/// touches and the proof has no gap.
struct March {
  std::uint32_t settled = 0;      ///< bit i: certify answers kFree or kPruned; not set: ask it
  std::uint32_t evaluations = 0;  ///< looks at the link and a triangle
};

/// at0: evaluate(link, 0); tolerance, stop_after: certify's. Lanes that are not in use, not finite
/// or more than 2^100 m away are not settled.
March march(const core::LinkMotion& link, const core::AxisState& at0,
            const scene::TriangleBlock& block, double tolerance, double stop_after);

}  // namespace tocsin::cpu
