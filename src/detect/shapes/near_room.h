// The triangles of a room that may be nearest to a shape.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>

#include "core/motion/swept_link.h"
#include "core/vector/vec.h"
#include "cpu/tree/tree_culler.h"

namespace tocsin::detect {

/// What holds a shape at one time: a capsule; world, metres.
struct HoldingCapsule {
  core::AxisEnds axis;
  double radius = 0.0;
};

/// First a near one of the triangles that are wanted, then all whose distance from the capsule's
/// axis leaves it open whether they are nearer to the shape. look(triangle): the least distance of
/// the shape so far, metres. The least of all; infinite if none is wanted.
template <class Look>
double look_at_nearest(const cpu::TreeCuller& tree, const HoldingCapsule& capsule,
                       const std::function<bool(std::uint32_t)>& wanted, const Look& look) {
  const Vec3& a = capsule.axis.a;
  const Vec3& b = capsule.axis.b;
  double least = HUGE_VAL;
  static_cast<void>(tree.nearest(a, b, HUGE_VAL, [&](std::uint32_t triangle) {
    if (!wanted(triangle)) return false;
    least = look(triangle);
    return true;
  }));
  if (std::isinf(least)) return least;
  // For the rounding of the tree's distances: some hundred roundings.
  const double room = 0x1p-40 * (core::norm(a) + core::norm(b) + least);
  static_cast<void>(tree.nearest(a, b, least + capsule.radius + room, [&](std::uint32_t triangle) {
    if (wanted(triangle)) least = look(triangle);
    return false;
  }));
  return least;
}

}  // namespace tocsin::detect
