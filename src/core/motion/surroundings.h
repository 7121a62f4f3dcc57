// The point to which a link's coordinates are relative, and the margin for rounding around it.
// docs/exact.md, "Rounding" and "Culling".
#pragma once

#include <cstdint>

#include "core/bounds/box.h"
#include "core/motion/link_motion.h"
#include "core/vector/hd.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// Slack for world coordinates, relative to |ref| and per joint: sums in the world frame round to 3
/// u of them at every joint, certify's coordinates relative to ref do not. Smaller: boxes could
/// miss a contact of certify.
inline constexpr double kWorldSlack = 0x1p-50;

/// The ref of all links whose root starts the step here, world, metres: a float's coordinates, so
/// that a triangle's corners relative to it lose nothing.
TOCSIN_HD inline Vec3 reference_point(const Vec3& root) {
  return {static_cast<double>(static_cast<float>(root.x)),
          static_cast<double>(static_cast<float>(root.y)),
          static_cast<double>(static_cast<float>(root.z))};
}

/// Distances that links of one ref share. They determine the additional margin of these links'
/// boxes.
struct Surroundings {
  Vec3 ref;
  double reach =
      0.0;  ///< from ref to the farthest corner of everything that will be checked, metres
  double distance = 0.0;  ///< |ref|, metres
};

/// bounds: the box around everything that will be checked, metres; may be empty.
TOCSIN_HD inline Surroundings surroundings_of(const Vec3& ref, const Box& bounds) {
  return {ref, farthest_corner(ref, bounds), norm(ref)};
}

/// The margin of every box of a link beyond radius and sag, metres. It is twice eta and more: a
/// triangle outside cannot be within certify's own margin. Grows with the reach.
TOCSIN_HD inline double room_for_rounding(const LinkMotion& m, const Surroundings& around) {
  const double eta = rounding_margin(m, around.reach);
  const std::int32_t joints = m.chain_length > kEtaLeastJoints ? m.chain_length : kEtaLeastJoints;
  const double world = joints * kWorldSlack * (around.distance + m.reach);
  return 2.0 * eta + world;
}

}  // namespace tocsin::core
