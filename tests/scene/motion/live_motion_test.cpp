// A live motion makes the very steps that a whole one has: bit for bit.
#include "tocsin/live_motion.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "scene/motion/motion_data.h"
#include "support/scenes/odd_numbers.h"

namespace tocsin::live_motion_test {
namespace {

using test::kInfinity;
using test::kNan;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double in(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  /// Of unit length but for `off`, as a client may send it.
  Quat rotation(double off) {
    std::normal_distribution<double> normal;
    Quat q{normal(engine_), normal(engine_), normal(engine_), normal(engine_)};
    const double n = (1.0 + off) / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {q.w * n, q.x * n, q.y * n, q.z * n};
  }
  Transform transform(double off) {
    return {rotation(off), {in(-3.0, 3.0), in(-3.0, 3.0), in(-3.0, 3.0)}};
  }

 private:
  std::mt19937_64 engine_;
};

/// Two roots, so that both are placed.
Skeleton skeleton_of(Random& random) {
  return *Skeleton::create({{"a", -1, random.transform(0.0)},
                            {"b", 0, random.transform(0.0)},
                            {"c", -1, random.transform(0.0)},
                            {"d", 2, random.transform(0.0)}});
}

using Bits = std::vector<std::uint64_t>;

Bits bits_of(std::span<const Transform> pose) {
  Bits out;
  for (const Transform& t : pose) {
    for (const double x : {t.rotation.w, t.rotation.x, t.rotation.y, t.rotation.z, t.translation.x,
                           t.translation.y, t.translation.z}) {
      out.push_back(std::bit_cast<std::uint64_t>(x));
    }
  }
  return out;
}

Bits rest_bits(const Skeleton& skeleton) {
  std::vector<Transform> rest;
  for (const Joint& joint : skeleton.joints()) rest.push_back(joint.rest);
  return bits_of(rest);
}

Bits second_bits(const Step& step) {
  Bits out;
  for (const double t : {0.0, 0.1, 0.5, 0.875, 1.0}) {
    out.push_back(std::bit_cast<std::uint64_t>(step.seconds(t)));
  }
  return out;
}

void expect_same(const Step& live, const Step& whole) {
  EXPECT_EQ(live.frames(), whole.frames());
  EXPECT_EQ(live.in_between(), whole.in_between());
  EXPECT_EQ(bits_of(live.pose0()), bits_of(whole.pose0()));
  EXPECT_EQ(bits_of(live.pose1()), bits_of(whole.pose1()));
  EXPECT_EQ(second_bits(live), second_bits(whole));
  EXPECT_EQ(rest_bits(live.skeleton()), rest_bits(whole.skeleton()));
}

struct Take {
  Skeleton skeleton;
  double frame_time = 1.0;
  std::vector<double> ticks;
  std::vector<Transform> poses;
  Placement place;
};

/// Capture times such as clocks give: large, uneven.
Take random_take(Random& random, bool placed) {
  Take take;
  take.skeleton = skeleton_of(random);
  take.frame_time = random.in(0.5, 1.5);
  double tick = random.in(0.0, 2e9);
  for (int frame = 0; frame < 12; ++frame) {
    take.ticks.push_back(tick);
    tick += random.in(1e-4, 0.1);
    // Every other pose is one that has to be normalised.
    const double off = frame % 2 == 0 ? 0.0 : random.in(-9e-4, 9e-4);
    for (int joint = 0; joint < 4; ++joint) take.poses.push_back(random.transform(off));
  }
  if (placed) take.place = {{random.in(-9, 9), 0.03, random.in(-9, 9)}, random.in(-400.0, 400.0)};
  return take;
}

std::vector<Transform> frame_of(const Take& take, std::size_t frame) {
  const auto at = take.poses.begin() + static_cast<std::ptrdiff_t>(4 * frame);
  return {at, at + 4};
}

TEST(LiveMotion, MakesTheStepsOfTheWholeMotion) {
  Random random(1);
  for (int k = 0; k < 200; ++k) {
    const Take take = random_take(random, k % 4 != 0);
    const InBetween in_between = k % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate;
    const Motion timed =
        *Motion::create_timed(take.skeleton, take.frame_time, take.ticks, take.poses);
    const Motion whole = *timed.placed(take.place);
    ASSERT_EQ(whole.frame_count(), 12);
    const Result<StepList> steps = whole.steps({.in_between = in_between});
    ASSERT_EQ(steps->size(), 11U);

    Result<LiveMotion> live = LiveMotion::create(take.skeleton, take.place, take.frame_time);
    ASSERT_TRUE(live.ok()) << live.error().message;
    EXPECT_EQ(rest_bits(live->skeleton()), rest_bits(whole.skeleton()));
    for (std::size_t frame = 0; frame < 12; ++frame) {
      std::vector<Transform> pose = frame_of(take, frame);
      ASSERT_TRUE(live->take(pose).ok());
      EXPECT_EQ(bits_of(pose), bits_of(whole.pose(static_cast<std::int64_t>(frame))));
      const Result<Step> step = live->next(pose, take.ticks[frame], in_between);
      ASSERT_TRUE(step.ok()) << step.error().message;
      EXPECT_EQ(live->frame_count(), static_cast<std::int64_t>(frame) + 1);
      if (frame > 0) expect_same(*step, (*steps)[frame - 1]);
    }
  }
}

TEST(LiveMotion, EvenTicksFromAnywhereAreAnEvenMotion) {
  Random random(2);
  const Take take = random_take(random, true);
  const Motion whole =
      *Motion(*Motion::create(take.skeleton, 1.0 / 30, take.poses)).placed(take.place);
  const Result<StepList> steps = whole.steps();
  LiveMotion live = *LiveMotion::create(take.skeleton, take.place, 1.0 / 30);
  for (std::size_t frame = 0; frame < 12; ++frame) {
    std::vector<Transform> pose = frame_of(take, frame);
    ASSERT_TRUE(live.take(pose).ok());
    const Result<Step> step = live.next(pose, 1e15 + static_cast<double>(frame));
    ASSERT_TRUE(step.ok());
    if (frame > 0) expect_same(*step, (*steps)[frame - 1]);
  }
}

TEST(LiveMotion, TheFirstPoseIsAStepThatDoesNotMove) {
  Random random(3);
  const Take take = random_take(random, true);
  LiveMotion live = *LiveMotion::create(take.skeleton, take.place);
  std::vector<Transform> pose = frame_of(take, 0);
  ASSERT_TRUE(live.take(pose).ok());
  const Result<Step> step = live.next(pose, 17.5);
  ASSERT_TRUE(step.ok());
  EXPECT_EQ(step->frames(), (std::array<std::int64_t, 2>{0, 0}));
  EXPECT_EQ(step->seconds(0.0), 0.0);
  EXPECT_EQ(step->seconds(1.0), 0.0);
  EXPECT_EQ(bits_of(step->pose0()), bits_of(pose));
  EXPECT_EQ(bits_of(step->pose1()), bits_of(pose));
}

TEST(LiveMotion, StepsOutliveIt) {
  Random random(4);
  const Take take = random_take(random, false);
  Step kept;
  {
    LiveMotion live = *LiveMotion::create(take.skeleton);
    for (std::size_t frame = 0; frame < 3; ++frame) {
      std::vector<Transform> pose = frame_of(take, frame);
      ASSERT_TRUE(live.take(pose).ok());
      const Result<Step> step = live.next(pose, take.ticks[frame]);
      if (frame == 1) kept = *step;
    }
  }
  EXPECT_EQ(kept.frames(), (std::array<std::int64_t, 2>{0, 1}));
  EXPECT_EQ(kept.skeleton().size(), 4);
  ASSERT_EQ(kept.pose1().size(), 4U);
}

/// Steps beside each other share poses, and their memory is used again: never that of a pose which
/// a step still has.
TEST(LiveMotion, UsesMemoryAgainThatNoStepNeeds) {
  Random random(6);
  const Take take = random_take(random, true);
  LiveMotion live = *LiveMotion::create(take.skeleton, take.place, take.frame_time);
  std::vector<std::pair<Step, std::array<Bits, 2>>> kept;
  std::optional<Step> last;
  std::vector<Transform> pose;
  int reused = 0;
  for (std::size_t frame = 0; frame < 12; ++frame) {
    const Transform* const memory = pose.data();
    const std::vector<Transform> wanted = frame_of(take, frame);
    pose.assign(wanted.begin(), wanted.end());
    if (memory != nullptr && pose.data() == memory) ++reused;
    for (const auto& [step, bits] : kept) {
      EXPECT_EQ(bits_of(step.pose0()), bits[0]);
      EXPECT_EQ(bits_of(step.pose1()), bits[1]);
    }
    ASSERT_TRUE(live.take(pose).ok());
    Result<Step> step = live.next_from(pose, take.ticks[frame]);
    ASSERT_TRUE(step.ok());
    if (last && frame > 1) {
      EXPECT_EQ(step->pose0().data(), last->pose1().data());
    }
    // Of every third step somebody keeps a copy, as watchers do; of the others the last alone.
    if (frame % 3 == 2) kept.push_back({*step, {bits_of(step->pose0()), bits_of(step->pose1())}});
    last = *step;
  }
  EXPECT_EQ(kept.size(), 4U);
  EXPECT_GE(reused, 2);
}

/// Who has many motions asks the caches for it ahead.
TEST(LiveMotion, SaysWhereTheNextStepLooks) {
  for (const auto& part : LiveMotion().memory()) EXPECT_TRUE(part.empty());
  Random random(7);
  const Take take = random_take(random, true);
  LiveMotion live = *LiveMotion::create(take.skeleton, take.place, take.frame_time);
  EXPECT_EQ(live.joint_count(), live.skeleton().joints().size());
  EXPECT_FALSE(live.memory()[0].empty());
  EXPECT_TRUE(live.memory()[3].empty()) << "no pose was taken";
  for (std::size_t frame = 0; frame < 3; ++frame) {
    std::vector<Transform> pose = frame_of(take, frame);
    ASSERT_TRUE(live.take(pose).ok());
    const Result<Step> step = live.next(pose, take.ticks[frame]);
    ASSERT_TRUE(step.ok());
    const auto last = std::as_bytes(step->pose1());
    EXPECT_EQ(live.memory()[3].data(), last.data());
    EXPECT_EQ(live.memory()[3].size(), last.size());
  }
}

TEST(LiveMotion, ARefusedPoseChangesNothing) {
  Random random(5);
  const Take take = random_take(random, true);
  LiveMotion live = *LiveMotion::create(take.skeleton, take.place, take.frame_time);
  LiveMotion untouched = *LiveMotion::create(take.skeleton, take.place, take.frame_time);
  for (std::size_t frame = 0; frame < 12; ++frame) {
    std::vector<Transform> pose = frame_of(take, frame);
    ASSERT_TRUE(live.take(pose).ok());
    const auto expect_refused = [&](std::vector<Transform> offered, double tick,
                                    const std::string& phrase) {
      const Result<Step> step = live.next(std::move(offered), tick);
      ASSERT_FALSE(step.ok());
      EXPECT_EQ(step.error().code, ErrorCode::kInput);
      EXPECT_NE(step.error().message.find(phrase), std::string::npos) << step.error().message;
      EXPECT_EQ(live.frame_count(), static_cast<std::int64_t>(frame));
    };
    for (const double tick : {kNan, kInfinity, -kInfinity, 0x1p53 + 2, -0x1p54}) {
      expect_refused(pose, tick, "tick");
    }
    expect_refused({pose.begin(), pose.begin() + 3}, take.ticks[frame], "3 joints");
    expect_refused({}, take.ticks[frame], "0 joints");
    if (frame > 0) {
      expect_refused(pose, take.ticks[frame - 1], "not after the one before");
      expect_refused(pose, take.ticks[0] - 1.0, "not after the one before");
    }
    const Result<Step> step = live.next(pose, take.ticks[frame]);
    const Result<Step> want = untouched.next(pose, take.ticks[frame]);
    ASSERT_TRUE(step.ok() && want.ok());
    expect_same(*step, *want);
  }
}

TEST(LiveMotion, RefusesTimesThatCannotBeToldApart) {
  Random random(8);
  const Take take = random_take(random, false);
  LiveMotion live = *LiveMotion::create(take.skeleton);
  std::vector<Transform> pose = frame_of(take, 0);
  ASSERT_TRUE(live.take(pose).ok());
  EXPECT_TRUE(live.next(pose, -0x1p53).ok());
  EXPECT_TRUE(live.next(pose, 0x1p53 - 1).ok());
  EXPECT_FALSE(live.next(pose, 0x1p53).ok());
  EXPECT_EQ(live.frame_count(), 2);
}

TEST(LiveMotion, NamesTheJointOfABadPose) {
  Random random(6);
  const Take take = random_take(random, false);
  const LiveMotion live = *LiveMotion::create(take.skeleton, {{5e5, 0, 0}, 0});
  const auto expect_refused = [&](std::size_t joint, const Transform& bad,
                                  const std::string& phrase) {
    std::vector<Transform> pose = frame_of(take, 0);
    pose[joint] = bad;
    const Status taken = live.take(pose);
    ASSERT_FALSE(taken.ok());
    EXPECT_EQ(taken.error().code, ErrorCode::kInput);
    EXPECT_NE(taken.error().message.find(phrase), std::string::npos) << taken.error().message;
  };
  expect_refused(1, {{}, {0, kNan, 0}}, "joint \"b\": the translation is not finite");
  expect_refused(3, {{kInfinity, 0, 0, 0}, {}}, "joint \"d\": the rotation is not finite");
  expect_refused(2, {{1.1, 0, 0, 0}, {}}, "joint \"c\": the quaternion has length 1.1");
  expect_refused(0, {{}, {0, 0, -1.1e6}}, "joint \"a\": the translation");
  // Only where it is placed is it too far away.
  expect_refused(2, {{}, {6e5, 0, 0}}, "joint \"c\": the translation (1100000");
  std::vector<Transform> few(3);
  EXPECT_EQ(live.take(few).error().message, "the pose has 3 joints, the skeleton 4");
}

TEST(LiveMotion, RefusesWhatNoMotionCanBe) {
  Random random(7);
  const Skeleton skeleton = skeleton_of(random);
  EXPECT_EQ(LiveMotion::create({}).error().code, ErrorCode::kInput);
  EXPECT_EQ(LiveMotion::create(skeleton, {}, 0.0).error().code, ErrorCode::kInput);
  EXPECT_EQ(LiveMotion::create(skeleton, {}, kNan).error().code, ErrorCode::kInput);
  EXPECT_EQ(LiveMotion::create(skeleton, {{kNan, 0, 0}, 0}).error().code, ErrorCode::kUsage);
  EXPECT_EQ(LiveMotion::create(skeleton, {{}, kInfinity}).error().code, ErrorCode::kUsage);
}

TEST(LiveMotion, AnEmptyOneRefusesEverything) {
  LiveMotion none;
  EXPECT_EQ(none.frame_count(), 0);
  EXPECT_EQ(none.skeleton().size(), 0);
  std::vector<Transform> pose(1);
  EXPECT_FALSE(none.take(pose).ok());
  EXPECT_FALSE(none.next(pose, 0.0).ok());
}

// A small avatar must not keep the memory of a large one's pose.
TEST(PoseBin, GivesMemoryThatSuits) {
  std::vector<Transform> large(1000);
  const Transform* const its = large.data();
  detail::PoseBin::put(std::move(large));
  EXPECT_EQ(detail::PoseBin::take(16).capacity(), 0U);
  EXPECT_EQ(detail::PoseBin::take(1000).data(), its);
  EXPECT_EQ(detail::PoseBin::take(1000).capacity(), 0U) << "it was taken";
}

}  // namespace
}  // namespace tocsin::live_motion_test
