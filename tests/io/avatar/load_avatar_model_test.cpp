// The models that Tocsin ships: found by name, bound to the recorded take, chosen by themselves.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/avatar/embedded_avatar_models.h"
#include "support/data.h"
#include "support/places.h"
#include "support/scenes/mocap_skeletons.h"
#include "support/test_folder.h"
#include "tocsin/io.h"

namespace tocsin::load_avatar_model_test {
namespace {

const char* const kTake = "motions/cmu_bvh/01_01.bvh";

TEST(LoadAvatarModel, EveryShippedModelLoads) {
  const std::vector<std::string> names = shipped_avatar_models();
  EXPECT_EQ(names, (std::vector<std::string>{"humanoid16", "humanoid_hands", "head_and_hands",
                                             "openxr_hand"}));
  for (const std::string& name : names) {
    const auto model = load_avatar_model(name);
    ASSERT_TRUE(model.ok()) << model.error().message;
    EXPECT_EQ(model->name, name);
    EXPECT_FALSE(model->description.empty());
    EXPECT_TRUE(model->file.empty());
  }
}

TEST(LoadAvatarModel, ThePapersSixteenLinks) {
  const auto model = load_avatar_model("humanoid16");
  std::set<std::string> names;
  for (const LinkModel& link : model->links) names.insert(link.name);
  EXPECT_EQ(names, (std::set<std::string>{
                       "pelvis", "torso", "neck", "head", "left_upper_arm", "left_forearm",
                       "left_hand", "left_thigh", "left_shin", "left_foot", "right_upper_arm",
                       "right_forearm", "right_hand", "right_thigh", "right_shin", "right_foot"}));
}

TEST(LoadAvatarModel, TheLinksOfHumanoidHands) {
  const auto model = load_avatar_model("humanoid_hands");
  const auto sixteen = load_avatar_model("humanoid16");
  std::set<std::string> names;
  for (const LinkModel& link : model->links) names.insert(link.name);
  std::set<std::string> expected;
  for (const LinkModel& link : sixteen->links) {
    if (link.name.find("_hand") != std::string::npos) continue;
    expected.insert(link.name);
    const auto same = std::find_if(model->links.begin(), model->links.end(),
                                   [&](const LinkModel& l) { return l.name == link.name; });
    ASSERT_NE(same, model->links.end()) << link.name;
    EXPECT_EQ(same->radius, link.radius) << link.name;
    EXPECT_EQ(same->length, link.length) << link.name;
    EXPECT_EQ(same->joint, link.joint) << link.name;
  }
  for (const std::string side : {"left_", "right_"}) {
    expected.insert({side + "clavicle", side + "palm", side + "thumb_metacarpal",
                     side + "thumb_proximal", side + "thumb_distal"});
    for (const std::string finger : {"index_", "middle_", "ring_", "little_"}) {
      for (const char* bone : {"proximal", "medial", "distal"}) {
        expected.insert(side + finger + bone);
      }
    }
  }
  EXPECT_EQ(names, expected);
  EXPECT_EQ(names.size(), 48U);
}

using NameTable = std::vector<std::pair<std::string, std::vector<std::string>>>;

std::string mirrored(std::string text) {
  const std::pair<const char*, const char*> kSides[] = {
      {"left", "right"}, {"Left", "Right"}, {"LFingers", "RFingers"}, {"_L_", "_R_"}};
  for (const auto& [left, right] : kSides) {
    if (const std::size_t at = text.find(left); at != std::string::npos) {
      return text.replace(at, std::string(left).size(), right);
    }
  }
  const char* const kCmu[] = {"humerus", "radius", "hand", "fingers_end",
                              "femur",   "tibia",  "foot", "toes_end"};
  for (const char* bone : kCmu) {
    if (text == std::string("l") + bone) text[0] = 'r';
  }
  return text;
}

void expect_mirrored(const NameTable& table) {
  for (const auto& [joint, names] : table) {
    const std::string opposite = mirrored(joint);
    if (opposite == joint) continue;  // of the right side, or of the middle
    const auto other = std::find_if(table.begin(), table.end(),
                                    [&](const auto& a) { return a.first == opposite; });
    ASSERT_NE(other, table.end()) << joint;
    ASSERT_EQ(other->second.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(other->second[i], mirrored(names[i]));
  }
}

TEST(LoadAvatarModel, BothSidesAreAlike) {
  for (const std::string& name : shipped_avatar_models()) {
    SCOPED_TRACE(name);
    const auto model = load_avatar_model(name);
    for (const LinkModel& link : model->links) {
      if (link.name.rfind("left_", 0) != 0) continue;
      const auto other =
          std::find_if(model->links.begin(), model->links.end(),
                       [&](const LinkModel& l) { return l.name == mirrored(link.name); });
      ASSERT_NE(other, model->links.end()) << link.name;
      EXPECT_EQ(other->joint, mirrored(link.joint));
      EXPECT_EQ(other->b.joint, mirrored(link.b.joint));
      EXPECT_EQ(other->b.beyond, mirrored(link.b.beyond));
      EXPECT_EQ(other->b.times, link.b.times);
      EXPECT_EQ(other->radius, link.radius);
      EXPECT_EQ(other->length, link.length);
    }
    expect_mirrored(model->aliases);
    for (const NamingScheme& scheme : model->schemes) {
      SCOPED_TRACE(scheme.name);
      expect_mirrored(scheme.joints);
    }
  }
}

/// A scheme that left out a joint could never be found.
TEST(LoadAvatarModel, EverySchemeNamesEveryJointThatIsNeeded) {
  for (const std::string& name : shipped_avatar_models()) {
    const auto model = load_avatar_model(name);
    for (const NamingScheme& scheme : model->schemes) {
      if (!scheme.prefix.empty()) continue;
      std::set<std::string> named;
      for (const auto& [joint, names] : scheme.joints) {
        EXPECT_FALSE(names.empty()) << scheme.name << ' ' << joint;
        named.insert(joint);
      }
      for (const LinkModel& link : model->links) {
        EXPECT_EQ(named.count(link.joint), 1U) << name << ' ' << scheme.name << ' ' << link.joint;
        if (link.b.joint.empty()) continue;  // a point
        EXPECT_EQ(named.count(link.b.joint), 1U)
            << name << ' ' << scheme.name << ' ' << link.b.joint;
      }
    }
  }
}

/// What the schema of avatar models says of each file, by python3-jsonschema (Debian's package of
/// that name): "valid", or why not. Empty: it could not be asked.
std::vector<std::string> verdicts(const std::string& files, const test::TestFolder& folder) {
  const std::string source = test::source_dir();
  const std::string out = (folder.path() / "verdicts").string();
  const std::string line = "python3 '" + source + "/tests/support/validate_json.py' '" + source +
                           "/avatar_models/schema.json'" + files + " > '" + out + "'";
  std::vector<std::string> lines;
  if (std::system(line.c_str()) == 0) {  // NOLINT(concurrency-mt-unsafe)
    std::ifstream file(out);
    for (std::string text; std::getline(file, text);) lines.push_back(text);
  }
  return lines;
}

TEST(LoadAvatarModel, TheShippedModelsFollowTheSchema) {
  if (std::system("python3 -c 'import jsonschema' 2> /dev/null") !=
      0) {  // NOLINT(concurrency-mt-unsafe)
    GTEST_SKIP() << "needs python3 and its jsonschema: apt install python3-jsonschema";
  }
  const std::string folder = test::source_dir() + "/avatar_models/";
  std::string files;
  const std::vector<std::string> names = shipped_avatar_models();
  for (const std::string& name : names) {
    const bool whole = io::embedded_avatar_model(name)->whole;
    files += " '" + folder + (whole ? "" : "trackers/") + name + ".json'";
  }
  // What the parser refuses (avatar_json_test.cpp), the schema refuses too.
  const std::pair<const char*, const char*> kChanges[] = {
      {"\"length\": 0.284", "\"length\": 0"},
      {"\"length\": 0.284", "\"lenght\": 0.284"},
      {"\"times\": 0.125", "\"times\": -1"},
      {", \"times\": 0.125", ""},
      {"\"beyond\": \"Hips\", ", ""},
      {"\"prefix\": \"mixamorig\"", "\"prefix\": \"\""},
      {", \"prefix\": \"mixamorig\"", ""},
      {"\"prefix\": \"mixamorig\"", "\"prefix\": \"mixamorig\", \"joints\": {}"},
      {"\"Hips\": [\"root\"]", "\"Hips\": \"root\""}};
  std::ifstream file(folder + "humanoid16.json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> written;
  const test::TestFolder own;
  for (const auto& [from, to] : kChanges) {
    std::string changed = text;
    const std::size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    changed.replace(at, std::string(from).size(), to);
    written.push_back(own.write(std::to_string(written.size()) + ".json", changed).string());
    files += " '" + written.back() + "'";
    EXPECT_FALSE(load_avatar_model(written.back()).ok()) << to;
  }
  const std::vector<std::string> found = verdicts(files, own);
  ASSERT_EQ(found.size(), names.size() + written.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i] == "valid", i < names.size()) << i << ": " << found[i];
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
  const std::string file = test::source_dir() + "/avatar_models/humanoid16.json";
  const auto model = load_avatar_model(file);
  ASSERT_TRUE(model.ok()) << model.error().message;
  EXPECT_EQ(model->file, file);
  EXPECT_EQ(model->links.size(), 16U);
}

TEST(LoadAvatarModel, AFileThatIsNotThereIsNamed) {
  for (const char* file : {"no_such_model.json", "./no/such/model"}) {
    const auto model = load_avatar_model(file);
    ASSERT_FALSE(model.ok());
    EXPECT_EQ(model.error().message.rfind(file, 0), 0U) << model.error().message;
  }
}

TEST(LoadAvatarModel, AFileThatIsTooLargeIsNotRead) {
  const test::TestFolder folder;
  const std::filesystem::path file = folder.write("large.json", "{");
  std::filesystem::resize_file(file, std::uintmax_t{1} << 32U);  // a hole: takes no disk
  const auto model = load_avatar_model(file.string());
  ASSERT_FALSE(model.ok());
  EXPECT_NE(model.error().message.find("larger"), std::string::npos) << model.error().message;
}

TEST(ChooseAvatar, FallsBackToOneLinkPerBone) {
  const Skeleton skeleton = *Skeleton::create({{"a", -1, {}}, {"b", 0, {{}, {0, 1, 0}}}});
  const auto avatar = choose_avatar(skeleton);
  ASSERT_TRUE(avatar.ok());
  EXPECT_EQ(avatar->name(), "auto");
  EXPECT_EQ(avatar->links().size(), 1U);
  EXPECT_FALSE(choose_avatar(Skeleton()).ok());
}

/// The recorded take, all lengths times `size`.
Skeleton scaled(const Skeleton& skeleton, double size) {
  std::vector<Joint> joints(skeleton.joints().begin(), skeleton.joints().end());
  for (Joint& joint : joints) {
    joint.rest.translation = {size * joint.rest.translation.x, size * joint.rest.translation.y,
                              size * joint.rest.translation.z};
  }
  return *Skeleton::create(joints);
}

TEST(ChooseAvatar, RadiiFollowTheBody) {
  const RadiusScale automatic{.automatic = true};
  for (const auto& bones : {test::mixamo(), test::cgspeed_motionbuilder(), test::xsens_bvh()}) {
    const Skeleton adult = *test::make_skeleton(bones);
    const auto whole = choose_avatar(adult, automatic);
    const auto half = choose_avatar(scaled(adult, 0.5), automatic);
    ASSERT_TRUE(whole.ok() && half.ok());
    // The lengths of place:: by hand: upper arm 0.2804 m, forearm 0.2702, thigh 0.4201 and shin
    // 0.4220. Of the model's 0.284, 0.271, 0.426 and 0.444 that is 0.987, 0.997, 0.986 and 0.950,
    // each twice; the median is between 0.986 and 0.987.
    EXPECT_NEAR(whole->radius_factor(), 0.9868, 5e-4);
    EXPECT_NEAR(half->radius_factor(), 0.5 * whole->radius_factor(), 1e-12);
    const auto plain = choose_avatar(adult);
    for (std::size_t i = 0; i < plain->links().size(); ++i) {
      EXPECT_NEAR(half->links()[i].radius, half->radius_factor() * plain->links()[i].radius, 1e-15);
    }
  }
}

TEST(ChooseAvatar, AChildIsThinnerThanAnAdult) {
  const Skeleton adult = *test::make_skeleton(test::mixamo());  // 1.74 m to the top of the head
  const Skeleton child = scaled(adult, 1.2 / 1.74);
  const auto unscaled = choose_avatar(child);
  const auto fitted = choose_avatar(child, {.automatic = true});
  ASSERT_EQ(fitted->name(), "humanoid_hands");
  for (std::size_t i = 0; i < fitted->links().size(); ++i) {
    EXPECT_LT(fitted->links()[i].radius, 0.7 * unscaled->links()[i].radius);
    EXPECT_GT(fitted->links()[i].radius, 0.65 * unscaled->links()[i].radius);
  }
}

TEST(ChooseAvatar, AFactorThatDoesNotGoWithTheModelIsAnError) {
  const Skeleton skeleton = *test::make_skeleton(test::mixamo());
  // 5e-5 times the fingers' 0.011 m is below 1e-6 m; humanoid16's 0.035 m would be above.
  for (const double factor : {0.0, -1.0, 5e-5, 1e6}) {
    const auto avatar = choose_avatar(skeleton, {.factor = factor});
    ASSERT_FALSE(avatar.ok()) << factor;
    EXPECT_EQ(avatar.error().code, ErrorCode::kUsage);
  }
  const auto doubled = choose_avatar(skeleton, {.factor = 2.0});
  EXPECT_EQ(doubled->name(), "humanoid_hands");
  EXPECT_EQ(doubled->radius_factor(), 2.0);
}

TEST(ChooseAvatar, OneLinkPerBoneTakesTheFactor) {
  const Skeleton skeleton = *Skeleton::create({{"a", -1, {}}, {"b", 0, {{}, {0, 0.5, 0}}}});
  EXPECT_DOUBLE_EQ(choose_avatar(skeleton)->links()[0].radius, 0.09);
  EXPECT_DOUBLE_EQ(choose_avatar(skeleton, {.factor = 2.0})->links()[0].radius, 0.18);
  EXPECT_DOUBLE_EQ(choose_avatar(skeleton, {.automatic = true})->links()[0].radius, 0.09);
  EXPECT_EQ(choose_avatar(skeleton, {.factor = -2.0}).error().code, ErrorCode::kUsage);
}

TEST(ChooseAvatar, BindsTheRecordedTake) {
  TOCSIN_NEEDS_DATA(kTake);
  const auto motion = load_motion(test::data_path(kTake));
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  const auto bound = Avatar::bind(*load_avatar_model("humanoid16"), motion->skeleton());
  ASSERT_TRUE(bound.ok()) << bound.error().message;
  const auto chosen = choose_avatar(motion->skeleton());
  EXPECT_EQ(chosen->name(), "humanoid16");
  ASSERT_EQ(chosen->links().size(), 16U);

  // Bone lengths by hand from the file's OFFSET lines, times 0.0254 / 0.45.
  const double unit = 0.0254 / 0.45;
  for (const Link& link : chosen->links()) {
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
  const auto avatar = Avatar::automatic(motion->skeleton());
  ASSERT_TRUE(avatar.ok());
  // 31 joints and 7 end sites make 37 bones; ten of them have the offset 0 0 0 (hip joints,
  // LowerBack, Neck, shoulders, finger bases, thumbs).
  EXPECT_EQ(avatar->links().size(), 27U);
}

}  // namespace
}  // namespace tocsin::load_avatar_model_test
