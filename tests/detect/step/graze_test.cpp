// What follows a graze: a link that begins exactly at its radius from the floor, where neither
// touch nor freedom can be proved, and then touches for certain, or goes free.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <random>
#include <vector>

#include "support/scenes/graze_scene.h"
#include "tocsin/detector.h"

namespace tocsin::graze_test {
namespace {

using test::about;
using test::Bar;
using test::bar;
using test::deep_bar;
using test::floors;
using test::rising_ball;

constexpr double kRadius = test::kGrazeRadius;

StepReport check(const Bar& b, const Environment& room, const DetectorOptions& options = {}) {
  return Detector::make(room, options)->check(b.avatar, b.motion.steps()->front());
}

TEST(Graze, ATouchThatFollowsMakesItAHit) {
  const StepReport report = check(deep_bar(), floors({0.0F}, true));
  ASSERT_EQ(report.contacts.size(), 1U);
  const Contact& c = report.contacts.front();
  EXPECT_EQ(c.status, ContactStatus::kHit);
  EXPECT_EQ(c.toc[0], 0.0);
  ASSERT_TRUE(c.touching);
  EXPECT_EQ((*c.touching)[1], c.toc[1]);
  EXPECT_NEAR((*c.touching)[0], 0.025, 1e-8);
  EXPECT_NEAR((*c.touching)[1], 0.025, 1e-8);
  EXPECT_EQ(c.place_time(), (*c.touching)[0]);
  EXPECT_NEAR(c.point.y, 0.0, 1e-9);
  EXPECT_EQ(report.safe_until, 0.0);
}

TEST(Graze, EndsWhereFreedomIsProvedAgain) {
  const StepReport report = check(rising_ball(), floors({0.0F}, true));
  ASSERT_EQ(report.contacts.size(), 1U);
  EXPECT_EQ(report.contacts[0].status, ContactStatus::kGraze);
  EXPECT_EQ(report.contacts[0].toc[0], 0.0);
  EXPECT_LE(report.contacts[0].toc[1], 1e-6);
  EXPECT_FALSE(report.contacts[0].touching);
}

TEST(Graze, OfOneTriangleLeavesTheTouchOfAnotherItsOwnBracket) {
  const StepReport one = check(rising_ball(), floors({0.0F, 0.625F}, true));
  ASSERT_EQ(one.contacts.size(), 1U);
  const Contact& c = one.contacts.front();
  EXPECT_EQ(c.status, ContactStatus::kHit);
  EXPECT_EQ(c.toc[0], 0.0);
  ASSERT_TRUE(c.touching);
  EXPECT_LE((*c.touching)[0], 0.5);
  EXPECT_GE((*c.touching)[1], 0.5 - 1e-12);
  EXPECT_LE((*c.touching)[1] - (*c.touching)[0], 2e-9);
  EXPECT_EQ(c.room()->triangle, 1U);
  EXPECT_NEAR(c.point.y, 0.625, 1e-6);

  const StepReport two = check(rising_ball(), floors({0.0F, 0.625F}, false));
  ASSERT_EQ(two.contacts.size(), 2U);
  EXPECT_EQ(two.contacts[0].status, ContactStatus::kGraze);
  EXPECT_EQ(two.contacts[1].status, ContactStatus::kHit);
  EXPECT_FALSE(two.contacts[1].touching);
  EXPECT_EQ(two.contacts[1].toc, *c.touching);
}

TEST(Graze, OfAHitIsTheFirstContactOnceMore) {
  const StepReport first =
      check(rising_ball(), floors({0.0F, 0.625F}, false), {.contacts = Contacts::kFirst});
  ASSERT_EQ(first.contacts.size(), 1U);
  EXPECT_EQ(first.contacts[0].status, ContactStatus::kGraze);
  const StepReport one =
      check(rising_ball(), floors({0.0F, 0.625F}, true), {.contacts = Contacts::kFirst});
  EXPECT_EQ(one.contacts, check(rising_ball(), floors({0.0F, 0.625F}, true)).contacts);
}

/// The lowest point of the bar's axis at t, metres; by pose_between and two products.
double lowest(const Bar& b, double t) {
  const auto pose = pose_between(b.motion.pose(0), b.motion.pose(1), InBetween::kScrew, t);
  const auto y_of_x = [](const Quat& q, const Vec3& v) {  // the y of q v q*
    return 2 * (q.x * q.y + q.w * q.z) * v.x + (1 - 2 * (q.x * q.x + q.z * q.z)) * v.y +
           2 * (q.y * q.z - q.w * q.x) * v.z;
  };
  const Quat& q = pose[1].rotation;
  const double length = b.avatar.links()[0].b.x;
  const Vec3 tip{length * (1 - 2 * (q.y * q.y + q.z * q.z)), length * 2 * (q.x * q.y + q.w * q.z),
                 length * 2 * (q.x * q.z - q.w * q.y)};
  const double root = pose[0].translation.y;
  return std::min(root, root + y_of_x(pose[0].rotation, tip));
}

// 3,000 bars with one end at rest at exactly its radius above the floor, turning at random: what
// samples see below the floor is told as a hit, whose bracket holds the first such sample.
TEST(Graze, HidesNoDeepTouch) {
  std::mt19937_64 bits(18);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const Environment room = floors({0.0F}, true);
  const Detector detector = Detector::make(room).value();
  constexpr int kSamples = 500;
  constexpr double kDeep = 1e-6;  // metres
  int deep = 0;
  int grazed = 0;
  for (int scene = 0; scene < 3000; ++scene) {
    std::array<std::array<Quat, 2>, 2> turns{};
    for (auto& frame : turns) {
      for (Quat& q : frame) {
        const double tilt = 0.3 * unit(bits);
        const double length = std::sqrt(1.0 + tilt * tilt);
        q = about({0, tilt / length, 1 / length}, 120 * unit(bits));
      }
    }
    const Bar b = bar(0.5, turns, {Vec3{0, kRadius, 0}, Vec3{0, kRadius, 0}});
    std::optional<double> first_deep;
    for (int k = 0; k <= kSamples && !first_deep; ++k) {
      const double t = static_cast<double>(k) / kSamples;
      if (lowest(b, t) < kRadius - kDeep) first_deep = t;
    }
    const StepReport report = detector.check(b.avatar, b.motion.steps()->front());
    ASSERT_EQ(report.contacts.size(), 1U) << scene;  // the end at rest: at least a graze
    const Contact& c = report.contacts[0];
    grazed += c.status == ContactStatus::kGraze ? 1 : 0;
    if (!first_deep) continue;
    ++deep;
    ASSERT_NE(c.status, ContactStatus::kGraze) << scene;
    EXPECT_LE(c.toc[1], *first_deep) << scene;
    if (c.status == ContactStatus::kOverlap) continue;
    // The touch's own bracket is narrow, and begins where nothing is deep.
    ASSERT_TRUE(c.touching || c.toc[1] <= 1e-6) << scene;
    const double begin = c.place_time();
    EXPECT_LE(c.toc[1] - begin, 1e-8) << scene;
    EXPECT_GE(lowest(b, begin), kRadius - kDeep) << scene;
  }
  EXPECT_GE(deep, 1000);
  EXPECT_GE(grazed, 100);
}

}  // namespace
}  // namespace tocsin::graze_test
