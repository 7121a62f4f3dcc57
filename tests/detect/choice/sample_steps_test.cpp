// The steps that a room is tried with: near its triangles, moving a little, the same every time.
#include "detect/choice/sample_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "support/scenes/random_scene.h"
#include "tocsin/detector.h"

namespace tocsin::sample_steps_test {
namespace {

using detect::SampleSteps;

TEST(SampleSteps, AreAsManyAsAskedFor) {
  const Environment room = test::random_cloud(200);
  for (const std::size_t count : {1U, 31U, 32U, 100U, 4096U}) {
    const SampleSteps sample(room, count);
    ASSERT_EQ(sample.steps().size(), count);
    const auto questions = sample.questions(count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(questions[i].instant, i);
      EXPECT_EQ(questions[i].step, &sample.steps()[i]);
    }
  }
}

TEST(SampleSteps, TouchTheRoomAndAlsoPassItBy) {
  const Environment room = test::random_cloud(500);
  const SampleSteps sample(room, 1000);
  const Detector detector = Detector::make(room, {.backend = Backend::kCpu}).value();
  std::size_t in_contact = 0;
  for (const Step& step : sample.steps()) {
    const StepReport report = detector.check(sample.member(), step);
    ASSERT_FALSE(report.error) << report.error->message;
    in_contact += report.contacts.empty() ? 0 : 1;
  }
  EXPECT_GT(in_contact, 100U);
  EXPECT_LT(in_contact, 990U);
}

TEST(SampleSteps, MoveAsABodyDoes) {
  const SampleSteps sample(test::random_cloud(50), 200);
  for (const Step& step : sample.steps()) {
    const Vec3 a = step.pose0()[0].translation;
    const Vec3 b = step.pose1()[0].translation;
    const double way = std::max({std::abs(b.x - a.x), std::abs(b.y - a.y), std::abs(b.z - a.z)});
    EXPECT_GT(way, 0.0);
    EXPECT_LE(way, 0.0201);  // metres
  }
}

TEST(SampleSteps, AreNoneWhereNoAvatarMayBe) {
  ObjectMesh far;
  far.name = "far";
  far.vertices = {{1e6F, 0, 0}, {1e6F, 1, 0}, {1e6F, 0, 1}};
  far.triangles = {{0, 1, 2}};
  const SampleSteps sample(Environment::create({far}).value(), 200);
  // Some walks would leave the million metres that a motion may cover: then there is no motion.
  EXPECT_TRUE(sample.steps().empty());
}

}  // namespace
}  // namespace tocsin::sample_steps_test
