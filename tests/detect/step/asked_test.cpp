// Detector::asked: a room asked otherwise answers as a detector does that was built for the
// question.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/scenes/random_scene.h"
#include "tocsin/detector.h"
#include "tocsin/stream.h"

namespace tocsin::asked_test {
namespace {

using test::RandomLinks;
using test::RandomTake;

std::vector<DetectorOptions> questions() {
  std::vector<DetectorOptions> out;
  for (const Contacts contacts : {Contacts::kPairs, Contacts::kFirst}) {
    for (const double margin : {0.0, 0.05, 0.5}) {
      for (const bool clearance : {false, true}) {
        DetectorOptions options;
        options.contacts = contacts;
        options.margin = margin;
        options.tolerance = clearance ? 1e-4 : 1e-9;
        options.clearance = clearance;
        out.push_back(options);
      }
    }
  }
  return out;
}

void expect_same_answer(const StepReport& got, const StepReport& want) {
  EXPECT_EQ(got.contacts, want.contacts);
  EXPECT_EQ(got.safe_until, want.safe_until);
  EXPECT_EQ(got.clearances, want.clearances);
  EXPECT_EQ(got.error.has_value(), want.error.has_value());
}

TEST(DetectorAsked, AnswersAsOneThatIsBuiltAnew) {
  RandomLinks random(141);
  std::size_t contacts = 0;
  for (int i = 0; i < 4; ++i) {
    const RandomTake take = test::random_take(random, 6, 25, 0.3, 0.1);
    const Environment room = test::random_room(random, 5, 40, 2.0);
    DetectorOptions first;
    first.margin = i % 2 == 0 ? 0.0 : 0.1;
    first.clearance = i >= 2;
    const Detector built = Detector::make(room, first).value();
    for (const DetectorOptions& options : questions()) {
      const Detector asked = built.with_options(options).value();
      EXPECT_EQ(asked.options().margin, options.margin);
      EXPECT_EQ(asked.options().tolerance, options.tolerance);
      EXPECT_EQ(asked.options().contacts, options.contacts);
      EXPECT_EQ(asked.options().clearance, options.clearance);
      EXPECT_EQ(asked.backend_name(), built.backend_name());
      EXPECT_EQ(asked.environment().objects().data(), room.objects().data());
      const Detector fresh = Detector::make(room, options).value();
      Stream stream(asked, take.avatar);
      for (const Step& step : take.motion.steps().value()) {
        const StepReport want = fresh.check(take.avatar, step);
        expect_same_answer(asked.check(take.avatar, step), want);
        expect_same_answer(stream.check(step), want);
        contacts += want.contacts.size();
      }
    }
    // The one that was asked is as it was.
    EXPECT_EQ(built.options().margin, first.margin);
  }
  EXPECT_GT(contacts, 500U);
}

TEST(DetectorAsked, OnlyTheQuestionChanges) {
  DetectorOptions options;
  options.tree_cache = "";
  options.backend = Backend::kCpu;
  const Detector built = Detector::make(test::random_cloud(20), options).value();
  DetectorOptions other;
  other.backend = Backend::kCuda;  // not looked at
  other.experiments.certify = false;
  other.gl.width = -5;
  const Detector asked = built.with_options(other).value();
  EXPECT_EQ(asked.options().backend, Backend::kCpu);
  EXPECT_TRUE(asked.options().experiments.certify);
}

TEST(DetectorAsked, MayOutliveTheOneThatWasAsked) {
  RandomLinks random(142);
  const RandomTake take = test::random_take(random, 6, 10, 0.3, 0.1);
  const Environment room = test::random_room(random, 5, 40, 1.5);
  const Detector asked = Detector::make(room)->with_options({.margin = 0.1}).value();
  const Detector fresh = Detector::make(room, {.margin = 0.1}).value();
  for (const Step& step : take.motion.steps().value()) {
    expect_same_answer(asked.check(take.avatar, step), fresh.check(take.avatar, step));
  }
}

TEST(DetectorAsked, RefusesWhatMakesNoSense) {
  const Detector built = Detector::make(test::random_cloud(20)).value();
  for (const auto& [margin, tolerance] :
       std::vector<std::pair<double, double>>{{-1.0, 1e-9}, {0.0, 0.0}, {0.0, -1.0}}) {
    DetectorOptions options;
    options.margin = margin;
    options.tolerance = tolerance;
    const Result<Detector> asked = built.with_options(options);
    ASSERT_FALSE(asked);
    EXPECT_EQ(asked.error().code, ErrorCode::kUsage);
    EXPECT_EQ(asked.error().message, Detector::make(Environment(), options).error().message);
  }
}

}  // namespace
}  // namespace tocsin::asked_test
