// Which triangles a link may touch in a step: the same test for all cullers, on the CPU and on
// devices. docs/trees.md, "Culling".
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bounds/kdop.h"
#include "core/bounds/near_test.h"
#include "core/motion/swept_link.h"
#include "core/vector/hd.h"

namespace tocsin::core {

/// The greatest |coordinate| of a box, metres; 0 if it is empty.
TOCSIN_HD inline double farthest_coordinate(const Box& box) {
  if (!(box.lo.x <= box.hi.x)) return 0.0;
  return max_of(detail::largest_size(to_double(box.lo)), detail::largest_size(to_double(box.hi)));
}

/// The link's own directions in a piece of the step. farthest: of the environment's bounds.
TOCSIN_HD inline LinkDirections link_directions(const SweptLink& link, std::int32_t piece,
                                                double farthest) {
  const AxisEnds& from = link.ends[static_cast<std::size_t>(piece)];
  const AxisEnds& to = link.ends[static_cast<std::size_t>(piece) + 1];
  return link_directions(from.a, from.b, to.a, to.b, link.grow_a, link.grow_b, farthest);
}

/// The k-DOP of a piece of the step.
template <int K>
TOCSIN_HD inline Kdop<K> piece_kdop(const SweptLink& link, std::int32_t piece) {
  const AxisEnds& from = link.ends[static_cast<std::size_t>(piece)];
  const AxisEnds& to = link.ends[static_cast<std::size_t>(piece) + 1];
  return swept_kdop<K>(from.a, from.b, to.a, to.b, link.grow_a, link.grow_b);
}

/// The test at the leaves of every tree, for one link and many triangles.
class NearTest {
 public:
  TOCSIN_HD NearTest(const SweptLink& link, double farthest) : link_(link) {
    for (std::int32_t i = 0; i < link.pieces; ++i) {
      directions_[i] = link_directions(link, i, farthest);
    }
  }
  /// False if in every piece of the step the box or a direction of the link's separates it from the
  /// triangle a, b, c (world, metres).
  [[nodiscard]] TOCSIN_HD bool may_touch(const Vec3f& a, const Vec3f& b, const Vec3f& c) const {
    for (std::int32_t i = 0; i < link_.pieces; ++i) {
      if (meets(link_.piece[static_cast<std::size_t>(i)], a, b, c) &&
          !separated(directions_[i], a, b, c)) {
        return true;
      }
    }
    return false;
  }

 private:
  const SweptLink& link_;
  LinkDirections directions_[kMaxPieces];
};

/// The same for a single triangle: directions are made only of pieces whose box meets it.
TOCSIN_HD inline bool may_touch(const SweptLink& link, const Vec3f& a, const Vec3f& b,
                                const Vec3f& c, double farthest) {
  for (std::int32_t i = 0; i < link.pieces; ++i) {
    if (meets(link.piece[static_cast<std::size_t>(i)], a, b, c) &&
        !separated(link_directions(link, i, farthest), a, b, c)) {
      return true;
    }
  }
  return false;
}

/// True if every tree, whatever its k, finds the triangle: nodes compare more directions than
/// may_touch does. certify can answer "graze" for a triangle that is farther than r + 2 eta
/// (docs/exact.md, "What is not claimed"). If this is false, such an answer counts as free.
/// Otherwise contacts would depend on the tree.
TOCSIN_HD inline bool may_graze(const SweptLink& link, const Vec3f& a, const Vec3f& b,
                                const Vec3f& c, double farthest) {
  const Kdop<26> triangle = kdop_of<26>(a, b, c);
  for (std::int32_t i = 0; i < link.pieces; ++i) {
    if (overlap(piece_kdop<26>(link, i), triangle)) return may_touch(link, a, b, c, farthest);
  }
  return false;
}

}  // namespace tocsin::core
