// The models of what trackers see bind to the joints that OpenXR names, each a root or below its
// wrist.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/scenes/mocap_skeletons.h"
#include "tocsin/avatar.h"
#include "tocsin/io.h"

namespace tocsin::tracker_models_test {
namespace {

/// XrHandJointEXT's names, palm first, without the palm and the wrist.
std::vector<std::string> fingers() {
  std::vector<std::string> out;
  for (const std::string finger : {"thumb", "index", "middle", "ring", "little"}) {
    for (const std::string part : {"metacarpal", "proximal", "intermediate", "distal", "tip"}) {
      if (finger == "thumb" && part == "intermediate") continue;
      out.push_back(finger + "_" + part);
    }
  }
  return out;
}

/// A hand as a tracker has it: 26 joints; those of a finger follow each other.
void add_hand(const std::string& prefix, std::vector<Joint>& joints) {
  const int wrist = static_cast<int>(joints.size());
  joints.push_back({prefix + "wrist", -1, {}});
  joints.push_back({prefix + "palm", wrist, {{}, {0, 0, -0.05}}});
  double side = -0.03;
  for (const std::string& name : fingers()) {
    const bool first = name.ends_with("_metacarpal");
    side += first ? 0.015 : 0.0;
    const Vec3 at = first ? Vec3{side, 0, -0.02} : Vec3{0, 0, -0.03};
    joints.push_back(
        {prefix + name, first ? wrist : static_cast<int>(joints.size()) - 1, {{}, at}});
  }
}

TEST(TrackerModels, AHand) {
  std::vector<Joint> joints;
  add_hand("", joints);
  ASSERT_EQ(joints.size(), 26U);
  const Skeleton skeleton = Skeleton::create(joints).value();
  const auto model = load_avatar_model("openxr_hand");
  ASSERT_TRUE(model.ok()) << model.error().message;
  const auto hand = Avatar::bind(*model, skeleton);
  ASSERT_TRUE(hand.ok()) << hand.error().message;
  EXPECT_EQ(hand->links().size(), 16U);
  for (const Link& link : hand->links()) EXPECT_LT(link.radius, 0.04);
}

TEST(TrackerModels, AHeadAndTwoHands) {
  std::vector<Joint> joints{{"head", -1, {{}, {0, 1.7, 0}}}};
  add_hand("left_", joints);
  add_hand("right_", joints);
  const Skeleton skeleton = Skeleton::create(joints).value();
  const auto model = load_avatar_model("head_and_hands");
  ASSERT_TRUE(model.ok()) << model.error().message;
  const auto avatar = Avatar::bind(*model, skeleton);
  ASSERT_TRUE(avatar.ok()) << avatar.error().message;
  EXPECT_EQ(avatar->links().size(), 33U);
  // A hand alone has no head.
  std::vector<Joint> one;
  add_hand("left_", one);
  EXPECT_FALSE(Avatar::bind(*model, Skeleton::create(one).value()).ok());
}

/// Takes of whole bodies have them, too: the links are where those of humanoid_hands are.
TEST(TrackerModels, TheHeadAndHandsOfABody) {
  const test::HandNames unity = test::human_hand("Proximal", "Intermediate");
  const AvatarModel whole = *load_avatar_model("humanoid_hands");
  const AvatarModel part = *load_avatar_model("head_and_hands");
  for (const std::vector<test::Bone>& rig :
       {test::mixamo(), test::xsens_mvn(true), test::human_bones(&unity)}) {
    const Skeleton skeleton = *test::make_skeleton(rig);
    const auto body = Avatar::bind(whole, skeleton);
    const auto hands = Avatar::bind(part, skeleton);
    ASSERT_TRUE(body.ok()) << body.error().message;
    ASSERT_TRUE(hands.ok()) << hands.error().message;
    EXPECT_EQ(hands->links().size(), 33U);
    int common = 0;
    for (const Link& link : hands->links()) {
      for (const Link& other : body->links()) {
        if (link.name != other.name || link.name == "head") continue;
        EXPECT_EQ(link.joint, other.joint) << link.name;
        EXPECT_EQ(link.a, other.a) << link.name;
        EXPECT_EQ(link.b, other.b) << link.name;
        EXPECT_EQ(link.radius, other.radius) << link.name;
        ++common;
      }
    }
    EXPECT_EQ(common, 2 * (1 + 3 + 4 * 2));  // a finger's middle link is called otherwise
  }
}

/// A body of any rig may have these joints, too: then the rest of it would never touch anything.
TEST(TrackerModels, AutoTakesNone) {
  std::vector<Joint> joints{{"head", -1, {{}, {0, 1.7, 0}}}};
  add_hand("left_", joints);
  add_hand("right_", joints);
  joints.push_back({"chest", 0, {{}, {0, -0.4, 0}}});
  joints.push_back({"hips", static_cast<int>(joints.size()) - 1, {{}, {0, -0.4, 0}}});
  const auto avatar = choose_avatar(Skeleton::create(joints).value());
  ASSERT_TRUE(avatar.ok()) << avatar.error().message;
  EXPECT_EQ(avatar->name(), "auto");
  const auto of_the_body = [&](const Link& link) {
    return avatar->skeleton().joints()[static_cast<std::size_t>(link.joint)].name == "chest";
  };
  EXPECT_EQ(std::count_if(avatar->links().begin(), avatar->links().end(), of_the_body), 1);
}

}  // namespace
}  // namespace tocsin::tracker_models_test
