// make_motion() as a caller sees it: what it refuses, how many frames there are, who moves, and
// that the bits are the same everywhere.
#include <limits>
#include <set>

#include "core/vector/vec.h"
#include "make/motion/motion_measure.h"
#include "make/motion/reach_key.h"
#include "support/fnv1a.h"
#include "tocsin/io.h"

namespace tocsin::test::motion_recipe_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(MotionRecipe, WhatMakesNoSenseIsRefused) {
  const struct {
    double seconds;
    double rate;
    const char* says;
  } kCases[] = {{0.0, 120.0, "0 s long"},
                {-1.0, 120.0, "-1 s long"},
                {kNan, 120.0, "nan s long"},
                {kInfinity, 120.0, "inf s long"},
                {86401.0, 1.0, "a day"},
                {10.0, 0.0, "0 frames a second"},
                {10.0, -5.0, "-5 frames"},
                {10.0, kNan, "nan frames"},
                {10.0, 10'001.0, "to 10000"},
                {10.0, 1e-7, "1e-07 frames a second"},
                {10.0, 1e-300, "1e-300 frames a second"},
                {10.0, kInfinity, "inf frames"},
                {86400.0, 10'000.0, "864000001 frames of 65 joints"}};
  for (const auto& c : kCases) {
    for (const Performance kind : kEveryKind) {
      const Result<Motion> motion = make_motion({kind, c.seconds, c.rate, 1});
      ASSERT_FALSE(motion.ok()) << c.says;
      EXPECT_EQ(motion.error().code, ErrorCode::kUsage);
      EXPECT_NE(motion.error().message.find(c.says), std::string::npos) << motion.error().message;
    }
  }
  EXPECT_FALSE(make_motion({static_cast<Performance>(9), 1.0, 30.0, 1}).ok());
}

TEST(MotionRecipe, ATakeLastsAsLongAsAsked) {
  EXPECT_EQ(made(Performance::kWalk, 10.0, 120.0, 1).frame_count(), 1201);
  EXPECT_EQ(made(Performance::kWalk, 0.3, 10.0, 1).frame_count(), 4);
  EXPECT_EQ(made(Performance::kWalk, 0.001, 30.0, 1).frame_count(), 1);
  const Motion motion = made(Performance::kKick, 2.0, 59.94, 1);
  EXPECT_EQ(motion.frame_count(), 120);
  EXPECT_EQ(motion.frame_time(), 1.0 / 59.94);
}

TEST(MotionRecipe, FramesOfOneInstantAreTheSameAtEveryRate) {
  for (const Performance kind : kEveryKind) {
    const Motion slow = made(kind, 20.0, 30.0, 3);
    const Motion fast = made(kind, 20.0, 240.0, 3);
    for (std::int64_t frame = 0; frame < slow.frame_count(); ++frame) {
      const auto a = slow.pose(frame);
      const auto b = fast.pose(8 * frame);
      ASSERT_TRUE(std::equal(a.begin(), a.end(), b.begin())) << name_of(kind) << " " << frame;
    }
  }
}

TEST(MotionRecipe, TheBodyIsOneOf175Metres) {
  const Motion motion = made(Performance::kReach, 1.0, 30.0, 1);
  const Skeleton& skeleton = motion.skeleton();
  EXPECT_EQ(skeleton.size(), 65);
  const auto rest = skeleton.rest_positions();
  const auto at = [&](const char* name) {
    return eigen(rest[static_cast<std::size_t>(joint_of(motion, name))]);
  };
  EXPECT_NEAR(at("HeadTop_End").y(), 1.75, 1e-12);
  // Fractions of stature after Drillis and Contini.
  EXPECT_NEAR((at("LeftUpLeg") - at("LeftLeg")).norm() / 1.75, 0.245, 1e-12);
  EXPECT_NEAR((at("RightLeg") - at("RightFoot")).norm() / 1.75, 0.246, 1e-12);
  EXPECT_NEAR((at("LeftArm") - at("LeftForeArm")).norm() / 1.75, 0.186, 1e-12);
  EXPECT_NEAR((at("RightForeArm") - at("RightHand")).norm() / 1.75, 0.146, 1e-12);
  EXPECT_NEAR((at("LeftHand") - at("LeftHandMiddle4")).norm() / 1.75, 0.108, 1e-12);
  EXPECT_NEAR(at("LeftFoot").y() / 1.75, 0.039, 1e-12);
  EXPECT_GT(at("LeftHand").x(), 0.0);  // left is +x, forward +z
  EXPECT_GT(at("LeftToe_End").z(), 0.0);
  for (const Joint& joint : skeleton.joints()) EXPECT_EQ(joint.rest.rotation, Quat{});
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const std::string& name = skeleton.joints()[i].name;
    if (name.rfind("Left", 0) != 0) continue;
    const Eigen::Vector3d left = eigen(rest[i]);
    const Eigen::Vector3d right = at(("Right" + name.substr(4)).c_str());
    EXPECT_LT((Eigen::Vector3d(-left.x(), left.y(), left.z()) - right).norm(), 1e-12) << name;
  }
}

TEST(MotionRecipe, TheAvatarModelsOfWholeBodiesBind) {
  const Motion motion = made(Performance::kWalk, 0.1, 30.0, 1);
  for (const std::string name : {"humanoid16", "humanoid_hands"}) {
    const auto avatar = Avatar::bind(*load_avatar_model(name), motion.skeleton());
    EXPECT_TRUE(avatar.ok()) << name << ": " << avatar.error().message;
  }
}

TEST(MotionRecipe, SeedsDiffer) {
  for (const Performance kind : kEveryKind) {
    const Motion a = made(kind, 6.0, 10.0, 1);
    const Motion b = made(kind, 6.0, 10.0, 2);
    const auto p = a.pose(50);
    EXPECT_FALSE(std::equal(p.begin(), p.end(), b.pose(50).begin())) << name_of(kind);
  }
}

TEST(MotionRecipe, AWalkGoesRoundInAFewMetresAtAWalkingPace) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Motion motion = made(Performance::kWalk, 60.0, 30.0, seed);
    double path = 0.0;
    for (std::int64_t frame = 0; frame < motion.frame_count(); ++frame) {
      const Vec3& p = motion.pose(frame)[0].translation;
      EXPECT_LT(std::fabs(p.x), 1.8);
      EXPECT_LT(std::fabs(p.z), 2.2);
      if (frame > 0) path += core::norm(p - motion.pose(frame - 1)[0].translation);
    }
    EXPECT_GT(path / 60.0, 0.8) << seed;
    EXPECT_LT(path / 60.0, 1.5) << seed;
  }
}

