#include "tocsin/motion.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "support/scenes/odd_numbers.h"

namespace tocsin::motion_test {
namespace {

constexpr double kRootOfHalf = 0.70710678118654752440;
using test::kNan;

Skeleton two_joints() {
  return *Skeleton::create({{"root", -1, {{}, {0, 1, 0}}}, {"hand", 0, {{}, {1, 0, 0}}}});
}

/// Frame f: the root at (f, 1, 2 f), the hand one metre along x.
std::vector<Transform> frames(int count) {
  std::vector<Transform> poses;
  for (int f = 0; f < count; ++f) {
    poses.push_back({{}, {1.0 * f, 1.0, 2.0 * f}});
    poses.push_back({{}, {1, 0, 0}});
  }
  return poses;
}

Motion motion_of(int count) { return *Motion::create(two_joints(), 0.5, frames(count)); }

void expect_refused(const Result<Motion>& made, const std::string& phrase) {
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, ErrorCode::kInput);
  EXPECT_NE(made.error().message.find(phrase), std::string::npos) << made.error().message;
}

void expect_refused(const Transform& pose, const std::string& phrase) {
  std::vector<Transform> poses = frames(3);
  poses[5] = pose;
  expect_refused(Motion::create(two_joints(), 0.5, poses), "frame 2, joint \"hand\": " + phrase);
}

std::vector<std::array<std::int64_t, 2>> frames_of(const StepList& steps) {
  std::vector<std::array<std::int64_t, 2>> out;
  for (const Step& step : steps) out.push_back(step.frames());
  return out;
}

using Frames = std::vector<std::array<std::int64_t, 2>>;

TEST(Motion, KeepsWhatItWasGiven) {
  const Motion motion =
      *Motion::create(two_joints(), 0.5, frames(3), {"a.bvh", "bvh", 0.01, "as told", {}});
  EXPECT_EQ(motion.frame_count(), 3);
  EXPECT_EQ(motion.frame_time(), 0.5);
  EXPECT_EQ(motion.skeleton().size(), 2);
  EXPECT_EQ(motion.source().file, "a.bvh");
  ASSERT_EQ(motion.pose(2).size(), 2U);
  EXPECT_EQ(motion.pose(2)[0].translation, (Vec3{2, 1, 4}));
}

TEST(Motion, AnEmptyOneAnswersWithNothing) {
  const Motion motion;
  EXPECT_EQ(motion.frame_count(), 0);
  EXPECT_EQ(motion.frame_time(), 0.0);
  EXPECT_EQ(motion.skeleton().size(), 0);
  EXPECT_TRUE(motion.pose(0).empty());
  EXPECT_FALSE(motion.steps().ok());
  EXPECT_FALSE(motion.placed({}).ok());
  const Step step;
  EXPECT_TRUE(step.pose0().empty());
  EXPECT_TRUE(step.pose1().empty());
  EXPECT_EQ(step.skeleton().size(), 0);
  EXPECT_EQ(step.seconds(1.0), 0.0);
}

TEST(Motion, RefusesCountsThatDoNotMatch) {
  std::vector<Transform> poses = frames(3);
  poses.pop_back();
  expect_refused(Motion::create(two_joints(), 0.5, poses), "5 transforms");
  expect_refused(Motion::create(two_joints(), 0.5, {}), "at least one frame");
  expect_refused(Motion::create({}, 0.5, frames(1)), "at least one joint");
}

TEST(Motion, RefusesFrameTimesThatAreNot) {
  for (const double time : {0.0, -0.01, kNan, std::numeric_limits<double>::infinity()}) {
    expect_refused(Motion::create(two_joints(), time, frames(2)), "frame time");
  }
}

TEST(Motion, NamesTheFrameAndJointOfABadPose) {
  const double inf = std::numeric_limits<double>::infinity();
  expect_refused(Transform{{}, {0, kNan, 0}}, "the translation is not finite");
  expect_refused(Transform{{}, {0, 0, -inf}}, "the translation is not finite");
  expect_refused(Transform{{kNan, 0, 0, 0}, {}}, "the rotation is not finite");
  expect_refused(Transform{{0, inf, 0, 0}, {}}, "the rotation is not finite");
  expect_refused(Transform{{0, 0, 0, 0}, {}}, "the quaternion has length 0");
  expect_refused(Transform{{1.0011, 0, 0, 0}, {}}, "the quaternion has length 1.0011");
  expect_refused(Transform{{}, {1e6 + 1, 0, 0}}, "the translation (1000001, 0, 0) m is beyond");
  expect_refused(Transform{{}, {0, 0, -2e6}}, "the translation");
}

TEST(Motion, NormalisesOnceAndForAll) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> off(-1e-3, 1e-3);
  std::vector<Transform> poses;
  for (int i = 0; i < 20'000; ++i) {
    Quat q{normal(random), normal(random), normal(random), normal(random)};
    const double scale =
        (1 + 0.9 * off(random)) / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    poses.push_back({{q.w * scale, q.x * scale, q.y * scale, q.z * scale}, {}});
  }
  const Motion once = *Motion::create(two_joints(), 0.5, poses);
  ASSERT_EQ(once.frame_count(), 10'000);
  std::vector<Transform> stored;
  for (std::int64_t f = 0; f < once.frame_count(); ++f) {
    for (const Transform& pose : once.pose(f)) {
      const auto& q = pose.rotation;
      const long double square =
          static_cast<long double>(q.w) * q.w + static_cast<long double>(q.x) * q.x +
          static_cast<long double>(q.y) * q.y + static_cast<long double>(q.z) * q.z;
      EXPECT_LT(std::fabs(static_cast<double>(square - 1)), 4e-15);
      stored.push_back(pose);
    }
  }
  // Poses that come out of a motion go into another one unchanged.
  const Motion twice = *Motion::create(two_joints(), 0.5, stored);
  for (std::size_t i = 0; i < stored.size(); ++i) {
    EXPECT_EQ(twice.pose(static_cast<std::int64_t>(i / 2))[i % 2], stored[i]);
  }
}

TEST(Steps, JoinSuccessiveFrames) {
  const Motion motion = motion_of(4);
  const Result<StepList> steps = motion.steps();
  ASSERT_TRUE(steps.ok());
  EXPECT_EQ(frames_of(*steps), (Frames{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ((*steps)[1].index(), 1);
  EXPECT_EQ((*steps)[1].pose0()[0].translation, (Vec3{1, 1, 2}));
  EXPECT_EQ((*steps)[1].pose1()[0].translation, (Vec3{2, 1, 4}));
  EXPECT_EQ((*steps)[1].in_between(), InBetween::kScrew);
}

TEST(Steps, AStrideLeavesAShorterLastStep) {
  const Motion motion = motion_of(12);
  EXPECT_EQ(frames_of(motion.steps({.stride = 4}).value()), (Frames{{0, 4}, {4, 8}, {8, 11}}));
  EXPECT_EQ(frames_of(motion.steps({.first = 1, .last = 9, .stride = 4}).value()),
            (Frames{{1, 5}, {5, 9}}));
  EXPECT_EQ(frames_of(motion.steps({.first = 2, .last = 4, .stride = 12}).value()),
            (Frames{{2, 4}}));
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(frames_of(motion.steps({.stride = most}).value()), (Frames{{0, 11}}));
}

TEST(Steps, StillOnesStandWhereOthersStartAndEnd) {
  const Motion motion = motion_of(7);
  EXPECT_EQ(frames_of(motion.steps({.first = 5, .still = true}).value()), (Frames{{5, 5}, {6, 6}}));
  EXPECT_EQ(frames_of(motion.steps({.stride = 4, .still = true}).value()),
            (Frames{{0, 0}, {4, 4}, {6, 6}}));
}

TEST(Steps, OneFrameIsNoStep) {
  const Result<StepList> none = motion_of(3).steps({.first = 2});
  EXPECT_TRUE(none.ok());
  EXPECT_TRUE(none->empty());
  EXPECT_EQ(frames_of(*motion_of(1).steps({.still = true})), (Frames{{0, 0}}));
}

TEST(Steps, RefuseRangesOutsideTheMotion) {
  const Motion motion = motion_of(4);
  for (const StepRange& range :
       {StepRange{.first = -1}, StepRange{.last = 4}, StepRange{.first = 4},
        StepRange{.first = 3, .last = 2}, StepRange{.last = -2}, StepRange{.stride = 0},
        StepRange{.stride = -1}}) {
    const Result<StepList> steps = motion.steps(range);
    ASSERT_FALSE(steps.ok());
    EXPECT_EQ(steps.error().code, ErrorCode::kUsage);
  }
}

TEST(Steps, TellTheTime) {
  const Result<StepList> steps = motion_of(12).steps({.stride = 4});
  EXPECT_EQ((*steps)[1].seconds(0.0), 2.0);
  EXPECT_EQ((*steps)[1].seconds(0.25), 2.5);
  EXPECT_EQ((*steps)[2].seconds(1.0), 5.5);
}

TEST(Steps, KeepTheirMotionAlive) {
  Step step;
  {
    const Motion motion = motion_of(3);
    step = motion.steps()->at(1);
  }
  EXPECT_EQ(step.pose1()[0].translation, (Vec3{2, 1, 4}));
  EXPECT_EQ(step.skeleton().joints()[1].name, "hand");
}

void expect_near(const Quat& got, const Quat& want) {
  EXPECT_NEAR(got.w, want.w, 1e-15);
  EXPECT_NEAR(got.x, want.x, 1e-15);
  EXPECT_NEAR(got.y, want.y, 1e-15);
  EXPECT_NEAR(got.z, want.z, 1e-15);
}

TEST(Placed, AQuarterTurnTakesZToX) {
  const Motion moved = *motion_of(3).placed({{10, 20, 30}, 90.0});
  // (2, 1, 4) turns to (4, 1, -2).
  EXPECT_EQ(moved.pose(2)[0].translation, (Vec3{14, 21, 28}));
  expect_near(moved.pose(2)[0].rotation, {kRootOfHalf, 0, kRootOfHalf, 0});
  EXPECT_EQ(moved.pose(2)[1], motion_of(3).pose(2)[1]);
  EXPECT_EQ(moved.skeleton().joints()[0].rest.translation, (Vec3{10, 21, 30}));
  expect_near(moved.skeleton().joints()[0].rest.rotation, {kRootOfHalf, 0, kRootOfHalf, 0});
  EXPECT_EQ(moved.skeleton().joints()[1].rest, two_joints().joints()[1].rest);
}

TEST(Placed, AnyTurn) {
  const double yaw = 33.0;
  const double radians = yaw * 3.14159265358979323846 / 180;
  const Motion moved = *motion_of(3).placed({{0.5, 0, -1}, yaw});
  const Vec3 p = moved.pose(2)[0].translation;
  EXPECT_NEAR(p.x, 2 * std::cos(radians) + 4 * std::sin(radians) + 0.5, 1e-15 * 8);
  EXPECT_EQ(p.y, 1.0);
  EXPECT_NEAR(p.z, -2 * std::sin(radians) + 4 * std::cos(radians) - 1, 1e-15 * 8);
  expect_near(moved.pose(2)[0].rotation, {std::cos(radians / 2), 0, std::sin(radians / 2), 0});
}

TEST(Placed, AppliesBeforeTheRootsOwnRotation) {
  // The root turns x to y; placed by a quarter turn about y, its x axis still points along y, its y
  // axis
  // (-x before) along +z.
  std::vector<Transform> poses = frames(1);
  poses[0].rotation = {kRootOfHalf, 0, 0, kRootOfHalf};
  const Motion moved = *Motion(*Motion::create(two_joints(), 0.5, poses)).placed({{}, 90.0});
  // (y turn)(z turn) = (w + y j)(w + z k) = ww + wz k + yw j + yz jk, jk = i
  expect_near(moved.pose(0)[0].rotation, {0.5, 0.5, 0.5, 0.5});
}

TEST(Placed, NowhereChangesNothing) {
  std::vector<Transform> poses = frames(2);
  poses[0].translation.x = -0.0;
  poses[0].rotation = {1.0, -0.0, 0.0, -0.0};
  const Motion motion = *Motion::create(two_joints(), 0.5, poses);
  const Motion moved = *motion.placed({});
  EXPECT_TRUE(std::signbit(moved.pose(0)[0].translation.x));
  EXPECT_TRUE(std::signbit(moved.pose(0)[0].rotation.x));
}

TEST(Placed, MovesEveryRoot) {
  const Skeleton two = *Skeleton::create({{"p", -1, {}}, {"q", -1, {{}, {0, 0, 1}}}});
  const Motion motion = *Motion::create(two, 1.0, {{{}, {1, 0, 0}}, {{}, {0, 0, 1}}});
  const Motion moved = *motion.placed({{0, 0, 5}, 180.0});
  EXPECT_EQ(moved.pose(0)[0].translation, (Vec3{-1, 0, 5}));
  EXPECT_EQ(moved.pose(0)[1].translation, (Vec3{0, 0, 4}));
}

TEST(Placed, RefusesWhatIsTooFarOrNotFinite) {
  const Motion motion = motion_of(2);
  EXPECT_EQ(motion.placed({{1e6, 0, 0}, 0}).error().code, ErrorCode::kInput);
  EXPECT_EQ(motion.placed({{kNan, 0, 0}, 0}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(motion.placed({{}, std::numeric_limits<double>::infinity()}).error().code,
            ErrorCode::kUsage);
}

}  // namespace
}  // namespace tocsin::motion_test
