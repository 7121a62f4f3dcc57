// The unit of animals, machines and parts of persons: found, or asked for; never a wrong one.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "support/scenes/mocap_skeletons.h"
#include "support/scenes/other_bodies.h"
#include "support/scenes/rig_variants.h"
#include "support/test_folder.h"
#include "tocsin/io.h"

namespace tocsin::motion_unit_bodies_test {
namespace {

using test::Rig;

constexpr std::array<std::pair<const char*, double>, 5> kUnits{
    {{"m", 1.0}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"cmu", 0.0254 / 0.45}}};

Rig rig_of_bones(const std::vector<test::Bone>& bones, int frames) {
  return test::animated(*test::make_skeleton(bones), frames);
}

/// Written in this unit and read without one.
Result<Motion> read_back(const Rig& rig, double unit) {
  const test::TestFolder folder;
  const auto file = folder.path() / "bodies.bvh";
  EXPECT_TRUE(save_motion(test::scaled(rig, 1.0 / unit).motion(), file).ok());
  return load_motion(file);
}

struct Told {
  int right = 0;
  int asked = 0;
};

/// Every unit is found, or asked for with all candidates.
Told expect_right_or_asked(const Rig& rig) {
  Told told;
  for (const auto& [name, metres] : kUnits) {
    SCOPED_TRACE(name);
    const auto motion = read_back(rig, metres);
    if (motion.ok()) {
      EXPECT_EQ(motion->source().unit_metres, metres) << motion->source().unit_reason;
      told.right += 1;
      continue;
    }
    EXPECT_EQ(motion.error().code, ErrorCode::kInput);
    for (const char* const part : {"--motion-unit", "(m)", "(cm)", "(mm)", "(in)", "(cmu)"}) {
      EXPECT_NE(motion.error().message.find(part), std::string::npos) << motion.error().message;
    }
    told.asked += 1;
  }
  return told;
}

struct OtherBody {
  const char* name;
  std::vector<test::Bone> bones;
};

std::vector<OtherBody> other_bodies() {
  return {{"dog", test::dog(0.08)},
          {"dog with a long tail", test::dog(0.2)},
          {"dog with a person's names", test::dog_with_a_persons_names()},
          {"spider", test::spider()},
          {"robot arm", test::robot_arm()},
          {"chair", test::chair()},
          {"crane", test::crane()},
          {"tyrant lizard", test::tyrant_lizard()},
          {"tree", test::tree()},
          {"snake", test::snake()},
          {"hand", test::hand()},
          {"upper body", test::upper_body()}};
}

TEST(MotionUnitOfBodies, IsRightOrAskedForNeverWrong) {
  int right = 0;
  int asked = 0;
  for (const OtherBody& body : other_bodies()) {
    for (const double size : {0.3, 0.6, 1.0, 1.6, 2.5}) {
      if (size < 1.0 && std::string(body.name) == "hand") continue;  // of less than 15 cm
      SCOPED_TRACE(std::string(body.name) + " of size " + std::to_string(size));
      const Rig rig = test::scaled(rig_of_bones(body.bones, 3), size);
      const Told told = expect_right_or_asked(rig);
      right += told.right;
      asked += told.asked;
    }
  }
  // Both happen: what is half a metre to two metres long is found in metres.
  EXPECT_GT(right, 20);
  EXPECT_GT(asked, 100);
}

/// An arm of this length with a gripper a twentieth of it wide.
std::vector<test::Bone> arm_with_gripper(double length) {
  return {{"Base", "", {0, 0, 0}},
          {"Shoulder", "Base", {0, 0.1 * length, 0}},
          {"Elbow", "Shoulder", {0, 0.55 * length, 0}},
          {"Wrist", "Elbow", {0, 0.95 * length, 0}},
          {"Grip1", "Wrist", {0.025 * length, length, 0}},
          {"Grip2", "Wrist", {-0.025 * length, length, 0}}};
}

TEST(MotionUnitOfBodies, AMachineOfAMetreOrTwoIsFoundInMetres) {
  for (const double length : {0.5, 1.0, 2.0}) {
    const auto arm = read_back(rig_of_bones(arm_with_gripper(length), 3), 1.0);
    ASSERT_TRUE(arm.ok()) << arm.error().message;
    EXPECT_EQ(arm->source().unit_metres, 1.0);
    EXPECT_NE(arm->source().unit_reason.find("no person"), std::string::npos);
  }
}

TEST(MotionUnitOfBodies, WhatIsSmallerThanAHandIsNoLargeOneInMetres) {
  int asked = 0;
  for (const double length : {0.06, 0.065, 0.07, 0.09, 0.12, 0.15, 0.4, 0.6, 1.0}) {
    SCOPED_TRACE(length);
    const std::vector<test::Bone> chain{{"Foot", "", {0, 0, 0}},
                                        {"Middle", "Foot", {0, 0.6 * length, 0}},
                                        {"Top", "Middle", {0, length, 0}}};
    for (const auto& bones : {chain, arm_with_gripper(length)}) {
      const Rig rig = rig_of_bones(bones, 3);
      for (const auto& [name, metres] : kUnits) {
        if (std::string(name) == "cmu" && length < 0.2) continue;  // a unit of persons
        SCOPED_TRACE(name);
        const auto motion = read_back(rig, metres);
        if (motion.ok()) {
          EXPECT_EQ(motion->source().unit_metres, metres) << motion->source().unit_reason;
          continue;
        }
        EXPECT_NE(motion.error().message.find("Say which with --motion-unit"), std::string::npos)
            << motion.error().message;
        asked += 1;
      }
    }
  }
  EXPECT_GT(asked, 40);
}

/// A body that stands for 0.3 s, leaps, and again. `leap`: seconds; `g`: metres a second squared.
Rig leaping(const std::vector<test::Bone>& bones, double leap, double g, int leaps = 2) {
  constexpr double kFrame = 0.01;  // as Rig::motion()
  const auto skeleton = *test::make_skeleton(bones);
  Rig rig;
  rig.joints.assign(skeleton.joints().begin(), skeleton.joints().end());
  const auto still = static_cast<int>(std::lround(0.3 / kFrame));
  const auto up = static_cast<int>(std::lround(leap / kFrame));
  double forward = 0.0;
  const auto add = [&](double y, double swing) {
    std::vector<Transform> frame;
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
      Transform local = rig.joints[j].rest;
      // Limbs swing, left and right ones in turn, so that the middle of the body stays.
      const bool left = rig.joints[j].name.rfind("Left", 0) == 0;
      const bool right = rig.joints[j].name.rfind("Right", 0) == 0;
      const double half = (left ? 0.03 : right ? -0.03 : 0.0) * swing;
      local.rotation = {std::cos(half), std::sin(half), 0.0, 0.0};
      frame.push_back(local);
    }
    frame[0].translation = frame[0].translation + Vec3{0, y, forward};
    rig.frames.push_back(std::move(frame));
  };
  for (int k = 0; k <= leaps; ++k) {
    for (int i = 0; i < still; ++i) add(0.0, 0.0);
    for (int i = 0; k < leaps && i < up; ++i) {
      const double t = kFrame * i;
      forward += 1.5 * kFrame;
      add(0.5 * g * t * (leap - t), std::sin(3.14159 * t / leap));
    }
  }
  return rig;
}

