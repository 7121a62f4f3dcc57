// A proved lower bound of how near a link comes to the environment, or to another link, during a
// step.
#pragma once

#include <cstdint>
#include <functional>

#include "core/bounds/box.h"
#include "core/motion/link_motion.h"
#include "cpu/tree/tree_culler.h"

namespace tocsin::detect {

/// How far the bound may stay below the true least distance: this much, metres, ...
inline constexpr double kClearanceSlack = 1e-3;
/// ... or this part of it, whichever is more. Both only cost time when made smaller.
inline constexpr double kClearanceRelativeSlack = 0.01;

/// A number, metres, that the distance from the link's surface to every triangle for which `wanted`
/// is true is proved never to fall below on [0, 1]; 0 if no positive one could be proved, infinite
/// if there is no such triangle. Bisection in time with the speed bound L (docs/exact.md,
/// "Clearance").
double proved_clearance(const core::LinkMotion& link, const cpu::TreeCuller& tree,
                        const std::function<bool(std::uint32_t)>& wanted);

/// The same for two links, between their surfaces; at least the distance between the boxes that
/// hold them. A pure function of both motions, which way round they are given included.
double proved_clearance(const core::LinkMotion& a, const core::LinkMotion& b);

/// At most the least of distance(t) - radius on [0, 1], and nearly that. distance: a lower bound
/// of how far the axis is from something at a time, metres, infinite if there is nothing; speed: of
/// its change, metres per step; slack: room for rounding, metres.
double least_on_step(const std::function<double(double)>& distance, double speed, double radius,
                     double slack);

/// Between two boxes, metres; infinite if one is empty. At most what the links in them have as
/// their proved_clearance, if the boxes are wide enough for core::may_graze's broadphase.
double distance_between(const core::Box& a, const core::Box& b);

}  // namespace tocsin::detect
