// Bodies that are no person's are not bound as one; rigs that lack a joint.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "scene/avatar/avatar_binder.h"
#include "support/scenes/mocap_skeletons.h"
#include "support/scenes/other_bodies.h"
#include "support/scenes/rig_variants.h"
#include "tocsin/binding.h"
#include "tocsin/io.h"

namespace tocsin::avatar_other_bodies_test {
namespace {

using test::Bone;
using test::chair;
using test::crane;
using test::dog;
using test::robot_arm;
using test::spider;
using test::tree;
using test::tyrant_lizard;

TEST(AvatarOtherBodies, AreNoPersons) {
  const std::vector<std::pair<const char*, std::vector<Bone>>> bodies{
      {"dog", dog(0.08)},
      {"dog with a long tail", dog(0.2)},
      {"spider", spider()},
      {"robot arm", robot_arm()},
      {"chair", chair()},
      {"crane", crane()},
      {"tyrant lizard", tyrant_lizard()},
      {"tree", tree()}};
  const double r = std::sqrt(0.5);
  for (const auto& [name, bones] : bodies) {
    SCOPED_TRACE(name);
    const auto skeleton = test::make_skeleton(bones);
    const test::Rig rig = test::animated(*skeleton);
    for (const Quat& turn : {Quat{}, Quat{r, r, 0, 0}, Quat{r, 0, 0, r}}) {
      const auto chosen = choose_bound_avatar(test::turned(rig, turn).motion());
      ASSERT_TRUE(chosen.ok()) << chosen.error().message;
      EXPECT_EQ(chosen->avatar.name(), "auto");
      EXPECT_EQ(chosen->binding.by, BoundBy::kBones);
    }
    const auto asked = bind_avatar(*load_avatar_model("humanoid16"), rig.motion());
    EXPECT_FALSE(asked.ok());
  }
}

/// Random trees, half of them with mirrored limbs.
TEST(AvatarOtherBodies, RandomTreesAreNoPersons) {
  std::mt19937 random(18);
  const auto number = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(random()) / 4294967295.0);
  };
  int bound = 0;
  constexpr int kTrees = 400;
  for (int t = 0; t < kTrees; ++t) {
    std::vector<Bone> bones{{"j0", "", {0, 1, 0}}};
    const int count = 4 + static_cast<int>(random() % 20);
    for (int i = 1; i < count; ++i) {
      const Bone& above = bones[random() % bones.size()];
      const bool sided = test::is_sided(above.name) || (t % 2 == 1 && random() % 3 == 0);
      const Vec3 at = above.at + Vec3{number(-0.4, 0.4), number(-0.4, 0.4), number(-0.4, 0.4)};
      bones.push_back({(sided ? "@j" : "j") + std::to_string(i), above.name, at});
    }
    const auto skeleton = test::make_skeleton(bones);
    if (choose_bound_avatar(*skeleton)->binding.by != BoundBy::kBones) bound += 1;
  }
  EXPECT_EQ(bound, 0);
}

TEST(AvatarOtherBodies, TheReasonIsSaid) {
  scene::AvatarBinder no_limbs(*test::make_skeleton(crane()));
  EXPECT_EQ(no_limbs.body().why, "it has no two pairs of limbs");
  scene::AvatarBinder level(*test::make_skeleton(dog(0.08)));
  EXPECT_NE(level.body().why.find("does not stand on two legs"), std::string::npos)
      << level.body().why;
  std::vector<Bone> two_pairs = test::mixamo("", false);  // wings as long as arms
  for (const Bone& bone : test::mixamo("", false)) {
    if (bone.name.find("@Arm") != 0 && bone.name.find("@ForeArm") != 0 && bone.name != "@Hand")
      continue;
    Bone wing = bone;
    wing.name += "Wing";
    wing.parent = bone.name == "@Arm" ? "Spine2" : bone.parent + "Wing";
    wing.at.z -= 0.1;
    two_pairs.push_back(wing);
  }
  const test::Rig rig = test::renamed(test::animated(*test::make_skeleton(two_pairs)));
  EXPECT_EQ(choose_bound_avatar(rig.motion())->binding.by, BoundBy::kBones);
  scene::AvatarBinder winged(rig.motion());
  EXPECT_NE(winged.body().why.find("more than one pair"), std::string::npos) << winged.body().why;
}

const Link& link_named(const Avatar& avatar, const std::string& name) {
  const auto links = avatar.links();
  return *std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.name == name; });
}

