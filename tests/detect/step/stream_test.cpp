// A stream's reports are Detector::check's, whatever came before; it only does less.
#include "tocsin/stream.h"

#include <gtest/gtest.h>

#include <array>
#include <stop_token>
#include <string>
#include <vector>

#include "support/scenes/random_scene.h"

namespace tocsin::stream_test {
namespace {

using test::RandomLinks;
using test::RandomTake;

void expect_same(const StepReport& got, const StepReport& want) {
  EXPECT_EQ(got.step, want.step);
  EXPECT_EQ(got.frames, want.frames);
  EXPECT_EQ(got.safe_until, want.safe_until);
  EXPECT_EQ(got.contacts, want.contacts);
  EXPECT_EQ(got.clearances, want.clearances);
  EXPECT_EQ(got.error.has_value(), want.error.has_value());
  EXPECT_EQ(got.counters.candidates, want.counters.candidates);
}

struct Totals {
  std::size_t steps = 0;
  std::size_t touching = 0;
  std::uint64_t alone = 0;  ///< questions to the tree, step by step
  std::uint64_t coherent = 0;
};

void compare(const Detector& detector, const RandomTake& take, const ActivePairs& active,
             const std::vector<std::size_t>& order, Totals& totals) {
  Stream stream(detector, {take.avatar, active});
  const StepList steps = take.motion.steps().value();
  for (const std::size_t i : order) {
    const StepReport want = detector.check({take.avatar, active}, steps[i]);
    const StepReport got = stream.check(steps[i]);
    expect_same(got, want);
    ++totals.steps;
    totals.touching += want.contacts.empty() ? 0 : 1;
    totals.alone += want.counters.tree_queries;
    totals.coherent += got.counters.tree_queries;
  }
}

TEST(Stream, ReportsAreThoseOfSingleSteps) {
  RandomLinks random(131);
  Totals totals;
  for (int i = 0; i < 40; ++i) {
    const RandomTake take =
        test::random_take(random, 6, 60, i % 4 == 0 ? 0.5 : 0.02, i % 3 == 0 ? 0.2 : 0.02);
    const Environment room = test::random_room(random, 5, 20, i % 2 == 0 ? 2.0 : 6.0);
    const Detector detector =
        Detector::make(room, {.contacts = i % 5 == 0 ? Contacts::kFirst : Contacts::kPairs,
                              .margin = i % 2 == 0 ? 0.0 : 0.02})
            .value();
    ActivePairs active;
    if (i % 3 == 1) {
      const std::array<std::string, 2> patterns{"link1:*", "*:object[12]"};
      active = ActivePairs::ignoring(take.avatar, room, patterns).value();
    }
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < 59; ++k) order.push_back(k);
    // Back, again, and anywhere: what a stream remembers must not depend on where it came from.
    for (int k = 0; k < 60; ++k) {
      order.push_back(static_cast<std::size_t>(random.uniform(0, 58.99)));
    }
    compare(detector, take, active, order, totals);
  }
  EXPECT_GT(totals.touching, totals.steps / 20);
  EXPECT_LT(totals.touching, totals.steps * 19 / 20);
}

TEST(Stream, DoesLessWhereNothingIsNear) {
  RandomLinks random(132);
  Totals totals;
  for (int i = 0; i < 10; ++i) {
    RandomTake take = test::random_take(random, 6, 120, 0.01, 0.01);
    const Environment room = test::random_room(random, 8, 12, 12.0);
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < 119; ++k) order.push_back(k);
    compare(Detector::make(room).value(), take, {}, order, totals);
  }
  EXPECT_LT(totals.coherent, totals.alone / 2);
}