TEST(MotionUnitOfBodies, WhatLeapsFallsAsOnEarth) {
  for (const double size : {0.4, 1.0}) {
    const Rig dog = leaping(test::dog(0.08), 0.45, 9.81 / size);
    for (const auto& [name, metres] : kUnits) {
      SCOPED_TRACE(name);
      const auto motion = read_back(test::scaled(dog, size), metres);
      ASSERT_TRUE(motion.ok()) << motion.error().message;
      EXPECT_EQ(motion->source().unit_metres, metres) << motion->source().unit_reason;
      EXPECT_NE(motion->source().unit_reason.find("falls at"), std::string::npos)
          << motion->source().unit_reason;
      ASSERT_EQ(motion->source().warnings.size(), 1U);
      EXPECT_NE(motion->source().warnings[0].find("leaps"), std::string::npos);
    }
  }
}

TEST(MotionUnitOfBodies, OtherParabolasAreNoFall) {
  const auto asked_in_cm = [](const Rig& rig) { return !read_back(rig, 0.01).ok(); };
  EXPECT_TRUE(asked_in_cm(leaping(test::dog(0.08), 0.45, 6.0)));       // as nowhere
  EXPECT_TRUE(asked_in_cm(leaping(test::dog(0.08), 0.25, 9.81, 1)));   // one short leap
  EXPECT_FALSE(asked_in_cm(leaping(test::dog(0.08), 0.45, 9.81, 1)));  // one long one
  Rig differ = leaping(test::dog(0.08), 0.45, 14.0);                   // 9.8 on average
  const Rig slower = leaping(test::dog(0.08), 0.45, 5.6);
  differ.frames.insert(differ.frames.end(), slower.frames.begin(), slower.frames.end());
  EXPECT_TRUE(asked_in_cm(differ));
  // A machine that stands on the ground moves what it holds as if it fell in inches.
  Rig holds = leaping(test::dog(0.08), 0.45, 9.81 * 0.01 / 0.0254);
  holds.joints.push_back({"Ground", -1, {{}, {0, -0.1, 0}}});
  for (auto& frame : holds.frames) frame.push_back(holds.joints.back().rest);
  EXPECT_TRUE(asked_in_cm(holds));
}