/// The joints of a public data set, with ends at `head` beyond the head and at the wrists.
std::vector<Bone> with_ends(const Vec3& head) {
  using namespace test::place;
  return {{"Hips", "", kHips},
          {"Spine", "Hips", kBack},
          {"Chest", "Spine", kBack3},
          {"Neck", "Chest", kNeck},
          {"Head", "Neck", kHead},
          {"Head_end", "Head", kHead + head},
          {"Shoulder_#", "Chest", kCollar},
          {"UpperArm_#", "Shoulder_#", kShoulder},
          {"LowerArm_#", "UpperArm_#", kElbow},
          {"Hand_#", "LowerArm_#", kWrist},
          {"Hand_#_end", "Hand_#", kWrist},
          {"UpperLeg_#", "Hips", kHip},
          {"LowerLeg_#", "UpperLeg_#", kKnee},
          {"Foot_#", "LowerLeg_#", kAnkle},
          {"Toes_#", "Foot_#", kBall},
          {"Toes_#_end", "Toes_#", kBall}};
}

TEST(AvatarBinding, EndsWithoutLengthAreWhereTheModelHasThem) {
  for (const double length : {0.0, 1e-4, 0.12}) {
    const auto chosen = choose_bound_avatar(*test::make_skeleton(with_ends({0, length, 0})));
    ASSERT_TRUE(chosen.ok());
    ASSERT_EQ(chosen->avatar.name(), "humanoid16");
    ASSERT_EQ(chosen->binding.by, BoundBy::kSimilarNames);
    // By hand, as humanoid16 says: an eighth of the way from the hips; 0.55 of the forearm.
    const Vec3 usual = 0.125 * (test::place::kHead - test::place::kHips);
    const Link& head = link_named(chosen->avatar, "head");
    EXPECT_LT(core::norm(head.b - (length < 0.01 ? usual : Vec3{0, length, 0})), 1e-12);
    const Link& hand = link_named(chosen->avatar, "left_hand");
    EXPECT_LT(core::norm(hand.b - 0.55 * (test::place::kWrist - test::place::kElbow)), 1e-12);
    std::string said;
    for (const std::string& note : chosen->binding.notes) said += note + "\n";
    const std::string ends = std::string("has them: ") + (length < 0.01 ? "Head_end, " : "");
    EXPECT_NE(said.find(ends + "LFingers_end, RFingers_end"), std::string::npos) << said;
  }
}

/// VRM's neck and toes are optional.
TEST(AvatarShape, WhatIsMissingIsPlacedByProportions) {
  std::vector<Bone> bones = test::human_bones(nullptr);
  std::erase_if(bones,
                [](const Bone& bone) { return bone.name == "neck" || bone.name == "%Toes"; });
  for (Bone& bone : bones) {
    if (bone.parent == "neck") bone.parent = "upperChest";
  }
  // Without feet nothing but the knees, a little in front, shows where the front is.
  const auto chosen = choose_bound_avatar(*test::make_skeleton(bones));
  ASSERT_TRUE(chosen.ok());
  ASSERT_EQ(chosen->avatar.name(), "humanoid16");
  EXPECT_EQ(chosen->binding.by, BoundBy::kShape);
  // Frames are parallel to the world's: the joint's place is what is to be added.
  const Vec3 foot = test::place::kAnkle + link_named(chosen->avatar, "left_foot").b;
  EXPECT_NEAR(foot.x, 0.1, 0.02);
  EXPECT_NEAR(foot.y, 0.02, 0.03);
  EXPECT_NEAR(foot.z, 0.18, 0.04);
  const Link& neck = link_named(chosen->avatar, "neck");
  const Vec3 from = test::place::kBack3 + neck.a;
  const Vec3 to = test::place::kBack3 + neck.b;
  EXPECT_NEAR(from.y, 1.46, 0.03);
  EXPECT_NEAR(to.y, 1.56, 1e-9);
  const Vec3 torso = test::place::kBack + link_named(chosen->avatar, "torso").b;
  EXPECT_NEAR(torso.y, 1.46, 0.03);
  std::string said;
  for (const std::string& note : chosen->binding.notes) said += note + "\n";
  EXPECT_NE(said.find("no joint for LeftToeBase_end, Neck, RightToeBase_end"), std::string::npos)
      << said;
}

/// 3ds Max's Biped: collarbones on the neck, legs on the lowest vertebra.
TEST(AvatarShape, ArmsOnTheNeckAndLegsOnTheSpine) {
  using namespace test::place;
  const std::vector<Bone> bones{{"b", "", kHips},        {"s0", "b", {0, 0.98, -0.01}},
                                {"s1", "s0", kBack2},    {"s2", "s1", kBack3},
                                {"n", "s2", kNeck},      {"h", "n", kHead},
                                {"ht", "h", kTop},       {"@c", "n", {0.03, 1.45, -0.01}},
                                {"@u", "@c", kShoulder}, {"@f", "@u", kElbow},
                                {"@w", "@f", kWrist},    {"@wt", "@w", kHandTip},
                                {"@t", "s0", kHip},      {"@k", "@t", kKnee},
                                {"@a", "@k", kAnkle},    {"@b", "@a", kBall}};
  const auto skeleton = test::make_skeleton(bones);
  const auto chosen = choose_bound_avatar(*skeleton);
  ASSERT_TRUE(chosen.ok());
  ASSERT_EQ(chosen->avatar.name(), "humanoid16");
  EXPECT_EQ(link_named(chosen->avatar, "neck").joint, skeleton->find("n"));
  EXPECT_EQ(link_named(chosen->avatar, "head").joint, skeleton->find("h"));
  EXPECT_EQ(link_named(chosen->avatar, "torso").joint, skeleton->find("s1"));
  EXPECT_EQ(link_named(chosen->avatar, "left_thigh").joint, skeleton->find("Leftt"));
  EXPECT_EQ(link_named(chosen->avatar, "left_upper_arm").joint, skeleton->find("Leftu"));
}

