// Which triangles a link may touch in a step: core/bounds/may_touch.h, as cullers here name it.
#pragma once

#include <array>

#include "core/bounds/may_touch.h"
#include "scene/swept/swept_link.h"

namespace tocsin::scene {

using core::farthest_coordinate;
using core::link_directions;
using core::may_graze;
using core::may_touch;
using core::NearTest;
using core::piece_kdop;

/// Around a triangle, exactly.
inline core::Box box_of_corners(const std::array<Vec3f, 3>& corners) {
  return join(core::box_of(corners[0]), join(core::box_of(corners[1]), core::box_of(corners[2])));
}

/// The same of corners as an Environment has them.
inline bool may_touch(const SweptLink& link, const std::array<Vec3f, 3>& corners, double farthest) {
  return may_touch(link, corners[0], corners[1], corners[2], farthest);
}
inline bool may_graze(const SweptLink& link, const std::array<Vec3f, 3>& corners, double farthest) {
  return may_graze(link, corners[0], corners[1], corners[2], farthest);
}

}  // namespace tocsin::scene
