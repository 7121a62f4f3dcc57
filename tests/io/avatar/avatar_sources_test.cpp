// The shipped models on the skeletons of every source they know: each link at the joints that it
// ought to have there, written by hand for each source.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <vector>

#include "support/data.h"
#include "support/scenes/mocap_skeletons.h"
#include "tocsin/io.h"

namespace tocsin::avatar_sources_test {
namespace {

using test::Bone;
using test::HandNames;

/// Where one link, or one on each side, ought to be.
struct Place {
  const char* link;       ///< without left_ or right_ if `joint` has a side
  const char* joint;      ///< that it moves with
  const char* end;        ///< joint at its end b; empty: beyond `joint`
  const char* from = "";  ///< then: as seen from this joint
  double times = 0.0;     ///< then: so many times as far
};

struct Source {
  std::string name;
  std::vector<Bone> bones;
  std::vector<Place> body;   ///< the links of humanoid16 but the pelvis
  const char* hips;          ///< the pelvis moves with this joint
  const char* thigh;         ///< and reaches from the left to the right one of these
  const char* collar;        ///< joint of the clavicle
  const HandNames* fingers;  ///< null: it has none
};

const HandNames& fingers_of(const std::string& source) {
  static const HandNames kMixamo = test::mixamo_hand("mixamorig:");
  static const HandNames kPlainMixamo = test::mixamo_hand();
  static const HandNames kVrm1 = test::human_hand("Metacarpal", "Proximal");
  static const HandNames kUnity = test::human_hand("Proximal", "Intermediate");
  static const HandNames kVroid = test::vroid_hand();
  static const HandNames kXsens = test::xsens_hand();
  static const HandNames kBiped = test::biped_hand();
  static const HandNames kRokoko = test::rokoko_hand();
  if (source == "mixamo") return kMixamo;
  if (source == "plain mixamo") return kPlainMixamo;
  if (source == "vrm 1") return kVrm1;
  if (source == "unity") return kUnity;
  if (source == "vroid") return kVroid;
  if (source == "xsens") return kXsens;
  if (source == "biped") return kBiped;
  return kRokoko;
}

constexpr double kHead = 0.125;  // of the way from the hips to the head
constexpr double kHand = 0.55;   // of the forearm

std::vector<Place> mixamo_body(const char* hand_end) {
  return {{"torso", "Spine", "Neck"},       {"neck", "Neck", "Head"},
          {"head", "Head", "HeadTop_End"},  {"upper_arm", "@Arm", "@ForeArm"},
          {"forearm", "@ForeArm", "@Hand"}, {"hand", "@Hand", hand_end, "@ForeArm", kHand},
          {"thigh", "@UpLeg", "@Leg"},      {"shin", "@Leg", "@Foot"},
          {"foot", "@Foot", "@Toe_End"}};
}

std::vector<Place> human_body(const char* hand_end) {
  return {{"torso", "spine", "neck"},          {"neck", "neck", "head"},
          {"head", "head", "", "hips", kHead}, {"upper_arm", "%UpperArm", "%LowerArm"},
          {"forearm", "%LowerArm", "%Hand"},   {"hand", "%Hand", hand_end, "%LowerArm", kHand},
          {"thigh", "%UpperLeg", "%LowerLeg"}, {"shin", "%LowerLeg", "%Foot"},
          {"foot", "%Foot", "%Toes"}};
}

std::vector<Place> xsens_body(const char* hand_end) {
  return {{"torso", "L5", "Neck"},
          {"neck", "Neck", "Head"},
          {"head", "Head", "", "Pelvis", kHead},
          {"upper_arm", "@UpperArm", "@ForeArm"},
          {"forearm", "@ForeArm", "@Hand"},
          {"hand", "@Hand", hand_end, "@ForeArm", kHand},
          {"thigh", "@UpperLeg", "@LowerLeg"},
          {"shin", "@LowerLeg", "@Foot"},
          {"foot", "@Foot", "@Toe"}};
}

std::vector<Place> biped_body(const char* hand_end, const char* neck = "Neck") {
  return {{"torso", "Chest", neck},        {"neck", neck, "Head"},
          {"head", "Head", "Head_end"},    {"upper_arm", "@Shoulder", "@Elbow"},
          {"forearm", "@Elbow", "@Wrist"}, {"hand", "@Wrist", hand_end},
          {"thigh", "@Hip", "@Knee"},      {"shin", "@Knee", "@Ankle"},
          {"foot", "@Ankle", "@Toe_end"}};
}

std::vector<Place> rokoko_body(const char* head_end, const char* hand_end) {
  return {{"torso", "Spine1", "Neck"},
          {"neck", "Neck", "Head"},
          {"head", "Head", head_end, "Hips", kHead},
          {"upper_arm", "@Arm", "@ForeArm"},
          {"forearm", "@ForeArm", "@Hand"},
          {"hand", "@Hand", hand_end, "@ForeArm", kHand},
          {"thigh", "@Thigh", "@Shin"},
          {"shin", "@Shin", "@Foot"},
          {"foot", "@Foot", "@ToeTip"}};
}

/// `places` with each joint's name after `prefix`; the strings live as long as the program.
std::vector<Place> prefixed(std::vector<Place> places, const std::string& prefix) {
  static std::vector<std::unique_ptr<std::string>> kept;
  const auto put = [&](const char*& name) {
    if (*name == '\0') return;
    kept.push_back(std::make_unique<std::string>(prefix + name));
    name = kept.back()->c_str();
  };
  for (Place& place : places) {
    put(place.joint);
    put(place.end);
    put(place.from);
  }
  return places;
}

std::vector<Source> sources() {
  std::vector<Source> all;
  all.push_back({"CMU ASF",
                 test::cmu_asf(),
                 {{"torso", "upperback", "lowerneck"},
                  {"neck", "lowerneck", "head"},
                  {"head", "head", "head_end"},
                  {"upper_arm", "&humerus", "&radius"},
                  {"forearm", "&radius", "&hand"},  // lwrist only twists: the wrist is at lhand
                  {"hand", "&hand", "&fingers_end"},
                  {"thigh", "&femur", "&tibia"},
                  {"shin", "&tibia", "&foot"},
                  {"foot", "&foot", "&toes_end"}},
                 "root",
                 "&femur",
                 "",
                 nullptr});
  all.push_back({"cgspeed for MotionBuilder",
                 test::cgspeed_motionbuilder(),
                 {{"torso", "Spine", "Neck"},
                  {"neck", "Neck", "Head"},
                  {"head", "Head", "Head_end"},
                  {"upper_arm", "@Arm", "@ForeArm"},
                  {"forearm", "@ForeArm", "@Hand"},
                  {"hand", "@Hand", "#Fingers_end"},
                  {"thigh", "@UpLeg", "@Leg"},
                  {"shin", "@Leg", "@Foot"},
                  {"foot", "@Foot", "@ToeBase_end"}},
                 "Hips",
                 "@UpLeg",
                 "",
                 nullptr});
  all.push_back({"cgspeed for 3ds Max", test::cgspeed_3dsmax(),
                 biped_body("#Fingers_end", "lowerneck"), "Hips", "@Hip", "", nullptr});
  all.push_back({"Mixamo", test::mixamo(), prefixed(mixamo_body("@HandMiddle4"), "mixamorig:"),
                 "mixamorig:Hips", "mixamorig:@UpLeg", "mixamorig:@Shoulder",
                 &fingers_of("mixamo")});
  all.push_back({"Mixamo without prefix", test::mixamo(""), mixamo_body("@HandMiddle4"), "Hips",
                 "@UpLeg", "@Shoulder", &fingers_of("plain mixamo")});
  all.push_back({"Mixamo without fingers", test::mixamo("mixamorig:", false),
                 prefixed(mixamo_body(""), "mixamorig:"), "mixamorig:Hips", "mixamorig:@UpLeg", "",
                 nullptr});
  all.push_back({"VRM 1.0", test::human_bones(&fingers_of("vrm 1")), human_body("%MiddleDistal"),
                 "hips", "%UpperLeg", "%Shoulder", &fingers_of("vrm 1")});
  all.push_back({"Unity and VRM 0", test::human_bones(&fingers_of("unity")),
                 human_body("%MiddleDistal"), "hips", "%UpperLeg", "%Shoulder",
                 &fingers_of("unity")});
  all.push_back({"human bones without fingers", test::human_bones(nullptr), human_body(""), "hips",
                 "%UpperLeg", "", nullptr});
  all.push_back({"VRoid",
                 test::vroid(),
                 {{"torso", "J_Bip_C_Spine", "J_Bip_C_Neck"},
                  {"neck", "J_Bip_C_Neck", "J_Bip_C_Head"},
                  {"head", "J_Bip_C_Head", "", "J_Bip_C_Hips", kHead},
                  {"upper_arm", "J_Bip_#_UpperArm", "J_Bip_#_LowerArm"},
                  {"forearm", "J_Bip_#_LowerArm", "J_Bip_#_Hand"},
                  {"hand", "J_Bip_#_Hand", "J_Bip_#_Middle3_end"},
                  {"thigh", "J_Bip_#_UpperLeg", "J_Bip_#_LowerLeg"},
                  {"shin", "J_Bip_#_LowerLeg", "J_Bip_#_Foot"},
                  {"foot", "J_Bip_#_Foot", "J_Bip_#_ToeBase"}},
                 "J_Bip_C_Hips",
                 "J_Bip_#_UpperLeg",
                 "J_Bip_#_Shoulder",
                 &fingers_of("vroid")});
  all.push_back(
      {"Xsens MVN", test::xsens_mvn(false), xsens_body(""), "Pelvis", "@UpperLeg", "", nullptr});
  all.push_back({"Xsens MVN with gloves", test::xsens_mvn(true), xsens_body("@ThirdDP"), "Pelvis",
                 "@UpperLeg", "@Shoulder", &fingers_of("xsens")});
  all.push_back(
      {"Xsens BVH", test::xsens_bvh(), biped_body("@Wrist_end"), "Hips", "@Hip", "", nullptr});
  all.push_back({"Character Studio BVH", test::biped_bvh(), biped_body("@Finger22_end"), "Hips",
                 "@Hip", "@Collar", &fingers_of("biped")});
  all.push_back(
      {"Rokoko", test::rokoko_newton(false), rokoko_body("", ""), "Hips", "@Thigh", "", nullptr});
  all.push_back({"Rokoko with gloves", test::rokoko_newton(true),
                 rokoko_body("HeadTip", "@Finger3Tip"), "Hips", "@Thigh", "@Shoulder",
                 &fingers_of("rokoko")});
  return all;
}

/// Checks links of an avatar against a source's joints, in the world of the rest pose.
class Checker {
 public:
  Checker(const Avatar& avatar, const Skeleton& skeleton)
      : avatar_(avatar), skeleton_(skeleton), places_(skeleton.rest_positions()) {
    for (const Joint& joint : skeleton.joints()) {
      Quat turn = joint.rest.rotation;
      if (joint.parent >= 0) turn = turns_[static_cast<std::size_t>(joint.parent)] * turn;
      turns_.push_back(turn);
    }
  }

