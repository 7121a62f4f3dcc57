// Avatars: binding by joint names, what a person is told when it fails, and links for any skeleton.
#include "tocsin/avatar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tocsin::avatar_test {
namespace {

Joint joint(std::string name, int parent, Vec3 offset, Quat rotation = {}) {
  return {std::move(name), parent, {rotation, offset}};
}

/// Hips - Arm - ForeArm - Hand, and a Leg; a quarter turn about z at the forearm.
Skeleton arm(const std::string& prefix = "") {
  const double half = std::sqrt(0.5);
  const auto made = Skeleton::create(
      {joint(prefix + "Hips", -1, {0, 1, 0}), joint(prefix + "Arm", 0, {0.2, 0.4, 0}),
       joint(prefix + "ForeArm", 1, {0.3, 0, 0}, {half, 0, 0, half}),
       joint(prefix + "Hand", 2, {0.25, 0, 0}), joint(prefix + "Leg", 0, {0.1, -0.5, 0})});
  EXPECT_TRUE(made.ok()) << made.error().message;
  return *made;
}

LinkModel link(std::string name, std::string at, EndPoint b, double radius = 0.05) {
  return {std::move(name), std::move(at), {}, std::move(b), radius};
}

AvatarModel model(std::vector<LinkModel> links) { return {"test", "", std::move(links), {}, ""}; }

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(AvatarBind, TakesVectorsAndRestPositions) {
  AvatarModel m = model({link("forearm", "ForeArm", {{}, "Hand"}), link("arm", "Arm", {{}, "Hand"}),
                         link("tip", "Hand", {{0.1, 0.2, 0.3}, ""}, 0.02)});
  m.links[2].a = {{-0.1, 0, 0}, ""};
  const auto avatar = Avatar::bind(m, arm());
  ASSERT_TRUE(avatar.ok()) << avatar.error().message;
  EXPECT_EQ(avatar->name(), "test");
  ASSERT_EQ(avatar->links().size(), 3U);
  EXPECT_EQ(avatar->links()[0].joint, 2);
  EXPECT_EQ(avatar->links()[0].a, (Vec3{0, 0, 0}));
  EXPECT_EQ(avatar->links()[0].b, (Vec3{0.25, 0, 0}));
  // The hand in the arm's frame: (0.3, 0, 0) and then 0.25 along x, which the forearm turns to y.
  EXPECT_NEAR(avatar->links()[1].b.x, 0.3, 1e-15);
  EXPECT_NEAR(avatar->links()[1].b.y, 0.25, 1e-15);
  EXPECT_NEAR(avatar->links()[1].b.z, 0.0, 1e-15);
  EXPECT_EQ(avatar->links()[2].a, (Vec3{-0.1, 0, 0}));
  EXPECT_EQ(avatar->links()[2].b, (Vec3{0.1, 0.2, 0.3}));
  EXPECT_EQ(avatar->links()[2].radius, 0.02);
  EXPECT_EQ(avatar->skeleton().size(), 5);
}

TEST(AvatarBind, TakesShapesWithTheirJointAndDoesNotScaleThem) {
  AvatarModel m = model({link("arm", "Arm", {{}, "ForeArm"}), {"fan", "Wrist", {}, {}}});
  m.aliases = {{"Wrist", {"Hand"}}};
  m.links[1].shape = *Shape::box({0.1, 0.2, 0.3});
  const auto avatar = Avatar::bind(m, arm("x:"), {false, 3.0});
  ASSERT_TRUE(avatar.ok()) << avatar.error().message;
  const Link& fan = avatar->links()[1];
  EXPECT_EQ(fan.joint, 3);
  EXPECT_EQ(fan.shape.corners()[7], (Vec3{0.1, 0.2, 0.3}));
  EXPECT_GE(fan.radius, 0.1);  // of what holds it
  EXPECT_EQ(avatar->links()[0].radius, 0.05 * 3.0);

  const auto more = avatar->with_links({link_of_shape("sword", 2, m.links[1].shape)});
  ASSERT_TRUE(more.ok()) << more.error().message;
  ASSERT_EQ(more->links().size(), 3U);
  EXPECT_EQ(more->links()[2].name, "sword");
  EXPECT_EQ(more->links()[0].radius, avatar->links()[0].radius);
  EXPECT_EQ(more->radius_factor(), 3.0);
  EXPECT_EQ(more->name(), avatar->name());
  EXPECT_FALSE(avatar->with_links({link_of_shape("x", 9, m.links[1].shape)}).ok());
}

TEST(AvatarBind, IgnoresCaseAndPrefix) {
  const auto avatar =
      Avatar::bind(model({link("x", "foreARM", {{}, "other:hand"})}), arm("a:mixamorig:"));
  ASSERT_TRUE(avatar.ok()) << avatar.error().message;
  EXPECT_EQ(avatar->links()[0].joint, 2);
  EXPECT_EQ(avatar->links()[0].b, (Vec3{0.25, 0, 0}));
}

TEST(AvatarBind, AnExactNameComesBeforeALikeOne) {
  const Skeleton skeleton = *Skeleton::create({joint("HAND", -1, {}), joint("Hand", 0, {0, 1, 0})});
  const auto avatar = Avatar::bind(model({link("x", "Hand", {})}), skeleton);
  ASSERT_TRUE(avatar.ok());
  EXPECT_EQ(avatar->links()[0].joint, 1);
}

TEST(AvatarBind, AliasesAreTriedInOrderAfterTheName) {
  AvatarModel m = model({link("x", "Elbow", {{}, "Wrist"})});
  m.aliases = {{"Elbow", {"Unknown", "FOREARM", "Arm"}}, {"Wrist", {"Hand"}}};
  const auto avatar = Avatar::bind(m, arm());
  ASSERT_TRUE(avatar.ok()) << avatar.error().message;
  EXPECT_EQ(avatar->links()[0].joint, 2);

  m.aliases = {{"Elbow", {"Arm"}}, {"Wrist", {"Hand"}}};
  m.links[0].joint = "ForeArm";  // is there itself: no alias is needed
  EXPECT_EQ(Avatar::bind(m, arm())->links()[0].joint, 2);
}

TEST(AvatarBind, EndsThatCoincideAreASphere) {
  const auto avatar = Avatar::bind(model({link("ball", "Hand", {{}, "Hand"})}), arm());
  ASSERT_TRUE(avatar.ok()) << avatar.error().message;
  EXPECT_EQ(avatar->links()[0].a, avatar->links()[0].b);
}

TEST(AvatarBind, AMissingJointIsExplained) {
  AvatarModel m = model({link("fist", "Hend", {}), link("foot", "Foot", {{}, "Toe"})});
  m.aliases = {{"Hend", {"Wrist", "palm"}}};
  m.file = "my.json";
  const auto avatar = Avatar::bind(m, arm());
  ASSERT_FALSE(avatar.ok());
  EXPECT_EQ(avatar.error().code, ErrorCode::kInput);
  const std::string& text = avatar.error().message;
  for (const char* part : {"my.json", "\"test\"", "Link \"fist\" moves with joint \"Hend\"",
                           "Wrist, palm", "Also missing: Foot, Toe", "Did you mean \"Hand\"?",
                           "The skeleton's 5 joints:", "Hips, Arm, ForeArm, Hand, Leg",
                           "--avatar auto", "\"aliases\": {\"Hend\": [\"...\"]}"}) {
    EXPECT_TRUE(mentions(text, part)) << part << "\nis not in\n" << text;
  }
}

TEST(AvatarBind, ListsOfJointsAreWrappedAndBounded) {
  std::vector<Joint> joints;
  for (int i = 0; i < 5000; ++i)
    joints.push_back(joint("Joint" + std::to_string(i), i - 1, {0, 1, 0}));
  const auto avatar = Avatar::bind(model({link("x", "Elbow", {})}), *Skeleton::create(joints));
  ASSERT_FALSE(avatar.ok());
  const std::string& text = avatar.error().message;
  EXPECT_LT(text.size(), 5000U);
  EXPECT_TRUE(mentions(text, "and 4750 more"));
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    EXPECT_LE(end - at, 110U);
    at = end + 1;
  }
}

