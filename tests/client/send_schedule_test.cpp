#include "app/send/send_schedule.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace tocsin::app::send_schedule_test {
namespace {

/// A motion of one joint that is at x = k in frame k.
Motion motion_of(int frames, double frame_time = 0.01) {
  std::vector<Transform> poses;
  for (int k = 0; k < frames; ++k) {
    poses.push_back({.rotation = {}, .translation = {static_cast<double>(k), 0, 0}});
  }
  return Motion::create(*Skeleton::create({{.name = "root", .parent = -1, .rest = {}}}), frame_time,
                        std::move(poses))
      .value();
}

std::vector<SendEvent> all_of(SendSchedule schedule) {
  std::vector<SendEvent> out;
  while (const auto event = schedule.next()) out.push_back(*event);
  return out;
}

TEST(Playback, OnceAtItsOwnPace) {
  const Playback playback(motion_of(5), std::nullopt, 0.0);
  EXPECT_EQ(playback.frames(), 5U);
  EXPECT_DOUBLE_EQ(playback.period(), 0.01);
  for (std::uint64_t k = 0; k < 5; ++k) {
    EXPECT_EQ(playback.pose(k)[0].translation.x, static_cast<double>(k));
    EXPECT_DOUBLE_EQ(playback.due(k), 0.01 * static_cast<double>(k));
    EXPECT_DOUBLE_EQ(playback.capture_time(k), 0.01 * static_cast<double>(k));
  }
}

TEST(Playback, AnotherRateMovesNoCaptureTime) {
  const Playback playback(motion_of(5), 1000.0, 0.0);
  EXPECT_DOUBLE_EQ(playback.due(4), 0.004);
  EXPECT_DOUBLE_EQ(playback.capture_time(4), 0.04);
}

TEST(Playback, ToAndFro) {
  const Playback playback(motion_of(4), 100.0, 0.1);
  ASSERT_EQ(playback.frames(), 11U);  // 0, 0.01, ..., 0.1 s
  const double expected[] = {0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2};
  for (std::uint64_t k = 0; k < 11; ++k) {
    EXPECT_EQ(playback.pose(k)[0].translation.x, expected[k]) << k;
    EXPECT_NEAR(playback.capture_time(k), 0.01 * static_cast<double>(k), 1e-12) << k;
  }
}

TEST(Playback, UnevenFramesKeepTheirTimes) {
  const auto timed =
      Motion::create_timed(*Skeleton::create({{.name = "root", .parent = -1, .rest = {}}}), 1.0,
                           {10.0, 10.1, 10.4}, std::vector<Transform>(3));
  ASSERT_TRUE(timed.ok()) << timed.error().message;
  const Playback playback(*timed, std::nullopt, 1.0);
  const double expected[] = {0.0, 0.1, 0.4, 0.7, 0.8, 0.9};
  for (std::uint64_t k = 0; k < 6; ++k) {
    EXPECT_NEAR(playback.capture_time(k), expected[k], 1e-12) << k;
    EXPECT_NEAR(playback.due(k), expected[k], 1e-12) << k;
  }
}

TEST(Playback, WholeTicksAreIds) {
  const Skeleton skeleton = *Skeleton::create({{.name = "root", .parent = -1, .rest = {}}});
  const auto motion = [&skeleton](std::vector<double> ticks) {
    const auto timed =
        Motion::create_timed(skeleton, 0.01, std::move(ticks), std::vector<Transform>(3));
    EXPECT_TRUE(timed.ok()) << timed.error().message;
    return timed.value();
  };
  const Playback whole(motion({7, 8, 12}), 10.0, 1.0);
  EXPECT_EQ(whole.id_seconds(), 0.01);
  const std::uint64_t expected[] = {0, 1, 5, 9, 10, 11, 15, 19, 20};
  for (std::uint64_t k = 0; k < 9; ++k) {
    EXPECT_EQ(whole.id(k), expected[k]) << k;
    EXPECT_NEAR(whole.capture_time(k), 0.01 * static_cast<double>(expected[k]), 1e-12) << k;
  }
  const Playback broken(motion({7, 8.5, 12}), 10.0, 1.0);
  EXPECT_EQ(broken.id_seconds(), std::nullopt);
  EXPECT_EQ(broken.id(5), 5U);
  const Playback even(motion_of(4), 10.0, 10.0);
  EXPECT_EQ(even.id_seconds(), 0.01);
  EXPECT_EQ(even.id(77), 77U);
}

TEST(Playback, ARangeKeepsNumbersAndTimes) {
  const Playback playback(motion_of(10), std::nullopt, 0.0, {.first = 2, .last = 8, .stride = 4});
  EXPECT_FALSE(playback.whole());
  ASSERT_EQ(playback.frames(), 3U);  // 2, 6, and 8, which is left over
  EXPECT_DOUBLE_EQ(playback.period(), 0.03);
  const std::uint64_t expected[] = {2, 6, 8};
  for (std::uint64_t k = 0; k < 3; ++k) {
    EXPECT_EQ(playback.id(k), expected[k]);
    EXPECT_EQ(playback.pose(k)[0].translation.x, static_cast<double>(expected[k]));
    EXPECT_DOUBLE_EQ(playback.capture_time(k), 0.01 * static_cast<double>(expected[k]));
    EXPECT_DOUBLE_EQ(playback.due(k), 0.01 * static_cast<double>(expected[k] - 2));
    EXPECT_EQ(playback.slot(playback.id(k)), k);
  }
  // Also where it ends with a whole stride, or with the motion.
  EXPECT_EQ(Playback(motion_of(10), std::nullopt, 0.0, {1, 9, 4}).frames(), 3U);
  EXPECT_EQ(Playback(motion_of(10), std::nullopt, 0.0, {0, -1, 100}).frames(), 2U);
  EXPECT_EQ(Playback(motion_of(10), std::nullopt, 0.0, {4, 4, 1}).frames(), 1U);
  EXPECT_TRUE(Playback(motion_of(10), std::nullopt, 0.0, {0, 9, 1}).whole());
}

TEST(Playback, ARangeToAndFro) {
  const Playback playback(motion_of(10), 100.0, 0.08, {.first = 2, .last = 8, .stride = 4});
  ASSERT_EQ(playback.frames(), 9U);
  const std::uint64_t poses[] = {2, 6, 8, 6, 2, 6, 8, 6, 2};
  const std::uint64_t ids[] = {2, 6, 8, 10, 14, 18, 20, 22, 26};
  for (std::uint64_t k = 0; k < 9; ++k) {
    EXPECT_EQ(playback.pose(k)[0].translation.x, static_cast<double>(poses[k])) << k;
    EXPECT_EQ(playback.id(k), ids[k]) << k;
    EXPECT_NEAR(playback.capture_time(k), 0.01 * static_cast<double>(ids[k]), 1e-12) << k;
  }
}

TEST(Playback, StepsAreThoseOfTheMotion) {
  const Motion timed =
      Motion::create_timed(Skeleton::create({{.name = "root", .parent = -1, .rest = {}}}).value(),
                           0.01, {7, 8, 12, 13}, std::vector<Transform>(4))
          .value();
  const Playback playback(timed, std::nullopt, 0.0, {.first = 1, .last = 3, .stride = 2});
  EXPECT_EQ(playback.id(0), 1U);  // ticks after the first
  EXPECT_EQ(playback.id(1), 6U);
  const auto step = playback.step(1, 6);
  ASSERT_TRUE(step.ok()) << step.error().message;
  EXPECT_EQ(step.value().frames(), (std::array<std::int64_t, 2>{1, 3}));
  EXPECT_DOUBLE_EQ(step.value().seconds(1.0), 0.06);
  for (const auto& [from, to] : {std::pair{1, 2}, {6, 1}, {1, 1}, {5, 7}}) {
    EXPECT_FALSE(
        playback.step(static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to)).ok())
        << from << " to " << to;
  }
}

