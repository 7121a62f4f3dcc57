// Memory that runs out in the middle of a step: an error report, and the next check is sound.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "support/failing_allocations.h"
#include "support/scenes/random_crowd.h"
#include "support/scenes/random_scene.h"
#include "tocsin/crowd.h"
#include "tocsin/detector.h"
#include "tocsin/stream.h"

namespace tocsin::memory_test {
namespace {

using test::allocations_left;

TEST(Memory, RunningOutLeavesNothingBehind) {
  test::RandomLinks random(4);
  const test::RandomTake take = test::random_take(random, 20, 4, 0.3, 0.2);
  const Environment room = test::random_room(random, 5, 80, 1.5);
  const Detector detector = Detector::make(room).value();
  const StepList steps = take.motion.steps().value();
  const StepReport want = detector.check(take.avatar, steps[0]);
  ASSERT_FALSE(want.contacts.empty());
  int failed = 0;
  bool through = false;
  for (long n = 0; !through && n < 1000; ++n) {
    // A thread of its own: its workspace is new, and allocates most.
    std::thread([&] {
      allocations_left = n;
      const StepReport first = detector.check(take.avatar, steps[0]);
      through = allocations_left >= 0;
      allocations_left = -1;
      if (through) {
        EXPECT_EQ(first.contacts, want.contacts);
      } else {
        ++failed;
        EXPECT_TRUE(first.error && first.error->code == ErrorCode::kResource);
        EXPECT_TRUE(first.contacts.empty());
        EXPECT_EQ(first.safe_until, 0.0);
      }
      EXPECT_EQ(detector.check(take.avatar, steps[0]).contacts, want.contacts);
    }).join();
  }
  EXPECT_TRUE(through);
  EXPECT_GT(failed, 20);
}

TEST(Memory, AStepInPartsThatRunsOutLeavesNothingBehind) {
  test::RandomLinks random(8);
  const test::RandomTake take = test::random_take(random, 20, 4, 0.3, 0.2);
  const Detector detector = Detector::make(test::random_room(random, 5, 80, 1.5)).value();
  const Member member{take.avatar, {}, LinkPairs::of(take.avatar)};
  const Step step = take.motion.steps().value()[0];
  const StepReport want = detector.check(member, step);
  ASSERT_FALSE(want.contacts.empty());
  int failed = 0;
  bool through = false;
  for (long n = 0; !through && n < 5000; ++n) {
    Stream stream(detector, member);
    allocations_left = n;
    StepReport got = stream.check_within(step, {.work = 5});
    while (!got.error && !got.complete) got = stream.go_on({.work = 5});
    through = allocations_left >= 0;
    allocations_left = -1;
    if (through) {
      EXPECT_EQ(got.contacts, want.contacts);
    } else {
      ++failed;
      EXPECT_TRUE(got.error && got.error->code == ErrorCode::kResource);
      EXPECT_TRUE(got.contacts.empty());
      EXPECT_EQ(got.safe_until, 0.0);
      EXPECT_FALSE(stream.has_rest());
    }
    EXPECT_EQ(stream.check_within(step, {}).contacts, want.contacts);
  }
  EXPECT_TRUE(through);
  EXPECT_GT(failed, 20);
}

TEST(Memory, ABatchThatRunsOutSaysSo) {
  test::RandomLinks random(5);
  const test::RandomCrowd crowd = test::random_crowd(random, 3, 2, 0.3, true);
  const Detector detector =
      Detector::make(test::random_room(random, 3, 20, 1.5), {.clearance = true}).value();
  const std::vector<Step> steps = crowd.at(0);
  const RunOptions together{.meet = true, .threads = 1};
  const std::vector<StepReport> want = detector.check_batch(crowd.members, steps, together);
  int failed = 0;
  bool through = false;
  for (long n = 0; !through && n < 5000; n += 1 + n / 60) {
    std::thread([&] {
      allocations_left = n;
      const std::vector<StepReport> got = detector.check_batch(crowd.members, steps, together);
      through = allocations_left >= 0;
      allocations_left = -1;
      ASSERT_EQ(got.size(), want.size());
      bool any = false;
      for (const StepReport& report : got) {
        if (!report.error) continue;
        any = true;
        EXPECT_EQ(report.error->code, ErrorCode::kResource);
        EXPECT_TRUE(report.contacts.empty());
        EXPECT_EQ(report.safe_until, 0.0);
      }
      EXPECT_EQ(any, !through);
      for (std::size_t i = 0; through && i < got.size(); ++i) {
        EXPECT_EQ(got[i].contacts, want[i].contacts);
        EXPECT_EQ(got[i].clearances, want[i].clearances);
      }
      if (any) ++failed;
    }).join();
  }
  EXPECT_TRUE(through);
  EXPECT_GT(failed, 60);
}

TEST(Memory, ABatchOnADeviceThatRunsOutIsTheCpusOrAnError) {
  test::RandomLinks random(7);
  const test::RandomCrowd crowd = test::random_crowd(random, 3, 2, 0.3, true);
  const Environment room = test::random_room(random, 3, 20, 1.5);
  const std::vector<Step> steps = crowd.at(0);
  const RunOptions together{.meet = true, .threads = 1};
  const auto want =
      Detector::make(room, {.clearance = true})->check_batch(crowd.members, steps, together);
  const Detector detector =
      Detector::make(
          room, {.backend = Backend::kCuda, .clearance = true, .experiments = {.emulate = true}})
          .value();
  int failed = 0;
  for (long n = 0; n < 1500; n += 1 + n / 60) {
    SCOPED_TRACE(n);
    for (const bool short_of : {true, false}) {
      allocations_left = short_of ? n : -1;
      const std::vector<StepReport> got = detector.check_batch(crowd.members, steps, together);
      allocations_left = -1;
      ASSERT_EQ(got.size(), want.size());
      const auto error = std::find_if(got.begin(), got.end(),
                                      [](const StepReport& r) { return r.error.has_value(); });
      if (short_of && error != got.end()) {  // whom the others did not meet then
        ++failed;
        EXPECT_EQ(error->error->code, ErrorCode::kResource);
        EXPECT_TRUE(error->contacts.empty());
        continue;
      }
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_FALSE(got[i].error) << got[i].error->message;
        EXPECT_EQ(got[i].contacts, want[i].contacts);
        EXPECT_EQ(got[i].clearances, want[i].clearances);
        EXPECT_EQ(got[i].safe_until, want[i].safe_until);
      }
    }
  }
  EXPECT_GT(failed, 10);
  EXPECT_EQ(detector.fallback(), "");
}

/// What a crowd remembers must not be half of what happened when memory ran out.
TEST(Memory, ACrowdThatRanOutGoesOnSoundly) {
  test::RandomLinks random(6);
  constexpr std::size_t kInstants = 5;
  const test::RandomCrowd crowd = test::random_crowd(random, 60, kInstants + 1, 2.0, false);
  const Detector detector = Detector::make(Environment{}).value();
  const RunOptions together{.meet = true, .threads = 1};
  std::vector<std::vector<StepReport>> want;
  std::size_t contacts = 0;
  for (std::size_t t = 0; t < kInstants; ++t) {
    want.push_back(detector.check_batch(crowd.members, crowd.at(t), together));
    for (const StepReport& report : want.back()) contacts += report.contacts.size();
  }
  EXPECT_GT(contacts, 200U);
  int failed = 0;
  for (long n = 0; n < 1500; n += 1 + n / 12) {
    Crowd remembering(detector, crowd.members);
    static_cast<void>(remembering.check(crowd.at(0), together));
    const std::vector<Step> far = crowd.at(kInstants - 1);
    allocations_left = n;
    const std::vector<StepReport> short_of = remembering.check(far, together);
    allocations_left = -1;
    for (const StepReport& report : short_of) {
      if (report.error) ++failed;
    }
    for (const std::size_t t : {kInstants - 1, kInstants - 2}) {
      const std::vector<StepReport> got = remembering.check(crowd.at(t), together);
      for (std::size_t i = 0; i < got.size(); ++i) {
        ASSERT_FALSE(got[i].error);
        ASSERT_EQ(got[i].contacts, want[t][i].contacts) << "after failure " << n;
      }
    }
  }
  EXPECT_GT(failed, 200);
}

}  // namespace
}  // namespace tocsin::memory_test