TEST(AvatarBind, AnEndPointMustLieBelow) {
  const auto avatar = Avatar::bind(model({link("x", "ForeArm", {{}, "Leg"})}), arm());
  ASSERT_FALSE(avatar.ok());
  EXPECT_TRUE(mentions(avatar.error().message,
                       "link \"x\": its end point b is joint \"Leg\", which does "
                       "not lie below the link's joint \"ForeArm\""))
      << avatar.error().message;
}

TEST(AvatarBind, PassesOnAnErrorInTheModel) {
  const Result<AvatarModel> failed(ErrorCode::kInput, "no such model");
  EXPECT_EQ(Avatar::bind(failed, arm()).error().message, "no such model");
}

TEST(AvatarBind, RefusesNoLinksAndNoSkeleton) {
  EXPECT_FALSE(Avatar::bind(model({}), arm()).ok());
  EXPECT_FALSE(Avatar::bind(model({link("x", "Hand", {})}), Skeleton()).ok());
}

TEST(AvatarCreate, RefusesBadLinks) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const Link good{"l", 1, {0, 0, 0}, {0, 1, 0}, 1e-6};
  EXPECT_TRUE(Avatar::create("a", arm(), {good}).ok());
  const auto refused = [&](auto change, const std::string& part) {
    Link bad = good;
    change(bad);
    const auto avatar = Avatar::create("a", arm(), {good, bad});
    EXPECT_FALSE(avatar.ok());
    EXPECT_TRUE(mentions(avatar.error().message, "link 1 (\"l\"): ")) << avatar.error().message;
    EXPECT_TRUE(mentions(avatar.error().message, part)) << avatar.error().message;
  };
  for (const double radius : {9.9e-7, 0.0, -1.0, nan, inf}) {
    refused([&](Link& l) { l.radius = radius; }, "radius");
  }
  for (const double x : {nan, inf, -inf, 1.1e6}) {
    refused([&](Link& l) { l.a.y = x; }, "end point");
    refused([&](Link& l) { l.b.z = x; }, "end point");
  }
  for (const int index : {-1, 5, 1 << 30}) {
    refused([&](Link& l) { l.joint = index; }, "joint index");
  }
  EXPECT_FALSE(Avatar::create("a", arm(), {}).ok());
  EXPECT_FALSE(Avatar::create("a", Skeleton(), {good}).ok());
}