TEST(MotionUnitOfBodies, APersonsRestHeightCountsOnlyIfItStandsThere) {
  const Rig person = test::animated(*test::make_skeleton(test::mixamo("")), 3);
  for (const auto& [name, metres] : kUnits) {
    SCOPED_TRACE(name);
    const auto upright = read_back(person, metres);
    ASSERT_TRUE(upright.ok()) << upright.error().message;
    EXPECT_EQ(upright->source().unit_metres, metres);
    EXPECT_NE(upright->source().unit_reason.find("rest height"), std::string::npos);
    // Z is up in the file and nobody said so: 0.3 m from back to toes are no height.
    const double r = std::sqrt(0.5);
    for (const Rig& rig : {person, test::renamed(person)}) {
      const auto lies = read_back(test::turned(rig, {r, r, 0, 0}), metres);
      ASSERT_TRUE(lies.ok()) << lies.error().message;
      EXPECT_EQ(lies->source().unit_metres, metres) << lies->source().unit_reason;
      ASSERT_EQ(lies->source().warnings.size(), 1U);
      EXPECT_NE(lies->source().warnings[0].find("--motion-up"), std::string::npos);
    }
    // All bones along x at rest, but for the way from the origin to the hips, which is as high as a
    // person in inches.
    Rig straight = test::with_straight_rest(person);
    straight.joints.insert(straight.joints.begin(), {"Root", -1, {}});
    for (std::size_t i = 1; i < straight.joints.size(); ++i) straight.joints[i].parent += 1;
    straight.joints[1].rest.translation = {0, 0.8, 0};
    for (auto& frame : straight.frames) frame.insert(frame.begin(), Transform{});
    const auto degenerate = read_back(straight, metres);
    ASSERT_TRUE(degenerate.ok()) << degenerate.error().message;
    EXPECT_EQ(degenerate->source().unit_metres, metres) << degenerate->source().unit_reason;
  }
}

/// It stands in the only frame, but the way from its foot along its lance is no body's.
TEST(MotionUnitOfBodies, AStandingPersonsBonesMustAgreeWithTheHeight) {
  Rig rig = test::with_straight_rest(test::animated(*test::make_skeleton(test::mixamo("")), 0));
  const auto plain = read_back(rig, 0.01);
  ASSERT_TRUE(plain.ok()) << plain.error().message;
  EXPECT_NE(plain->source().unit_reason.find("in the first frames"), std::string::npos);
  const Transform lance{{}, {4, 0, 0}};
  rig.joints.push_back({"Lance", rig.skeleton().find("LeftHand"), lance});
  for (auto& frame : rig.frames) frame.push_back(lance);
  const auto with_lance = read_back(rig, 0.01);
  ASSERT_FALSE(with_lance.ok()) << with_lance->source().unit_reason;
  EXPECT_NE(with_lance.error().message.find("--motion-unit"), std::string::npos);
}

}  // namespace
}  // namespace tocsin::motion_unit_bodies_test