TEST(Stream, ClearancesAreTheSame) {
  RandomLinks random(133);
  Totals totals;
  const RandomTake take = test::random_take(random, 5, 12, 0.1, 0.05);
  const Environment room = test::random_room(random, 4, 20, 3.0);
  compare(Detector::make(room, {.clearance = true}).value(), take, {},
          {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, totals);
}

TEST(Stream, SaysWhereTheNextCheckLooks) {
  RandomLinks random(135);
  const RandomTake take = test::random_take(random, 5, 3, 0.2, 0.1);
  const Detector detector = Detector::make(test::random_room(random, 4, 30, 1.5)).value();
  Stream stream(detector, take.avatar);
  const Stream::Memory memory = stream.memory();
  for (const auto& part : memory) EXPECT_FALSE(part.empty());
  const Stream moved = std::move(stream);
  EXPECT_EQ(moved.memory()[1].data(), memory[1].data());
}

TEST(Stream, MayOutliveItsDetectorAndMove) {
  RandomLinks random(134);
  const RandomTake take = test::random_take(random, 5, 8, 0.2, 0.1);
  const Environment room = test::random_room(random, 4, 30, 1.5);
  const Detector kept = Detector::make(room).value();
  std::vector<Stream> streams;
  {
    const Detector gone = Detector::make(room).value();
    streams.emplace_back(gone, take.avatar);
    streams.emplace_back(gone, take.avatar);
  }
  Stream moved = std::move(streams.front());
  std::size_t contacts = 0;
  for (const Step& step : take.motion.steps().value()) {
    const StepReport want = kept.check(take.avatar, step);
    expect_same(moved.check(step), want);
    expect_same(streams.back().check(step), want);
    contacts += want.contacts.size();
  }
  EXPECT_GT(contacts, 0U);
}

TEST(Stream, PassesErrorsOn) {
  RandomLinks random(135);
  const RandomTake take = test::random_take(random, 5, 3, 0.2, 0.1);
  const RandomTake other = test::random_take(random, 7, 3, 0.2, 0.1);
  const Detector sound = Detector::make(Environment{}).value();
  Stream wrong(sound, take.avatar);
  EXPECT_TRUE(wrong.check(other.motion.steps().value()[0]).error);
  EXPECT_FALSE(wrong.check(take.motion.steps().value()[0]).error);
}

// A room whose vertices move: the fitted tree answers as a new one does.
TEST(Detector, MovedEqualsNew) {
  RandomLinks random(136);
  std::size_t contacts = 0;
  for (int i = 0; i < 10; ++i) {
    const RandomTake take = test::random_take(random, 6, 10, 0.3, 0.1);
    const Environment room = test::random_room(random, 5, 60, 1.5);
    const Detector before = Detector::make(room).value();
    std::vector<Vec3f> vertices(room.vertices().begin(), room.vertices().end());
    for (Vec3f& v : vertices) {
      v = {v.x + static_cast<float>(random.uniform(-0.3, 0.3)), v.y,
           v.z + static_cast<float>(random.uniform(-0.3, 0.3))};
    }
    const Environment later = room.with_vertices(std::move(vertices)).value();
    const Detector moved = before.with_environment(later).value();
    const Detector fresh = Detector::make(later).value();
    for (const Step& step : take.motion.steps().value()) {
      const StepReport want = fresh.check(take.avatar, step);
      expect_same(moved.check(take.avatar, step), want);
      contacts += want.contacts.size();
    }
  }
  EXPECT_GT(contacts, 100U);
  const Environment room = test::random_room(random, 2, 5, 1.0);
  EXPECT_FALSE(room.with_vertices({}).ok());
  const Detector detector = Detector::make(room).value();
  EXPECT_EQ(detector.with_environment(test::random_room(random, 2, 6, 1.0)).error().code,
            ErrorCode::kUsage);
}

TEST(Stream, AStepCanBeGivenUpAndAskedAgain) {
  RandomLinks random(132);
  std::size_t given_up = 0;
  for (int i = 0; i < 20; ++i) {
    const RandomTake take = test::random_take(random, 6, 20, 0.1, 0.05);
    const Environment room = test::random_room(random, 5, 20, 2.0);
    const Detector detector =
        Detector::make(room, {.contacts = i % 2 == 0 ? Contacts::kFirst : Contacts::kPairs,
                              .clearance = i % 3 == 0})
            .value();
    Stream stream(detector, take.avatar);
    std::stop_source stop;
    stop.request_stop();
    for (const Step& step : StepList(take.motion.steps().value())) {
      const StepReport stopped = stream.check(step, stop.get_token());
      if (stopped.error) {
        EXPECT_EQ(stopped.error->code, ErrorCode::kCancelled);
        EXPECT_EQ(stopped.safe_until, 0.0);
        EXPECT_TRUE(stopped.contacts.empty());
        ++given_up;
      }
      expect_same(stream.check(step), detector.check(take.avatar, step));
    }
  }
  EXPECT_GT(given_up, 200U);  // of 380; the others are free of everything at the early-out
}

}  // namespace
}  // namespace tocsin::stream_test
