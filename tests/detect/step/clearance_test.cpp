// Proved clearances: never above what sampling finds, and not far below.
#include "detect/step/clearance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/bounds/separation.h"
#include "core/query/certify.h"
#include "scene/swept/step_motion.h"
#include "support/scenes/random_scene.h"
#include "tocsin/detector.h"

namespace tocsin::clearance_test {
namespace {

double sampled_clearance(const core::LinkMotion& link, const Environment& room) {
  double least = HUGE_VAL;
  for (int k = 0; k <= 200; ++k) {
    const core::AxisState s = core::evaluate(link, k / 200.0);
    for (std::uint32_t t = 0; t < room.triangles().size(); ++t) {
      const auto v = room.corners(t);
      const core::Triangle triangle{{core::to_double(v[0]) - link.ref,
                                     core::to_double(v[1]) - link.ref,
                                     core::to_double(v[2]) - link.ref}};
      least = std::min(least, std::sqrt(core::closest_points(s.a, s.b, triangle).squared));
    }
  }
  return least - link.radius;
}

TEST(Clearance, IsProvedAndTight) {
  test::RandomLinks random(91);
  int clear = 0;
  for (int i = 0; i < 25; ++i) {
    const test::RandomTake take = test::random_take(random, 4, 2, 0.5, 0.3);
    const Environment room = test::random_room(random, 3, 8, 1.5);
    const Detector detector = Detector::make(room, {.margin = 0.01, .clearance = true}).value();
    const StepList steps = take.motion.steps().value();
    const StepReport report = detector.check(take.avatar, steps[0]);
    ASSERT_FALSE(report.error);
    scene::StepMotion motion;
    motion.set(take.avatar, steps[0], 0.01, {});
    ASSERT_EQ(report.clearances.size(), motion.links().size());
    for (std::size_t l = 0; l < motion.links().size(); ++l) {
      const bool touched =
          std::any_of(report.contacts.begin(), report.contacts.end(),
                      [&](const Contact& c) { return c.link == static_cast<std::int32_t>(l); });
      const double sampled = sampled_clearance(motion.links()[l].motion, room);
      if (touched) {
        EXPECT_EQ(report.clearances[l], 0.0);
        continue;
      }
      ++clear;
      EXPECT_LE(report.clearances[l], sampled);
      const double slack =
          std::max(detect::kClearanceSlack, detect::kClearanceRelativeSlack * sampled);
      const double between_samples = motion.links()[l].motion.speed / 400;
      EXPECT_GE(report.clearances[l], sampled - slack - between_samples - 1e-9);
    }
  }
  EXPECT_GT(clear, 20);
}

TEST(Clearance, SeparationIsNeverMoreThanTheDistance) {
  test::RandomLinks random(93);
  int tight = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto point = [&] { return random.vector(0, 2); };
    const Vec3 a = point();
    const Vec3 b = point();
    const core::Triangle t{{point(), point(), point()}};
    const double bound = core::separation(a, b, t);
    for (int k = 0; k < 6; ++k) {
      double p = random.uniform(0, 1);
      double q = random.uniform(0, 1);
      if (p + q > 1) {
        p = 1 - p;
        q = 1 - q;
      }
      const Vec3 x = t.v[0] + p * (t.v[1] - t.v[0]) + q * (t.v[2] - t.v[0]);
      EXPECT_LE(bound, core::norm(a + random.uniform(0, 1) * (b - a) - x) + 1e-14);
    }
    if (std::sqrt(core::closest_points(a, b, t).squared) - bound < 1e-12) ++tight;
  }
  EXPECT_GT(tight, 19900);
}

TEST(Clearance, NothingActiveIsInfinitelyFar) {
  test::RandomLinks random(92);
  const test::RandomTake take = test::random_take(random, 3, 2, 0.5, 0.3);
  const Environment room = test::random_room(random, 1, 3, 1.0);
  const Detector detector = Detector::make(room, {.clearance = true}).value();
  const std::vector<std::string> all{"*:*"};
  const auto none = ActivePairs::ignoring(take.avatar, room, all).value();
  const StepReport report = detector.check({take.avatar, none}, take.motion.steps().value()[0]);
  ASSERT_EQ(report.clearances.size(), 2U);
  EXPECT_TRUE(std::isinf(report.clearances[0]));
  EXPECT_EQ(report.safe_until, 1.0);
}

}  // namespace
}  // namespace tocsin::clearance_test
