// Forward kinematics and the box of an avatar, a vector at a time: the bits of
// core/motion/world_pose.h at every SIMD target, chosen when the program runs (Highway).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/vector/vec.h"
#include "tocsin/types.h"

namespace tocsin::scene {

/// A vector in four lanes, the last of them 0.
struct alignas(32) Lanes4 {
  double at[4] = {};
};

/// A joint's frame in the world.
struct JointFrame {
  Lanes4 column[3];  ///< of its rotation matrix
  Lanes4 position;   ///< metres
};

/// A link's two ends, fixed in its joint's frame or in the world; metres.
struct LinkEnds {
  Lanes4 a;
  Lanes4 b;
};

/// A link's joint, and its ends in that joint's frame.
struct LinkPlace {
  std::int32_t joint = 0;
  Vec3 a;
  Vec3 b;
};

/// Places the joints `used`, parents first, of a pose. `parents`: of all joints, -1 for none;
/// `local`: joint to parent, of all joints; `frames`: of all joints, those used are set.
void place_joints(std::span<const std::int32_t> used, std::span<const std::int32_t> parents,
                  std::span<const Transform> local, std::span<JointFrame> frames);

/// The ends of links in the world.
void place_links(std::span<const LinkPlace> links, std::span<const JointFrame> frames,
                 std::span<LinkEnds> ends);

/// Two corners of a box, metres.
struct Extent {
  Lanes4 lo;
  Lanes4 hi;
};

/// The radii of the balls about a link's ends, metres.
struct EndRadii {
  double a = 0.0;
  double b = 0.0;
};

/// The box of all links' ends at both poses, with the balls about them. At least one link.
Extent extent_of(std::span<const LinkEnds> start, std::span<const LinkEnds> end,
                 std::span<const EndRadii> radii);

}  // namespace tocsin::scene
