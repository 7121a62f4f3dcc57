// The exact step's arithmetic, several numbers at a time: the same bits as src/core at every SIMD
// target, chosen when the program runs (Highway). docs/performance.md, "SIMD".
#pragma once

#include "core/motion/frame_motion.h"
#include "core/motion/link_motion.h"
#include "core/query/certify.h"
#include "cpu/kernels/block_results.h"
#include "scene/tree/tree_nodes.h"

namespace tocsin::cpu {

/// core::evaluate(link, t), bit for bit.
core::AxisState evaluate(const core::LinkMotion& link, double t);
/// core::evaluate(frame, t), bit for bit.
core::FrameState evaluate_frame(const core::FrameMotion& frame, double t);

/// core::certify(link, at0, triangle, tolerance, stop_after), bit for bit.
core::Certificate certify(const core::LinkMotion& link, const core::AxisState& at0,
                          const core::Triangle& triangle, double tolerance, double stop_after);

/// at0: evaluate(link, 0). Lanes that are not in use (scene::TriangleBlock), not finite or more
/// than 2^100 m away have no bit set and free_until = 0.
EarlyOut early_out(const core::LinkMotion& link, const core::AxisState& at0,
                   const scene::TriangleBlock& block);

/// at0: evaluate(link, 0); tolerance, stop_after: certify's. Lanes that are not in use, not finite
/// or more than 2^100 m away are not settled.
Advanced advance(const core::LinkMotion& link, const core::AxisState& at0,
                 const scene::TriangleBlock& block, double tolerance, double stop_after);

}  // namespace tocsin::cpu
