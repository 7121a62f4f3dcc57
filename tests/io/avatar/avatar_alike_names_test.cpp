// Joints whose names are alike a model's.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/lower_case.h"
#include "io/avatar/embedded_avatar_models.h"
#include "scene/avatar/alike_names.h"
#include "scene/avatar/avatar_binder.h"
#include "support/scenes/mocap_skeletons.h"
#include "support/scenes/rig_variants.h"
#include "tocsin/binding.h"
#include "tocsin/io.h"

namespace tocsin::avatar_alike_names_test {
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

/// The skeleton with some names written otherwise: another case, a separator, a letter more, or
/// another word altogether.
Skeleton with_odd_names(const Skeleton& skeleton, std::mt19937& random, double share) {
  std::vector<Joint> joints(skeleton.joints().begin(), skeleton.joints().end());
  std::uniform_real_distribution<double> chance(0.0, 1.0);
  for (Joint& joint : joints) {
    if (joint.name.empty() || chance(random) > share) continue;
    const auto way = random() % 12;
    if (way < 4) {
      joint.name = base::lower(joint.name);
    } else if (way < 8) {
      joint.name.insert(1 + random() % joint.name.size(), "_");
    } else if (way < 11) {
      joint.name += 's';
    } else {
      joint.name = "bone" + std::to_string(random() % 1000);
    }
  }
  const Result<Skeleton> made = Skeleton::create(joints);
  return made.ok() ? *made : skeleton;
}

// What is not tried, as it cannot bind, would not bind.
TEST(AvatarAlikeNames, NothingThatBindsIsPassedOver) {
  std::mt19937 random(20261126);
  const std::vector<std::vector<Bone>> rigs{test::cmu_asf(),        test::cgspeed_motionbuilder(),
                                            test::cgspeed_3dsmax(), test::mixamo(),
                                            test::xsens_mvn(false), test::xsens_bvh(),
                                            test::biped_bvh(),      test::vroid(),
                                            rig_with_sides_last()};
  std::map<BoundBy, int> bound;
  int passed_over = 0;
  for (int i = 0; i < 400; ++i) {
    const double share = i % 4 == 0 ? 0.0 : i % 4 == 1 ? 1.0 : 0.06;
    const std::size_t rig = static_cast<std::size_t>(i) % rigs.size();
    scene::AvatarBinder binder(with_odd_names(*test::make_skeleton(rigs[rig]), random, share));
    for (const io::EmbeddedAvatarModel& shipped : io::embedded_avatar_models()) {
      const AvatarModel& model = io::shipped_avatar_model(shipped.name)->value();
      for (const BoundBy way : {BoundBy::kNames, BoundBy::kSimilarNames}) {
        const bool tried = binder.may_bind(model, way);
        const bool binds = binder.bind(model, {}, way).ok();
        EXPECT_TRUE(tried || !binds) << shipped.name << ", rig " << rig << ", round " << i;
        bound[way] += binds ? 1 : 0;
        passed_over += tried ? 0 : 1;
      }
    }
  }
  EXPECT_GT(bound[BoundBy::kNames], 150);
  EXPECT_GT(bound[BoundBy::kSimilarNames], bound[BoundBy::kNames] + 50);
  EXPECT_GT(passed_over, 1000);
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
}  // namespace tocsin::avatar_alike_names_test