  void check(const Place& place) {
    if (!test::is_sided(place.joint)) return check(place, place.link, true);
    check(place, std::string("left_") + place.link, true);
    check(place, std::string("right_") + place.link, false);
  }

  void check_pelvis(const Source& source) {
    const Link& link = found("pelvis");
    EXPECT_EQ(link.joint, joint(source.hips, true));
    expect_at(link, link.a, at(source.thigh, true));
    expect_at(link, link.b, at(source.thigh, false));
  }

 private:
  void check(const Place& place, const std::string& name, bool left) {
    SCOPED_TRACE(name);
    const Link& link = found(name);
    EXPECT_EQ(link.joint, joint(place.joint, left))
        << skeleton_.joints()[static_cast<std::size_t>(link.joint)].name;
    const Vec3 start = at(place.joint, left);
    expect_at(link, link.a, start);
    expect_at(link, link.b,
              *place.end != '\0' ? at(place.end, left)
                                 : start + place.times * (start - at(place.from, left)));
  }

  const Link& found(const std::string& name) {
    const auto links = avatar_.links();
    const auto it =
        std::find_if(links.begin(), links.end(), [&](const Link& l) { return l.name == name; });
    EXPECT_NE(it, links.end()) << name;
    static const Link kNone;
    return it == links.end() ? kNone : *it;
  }

