// The test of a single triangle, and that of many, are one: core/bounds/may_touch.h.
#include "core/bounds/may_touch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/motion/link_motion.h"
#include "core/query/distance.h"
#include "scene/swept/step_motion.h"
#include "support/scenes/random_scene.h"

namespace tocsin::core::may_touch_test {
namespace {

TEST(MayTouch, OneTriangleOrManyMakesNoDifference) {
  test::RandomLinks random(821);
  int touched = 0;
  int grazed = 0;
  int apart = 0;
  int in_pieces = 0;
  for (int i = 0; i < 40; ++i) {
    const auto take = test::random_take(random, 6, 3, i % 2 == 0 ? 0.3 : 3.0, 0.3);
    const Environment room = test::random_room(random, 2, 120, 1.0);
    const Box bounds{room.bounds()[0], room.bounds()[1]};
    const double farthest = farthest_coordinate(bounds);
    scene::StepMotion motion;
    motion.set(take.avatar, take.motion.steps()->at(1), 0.0, bounds);
    for (const SweptLink& link : motion.links()) {
      const NearTest near(link, farthest);
      in_pieces += link.pieces > 1 ? 1 : 0;
      for (std::uint32_t t = 0; t < room.triangles().size(); ++t) {
        const auto [a, b, c] = room.corners(t);
        const bool may = near.may_touch(a, b, c);
        ASSERT_EQ(may_touch(link, a, b, c, farthest), may);
        const bool graze = may_graze(link, a, b, c, farthest);
        ASSERT_TRUE(may || !graze) << "a graze is no less than a touch";
        touched += may ? 1 : 0;
        grazed += graze ? 1 : 0;
        apart += may ? 0 : 1;
      }
    }
  }
  EXPECT_GT(grazed, 500);
  EXPECT_GE(touched, grazed);
  EXPECT_GT(apart, 1000);
  EXPECT_GT(in_pieces, 20);
}

TEST(MayTouch, WhatTouchesIsKeptWhenever) {
  test::RandomLinks random(822);
  int late = 0;  // touches in the last piece only
  for (int i = 0; i < 40; ++i) {
    const auto take = test::random_take(random, 6, 3, 3.0, 0.3);
    const Environment room = test::random_room(random, 2, 120, 1.0);
    const Box bounds{room.bounds()[0], room.bounds()[1]};
    const double farthest = farthest_coordinate(bounds);
    scene::StepMotion motion;
    motion.set(take.avatar, take.motion.steps().value()[1], 0.0, bounds);
    for (const SweptLink& link : motion.links()) {
      for (std::uint32_t t = 0; t < room.triangles().size(); ++t) {
        const auto [a, b, c] = room.corners(t);
        const Vec3& ref = link.motion.ref;
        const Triangle triangle{{to_double(a) - ref, to_double(b) - ref, to_double(c) - ref}};
        constexpr int kTimes = 32;
        int first = 0;  // touching time
        for (; first <= kTimes; ++first) {
          const AxisState at = evaluate(link.motion, static_cast<double>(first) / kTimes);
          if (std::sqrt(closest_points(at.a, at.b, triangle).squared) <= link.motion.radius) break;
        }
        if (first > kTimes) continue;
        ASSERT_TRUE(may_touch(link, a, b, c, farthest));
        ASSERT_TRUE(may_graze(link, a, b, c, farthest));
        late += link.pieces > 1 && first * link.pieces > kTimes * (link.pieces - 1) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(late, 20);
}

TEST(MayTouch, FarthestCoordinateIsThatOfEitherCorner) {
  EXPECT_EQ(farthest_coordinate({{-1, -7, -2}, {3, 5, 4}}), 7.0);
  EXPECT_EQ(farthest_coordinate({{-1, -2, -2}, {3, 5, 9}}), 9.0);
  EXPECT_EQ(farthest_coordinate(Box{}), 0.0);
}

}  // namespace
}  // namespace tocsin::core::may_touch_test
