// One link per bone, where tools put roots, helpers and moving offsets between and around the
// bones.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "support/scenes/other_bodies.h"
#include "support/scenes/rig_variants.h"
#include "tocsin/binding.h"

namespace tocsin::bone_links_test {
namespace {

using test::Bone;
using test::Rig;

bool has_bone_link(const BoundAvatar& bound, const std::string& name) {
  const auto links = bound.avatar.links();
  return std::any_of(links.begin(), links.end(), [&](const Link& l) { return l.name == name; });
}

std::string notes_of(const BoundAvatar& bound) {
  std::string out;
  for (const std::string& note : bound.binding.notes) out += note + "\n";
  return out;
}

/// The bones below a root called `root` at the origin.
std::vector<Bone> below(const std::string& root, std::vector<Bone> bones) {
  for (Bone& bone : bones) {
    if (bone.parent.empty()) bone.parent = root;
  }
  bones.insert(bones.begin(), {root, "", {0, 0, 0}});
  return bones;
}

std::vector<Bone> two_legs() {
  return {{"Hips", "", {0, 0.98, 0}},
          {"@Thigh", "Hips", {0.1, 0.95, 0}},
          {"@Shin", "@Thigh", {0.1, 0.5, 0.02}},
          {"@Foot", "@Shin", {0.1, 0.05, 0}},
          {"@Toe", "@Foot", {0.1, 0.02, 0.15}}};
}

std::vector<Bone> four_legs(const char* root) {
  std::vector<Bone> bones = test::dog(0.08);
  bones[0].name = root;
  bones[1].parent = root;
  return bones;
}

/// Tail, pelvis, back and legs: the root is the tip of the tail, on the ground.
std::vector<Bone> tail_first() {
  std::vector<Bone> bones{{"Tip", "", {0, 0, -0.7}}};
  for (int i = 1; i <= 4; ++i) {
    bones.push_back(
        {"Tail" + std::to_string(i), bones.back().name, {0, 0.12 * i, -0.7 + 0.09 * i}});
  }
  for (Bone bone : test::dog(0.08)) {
    if (bone.name == "Root" || bone.name.rfind("Tail", 0) == 0) continue;
    if (bone.parent == "Root") bone.parent = "Tail4";
    bones.push_back(bone);
  }
  return bones;
}

/// A torso on a column, with arms that do not reach the ground.
std::vector<Bone> pedestal() {
  return {{"Base", "", {0, 0, 0}},
          {"Chest", "Base", {0, 0.9, 0}},
          {"Head", "Chest", {0, 1.3, 0}},
          {"@Upper", "Chest", {0.2, 0.9, 0}},
          {"@Lower", "@Upper", {0.2, 0.6, 0}},
          {"@Grip", "@Lower", {0.2, 0.4, 0}}};
}

/// A pump: a hose and an arm come down from its post, of which neither is a leg.
std::vector<Bone> pump() {
  return {{"Foot", "", {0, 0, 0}},
          {"Post", "Foot", {0, 1, 0}},
          {"Hose", "Post", {-0.1, 0, 0}},
          {"Boom", "Post", {0.8, 1.2, 0}},
          {"Nozzle", "Boom", {0.9, 0.05, 0}}};
}

Rig rig_from(const std::vector<Bone>& bones) { return test::animated(*test::make_skeleton(bones)); }

std::string first_link(const Rig& rig) { return rig.joints[0].name + "-" + rig.joints[1].name; }

TEST(BoneLinks, TheWayFromTheOriginIsNoBoneWhateverItIsCalled) {
  const double r = std::sqrt(0.5);
  for (const auto& bones :
       {below("World", two_legs()), below("Armature", two_legs()), four_legs("Reference"),
        four_legs("Root"), below("Anything", two_legs())}) {
    const Rig named = rig_from(bones);
    for (const Rig& rig :
         {named, test::renamed(named), test::scaled(named, 3.0), test::mirrored(named),
          test::turned(named, {r, r, 0, 0}), test::turned(named, {r, 0, 0, r})}) {
      const auto bound = bind_bones(rig.motion());
      EXPECT_FALSE(has_bone_link(*bound, first_link(rig))) << first_link(rig);
      EXPECT_EQ(bound->avatar.links().size(), rig.joints.size() - 2);
      EXPECT_NE(notes_of(*bound).find("from the root to the body: " + first_link(rig)),
                std::string::npos)
          << notes_of(*bound);
      EXPECT_EQ(notes_of(*bound).find("not attached"), std::string::npos) << notes_of(*bound);
    }
  }
}

TEST(BoneLinks, AWayOfTwoOffsetsIsNoBoneEither) {
  const Rig named = rig_from(below("World", below("Reference", two_legs())));
  for (double at : {0.0, 0.4}) {
    Rig rig = named;
    rig.joints[1].rest.translation = {0, at, 0};
    rig.joints[2].rest.translation = {0, 0.98 - at, 0};
    const auto bound = bind_bones(test::renamed(rig).skeleton());
    EXPECT_FALSE(has_bone_link(*bound, "j0-j1"));
    EXPECT_FALSE(has_bone_link(*bound, "j1-j2"));
    EXPECT_EQ(bound->avatar.links().size(), rig.joints.size() - 3);
  }
}

TEST(BoneLinks, ARootThatIsAPartOfTheBodyKeepsItsLink) {
  for (const auto& bones : {test::robot_arm(), test::snake(), test::crane(), test::tree(),
                            tail_first(), pedestal(), pump(), two_legs(), test::tyrant_lizard()}) {
    const Rig named = rig_from(bones);
    for (const Rig& rig : {named, test::renamed(named)}) {
      const auto bound = bind_bones(rig.motion());
      EXPECT_TRUE(has_bone_link(*bound, first_link(rig))) << first_link(rig);
      EXPECT_EQ(bound->avatar.links().size(), rig.joints.size() - 1);
    }
  }
}

TEST(BoneLinks, NoRodsFromTheOriginToHelpersOfARig) {
  std::vector<Bone> bones = below("Armature", two_legs());
  bones.push_back({"#Target", "Armature", {0.1, 0.05, 0}});
  const auto bound = bind_bones(*test::make_skeleton(bones));
  EXPECT_FALSE(has_bone_link(*bound, "Armature-LTarget"));
  EXPECT_FALSE(has_bone_link(*bound, "Armature-Hips"));
  EXPECT_TRUE(has_bone_link(*bound, "Hips-LeftThigh"));
}

TEST(BoneLinks, FrameZeroShowsTheWayWhereTheRestPoseDoesNot) {
  const Rig standing = rig_from(below("A", four_legs("B")));
  Rig rig = test::renamed(test::with_straight_rest(standing));
  const auto at_rest = bind_bones(rig.skeleton());
  EXPECT_TRUE(has_bone_link(*at_rest, "j1-j2"));
  const auto posed = bind_bones(rig.motion());
  EXPECT_FALSE(has_bone_link(*posed, "j1-j2")) << notes_of(*posed);
  EXPECT_TRUE(posed->binding.from_motion);
}

/// A dog whose `joint` moves against its parent and ends in its own place.
Rig with_moving(const std::string& joint) {
  std::vector<Bone> bones = four_legs("Root");
  std::erase_if(bones, [&](const Bone& bone) {
    return test::on_side(bone.parent, true) == joint || test::on_side(bone.parent, false) == joint;
  });
  Rig rig = rig_from(bones);
  const int index = rig.skeleton().find(joint);
  EXPECT_GE(index, 0) << joint;
  const Transform end{};
  rig.joints.push_back({joint + "_end", index, end});
  for (std::size_t f = 0; f < rig.frames.size(); ++f) {
    rig.frames[f][static_cast<std::size_t>(index)].translation.y += 0.05 * static_cast<double>(f);
    rig.frames[f].push_back(end);
  }
  return rig;
}

TEST(BoneLinks, AHeadOrAPawOnAMovingOffsetGetsABall) {
  for (const auto& [joint, above] : {std::array<const char*, 2>{"Head", "Neck"},
                                     {"LeftToe", "LeftWrist"},
                                     {"RightClaw", "RightPaw"}}) {
    SCOPED_TRACE(joint);
    const Rig rig = with_moving(joint);
    const auto bound = bind_bones(rig.motion());
    EXPECT_FALSE(has_bone_link(*bound, std::string(above) + "-" + joint));
    ASSERT_TRUE(has_bone_link(*bound, joint)) << notes_of(*bound);
    const Link& ball = bound->avatar.links().back();
    EXPECT_EQ(ball.name, joint);
    EXPECT_EQ(ball.joint, rig.skeleton().find(joint));
    EXPECT_EQ(core::norm(ball.a), 0.0);
    EXPECT_EQ(core::norm(ball.b), 0.0);
    // As thick as the links that it hangs on, or as a link along its offset would be.
    const Vec3& offset = rig.joints[static_cast<std::size_t>(ball.joint)].rest.translation;
    double wanted = std::max(0.01, 0.18 * core::norm(offset));
    for (const Link& link : bound->avatar.links()) {
      const std::string from = std::string(above) + "-";
      const std::string to = "-" + std::string(above);
      const std::size_t size = link.name.size();
      const bool ends = size > to.size() && link.name.substr(size - to.size()) == to;
      if (ends || link.name.rfind(from, 0) == 0) wanted = std::max(wanted, link.radius);
    }
    EXPECT_NEAR(ball.radius, wanted, 1e-12);
    EXPECT_LE(ball.radius, 0.12);
    EXPECT_NE(notes_of(*bound).find(std::string("no link reaches: ") + joint), std::string::npos)
        << notes_of(*bound);
  }
}

TEST(BoneLinks, JointsThatAllMoveGetABallEach) {
  Rig rig = rig_from(test::snake());
  for (std::size_t f = 1; f < rig.frames.size(); ++f) {
    for (Transform& local : rig.frames[f]) local.translation.y += 0.2;
  }
  const auto bound = bind_bones(rig.motion());
  EXPECT_EQ(bound->avatar.links().size(), rig.joints.size() - 1);  // not the root
  for (const Link& link : bound->avatar.links()) EXPECT_EQ(core::norm(link.b), 0.0);
}

/// As hostile files have them: work that grows with the square would take minutes.
TEST(BoneLinks, LongChainsOfMovingJointsBelowJointsInOnePlace) {
  constexpr int kEach = 4900;
  Rig rig;
  rig.joints.push_back({"root", -1, {}});
  for (int i = 1; i <= 2 * kEach; ++i) {
    rig.joints.push_back({"j" + std::to_string(i), i - 1, {{}, {i > kEach ? 0.001 : 0.0, 0, 0}}});
  }
  for (const double moved : {0.0, 0.1}) {
    rig.frames.emplace_back();
    for (const Joint& joint : rig.joints) {
      Transform local = joint.rest;
      if (local.translation.x > 0.0) local.translation.x += moved;
      rig.frames.back().push_back(local);
    }
  }
  const auto bound = bind_bones(rig.motion());
  EXPECT_EQ(bound->avatar.links().size(), static_cast<std::size_t>(kEach));
}

/// Every joint below a root is reached, and no link is a needle.
TEST(BoneLinks, NothingIsDroppedAndNothingIsANeedle) {
  int balls = 0;
  for (const auto& bones :
       {test::dog(0.08), test::spider(), test::robot_arm(), test::chair(), test::crane(),
        test::snake(), test::hand(), test::upper_body(), tail_first(), pedestal()}) {
    const Rig still = rig_from(bones);
    for (std::size_t moved = 0; moved < still.joints.size(); ++moved) {
      Rig rig = still;
      for (std::size_t f = 1; f < rig.frames.size(); ++f) {
        rig.frames[f][moved].translation.z += 1.0;
      }
      const auto bound = bind_bones(rig.motion());
      std::vector<char> reached(rig.joints.size(), 0);
      for (const Link& link : bound->avatar.links()) {
        const auto j = static_cast<std::size_t>(link.joint);
        reached[j] = 1;
        const double length = core::norm(link.b - link.a);
        balls += length > 0.0 ? 0 : 1;
        EXPECT_LE(length, 25.0 * link.radius + 1e-9) << link.name;
        EXPECT_GE(link.radius, 0.01) << link.name;
        for (std::size_t i = 0; i < rig.joints.size(); ++i) {
          if (rig.joints[i].parent != link.joint) continue;
          if (core::norm(rig.joints[i].rest.translation - link.b) < 1e-12) reached[i] = 1;
        }
      }
      for (std::size_t i = 0; i < reached.size(); ++i) {
        EXPECT_TRUE(reached[i] != 0 || rig.joints[i].parent < 0) << rig.joints[i].name;
      }
    }
  }
  EXPECT_GT(balls, 20);
}

}  // namespace
}  // namespace tocsin::bone_links_test