TEST(MotionRecipe, WhatIsReachedForIsReached) {
  int reached = 0;
  const Motion motion = made(Performance::kReach, 0.1, 10.0, 1);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (std::uint64_t number = 1; number <= 30; ++number) {
      const make::Target target = make::target_of(seed, number);
      if (target.kind == make::Reaching::kRest) continue;
      std::vector<Transform> pose(static_cast<std::size_t>(motion.skeleton().size()));
      make::pose_body(make::posed(make::reaching(target)), pose);
      const auto posed = Motion::create(motion.skeleton(), 1.0, pose);
      ASSERT_TRUE(posed.ok());
      const int knuckle =
          joint_of(motion, target.side == make::kLeft ? "LeftHandMiddle1" : "RightHandMiddle1");
      const Eigen::Vector3d hand =
          world_frames(*posed, 0)[static_cast<std::size_t>(knuckle)].translation();
      EXPECT_LT((hand - eigen(target.point)).norm(), 1e-6) << seed << " " << number;
      ++reached;
    }
  }
  EXPECT_GT(reached, 400);
}

/// Of the bits of all poses.
std::uint64_t hash_of(const Motion& motion) {
  std::uint64_t hash = kFnvBasis;
  for (std::int64_t frame = 0; frame < motion.frame_count(); ++frame) {
    hash = fnv1a(motion.pose(frame), hash);
  }
  return hash;
}

// Not an expectation of what is right: that every machine and compiler makes the same take. A
// deliberate change of the generator changes these.
TEST(MotionRecipe, TheBitsAreTheSameEverywhere) {
  const std::pair<Performance, std::uint64_t> kHashes[] = {
      {Performance::kWalk, 12981722286718564246U}, {Performance::kReach, 16956700454572348869U},
      {Performance::kKick, 754321508726600395U},   {Performance::kCartwheel, 9252955896120612237U},
      {Performance::kSwing, 3643925605122753352U}, {Performance::kDoor, 1523948123593663989U},
  };
  for (const auto& [kind, hash] : kHashes) {
    EXPECT_EQ(hash_of(made(kind, 8.0, 24.0, 7)), hash) << name_of(kind);
  }
}

}  // namespace
}  // namespace tocsin::test::motion_recipe_test
