// The chord bound holds every sampled position of every random link, surface included.
#include "scene/swept/step_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/scenes/random_scene.h"

namespace tocsin::scene::step_motion_test {
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
    const auto steps =
        take.motion
            .steps({.in_between = i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate})
            .value();
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

bool holds(const core::Box& outer, const core::Box& inner) {
  return join(outer, inner).lo == outer.lo && join(outer, inner).hi == outer.hi;
}

// So a link whose coarse box is clear of a triangle has no candidate there.
TEST(StepMotion, CoarseBoxesHoldTheExactOnes) {
  test::RandomLinks random(124);
  int several = 0;
  double volume = 0.0;
  double coarse_volume = 0.0;
  const auto volume_of = [](const core::Box& b) {
    const Vec3 size = core::to_double(b.hi) - core::to_double(b.lo);
    return size.x * size.y * size.z;
  };
  for (int i = 0; i < 300; ++i) {
    const double turn = i % 3 == 0 ? 3.1 : i % 3 == 1 ? 0.5 : 0.01;
    const auto take = test::random_take(random, 9, 4, turn, i % 4 == 0 ? 100.0 : 0.3);
    const auto steps =
        take.motion
            .steps({.in_between = i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate})
            .value();
    for (const Step& step : steps) {
      StepMotion motion;
      motion.set(take.avatar, step, 0.01, {{-50, -5, -5}, {5, 5, 500}});
      for (std::size_t k = 0; k < motion.link_count(); ++k) {
        const SweptLink& link = motion.links()[k];
        ASSERT_TRUE(holds(motion.coarse_box(k), link.box)) << i;
        ASSERT_TRUE(holds(motion.coarse_box(), motion.coarse_box(k))) << i;
        if (link.pieces > 1) ++several;
        if (turn < 0.1) {
          volume += volume_of(link.box);
          coarse_volume += volume_of(motion.coarse_box(k));
        }
      }
    }
  }
  EXPECT_GT(several, 500);
  EXPECT_LT(coarse_volume, 1.5 * volume);
}

// A link that is asked for alone is the one that set() makes.
TEST(StepMotion, LinksOnDemandAreThoseMadeAtOnce) {
  test::RandomLinks random(125);
  const core::Box bounds{{-5, -5, -5}, {5, 5, 5}};
  const auto take = test::random_take(random, 12, 30, 0.5, 0.3);
  StepMotion all;
  StepMotion some;
  for (const Step& step : take.motion.steps().value()) {
    all.set(take.avatar, step, 0.0, bounds);
    some.begin(take.avatar, step, 0.0, bounds);
    for (int n = 0; n < 4; ++n) {
      const auto i = static_cast<std::size_t>(random.uniform(0, 10.99));
      const SweptLink& p = some.link(i);
      const SweptLink& q = all.links()[i];
      ASSERT_EQ(p.box.lo, q.box.lo);
      ASSERT_EQ(p.box.hi, q.box.hi);
      ASSERT_EQ(p.pieces, q.pieces);
      ASSERT_EQ(p.motion.speed, q.motion.speed);
      const core::AxisState x = core::evaluate(p.motion, 0.7);
      const core::AxisState y = core::evaluate(q.motion, 0.7);
      ASSERT_TRUE(x.a == y.a && x.b == y.b && x.va == y.va && x.vb == y.vb);
    }
  }
}

TEST(SweptLink, RadiusAndMarginAdd) {
  test::RandomLinks random(122);
  const auto take = test::random_take(random, 3, 2, 0.1, 0.1);
  StepMotion motion;
  motion.set(take.avatar, take.motion.steps()->at(0), 0.25, {});
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
    const auto steps = take.motion.steps().value();
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
}  // namespace tocsin::scene::step_motion_test
