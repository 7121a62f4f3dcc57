// The k-DOPs of a step's pieces hold every sampled position of every random link, surface included.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/bounds/kdop.h"
#include "scene/swept/step_motion.h"
#include "support/scenes/random_scene.h"

namespace tocsin::scene::swept_kdop_test {
namespace {

using core::Kdop;
using core::KdopDirection;
using core::kKdopDirections;

template <int K>
Kdop<K> kdop_of_piece(const SweptLink& link, std::size_t piece) {
  const AxisEnds& from = link.ends[piece];
  const AxisEnds& to = link.ends[piece + 1];
  return core::swept_kdop<K>(from.a, from.b, to.a, to.b, link.grow_a, link.grow_b);
}

/// True if the ball about p lies between all planes.
template <int K>
bool holds(const Kdop<K>& kdop, const Vec3& p, double radius) {
  for (std::size_t i = 0; i < K / 2; ++i) {
    const KdopDirection& d = kKdopDirections<K>[i];
    const double at = d.x * p.x + d.y * p.y + d.z * p.z;
    const double reach = std::sqrt(static_cast<double>(d.x * d.x + d.y * d.y + d.z * d.z)) * radius;
    if (!(kdop.lo[i] <= at - reach && at + reach <= kdop.hi[i])) return false;
  }
  return true;
}

/// Both have the same interval wherever they have the same direction.
template <int K>
void expect_part_of(const Kdop<K>& part, const Kdop<26>& whole) {
  for (std::size_t i = 0; i < K / 2; ++i) {
    const KdopDirection& d = kKdopDirections<K>[i];
    const auto same = std::find_if(
        kKdopDirections<26>.begin(), kKdopDirections<26>.end(),
        [&](const KdopDirection& e) { return d.x == e.x && d.y == e.y && d.z == e.z; });
    const auto j = static_cast<std::size_t>(same - kKdopDirections<26>.begin());
    ASSERT_LT(j, 13U);
    EXPECT_EQ(part.lo[i], whole.lo[j]);
    EXPECT_EQ(part.hi[i], whole.hi[j]);
  }
}

/// A step of a random avatar, slow or fast, near or far.
StepMotion random_step(test::RandomLinks& random, int i) {
  const double turn = i % 3 == 0 ? 3.1 : i % 3 == 1 ? 0.5 : 0.01;
  const auto take = test::random_take(random, 7, 2, turn, i % 4 == 0 ? 100.0 : 0.3);
  const auto steps =
      take.motion
          .steps({.in_between = i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate})
          .value();
  StepMotion motion;
  motion.set(take.avatar, steps[0], 0.01, {{-5, -5, -5}, {5, 5, 5}});
  return motion;
}

TEST(SweptKdop, HoldsTenThousandPositions) {
  test::RandomLinks random(341);
  int several = 0;
  for (int i = 0; i < 12; ++i) {
    const StepMotion motion = random_step(random, i);
    for (const SweptLink& link : motion.links()) {
      if (link.pieces > 1) ++several;
      std::array<Kdop<26>, kMaxPieces> kdop;
      for (int p = 0; p < link.pieces; ++p) {
        const auto piece = static_cast<std::size_t>(p);
        kdop[piece] = kdop_of_piece<26>(link, piece);
        expect_part_of(kdop_of_piece<6>(link, piece), kdop[piece]);
        expect_part_of(kdop_of_piece<14>(link, piece), kdop[piece]);
        expect_part_of(kdop_of_piece<18>(link, piece), kdop[piece]);
        const core::Box box = box_of(kdop[piece]);
        EXPECT_EQ(box.lo, link.piece[piece].lo);
        EXPECT_EQ(box.hi, link.piece[piece].hi);
      }
      for (int k = 0; k <= 5000; ++k) {
        const double t = k / 5000.0;
        const core::AxisState s = core::evaluate(link.motion, t);
        const int piece = std::min(link.pieces - 1, static_cast<int>(t * link.pieces));
        const Kdop<26>& held = kdop[static_cast<std::size_t>(piece)];
        ASSERT_TRUE(holds(held, link.motion.ref + s.a, link.motion.radius) &&
                    holds(held, link.motion.ref + s.b, link.motion.radius));
      }
    }
  }
  EXPECT_GT(several, 10);
}

// Not merely large: the chord bound's k-DOP is cut off where the box has corners.
TEST(SweptKdop, IsTighterThanTheBox) {
  test::RandomLinks random(342);
  std::vector<double> shares;
  for (int i = 0; i < 40; ++i) {
    const StepMotion motion = random_step(random, 1 + 6 * i);  // half a radian at most
    for (const SweptLink& link : motion.links()) {
      const Kdop<18> kdop = kdop_of_piece<18>(link, 0);
      for (std::size_t d = 3; d < 9; ++d) {
        const KdopDirection& e = kKdopDirections<18>[d];
        double box = 0.0;
        const std::array<int, 3> c{e.x, e.y, e.z};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          if (c[axis] != 0) box += static_cast<double>(kdop.hi[axis]) - kdop.lo[axis];
        }
        shares.push_back((static_cast<double>(kdop.hi[d]) - kdop.lo[d]) / box);
      }
    }
  }
  // A ball's is 1 / sqrt(2) of it, a segment's between 0 and 1, half of them not above 1/2.
  std::nth_element(shares.begin(), shares.begin() + static_cast<std::ptrdiff_t>(shares.size() / 2),
                   shares.end());
  EXPECT_LT(shares[shares.size() / 2], 0.75);
}

}  // namespace
}  // namespace tocsin::scene::swept_kdop_test
