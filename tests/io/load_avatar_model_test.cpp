// The models that Tocsin ships: found by name, bound to the recorded take, chosen by themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "support/data.h"
#include "tocsin/io.h"

namespace tocsin {
namespace {

const char* const kTake = "motions/cmu_bvh/01_01.bvh";

TEST(LoadAvatarModel, EveryShippedModelLoads) {
  const std::vector<std::string> names = shipped_avatar_models();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_NE(std::find(names.begin(), names.end(), "humanoid16"), names.end());
  for (const std::string& name : names) {
    const auto model = load_avatar_model(name);
    ASSERT_TRUE(model.ok()) << model.error().message;
    EXPECT_EQ(model.name, name);
    EXPECT_FALSE(model.description.empty());
    EXPECT_TRUE(model.file.empty());
  }
}

TEST(LoadAvatarModel, ThePapersSixteenLinks) {
  const auto model = load_avatar_model("humanoid16");
  std::set<std::string> names;
  for (const LinkModel& link : model.links) names.insert(link.name);
  EXPECT_EQ(names, (std::set<std::string>{
                       "pelvis", "torso", "neck", "head", "left_upper_arm", "left_forearm",
                       "left_hand", "left_thigh", "left_shin", "left_foot", "right_upper_arm",
                       "right_forearm", "right_hand", "right_thigh", "right_shin", "right_foot"}));
}

TEST(LoadAvatarModel, BothSidesAreAlike) {
  const auto model = load_avatar_model("humanoid16");
  const auto mirrored = [](std::string text) {
    const std::pair<const char*, const char*> kSides[] = {
        {"left_", "right_"}, {"Left", "Right"}, {"LFingers", "RFingers"}};
    for (const auto& [left, right] : kSides) {
      if (const std::size_t at = text.find(left); at != std::string::npos) {
        text.replace(at, std::string(left).size(), right);
      }
    }
    return text;
  };
  for (const LinkModel& link : model.links) {
    if (link.name.rfind("left_", 0) != 0) continue;
    const auto other =
        std::find_if(model.links.begin(), model.links.end(),
                     [&](const LinkModel& l) { return l.name == mirrored(link.name); });
    ASSERT_NE(other, model.links.end()) << link.name;
    EXPECT_EQ(other->joint, mirrored(link.joint));
    EXPECT_EQ(other->b.joint, mirrored(link.b.joint));
    EXPECT_EQ(other->radius, link.radius);
  }
  for (const auto& [joint, names] : model.aliases) {
    if (joint.find("Left") == std::string::npos && joint[0] != 'L') continue;
    const std::string opposite = mirrored(joint);
    const auto other = std::find_if(model.aliases.begin(), model.aliases.end(),
                                    [&](const auto& a) { return a.first == opposite; });
    ASSERT_NE(other, model.aliases.end()) << joint;
    ASSERT_EQ(other->second.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(other->second[i], mirrored(names[i]));
  }
}

TEST(LoadAvatarModel, AnUnknownNameListsTheShippedOnes) {
  const auto model = load_avatar_model("humanoid61");
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().code, ErrorCode::kInput);
  EXPECT_NE(model.error().message.find("\"humanoid61\""), std::string::npos);
  EXPECT_NE(model.error().message.find("humanoid16"), std::string::npos);
}

TEST(LoadAvatarModel, ReadsAFile) {
  const std::string file = std::string(TOCSIN_SOURCE_DIR) + "/avatar_models/humanoid16.json";
  const auto model = load_avatar_model(file);
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_EQ(model.file, file);
  EXPECT_EQ(model.links.size(), 16U);
}

TEST(LoadAvatarModel, AFileThatIsNotThereIsNamed) {
  for (const char* file : {"no_such_model.json", "./no/such/model"}) {
    const auto model = load_avatar_model(file);
    ASSERT_FALSE(model.ok());
    EXPECT_EQ(model.error().message.rfind(file, 0), 0U) << model.error().message;
  }
}

TEST(LoadAvatarModel, AFileThatIsTooLargeIsNotRead) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "tocsin_large_model.json";
  std::ofstream(file) << "{";
  std::filesystem::resize_file(file, std::uintmax_t{1} << 32U);  // a hole: takes no disk
  const auto model = load_avatar_model(file.string());
  std::filesystem::remove(file);
  ASSERT_FALSE(model.ok());
  EXPECT_NE(model.error().message.find("larger"), std::string::npos) << model.error().message;
}

TEST(ChooseAvatar, FallsBackToOneLinkPerBone) {
  const Skeleton skeleton = Skeleton::create({{"a", -1, {}}, {"b", 0, {{}, {0, 1, 0}}}});
  const auto avatar = choose_avatar(skeleton);
  ASSERT_TRUE(avatar.ok());
  EXPECT_EQ(avatar.name(), "auto");
  EXPECT_EQ(avatar.links().size(), 1U);
  EXPECT_FALSE(choose_avatar(Skeleton()).ok());
}

/// The bones of Mixamo's rig that humanoid16 needs, its names with the rig's prefix.
Skeleton mixamo() {
  std::vector<Joint> joints;
  const auto add = [&](const std::string& name, int parent, Vec3 offset) {
    joints.push_back({"mixamorig:" + name, parent, {{}, offset}});
    return static_cast<int>(joints.size()) - 1;
  };
  const int hips = add("Hips", -1, {0, 1, 0});
  const int chest =
      add("Spine2", add("Spine1", add("Spine", hips, {0, 0.1, 0}), {0, 0.1, 0}), {0, 0.1, 0});
  add("HeadTop_End", add("Head", add("Neck", chest, {0, 0.15, 0}), {0, 0.1, 0}), {0, 0.2, 0});
  for (const auto& [side, x] : {std::pair{"Left", 1.0}, {"Right", -1.0}}) {
    const std::string s = side;
    const int arm =
        add(s + "Arm", add(s + "Shoulder", chest, {0.06 * x, 0.1, 0}), {0.12 * x, 0, 0});
    const int hand = add(s + "Hand", add(s + "ForeArm", arm, {0.27 * x, 0, 0}), {0.27 * x, 0, 0});
    int finger = hand;
    for (const char* part : {"1", "2", "3", "4"}) {
      finger = add(s + "HandMiddle" + part, finger, {0.04 * x, 0, 0});
    }
    const int leg = add(s + "Leg", add(s + "UpLeg", hips, {0.09 * x, -0.05, 0}), {0, -0.4, 0});
    const int toes = add(s + "ToeBase", add(s + "Foot", leg, {0, -0.4, 0}), {0, -0.08, 0.13});
    add(s + "Toe_End", toes, {0, 0, 0.08});
  }
  return Skeleton::create(joints);
}

TEST(ChooseAvatar, BindsMixamoNames) {
  const auto avatar = choose_avatar(mixamo());
  ASSERT_TRUE(avatar.ok());
  EXPECT_EQ(avatar.name(), "humanoid16");
  for (const Link& link : avatar.links()) {
    if (link.name != "left_hand") continue;
    EXPECT_NEAR(link.b.x, 0.16, 1e-12);  // four bones of the middle finger
  }
}

TEST(ChooseAvatar, BindsTheRecordedTake) {
  TOCSIN_NEEDS_DATA(kTake);
  const auto motion = load_motion(test::data_path(kTake));
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  const auto bound = Avatar::bind(load_avatar_model("humanoid16"), motion.skeleton());
  ASSERT_TRUE(bound.ok()) << bound.error().message;
  const auto chosen = choose_avatar(motion.skeleton());
  EXPECT_EQ(chosen.name(), "humanoid16");
  ASSERT_EQ(chosen.links().size(), 16U);

  // Bone lengths by hand from the file's OFFSET lines, times 0.0254 / 0.45.
  const double unit = 0.0254 / 0.45;
  for (const Link& link : chosen.links()) {
    if (link.name == "left_forearm") {
      EXPECT_NEAR(link.b.x, 3.48356 * unit, 1e-12);
    } else if (link.name == "left_hand") {
      EXPECT_NEAR(link.b.x, (0.71526 + 0.57666) * unit, 1e-12);
    } else if (link.name == "neck") {
      EXPECT_NEAR(link.b.y, (1.74624 + 1.76136) * unit, 1e-12);
    } else if (link.name == "pelvis") {
      EXPECT_NEAR(link.a.x, 1.36306 * unit, 1e-12);
      EXPECT_NEAR(link.b.x, -1.30552 * unit, 1e-12);
    }
  }
}

TEST(ChooseAvatar, AutomaticFitsTheRecordedTake) {
  TOCSIN_NEEDS_DATA(kTake);
  const auto motion = load_motion(test::data_path(kTake));
  const auto avatar = Avatar::automatic(motion.skeleton());
  ASSERT_TRUE(avatar.ok());
  // 31 joints and 7 end sites make 37 bones; ten of them have the offset 0 0 0 (hip joints,
  // LowerBack, Neck, shoulders, finger bases, thumbs).
  EXPECT_EQ(avatar.links().size(), 27U);
}

}  // namespace
}  // namespace tocsin