TEST(Playback, OnePoseAndNoPace) {
  const Playback still(motion_of(1), 10.0, 1.0);
  EXPECT_EQ(still.frames(), 11U);
  EXPECT_EQ(still.pose(7)[0].translation.x, 0.0);
  EXPECT_LT(still.capture_time(3), still.capture_time(4));
  const Playback fast(motion_of(3), std::numeric_limits<double>::infinity(), 0.0);
  EXPECT_FALSE(fast.paced());
  EXPECT_EQ(fast.frames(), 3U);
  EXPECT_EQ(fast.due(2), 0.0);
}

TEST(SendSchedule, WithoutChancesEveryFrameOnceInOrder) {
  for (const double rate : {50.0, std::numeric_limits<double>::infinity()}) {
    const Playback playback(motion_of(100), rate, 0.0);
    const auto events = all_of({playback, {}, 0, 0.25});
    ASSERT_EQ(events.size(), 100U);
    for (std::size_t i = 0; i < events.size(); ++i) {
      EXPECT_EQ(events[i].frame, i);
      EXPECT_DOUBLE_EQ(events[i].due, 0.25 + playback.due(i));
      EXPECT_FALSE(events[i].again || events[i].overtaken);
    }
  }
}

TEST(SendSchedule, BeginsWithALaterFrame) {
  const auto timed =
      Motion::create_timed(*Skeleton::create({{.name = "root", .parent = -1, .rest = {}}}), 1.0,
                           {10.0, 10.1, 10.4}, std::vector<Transform>(3));
  const Playback uneven(*timed, std::nullopt, 1.0);
  const Playback even(motion_of(4), 50.0, 1.0);
  for (const Playback* const playback : {&uneven, &even}) {
    const auto events = all_of({*playback, {}, 1, 0.25, 7});
    ASSERT_EQ(events.size(), playback->frames());
    for (std::size_t i = 0; i < events.size(); ++i) {
      EXPECT_EQ(events[i].frame, 7 + i);
      EXPECT_DOUBLE_EQ(events[i].due, 0.25 + playback->due(7 + i) - playback->due(7));
    }
  }
}

