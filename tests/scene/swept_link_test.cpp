// The chord bound holds every sampled position of every random link, surface included.
#include "scene/swept_link.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/random_scene.h"

namespace tocsin::scene {
namespace {

bool holds(const core::Box& box, const Vec3& p, double radius) {
  return box.lo.x <= p.x - radius && p.x + radius <= box.hi.x && box.lo.y <= p.y - radius &&
         p.y + radius <= box.hi.y && box.lo.z <= p.z - radius && p.z + radius <= box.hi.z;
}

TEST(SweptLink, BoxesHoldTenThousandPositions) {
  test::RandomLinks random(121);
  int several = 0;
  for (int i = 0; i < 24; ++i) {
    const double turn = i % 3 == 0 ? 3.1 : i % 3 == 1 ? 0.5 : 0.01;
    const auto take = test::random_take(random, 7, 2, turn, i % 4 == 0 ? 100.0 : 0.3);
    StepMotion motion;
    const auto steps = take.motion.steps(
        {.in_between = i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate});
    motion.set(take.avatar, steps[0], 0.01, {{-5, -5, -5}, {5, 5, 5}});
    for (const SweptLink& link : motion.links()) {
      if (link.pieces > 1) ++several;
      for (int k = 0; k <= 5000; ++k) {
        const double t = k / 5000.0;
        const core::AxisState s = core::evaluate(link.motion, t);
        const Vec3 a = link.motion.ref + s.a;
        const Vec3 b = link.motion.ref + s.b;
        ASSERT_TRUE(holds(link.box, a, link.motion.radius) &&
                    holds(link.box, b, link.motion.radius));
        const int piece = std::min(link.pieces - 1, static_cast<int>(t * link.pieces));
        const core::Box& box = link.piece[static_cast<std::size_t>(piece)];
        ASSERT_TRUE(holds(box, a, link.motion.radius) && holds(box, b, link.motion.radius));
      }
    }
  }
  EXPECT_GT(several, 10);
}

TEST(SweptLink, RadiusAndMarginAdd) {
  test::RandomLinks random(122);
  const auto take = test::random_take(random, 3, 2, 0.1, 0.1);
  StepMotion motion;
  motion.set(take.avatar, take.motion.steps()[0], 0.25, {});
  for (std::size_t i = 0; i < motion.links().size(); ++i) {
    EXPECT_EQ(motion.links()[i].motion.radius, take.avatar.links()[i].radius + 0.25);
  }
}

bool same(const core::Box& p, const core::Box& q) { return p.lo == q.lo && p.hi == q.hi; }

// What a workspace keeps from step to step must never show: steps in any order, of several takes
// and avatars, come out as from a new one.
TEST(SweptLink, WorkspaceDoesNotShow) {
  test::RandomLinks random(123);
  std::vector<test::RandomTake> takes;
  for (const int joints : {5, 9, 5})
    takes.push_back(test::random_take(random, joints, 4, 1.0, 0.3));
  const core::Box bounds{{-5, -5, -5}, {5, 5, 5}};
  StepMotion kept;
  for (const int pick : {0, 0, 1, 2, 2, 0, 1, 1, 2}) {
    const auto& take = takes[static_cast<std::size_t>(pick)];
    const auto steps = take.motion.steps();
    ASSERT_EQ(steps.size(), 3U);
    for (const std::size_t k : {0U, 1U, 2U, 1U, 1U, 0U}) {
      StepMotion fresh;
      fresh.set(take.avatar, steps[k], 0.01, bounds);
      kept.set(take.avatar, steps[k], 0.01, bounds);
      ASSERT_EQ(kept.links().size(), take.avatar.links().size());
      for (std::size_t i = 0; i < kept.links().size(); ++i) {
        const SweptLink& p = kept.links()[i];
        const SweptLink& q = fresh.links()[i];
        ASSERT_EQ(p.pieces, q.pieces);
        ASSERT_TRUE(same(p.box, q.box));
        for (std::size_t n = 0; n < static_cast<std::size_t>(p.pieces); ++n) {
          ASSERT_TRUE(same(p.piece[n], q.piece[n]));
        }
        for (const double t : {0.0, 0.3, 1.0}) {
          const core::AxisState x = core::evaluate(p.motion, t);
          const core::AxisState y = core::evaluate(q.motion, t);
          ASSERT_TRUE(x.a == y.a && x.b == y.b && x.va == y.va && x.vb == y.vb);
        }
      }
    }
  }
}

}  // namespace
}  // namespace tocsin::scene
