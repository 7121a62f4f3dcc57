// The triangles of adversarial scenes: of a kind, at a place where the link comes by.
#pragma once

#include <array>
#include <vector>

#include "scene/swept/swept_link.h"
#include "selftest/scenes/adversarial_rig.h"
#include "selftest/scenes/adversity.h"

namespace tocsin::selftest {

using Corners = std::array<Vec3f, 3>;

/// Where and when a triangle shall meet a link.
struct Spot {
  double radius = 0.0;  ///< of the link, metres
  double pixel = 0.0;   ///< metres
  Vec3 y;               ///< on the axis; world, metres
  Vec3 n;               ///< unit, across the axis
  Vec3 x;               ///< on the surface: y + radius n
  Vec3 along;           ///< unit, along the axis
  Vec3 way;             ///< unit, where y is going; any if it stands still
  core::Box box;        ///< of the piece of the step that the time lies in
  core::Box whole;      ///< of the whole step
};

Spot find_spot(const scene::SweptLink& link, Random& random);

/// The longest edge of a pixel, in 62 pixels across a box; metres.
double pixel_of(const core::Box& box);

/// Triangles of a kind. Whether they touch is for the caller to settle, by moving the link.
std::vector<Corners> make_shape(Adversity kind, const Spot& spot, Random& random);

/// A few triangles of no special kind, around the spot; they may touch.
std::vector<Corners> make_clutter(const Spot& spot, Random& random);

/// A wavy patch of 32 to 512 triangles beside the spot, some pixels away: several clusters.
std::vector<Corners> make_patch(const Spot& spot, Random& random);

}  // namespace tocsin::selftest
