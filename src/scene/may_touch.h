// Which triangles a link may touch in a step: what all cullers agree on. docs/trees.md, "Culling".
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/kdop.h"
#include "core/near_test.h"
#include "scene/swept_link.h"

namespace tocsin::scene {

/// The greatest |coordinate| of a box, metres; 0 if it is empty.
inline double farthest_coordinate(const core::Box& box) {
  if (!(box.lo.x <= box.hi.x)) return 0.0;
  return core::max_of(core::detail::largest_size(core::to_double(box.lo)),
                      core::detail::largest_size(core::to_double(box.hi)));
}

/// The link's own directions in a piece of the step. farthest: of the environment's bounds.
inline core::LinkDirections link_directions(const SweptLink& link, std::int32_t piece,
                                            double farthest) {
  const AxisEnds& from = link.ends[static_cast<std::size_t>(piece)];
  const AxisEnds& to = link.ends[static_cast<std::size_t>(piece) + 1];
  return core::link_directions(from.a, from.b, to.a, to.b, link.grow_a, link.grow_b, farthest);
}

/// The k-DOP of a piece of the step.
template <int K>
core::Kdop<K> piece_kdop(const SweptLink& link, std::int32_t piece) {
  const AxisEnds& from = link.ends[static_cast<std::size_t>(piece)];
  const AxisEnds& to = link.ends[static_cast<std::size_t>(piece) + 1];
  return core::swept_kdop<K>(from.a, from.b, to.a, to.b, link.grow_a, link.grow_b);
}

/// The test at the leaves of every tree, for one link and many triangles.
class NearTest {
 public:
  NearTest(const SweptLink& link, double farthest) : link_(link) {
    for (std::int32_t i = 0; i < link.pieces; ++i) {
      directions_[static_cast<std::size_t>(i)] = link_directions(link, i, farthest);
    }
  }
  /// False if in every piece of the step the box or a direction of the link's separates it from the
  /// triangle.
  [[nodiscard]] bool may_touch(const std::array<Vec3f, 3>& corners) const {
    const auto& [a, b, c] = corners;
    for (std::size_t i = 0; i < static_cast<std::size_t>(link_.pieces); ++i) {
      if (core::meets(link_.piece[i], a, b, c) && !core::separated(directions_[i], a, b, c)) {
        return true;
      }
    }
    return false;
  }

 private:
  const SweptLink& link_;
  std::array<core::LinkDirections, kMaxPieces> directions_;
};

/// The same for a single triangle.
inline bool may_touch(const SweptLink& link, const std::array<Vec3f, 3>& corners, double farthest) {
  return NearTest(link, farthest).may_touch(corners);
}

/// Whether every tree, whatever its k, finds the triangle: its nodes compare more directions than
/// may_touch does. certify can answer "graze" for a triangle that is farther than r + 2 eta
/// (docs/exact.md, "What is not claimed"); where this is false such an answer counts as free, or
/// the contacts would depend on the tree.
inline bool may_graze(const SweptLink& link, const std::array<Vec3f, 3>& corners, double farthest) {
  const core::Kdop<26> triangle = core::kdop_of<26>(corners[0], corners[1], corners[2]);
  for (std::int32_t i = 0; i < link.pieces; ++i) {
    if (overlap(piece_kdop<26>(link, i), triangle)) return may_touch(link, corners, farthest);
  }
  return false;
}

}  // namespace tocsin::scene
