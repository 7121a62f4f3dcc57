// The unit of motions whose rest pose does not tell it.
#include "io/motion_unit.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/scenes/rig_variants.h"
#include "support/scenes/straight_rest_bvh.h"
#include "support/test_folder.h"
#include "tocsin/binding.h"
#include "tocsin/io.h"

namespace tocsin::motion_unit_test {
namespace {

Result<Motion> loaded(const std::string& text, const MotionOptions& options = {}) {
  const test::TestFolder folder;
  return load_motion(folder.write("take.bvh", text), options);
}

const Link& link_called(const Avatar& avatar, const std::string& name) {
  for (const Link& link : avatar.links()) {
    if (link.name == name) return link;
  }
  static const Link kNone;
  return kNone;
}

TEST(MotionUnit, TheFirstFramesTellItWhereTheRestPoseDoesNot) {
  const auto motion = loaded(test::straight_rest_bvh());
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_EQ(motion->source().unit_metres, 0.01);
  // 94 + 15.7 + 9 + 16.4 + 6.5 + 10 cm above the root, by hand.
  EXPECT_EQ(motion->source().unit_reason, "height 1.52 m in cm in the first frames");
  // The same bits as when told.
  MotionOptions told;
  told.unit_metres = 0.01;
  const auto again = loaded(test::straight_rest_bvh(), told);
  for (std::int64_t f = 0; f < motion->frame_count(); ++f) {
    const auto a = motion->pose(f);
    const auto b = again->pose(f);
    EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
  }
}

TEST(MotionUnit, TheFirstCommandGivesABody) {
  for (const bool renamed : {false, true}) {
    for (const bool lies : {false, true}) {
      const auto motion = loaded(test::straight_rest_bvh({lies, renamed}));
      ASSERT_TRUE(motion.ok()) << motion.error().message;
      EXPECT_EQ(motion->source().unit_metres, 0.01) << motion->source().unit_reason;
      const auto bound = choose_bound_avatar(*motion);
      ASSERT_TRUE(bound.ok()) << bound.error().message;
      ASSERT_EQ(bound->avatar.name(), "humanoid16");
      EXPECT_EQ(bound->binding.by, renamed ? BoundBy::kShape : BoundBy::kSimilarNames);
      EXPECT_EQ(bound->binding.from_motion, renamed);
      // Lengths of the OFFSET lines.
      const auto length = [&](const char* name) {
        const Link& link = link_called(bound->avatar, name);
        return core::norm(link.b - link.a);
      };
      EXPECT_NEAR(length("left_upper_arm"), 0.243, 1e-9);
      EXPECT_NEAR(length("right_forearm"), 0.223, 1e-9);
      EXPECT_NEAR(length("left_hand"), 0.05, 1e-9);
      EXPECT_NEAR(length("left_thigh"), 0.391, 1e-9);
      EXPECT_NEAR(length("right_shin"), 0.41, 1e-9);
      EXPECT_NEAR(length("right_foot"), 0.168, 1e-9);
      EXPECT_NEAR(length("head"), 0.1, 1e-9);
      EXPECT_NEAR(length("pelvis"), 0.13, 1e-9);
      // It faces +x, so left is -z: UpperArm_L, or j8.
      const int arm = link_called(bound->avatar, "left_upper_arm").joint;
      EXPECT_EQ(motion->skeleton().joints()[static_cast<std::size_t>(arm)].name,
                renamed ? "j7" : "UpperArm_L");
    }
  }
}

TEST(MotionUnit, ALyingPersonIsMeasuredAlongTheBones) {
  const auto motion = loaded(test::straight_rest_bvh({.lies = true, .renamed = true}));
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  EXPECT_NE(motion->source().unit_reason.find("m in cm from foot to hand along the bones"),
            std::string::npos)
      << motion->source().unit_reason;
}

/// Two legs and a back, lying, with the joint names of a source that everybody knows.
Motion lying(double size, double step, bool named) {
  std::vector<Joint> joints{{"Hips", -1, {}}};
  const auto add = [&](const char* name, int parent, const Vec3& at) {
    joints.push_back({named ? name : "j" + std::to_string(joints.size()), parent, {{}, size * at}});
    return static_cast<int>(joints.size()) - 1;
  };
  for (const double side : {1.0, -1.0}) {
    int at = add(side > 0 ? "LHipJoint" : "RHipJoint", 0, {-0.05, 0, 0.08 * side});
    at = add("Thigh", at, {-0.42, 0, 0});
    add("Shin", at, {-0.42, 0, 0});
  }
  add("LowerBack", 0, {0.6, 0, 0});
  test::Rig rig;
  rig.joints = joints;
  for (int f = 0; f < 4; ++f) {
    std::vector<Transform> frame;
    for (const Joint& joint : joints) frame.push_back(joint.rest);
    frame[0].translation = {size * step * f, 0, 0};
    rig.frames.push_back(frame);
  }
  return rig.motion();
}

TEST(MotionUnit, HabitsCountIfBonesAndSpeedsAgree) {
  const double cmu = 0.45 / 0.0254;                               // units of a metre
  const auto known = io::unit_of_motion(lying(cmu, 0.01, true));  // 1 m/s
  ASSERT_TRUE(known.ok());
  EXPECT_DOUBLE_EQ(known->metres, 0.0254 / 0.45);
  EXPECT_NE(known->reason.find("the CMU motions as BVH"), std::string::npos) << known->reason;
  EXPECT_FALSE(io::unit_of_motion(lying(cmu, 0.01, false)).ok());   // unknown names
  EXPECT_FALSE(io::unit_of_motion(lying(cmu, 0.5, true)).ok());     // 50 m/s
  EXPECT_FALSE(io::unit_of_motion(lying(100.0, 0.01, true)).ok());  // bones of 10 m
}

TEST(MotionUnit, WhatStaysUnclearIsAnErrorAsBefore) {
  const auto motion = loaded(
      "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\n"
      "OFFSET 0 15 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n0 0 0\n");
  ASSERT_FALSE(motion.ok());
  EXPECT_NE(motion.error().message.find("cannot tell the unit of length"), std::string::npos);
  // A pole that leans: 1.6 m high in cm, but 16 m long.
  const auto pole = loaded(
      "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT b\n{\n"
      "OFFSET 800 0 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 1 0 0\n}\n}\nJOINT c\n{\nOFFSET -800 0 0\n"
      "CHANNELS 0\nEnd Site\n{\nOFFSET -1 0 0\n}\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n"
      "5.73 0 0\n");
  EXPECT_FALSE(pole.ok());
}

}  // namespace
}  // namespace tocsin::motion_unit_test
