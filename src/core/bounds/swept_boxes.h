// From a link's motion to the volumes that hold it throughout the step: paddings, ends and boxes of
// its pieces. docs/exact.md, "Swept bound" and "Culling".
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bounds/box.h"
#include "core/bounds/kdop.h"
#include "core/motion/link_motion.h"
#include "core/motion/surroundings.h"
#include "core/motion/swept_link.h"
#include "core/motion/swept_pieces.h"
#include "core/vector/hd.h"

namespace tocsin::core {

/// The box of four balls: radius grow_a about both ends a, grow_b about both ends b.
TOCSIN_HD inline Box box_between(const AxisEnds& from, const AxisEnds& to, double grow_a,
                                 double grow_b) {
  return box_of(swept_kdop<6>(from.a, from.b, to.a, to.b, grow_a, grow_b));
}

/// The pieces of a link's step, and the radii of its balls.
struct PieceSizes {
  std::int32_t pieces = 1;
  double padding = 0.0;  ///< these three as in SweptLink
  double grow_a = 0.0;
  double grow_b = 0.0;
};

TOCSIN_HD inline PieceSizes piece_sizes(const LinkMotion& m, const Surroundings& around) {
  PieceSizes out;
  out.padding = m.radius + room_for_rounding(m, around);
  out.pieces = swept_pieces(m);
  const double h = 1.0 / out.pieces;
  out.grow_a = out.padding + 0.125 * m.acceleration_a * h * h;
  out.grow_b = out.padding + 0.125 * m.acceleration_b * h * h;
  return out;
}

/// The ends at the time i / pieces, 0 < i <= pieces. end: those at t = 1, in the world.
TOCSIN_HD inline AxisEnds ends_after(const LinkMotion& m, std::int32_t pieces, std::int32_t i,
                                     const AxisEnds& end) {
  if (i == pieces) return end;
  const double h = 1.0 / pieces;
  const AxisState s = evaluate(m, h * i);
  return {m.ref + s.a, m.ref + s.b};
}

/// SweptLink::box of a link alone. start, end: its axis at t = 0 and t = 1, in the world (forward
/// kinematics).
TOCSIN_HD inline Box swept_box(const LinkMotion& m, const Surroundings& around,
                               const AxisEnds& start, const AxisEnds& end) {
  const PieceSizes sizes = piece_sizes(m, around);
  Box box;
  AxisEnds from = start;
  for (std::int32_t i = 0; i < sizes.pieces; ++i) {
    const AxisEnds to = ends_after(m, sizes.pieces, i + 1, end);
    box = join(box, box_between(from, to, sizes.grow_a, sizes.grow_b));
    from = to;
  }
  return box;
}

/// Completes a swept link whose motion is set. start, end: as above.
TOCSIN_HD inline void set_boxes(SweptLink& swept, const Surroundings& around, const AxisEnds& start,
                                const AxisEnds& end) {
  const PieceSizes sizes = piece_sizes(swept.motion, around);
  swept.pieces = sizes.pieces;
  swept.padding = sizes.padding;
  swept.grow_a = sizes.grow_a;
  swept.grow_b = sizes.grow_b;
  swept.ends[0] = start;
  swept.box = Box{};
  for (std::int32_t i = 0; i < sizes.pieces; ++i) {
    const auto at = static_cast<std::size_t>(i);
    swept.ends[at + 1] = ends_after(swept.motion, sizes.pieces, i + 1, end);
    swept.piece[at] = box_between(swept.ends[at], swept.ends[at + 1], sizes.grow_a, sizes.grow_b);
    swept.box = join(swept.box, swept.piece[at]);
  }
}

}  // namespace tocsin::core
