// Motions whose frames are not evenly spaced.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "support/scenes/odd_numbers.h"
#include "tocsin/motion.h"

namespace tocsin::timed_motion_test {
namespace {

using test::kNan;

Skeleton one_joint() { return *Skeleton::create({{"root", -1, {}}}); }

/// Frame f at (f, 0, 0).
std::vector<Transform> frames(int count) {
  std::vector<Transform> poses;
  for (int f = 0; f < count; ++f) poses.push_back({{}, {1.0 * f, 0.0, 0.0}});
  return poses;
}

Motion timed(double frame_time, std::vector<double> ticks) {
  const int count = static_cast<int>(ticks.size());
  return *Motion::create_timed(one_joint(), frame_time, std::move(ticks), frames(count));
}

TEST(TimedMotion, CountsFromItsFirstTick) {
  const Motion motion = timed(0.25, {100.0, 101.0, 104.0, 104.5});
  ASSERT_EQ(motion.frame_count(), 4);
  const std::vector<double> ticks(motion.ticks().begin(), motion.ticks().end());
  EXPECT_EQ(ticks, (std::vector<double>{0.0, 1.0, 4.0, 4.5}));
  EXPECT_EQ(motion.frame_time(), 0.25);
  EXPECT_EQ(motion.seconds(0), 0.0);
  EXPECT_EQ(motion.seconds(2), 1.0);
  EXPECT_EQ(motion.seconds(3), 1.125);
  EXPECT_EQ(motion.pose(3)[0].translation, (Vec3{3, 0, 0}));
}

TEST(TimedMotion, StepsTellTheTime) {
  const Motion motion = timed(0.5, {-2.0, 0.0, 6.0, 7.0, 15.0});
  const Result<StepList> steps = motion.steps();
  ASSERT_EQ(steps->size(), 4U);
  EXPECT_EQ((*steps)[1].seconds(0.0), 1.0);
  EXPECT_EQ((*steps)[1].seconds(0.5), 2.5);
  EXPECT_EQ((*steps)[1].seconds(1.0), 4.0);
  EXPECT_EQ((*steps)[3].seconds(1.0), 8.5);
  // Over a stride time runs evenly from the first frame's to the last one's.
  const Result<StepList> strides = motion.steps({.first = 1, .stride = 2});
  ASSERT_EQ(strides->size(), 2U);
  EXPECT_EQ((*strides)[0].frames(), (std::array<std::int64_t, 2>{1, 3}));
  EXPECT_EQ((*strides)[0].seconds(0.5), 2.75);
  EXPECT_EQ((*strides)[1].seconds(1.0), 8.5);
  const Result<StepList> still = motion.steps({.first = 2, .last = 2, .still = true});
  ASSERT_EQ(still->size(), 1U);
  EXPECT_EQ((*still)[0].seconds(0.7), 4.0);
}

TEST(TimedMotion, StaysTimedWhereItIsPlaced) {
  const Motion moved = *timed(2.0, {3.0, 4.0, 4.5}).placed({{1, 2, 3}, 90.0});
  EXPECT_EQ(moved.ticks().size(), 3U);
  EXPECT_EQ(moved.seconds(2), 3.0);
  EXPECT_EQ(moved.steps()->at(1).seconds(0.0), 2.0);
  EXPECT_EQ(moved.pose(0)[0].translation, (Vec3{1, 2, 3}));
  const Motion stays = *timed(2.0, {3.0, 4.0, 4.5}).placed({});
  EXPECT_EQ(stays.seconds(2), 3.0);
}

TEST(TimedMotion, AnEvenOneHasNoTicks) {
  const Motion even = *Motion::create(one_joint(), 0.1, frames(4));
  EXPECT_TRUE(even.ticks().empty());
  EXPECT_EQ(even.seconds(3), 3 * 0.1);
  EXPECT_EQ(Motion().seconds(3), 0.0);
  EXPECT_TRUE(Motion().ticks().empty());
}

TEST(TimedMotion, RefusesTicksThatMakeNoSense) {
  const double inf = std::numeric_limits<double>::infinity();
  struct Bad {
    std::vector<double> ticks;
    const char* phrase;
  };
  for (const Bad& bad : std::vector<Bad>{
           {{0, 1}, "2 ticks for 3 frames"},
           {{0, 1, 2, 3}, "4 ticks for 3 frames"},
           {{}, "0 ticks for 3 frames"},
           {{0, kNan, 2}, "frame 1 is at tick nan"},
           {{0, 1, inf}, "frame 2 is at tick inf"},
           {{-0x1p54, 1, 2}, "frame 0 is at tick -1.8014398509481984e+16; that is not"},
           {{0, 1, 1}, "frame 2 is at tick 1, which is not after the frame before, at 1"},
           {{-0x1p53, 0x1p53 - 1, 0x1p53}, "frame 2 is at tick 9007199254740992, which is not"},
           {{0, 2, 1}, "frame 2 is at tick 1, which is not after the frame before, at 2"}}) {
    const auto made = Motion::create_timed(one_joint(), 0.5, bad.ticks, frames(3));
    ASSERT_FALSE(made.ok()) << bad.phrase;
    EXPECT_EQ(made.error().code, ErrorCode::kInput);
    EXPECT_NE(made.error().message.find(bad.phrase), std::string::npos) << made.error().message;
  }
  EXPECT_FALSE(Motion::create_timed(one_joint(), 0.0, {0, 1, 2}, frames(3)).ok());
  EXPECT_FALSE(Motion::create_timed({}, 1.0, {0, 1, 2}, frames(3)).ok());
}

}  // namespace
}  // namespace tocsin::timed_motion_test
