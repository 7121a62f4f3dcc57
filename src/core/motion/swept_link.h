// A link over one step, as cullers and certify see it, on the CPU and on devices.
#pragma once

#include <array>
#include <cstdint>

#include "core/bounds/box.h"
#include "core/motion/link_motion.h"
#include "core/motion/swept_pieces.h"

namespace tocsin::core {

/// The two ends of a link's axis at one time; world, metres.
struct AxisEnds {
  Vec3 a;
  Vec3 b;
};

/// One link over one step: its motion, and volumes that hold its surface throughout, with room for
/// every rounding of certify (docs/exact.md, "Culling").
struct SweptLink {
  LinkMotion motion;
  Box box;                              ///< over the whole step; world, metres
  std::array<Box, kMaxPieces> piece{};  ///< over equal parts of the step
  std::int32_t pieces = 1;
  /// At the times i / pieces. During part i the link lies in the hull of four balls: radius grow_a
  /// about ends[i].a and ends[i + 1].a, radius grow_b about ends[i].b and ends[i + 1].b.
  std::array<AxisEnds, kMaxPieces + 1> ends{};
  double grow_a = 0.0;  ///< metres
  double grow_b = 0.0;
  /// grow_a and grow_b but for the sag of the chords: radius, and room for rounding; metres.
  double padding = 0.0;
};

}  // namespace tocsin::core
