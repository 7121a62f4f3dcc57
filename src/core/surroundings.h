// The point that a link's coordinates are relative to, and how much room rounding needs about it.
// docs/exact.md, "Rounding" and "Culling".
#pragma once

#include <cstdint>

#include "core/box.h"
#include "core/hd.h"
#include "core/link_motion.h"
#include "core/vec.h"

namespace tocsin::core {

/// Slack for world coordinates, relative to |ref| and per joint: sums in the world frame round to 3
/// u of them at every joint, certify's coordinates relative to ref do not. Less, and boxes could
/// miss what certify finds.
inline constexpr double kWorldSlack = 0x1p-50;

/// The ref of all links whose root starts the step here, world, metres: a float's coordinates, so
/// that a triangle's corners relative to it lose nothing.
TOCSIN_HD inline Vec3 reference_point(const Vec3& root) {
  return {static_cast<double>(static_cast<float>(root.x)),
          static_cast<double>(static_cast<float>(root.y)),
          static_cast<double>(static_cast<float>(root.z))};
}

/// What links of one ref have in common: the margin that every box of theirs needs beyond its own.
struct Surroundings {
  Vec3 ref;
  double reach = 0.0;     ///< from ref to the farthest corner of what will be asked about, metres
  double distance = 0.0;  ///< |ref|, metres
};

/// bounds: the box around all that will be asked about, metres; may be empty.
TOCSIN_HD inline Surroundings surroundings_of(const Vec3& ref, const Box& bounds) {
  return {ref, farthest_corner(ref, bounds), norm(ref)};
}

/// What every box of a link needs beyond radius and sag, metres. Twice eta: outside this, certify's
/// own margin cannot be reached. Grows with the reach.
TOCSIN_HD inline double room_for_rounding(const LinkMotion& m, const Surroundings& around) {
  const double eta = rounding_margin(m, around.reach);
  const std::int32_t joints = m.chain_length > kEtaLeastJoints ? m.chain_length : kEtaLeastJoints;
  const double world = joints * kWorldSlack * (around.distance + m.reach);
  return 2.0 * eta + world;
}

}  // namespace tocsin::core