TEST(BoneLinks, NoRodFromTheOriginAndNoneAlongWhatShifts) {
  // By names and motion: the root stays, the pelvis moves in it.
  test::Rig rig = test::animated(*test::make_skeleton(dog(0.08)));
  const auto links_of = [](const BoundAvatar& bound) {
    std::string out;
    for (const Link& link : bound.avatar.links()) out += link.name + " ";
    return out;
  };
  const auto still = bind_bones(rig.motion());
  EXPECT_EQ(links_of(*still).find("Root-Pelvis"), std::string::npos);
  EXPECT_NE(links_of(*still).find("Pelvis-Spine1"), std::string::npos);
  EXPECT_NE(links_of(*still).find("Head-Nose"), std::string::npos);
  EXPECT_FALSE(still->binding.from_motion);
  ASSERT_EQ(still->binding.notes.size(), 1U);
  EXPECT_NE(still->binding.notes[0].find("Root-Pelvis"), std::string::npos);

  test::Rig arm = test::animated(*test::make_skeleton(robot_arm()));
  EXPECT_NE(links_of(*bind_bones(arm.motion())).find("Base-Turn"), std::string::npos);
  for (std::size_t f = 1; f < arm.frames.size(); ++f) arm.frames[f][2].translation.y += 0.3;
  const auto slides = bind_bones(arm.motion());
  EXPECT_TRUE(slides->binding.from_motion);
  EXPECT_EQ(links_of(*slides).find("Turn-Shoulder"), std::string::npos);
  EXPECT_NE(links_of(*slides).find("Shoulder-Upper"), std::string::npos);
  std::string said;
  for (const std::string& note : slides->binding.notes) said += note + "\n";
  EXPECT_NE(said.find("vary in the motion: Turn-Shoulder"), std::string::npos) << said;
  EXPECT_NE(said.find("not attached"), std::string::npos) << said;
  // Noise of exporters is no motion.
  test::Rig noisy = test::animated(*test::make_skeleton(robot_arm()));
  for (std::size_t f = 1; f < noisy.frames.size(); ++f) noisy.frames[f][2].translation.y += 1e-4;
  EXPECT_FALSE(bind_bones(noisy.motion())->binding.from_motion);
}

TEST(BoneLinks, LongOnesAreSaidAndEndsWithoutLengthGetOne) {
  const auto tower = bind_bones(*test::make_skeleton(crane()));
  std::string said;
  for (const std::string& note : tower->binding.notes) said += note + "\n";
  EXPECT_NE(said.find("longer than 1 m: Foot-Tower"), std::string::npos) << said;

  std::vector<Joint> joints{{"a", -1, {}}, {"b", 0, {{}, {0.3, 0, 0}}}, {"tip", 1, {}}};
  const auto hand = bind_bones(*Skeleton::create(joints));
  ASSERT_EQ(hand->avatar.links().size(), 2U);
  EXPECT_EQ(hand->avatar.links()[1].name, "b-tip");
  EXPECT_EQ(hand->avatar.links()[1].joint, 1);
  EXPECT_NEAR(hand->avatar.links()[1].b.x, 0.55 * 0.3, 1e-12);
  EXPECT_NE(hand->binding.notes.back().find("b-tip"), std::string::npos);
}

TEST(BoneLinks, RadiiFallAlongAChainAndAreNeverANeedle) {
  // A thigh of 0.42 m, then bones of 5 cm: 0.0756, 0.6 of it, and so on; at last 0.01.
  std::vector<Joint> joints{{"a", -1, {}}, {"b", 0, {{}, {0.42, 0, 0}}}};
  for (int i = 1; i <= 5; ++i) joints.push_back({"c" + std::to_string(i), i, {{}, {0.05, 0, 0}}});
  const auto bound = bind_bones(*Skeleton::create(joints));
  const auto links = bound->avatar.links();
  ASSERT_EQ(links.size(), 6U);
  double wanted = 0.18 * 0.42;
  for (const Link& link : links) {
    EXPECT_NEAR(link.radius, std::max(wanted, 0.01), 1e-12) << link.name;
    wanted *= 0.6;
  }
}

}  // namespace
}  // namespace tocsin::avatar_other_bodies_test
