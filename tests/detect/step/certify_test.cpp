// certify by itself against the whole detector, which culls and prunes.
#include "tocsin/certify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/scenes/random_crowd.h"
#include "support/scenes/random_scene.h"
#include "tocsin/detector.h"

namespace tocsin::certify_test {
namespace {

using test::RandomLinks;
using test::RandomTake;

/// The contact of one link in a report of a room of one triangle.
std::optional<Contact> of_link(const StepReport& report, std::int32_t link) {
  for (const Contact& c : report.contacts) {
    if (c.link == link) return c;
  }
  return std::nullopt;
}

TEST(Certify, IsADetectorOfOneTriangle) {
  RandomLinks random(901);
  std::size_t contacts = 0;
  std::size_t free = 0;
  for (int i = 0; i < 600; ++i) {
    const RandomTake take = test::random_take(random, 5, 3, i % 2 == 0 ? 0.3 : 3.0, 0.4);
    const Environment room = test::random_room(random, 1, 1, 0.6);
    const double margin = i % 3 == 0 ? 0.02 : 0.0;
    const double tolerance = i % 5 == 0 ? 1e-3 : 1e-9;
    const Detector detector =
        Detector::make(room, {.margin = margin, .tolerance = tolerance}).value();
    const InBetween kind = i % 4 == 0 ? InBetween::kTranslateRotate : InBetween::kScrew;
    for (const Step& step : take.motion.steps({.in_between = kind}).value()) {
      const StepReport report = detector.check(take.avatar, step);
      for (std::size_t l = 0; l < take.avatar.links().size(); ++l) {
        const auto link = static_cast<std::int32_t>(l);
        const std::optional<Contact> want = of_link(report, link);
        EXPECT_EQ(certify({take.avatar, step, link}, room.corners(0), {margin, tolerance}).value(),
                  want);
        ++(want ? contacts : free);
      }
    }
  }
  EXPECT_GT(contacts, 300U);
  EXPECT_GT(free, 300U);
}

TEST(Certify, OfTwoLinksIsAMeeting) {
  RandomLinks random(902);
  std::size_t contacts = 0;
  std::size_t free = 0;
  for (int i = 0; i < 80; ++i) {
    const test::RandomCrowd crowd = test::random_crowd(random, 2, 3, 0.4, false);
    const Detector detector = Detector::make(Environment{}).value();
    for (std::size_t k = 0; k < crowd.steps[0].size(); ++k) {
      const std::vector<Step> steps = crowd.at(k);
      std::vector<Contact> want =
          detector.check_batch(crowd.members, steps, {.meet = true})[0].contacts;
      std::vector<Contact> got;
      const Avatar& a = crowd.members[0].avatar;
      const Avatar& b = crowd.members[1].avatar;
      for (std::int32_t p = 0; p < static_cast<std::int32_t>(a.links().size()); ++p) {
        for (std::int32_t q = 0; q < static_cast<std::int32_t>(b.links().size()); ++q) {
          const auto c = certify({a, steps[0], p}, {b, steps[1], q}).value();
          if (c) got.push_back(*c);
          ++(c ? contacts : free);
        }
      }
      EXPECT_EQ(got, want);
    }
  }
  EXPECT_GT(contacts, 200U);
  EXPECT_GT(free, 200U);
}

TEST(Certify, RefusesWhatMakesNoSense) {
  RandomLinks random(903);
  const RandomTake take = test::random_take(random, 4, 2, 0.1, 0.1);
  const RandomTake other = test::random_take(random, 7, 2, 0.1, 0.1);
  const Step step = take.motion.steps().value()[0];
  const std::array<Vec3f, 3> triangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
  const MovingLink good{take.avatar, step, 0};
  ASSERT_TRUE(certify(good, triangle).ok());
  const auto code = [&](const MovingLink& moving, const std::array<Vec3f, 3>& corners,
                        const CertifyOptions& options) {
    const auto answer = certify(moving, corners, options);
    EXPECT_FALSE(answer.ok());
    return answer.error().code;
  };
  for (const std::int32_t link : {-1, 3, std::numeric_limits<std::int32_t>::max()}) {
    EXPECT_EQ(code({take.avatar, step, link}, triangle, {}), ErrorCode::kUsage) << link;
  }
  EXPECT_EQ(code({other.avatar, step, 0}, triangle, {}), ErrorCode::kInput);
  EXPECT_EQ(code({Avatar(), step, 0}, triangle, {}), ErrorCode::kInput);
  for (const CertifyOptions& options :
       {CertifyOptions{-1.0, 1e-9}, CertifyOptions{0.0, 0.0}, CertifyOptions{NAN, 1e-9}}) {
    EXPECT_EQ(code(good, triangle, options), ErrorCode::kUsage);
    EXPECT_FALSE(certify(good, good, options).ok());
  }
  for (const float x : {NAN, HUGE_VALF, 2e6F}) {
    EXPECT_EQ(code(good, {{{x, 0, 0}, {1, 0, 0}, {0, 1, 0}}}, {}), ErrorCode::kUsage) << x;
  }
  EXPECT_FALSE(certify(good, {other.avatar, step, 0}).ok());
}

}  // namespace
}  // namespace tocsin::certify_test
