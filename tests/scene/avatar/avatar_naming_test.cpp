// Naming schemes: tried as a whole, in order; and ends that are found beyond a link's joint.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tocsin/avatar.h"

namespace tocsin::avatar_naming_test {
namespace {

/// A collarbone, an upper arm and a forearm in a row, under these names.
Skeleton arm_named(const std::vector<std::string>& names) {
  std::vector<Joint> joints;
  for (const std::string& name : names) {
    joints.push_back({name, static_cast<int>(joints.size()) - 1, {{}, {0.1, 0, 0}}});
  }
  const auto made = Skeleton::create(joints);
  EXPECT_TRUE(made.ok()) << made.error().message;
  return *made;
}

/// The upper arm, from joint Arm to joint ForeArm.
AvatarModel arm_model() {
  AvatarModel out;
  out.name = "arm";
  LinkModel link;
  link.name = "upper_arm";
  link.joint = "Arm";
  link.b.joint = "ForeArm";
  link.radius = 0.05;
  out.links.push_back(link);
  return out;
}

TEST(AvatarNaming, ASchemeIsTakenAsAWhole) {
  AvatarModel m = arm_model();
  m.schemes = {{"first", "", {{"Arm", {"Shoulder"}}, {"ForeArm", {"Elbow"}}}},
               {"second", "", {{"Arm", {"Upper"}}, {"ForeArm", {"Lower", "Elbow"}}}}};
  // "Shoulder" is the collarbone of the second scheme.
  EXPECT_EQ(Avatar::bind(m, arm_named({"Collar", "Shoulder", "Elbow"}))->links()[0].joint, 1);
  EXPECT_EQ(Avatar::bind(m, arm_named({"Shoulder", "Upper", "Lower"}))->links()[0].joint, 1);
  // Both fit: the first is taken.
  EXPECT_EQ(Avatar::bind(m, arm_named({"Shoulder", "Upper", "Elbow"}))->links()[0].joint, 0);
  // Half of one and half of another is none.
  EXPECT_FALSE(Avatar::bind(m, arm_named({"Collar", "Shoulder", "Lower"})).ok());
}

TEST(AvatarNaming, TheModelsOwnNamesComeFirst) {
  AvatarModel m = arm_model();
  m.aliases = {{"ForeArm", {"Radius"}}};
  m.schemes = {{"other", "", {{"Arm", {"Collar"}}, {"ForeArm", {"Arm"}}}}};
  EXPECT_EQ(Avatar::bind(m, arm_named({"Collar", "Arm", "radius"}))->links()[0].joint, 1);
  EXPECT_EQ(Avatar::bind(m, arm_named({"Collar", "Arm", "Elbow"}))->links()[0].joint, 0);
}

TEST(AvatarNaming, AliasesDoNotMixWithAScheme) {
  AvatarModel m = arm_model();
  m.aliases = {{"ForeArm", {"Radius"}}};
  m.schemes = {{"other", "", {{"Arm", {"Upper"}}}}};
  const auto avatar = Avatar::bind(m, arm_named({"Collar", "Upper", "Radius"}));
  ASSERT_FALSE(avatar.ok());
  EXPECT_NE(avatar.error().message.find("Tried: the model's own names, other; closest: its own"),
            std::string::npos)
      << avatar.error().message;
}

TEST(AvatarNaming, APrefixGoesBeforeNamesAndAliases) {
  AvatarModel m = arm_model();
  m.aliases = {{"ForeArm", {"Radius"}}};
  m.schemes = {{"rig", "Rig_", {}}};
  const auto avatar = Avatar::bind(m, arm_named({"x", "take:RIG_arm", "Rig_Radius"}));
  ASSERT_TRUE(avatar.ok()) << avatar.error().message;
  EXPECT_EQ(avatar->links()[0].joint, 1);
  EXPECT_FALSE(Avatar::bind(m, arm_named({"x", "Rig_Arm", "Radius"})).ok());
}

TEST(AvatarNaming, AnEndThatLiesAboveRulesASchemeOut) {
  AvatarModel m = arm_model();
  m.aliases = {{"Arm", {"Lower"}}, {"ForeArm", {"Upper"}}};  // the wrong way round
  m.schemes = {{"other", "", {{"Arm", {"Upper"}}, {"ForeArm", {"Lower"}}}}};
  const Skeleton skeleton = arm_named({"Collar", "Upper", "Lower"});
  EXPECT_EQ(Avatar::bind(m, skeleton)->links()[0].joint, 1);
  m.schemes.clear();
  EXPECT_NE(Avatar::bind(m, skeleton).error().message.find("does not lie below"),
            std::string::npos);
}

TEST(AvatarNaming, TheClosestSchemeExplainsWhatIsMissing) {
  AvatarModel m = arm_model();
  // A name with another first letter is suggested, and not taken for the same.
  m.schemes = {{"far", "", {}}, {"near", "", {{"Arm", {"Upper"}}, {"ForeArm", {"Lower"}}}}};
  const auto avatar = Avatar::bind(m, arm_named({"Collar", "Upper", "Bower"}));
  ASSERT_FALSE(avatar.ok());
  EXPECT_EQ(avatar.error().code, ErrorCode::kInput);
  const std::string& text = avatar.error().message;
  for (const char* part : {"closest: near", "joint \"ForeArm\", which the skeleton does not have",
                           "names tried: Lower", "to the model's naming scheme \"near\":",
                           "\"joints\": {\"ForeArm\": [\"...\"]}", "Did you mean \"Bower\"?"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
  }
}

/// Names for a chain of three whose second joint is turned by a quarter about z.
Skeleton bent() {
  const double half = std::sqrt(0.5);
  return *Skeleton::create({{"Hips", -1, {{half, half, 0, 0}, {1, 2, 3}}},
                            {"Neck", 0, {{half, 0, 0, half}, {0, 0.4, 0}}},
                            {"Head", 1, {{half, 0, 0, half}, {0.2, 0, 0}}}});
}

AvatarModel head() {
  AvatarModel out;
  out.name = "head";
  LinkModel link;
  link.name = "head";
  link.joint = "Head";
  link.b = {{}, "Top", "Neck", 0.5};
  link.radius = 0.1;
  out.links.push_back(link);
  return out;
}

TEST(AvatarBeyond, LiesInTheJointsFrame) {
  const auto avatar = Avatar::bind(head(), bent());
  ASSERT_TRUE(avatar.ok()) << avatar.error().message;
  // 0.2 m along x in the neck's frame; the head's x is the neck's y, so that is its -y.
  const Vec3 b = avatar->links()[0].b;
  EXPECT_NEAR(b.x, 0.0, 1e-15);
  EXPECT_NEAR(b.y, -0.1, 1e-15);
  EXPECT_NEAR(b.z, 0.0, 1e-15);
}

TEST(AvatarBeyond, SeesOverSeveralJoints) {
  AvatarModel m = head();
  m.links[0].b.beyond = "Hips";
  m.links[0].b.times = 2.0;
  // In the hips' frame the head is at (0, 0.4, 0) plus the neck's x, which is the hips' y, by 0.2:
  // 0.6 m along y. Two quarter turns about z later that is -y.
  const Vec3 b = Avatar::bind(m, bent())->links()[0].b;
  EXPECT_NEAR(b.x, 0.0, 1e-15);
  EXPECT_NEAR(b.y, -1.2, 1e-15);
  EXPECT_NEAR(b.z, 0.0, 1e-15);
}

TEST(AvatarBeyond, IsOnlyForSkeletonsWithoutTheJoint) {
  const Skeleton whole = bent();
  std::vector<Joint> joints(whole.joints().begin(), whole.joints().end());
  joints.push_back({"top", 2, {{}, {0, 0, 0.3}}});
  EXPECT_EQ(Avatar::bind(head(), *Skeleton::create(joints))->links()[0].b, (Vec3{0, 0, 0.3}));
}

TEST(AvatarBeyond, NeedsAJointAboveTheLink) {
  AvatarModel m = head();
  m.links[0].b.beyond = "Nose";
  const auto missing = Avatar::bind(m, bent());
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().message.find("looks for its end point beyond joint \"Nose\""),
            std::string::npos)
      << missing.error().message;
  m.links[0].joint = "Neck";
  m.links[0].b.beyond = "Head";
  const auto below = Avatar::bind(m, bent());
  ASSERT_FALSE(below.ok());
  EXPECT_NE(below.error().message.find("is sought beyond joint \"Head\", which does not lie above"),
            std::string::npos)
      << below.error().message;
}

}  // namespace
}  // namespace tocsin::avatar_naming_test