  int joint(const std::string& name, bool left) {
    const int found = skeleton_.find(test::on_side(name, left));
    EXPECT_GE(found, 0) << name;
    return std::max(found, 0);
  }

  Vec3 at(const std::string& name, bool left) {
    return places_[static_cast<std::size_t>(joint(name, left))];
  }

  void expect_at(const Link& link, const Vec3& end, const Vec3& place) {
    const std::size_t j = static_cast<std::size_t>(link.joint);
    const Vec3 world = core::rotate(turns_[j], end) + places_[j];
    EXPECT_LT(core::norm(world - place), 1e-12)
        << world.x << ' ' << world.y << ' ' << world.z << " instead of " << place.x << ' '
        << place.y << ' ' << place.z;
  }

  const Avatar& avatar_;
  const Skeleton& skeleton_;
  std::vector<Vec3> places_;
  std::vector<Quat> turns_;
};

void check_fingers(Checker& checker, const HandNames& names) {
  const char* const fingers[] = {"thumb", "index", "middle", "ring", "little"};
  for (std::size_t f = 0; f < 5; ++f) {
    const char* const bones[] = {f == 0 ? "metacarpal" : "proximal", f == 0 ? "proximal" : "medial",
                                 "distal"};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string link = std::string(fingers[f]) + "_" + bones[i];
      checker.check({link.c_str(), names[f][i].c_str(), names[f][i + 1].c_str(),
                     i == 2 ? names[f][1].c_str() : "", f == 0 || f == 4 ? 0.5 : 0.4});
    }
  }
}

void check_source(const Source& source, const Skeleton& skeleton) {
  const auto sixteen = Avatar::bind(*load_avatar_model("humanoid16"), skeleton);
  ASSERT_TRUE(sixteen.ok()) << sixteen.error().message;
  ASSERT_EQ(sixteen->links().size(), 16U);
  Checker body(*sixteen, skeleton);
  body.check_pelvis(source);
  for (const Place& place : source.body) body.check(place);

  const auto hands = Avatar::bind(*load_avatar_model("humanoid_hands"), skeleton);
  const auto chosen = choose_avatar(skeleton);
  ASSERT_EQ(hands.ok(), source.fingers != nullptr) << hands.error().message;
  EXPECT_EQ(chosen->name(), source.fingers != nullptr ? "humanoid_hands" : "humanoid16");
  if (source.fingers == nullptr) return;
  ASSERT_EQ(hands->links().size(), 48U);
  Checker all(*hands, skeleton);
  all.check_pelvis(source);
  for (Place place : source.body) {
    if (std::string(place.link) == "hand") {
      place.link = "palm";
      place.end = (*source.fingers)[2][0].c_str();
    } else if (std::string(place.link) == "upper_arm") {
      all.check({"clavicle", source.collar, place.joint});
    }
    all.check(place);
  }
  check_fingers(all, *source.fingers);
}

TEST(AvatarSources, EveryLinkFindsItsJoints) {
  for (const Source& source : sources()) {
    SCOPED_TRACE(source.name);
    for (const bool turned : {false, true}) {
      const auto skeleton = test::make_skeleton(source.bones, 1.0, turned);
      ASSERT_TRUE(skeleton.ok()) << skeleton.error().message;
      check_source(source, *skeleton);
    }
  }
}

std::string in_capitals(const std::string& joint) {
  std::string name = joint;
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name;
}

std::string in_small_letters(const std::string& joint) {
  std::string name = joint;
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

std::string with_another_prefix(const std::string& name) {
  return "Actor1:rig:" + name.substr(name.rfind(':') + 1);
}

TEST(AvatarSources, CaseAndPrefixChangeNothing) {
  for (const Source& source : sources()) {
    SCOPED_TRACE(source.name);
    const auto plain = choose_avatar(*test::make_skeleton(source.bones));
    for (const auto rename : {&in_capitals, &in_small_letters, &with_another_prefix}) {
      const auto other = choose_avatar(*test::make_skeleton(source.bones, 1.0, false, rename));
      EXPECT_EQ(other->name(), plain->name());
      ASSERT_EQ(other->links().size(), plain->links().size());
      for (std::size_t i = 0; i < plain->links().size(); ++i) {
        EXPECT_EQ(other->links()[i].name, plain->links()[i].name);
        EXPECT_EQ(other->links()[i].joint, plain->links()[i].joint) << plain->links()[i].name;
        EXPECT_EQ(other->links()[i].a, plain->links()[i].a);
        EXPECT_EQ(other->links()[i].b, plain->links()[i].b);
      }
    }
  }
}

TEST(AvatarSources, MixamoWithoutItsColon) {
  const auto plain = choose_avatar(*test::make_skeleton(test::mixamo("")));
  for (const char* prefix : {"mixamorig", "mixamorig_", "Armature:mixamorig"}) {
    const auto other = choose_avatar(*test::make_skeleton(test::mixamo(prefix)));
    ASSERT_EQ(other->name(), "humanoid_hands") << prefix;
    for (std::size_t i = 0; i < plain->links().size(); ++i) {
      EXPECT_EQ(other->links()[i].joint, plain->links()[i].joint) << plain->links()[i].name;
      EXPECT_EQ(other->links()[i].b, plain->links()[i].b);
    }
  }
}

TEST(AvatarSources, AHandWithoutAllItsFingersIsOneLink) {
  for (const char* missing : {"@HandRing2", "@HandThumb1", "@HandPinky3"}) {
    std::vector<Bone> bones = test::mixamo("");
    const auto below = [&](const std::string& name) {
      return name.rfind(std::string(missing).substr(0, std::string(missing).size() - 1), 0) == 0 &&
             name >= missing;
    };
    std::erase_if(bones, [&](const Bone& bone) { return below(bone.name); });
    const auto chosen = choose_avatar(*test::make_skeleton(bones));
    EXPECT_EQ(chosen->name(), "humanoid16") << missing;
  }
}

TEST(AvatarSources, FingersWithoutTipsAreMadeLonger) {
  std::vector<Bone> bones = test::mixamo("");
  std::erase_if(bones, [](const Bone& bone) {
    return bone.name.find("@Hand") == 0 && bone.name.back() == '4';
  });
  const auto skeleton = test::make_skeleton(bones);
  const auto chosen = choose_avatar(*skeleton);
  ASSERT_EQ(chosen->name(), "humanoid_hands");
  Checker checker(*chosen, *skeleton);
  HandNames names = test::mixamo_hand();
  for (auto& finger : names) finger[3].clear();
  check_fingers(checker, names);
}

TEST(AvatarSources, AnUnknownRigIsToldWhichNamesComeClosest) {
  std::vector<Bone> bones = test::xsens_mvn(false);
  for (Bone& bone : bones) {
    for (std::string* name : {&bone.name, &bone.parent}) {
      if (*name == "@LowerLeg") *name = "@Shank";
    }
    // Legs that point up: no person's shape either.
    if (bone.name == "@Shank" || bone.name == "@Foot" || bone.name == "@Toe") bone.at.y = 2.0;
  }
  const auto avatar = Avatar::bind(*load_avatar_model("humanoid16"), *test::make_skeleton(bones));
  ASSERT_FALSE(avatar.ok());
  const std::string& text = avatar.error().message;
  EXPECT_NE(text.find("closest: xsens_mvn"), std::string::npos) << text;
  EXPECT_NE(text.find("joint \"LeftLeg\", which the skeleton does not have; names tried: "
                      "LeftLowerLeg"),
            std::string::npos)
      << text;
  EXPECT_LT(text.size(), 2000U);
  EXPECT_EQ(choose_avatar(*test::make_skeleton(bones))->name(), "auto");
}

/// The takes that CMU itself gives bind as well, through the ASF reader's names.
TEST(AvatarSources, TheRecordedSkeletonsOfCmu) {
  for (const char* take :
       {"motions/cmu/01_01.amc", "motions/cmu/02_01.amc", "motions/cmu/03_02.amc"}) {
    TOCSIN_NEEDS_DATA(take);
    const auto motion = load_motion(test::data_path(take));
    ASSERT_TRUE(motion.ok()) << motion.error().message;
    const auto chosen = choose_avatar(motion->skeleton());
    ASSERT_EQ(chosen->name(), "humanoid16");
    for (const Link& link : chosen->links()) {
      const std::string& joint =
          motion->skeleton().joints()[static_cast<std::size_t>(link.joint)].name;
      if (link.name == "left_forearm") {
        EXPECT_EQ(joint, "lradius");
        // lradius and lwrist of 01.asf, 02.asf, 03.asf lie on one line: about 0.29 m.
        EXPECT_NEAR(core::norm(link.b), 0.29, 0.03);
      } else if (link.name == "right_hand") {
        EXPECT_EQ(joint, "rhand");
      }
    }
  }
}

}  // namespace
}  // namespace tocsin::avatar_sources_test