TEST(AvatarAutomatic, MakesOneLinkOfEveryBone) {
  const auto avatar = Avatar::automatic(arm("rig:"));
  ASSERT_TRUE(avatar.ok());
  ASSERT_EQ(avatar->links().size(), 4U);
  const Link& forearm = avatar->links()[2];
  EXPECT_EQ(forearm.name, "ForeArm-Hand");
  EXPECT_EQ(forearm.joint, 2);
  EXPECT_EQ(forearm.a, (Vec3{0, 0, 0}));
  EXPECT_EQ(forearm.b, (Vec3{0.25, 0, 0}));
  EXPECT_DOUBLE_EQ(forearm.radius, 0.045);  // 0.18 of 0.25 m
}

TEST(AvatarAutomatic, LeavesOutBonesWithoutLength) {
  const Skeleton skeleton =
      *Skeleton::create({joint("a", -1, {}), joint("b", 0, {}), joint("c", 1, {0, 0.5, 0})});
  const auto avatar = Avatar::automatic(skeleton);
  ASSERT_TRUE(avatar.ok());
  ASSERT_EQ(avatar->links().size(), 1U);
  EXPECT_EQ(avatar->links()[0].name, "b-c");
}

TEST(AvatarAutomatic, RadiiStayBetweenAFingerAndAChestUnlessABoneIsLong) {
  const Skeleton skeleton =
      *Skeleton::create({joint("a", -1, {}), joint("b", 0, {0, 1e-3, 0}), joint("c", 0, {0, 2, 0}),
                         joint("d", 0, {0, 5, 0}), joint("e", 0, {0, 50, 0})});
  const auto avatar = Avatar::automatic(skeleton);
  ASSERT_TRUE(avatar.ok());
  EXPECT_EQ(avatar->links()[0].radius, 0.01);
  EXPECT_EQ(avatar->links()[1].radius, 0.12);
  EXPECT_EQ(avatar->links()[2].radius, 0.2);  // a 25th: no needle
  EXPECT_EQ(avatar->links()[3].radius, 1.0);
}

TEST(AvatarAutomatic, ASkeletonWithoutBonesGetsSpheres) {
  const auto avatar =
      Avatar::automatic(*Skeleton::create({joint("x:a", -1, {1, 2, 3}), joint("b", 0, {})}));
  ASSERT_TRUE(avatar.ok());
  ASSERT_EQ(avatar->links().size(), 2U);
  EXPECT_EQ(avatar->links()[0].name, "a");
  EXPECT_EQ(avatar->links()[1].joint, 1);
  EXPECT_EQ(avatar->links()[1].a, avatar->links()[1].b);
}

TEST(AvatarAutomatic, NamesAreDistinct) {
  std::vector<Joint> joints{joint("root", -1, {})};
  for (int i = 0; i < 3; ++i) joints.push_back(joint("leaf", 0, {0.1 * (i + 1), 0, 0}));
  const auto avatar = Avatar::automatic(*Skeleton::create(joints));
  ASSERT_TRUE(avatar.ok());
  EXPECT_EQ(avatar->links()[0].name, "root-leaf");
  EXPECT_EQ(avatar->links()[1].name, "root-leaf@2");
  EXPECT_EQ(avatar->links()[2].name, "root-leaf@3");
}

TEST(AvatarAutomatic, RefusesAnEmptySkeleton) { EXPECT_FALSE(Avatar::automatic(Skeleton()).ok()); }

}  // namespace
}  // namespace tocsin::avatar_test
