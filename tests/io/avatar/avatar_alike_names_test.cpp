// Joints whose names are alike a model's.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scene/avatar/alike_names.h"
#include "support/scenes/mocap_skeletons.h"
#include "support/scenes/rig_variants.h"
#include "tocsin/binding.h"
#include "tocsin/io.h"

namespace tocsin {
namespace {

using test::Bone;

TEST(AlikeNames, SidesCaseAndSeparators) {
  using scene::name_key;
  for (const char* name :
       {"LeftUpperArm", "leftUpperArm", "UpperArm_L", "upper_arm.L", "L_UpperArm",
        "rig:Left Upper-Arm", "upperarm_l", "left_upperarm", "LUpperArm"}) {
    EXPECT_EQ(name_key(name), name_key("leftUpperArm")) << name;
  }
  EXPECT_EQ(name_key("spine_01"), name_key("Spine1"));
  EXPECT_NE(name_key("Spine1"), name_key("Spine2"));
  EXPECT_NE(name_key("LeftArm"), name_key("RightArm"));
  EXPECT_NE(name_key("LeftArm"), name_key("Arm"));
  EXPECT_NE(name_key("L5"), name_key("R5"));
  EXPECT_EQ(name_key("LHipJoint").side, 'l');
  EXPECT_EQ(name_key("Lower").side, ' ');
}

TEST(AlikeNames, OneLetterWhereOnlyOneJointHasIt) {
  const auto joints = [](const std::vector<std::string>& names) {
    std::vector<Joint> out;
    for (const std::string& name : names) out.push_back({name, out.empty() ? -1 : 0, {}});
    return *Skeleton::create(out);
  };
  const auto near = [&](const std::vector<std::string>& skeleton, const std::string& name) {
    const std::vector<std::string> names{name};
    return scene::AlikeNames(joints(skeleton)).find_near(names, {});
  };
  EXPECT_EQ(near({"Hips", "LeftToes"}, "LeftToe"), 1);
  EXPECT_EQ(near({"Hips", "LeftHend"}, "LeftHand"), 1);
  EXPECT_EQ(near({"Hips", "LeftToes", "LeftToed"}, "LeftToe"), -1);  // two are near
  EXPECT_EQ(near({"Hips", "RightToes"}, "LeftToe"), -1);
  EXPECT_EQ(near({"Hips", "Spine2"}, "Spine1"), -1);
  EXPECT_EQ(near({"Root", "LeftRoot"}, "LeftFoot"), -1);
  EXPECT_EQ(near({"Hips", "LeftLag"}, "LeftLeg"), -1);  // short words
}

/// Position channels on every joint, all bones along x, a root at the origin, sides at the end.
std::vector<Bone> rig_with_sides_last() {
  using namespace test::place;
  return {{"joint_Root", "", {0, 0, 0}},
          {"Hips", "joint_Root", kHips},
          {"Spine", "Hips", kBack},
          {"Chest", "Spine", kBack3},
          {"Neck", "Chest", kNeck},
          {"Head", "Neck", kHead},
          {"Head_end", "Head", {0, 1.66, 0}},
          {"Shoulder_#", "Chest", kCollar},
          {"UpperArm_#", "Shoulder_#", kShoulder},
          {"LowerArm_#", "UpperArm_#", kElbow},
          {"Hand_#", "LowerArm_#", kWrist},
          {"Hand_#_end", "Hand_#", {0.78, 1.42, -0.02}},
          {"UpperLeg_#", "Hips", kHip},
          {"LowerLeg_#", "UpperLeg_#", kKnee},
          {"Foot_#", "LowerLeg_#", kAnkle},
          {"Toes_#", "Foot_#", kBall},
          {"Toes_#_end", "Toes_#", kToes}};
}

TEST(AvatarAlikeNames, SidesLastBindWhateverTheRestPose) {
  const test::Rig rig = test::animated(*test::make_skeleton(rig_with_sides_last()));
  for (const test::Rig& one : {rig, test::with_straight_rest(rig)}) {
    for (const auto& chosen :
         {choose_bound_avatar(one.motion()), choose_bound_avatar(one.skeleton())}) {
      ASSERT_TRUE(chosen.ok());
      EXPECT_EQ(chosen->avatar.name(), "humanoid16");
      EXPECT_EQ(chosen->binding.by, BoundBy::kSimilarNames);
      EXPECT_EQ(chosen->binding.naming, "vrm_and_unity");
      ASSERT_FALSE(chosen->binding.notes.empty());
      for (const Link& link : chosen->avatar.links()) {
        const std::string& joint = one.joints[static_cast<std::size_t>(link.joint)].name;
        if (link.name == "left_forearm") {
          EXPECT_EQ(joint, "LowerArm_L");
        } else if (link.name == "right_foot") {
          EXPECT_EQ(joint, "Foot_R");
        } else if (link.name == "torso") {
          EXPECT_EQ(joint, "Spine");
        }
      }
    }
  }
}

TEST(AvatarAlikeNames, WhatDiffersByALetterIsSaid) {
  std::vector<Bone> bones = test::xsens_mvn(false);
  for (Bone& bone : bones) {
    for (std::string* name : {&bone.name, &bone.parent}) {
      if (*name == "@Toe") *name = "@Toes";
    }
  }
  const auto chosen = choose_bound_avatar(*test::make_skeleton(bones));
  ASSERT_TRUE(chosen.ok());
  EXPECT_EQ(chosen->binding.by, BoundBy::kSimilarNames);
  EXPECT_NE(chosen->binding.notes.front().find("\"LeftToes\" for LeftToeBase_end"),
            std::string::npos)
      << chosen->binding.notes.front();
  for (const BoundJoint& joint : chosen->binding.joints) {
    EXPECT_EQ(joint.sure, joint.model_joint.find("ToeBase") == std::string::npos)
        << joint.model_joint;
  }
}

}  // namespace
}  // namespace tocsin