TEST(SendSchedule, ChancesAreWhatWasAskedFor) {
  const Playback playback(motion_of(2), 100.0, 300.0);
  const Chances chances{.loss = 0.2, .jitter = 0.035, .duplicates = 0.1, .seed = 3};
  SendSchedule schedule(playback, chances, 5, 0.0);
  double last = 0.0;
  std::map<std::uint64_t, int> times;
  std::uint64_t overtaken = 0;
  std::uint64_t newest = 0;
  std::uint64_t sent = 0;
  while (const auto event = schedule.next()) {
    EXPECT_GE(event->due, last);  // in order of time
    last = event->due;
    const double late = event->due - playback.due(event->frame);
    EXPECT_GE(late, 0.0);
    EXPECT_LE(late, event->again ? 0.0701 : 0.0351);
    EXPECT_EQ(times[event->frame]++, event->again ? 1 : 0);
    EXPECT_EQ(event->overtaken, event->frame < newest);
    newest = std::max(newest, event->frame);
    overtaken += event->overtaken && !event->again ? 1 : 0;
    sent += event->again ? 0 : 1;
  }
  EXPECT_EQ(playback.frames(), 30'001U);
  EXPECT_EQ(sent + schedule.lost(), 30'001U);
  // Binomial: five standard deviations are 346 of 6000, and 233 of 2400.
  EXPECT_NEAR(static_cast<double>(schedule.lost()), 6000.0, 350.0);
  std::uint64_t twice = 0;
  for (const auto& [frame, count] : times) twice += count == 2 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(twice), 2400.0, 240.0);
  EXPECT_GT(overtaken, 5000U);  // 35 ms of jitter among frames 10 ms apart
}

TEST(SendSchedule, TheSameSeedIsTheSameSchedule) {
  const Playback playback(motion_of(50), 100.0, 10.0);
  const Chances chances{.loss = 0.3, .jitter = 0.03, .duplicates = 0.3, .seed = 11};
  const auto one = all_of({playback, chances, 2, 0.0});
  const auto same = all_of({playback, chances, 2, 0.0});
  ASSERT_EQ(one.size(), same.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].frame, same[i].frame);
    EXPECT_EQ(one[i].due, same[i].due);
  }
  const auto differs = [&one](const std::vector<SendEvent>& other) {
    if (one.size() != other.size()) return true;
    for (std::size_t i = 0; i < one.size(); ++i) {
      if (one[i].frame != other[i].frame || one[i].due != other[i].due) return true;
    }
    return false;
  };
  EXPECT_TRUE(differs(all_of({playback, chances, 3, 0.0})));
  Chances other_seed = chances;
  other_seed.seed = 12;
  EXPECT_TRUE(differs(all_of({playback, other_seed, 2, 0.0})));
}

TEST(SendSchedule, MoreJitterLosesNoOtherFrames) {
  const Playback playback(motion_of(50), 100.0, 10.0);
  const auto lost = [&playback](double jitter) {
    std::vector<bool> out(playback.frames(), true);
    for (const SendEvent& e : all_of({playback, {0.3, jitter, 0.0, 4}, 0, 0.0}))
      out[e.frame] = false;
    return out;
  };
  EXPECT_EQ(lost(0.0), lost(0.5));
}

TEST(SendSchedule, EverythingLost) {
  const Playback playback(motion_of(50), 100.0, 0.0);
  SendSchedule schedule(playback, {.loss = 1.0}, 0, 0.0);
  EXPECT_FALSE(schedule.next().has_value());
  EXPECT_EQ(schedule.lost(), 50U);
}

}  // namespace
}  // namespace tocsin::app::send_schedule_test
