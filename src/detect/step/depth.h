// The triangle of an object that is nearest to a link, and how deep the link is in the object.
#pragma once

#include <cstdint>

#include "core/motion/link_motion.h"
#include "cpu/tree/tree_culler.h"
#include "tocsin/depth.h"
#include "tocsin/environment.h"

namespace tocsin::detect {

/// Of an axis (relative to motion.ref) and an object that has triangles. A pure function of both:
/// it does not depend on the tree. `inside`: the axis is in the object.
Depth depth_in(const cpu::TreeCuller& tree, const Environment& environment, std::uint32_t object,
               const core::LinkMotion& motion, const core::AxisState& axis, bool inside);

}  // namespace tocsin::detect
