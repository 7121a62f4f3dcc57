// Binding by shape: whatever joints are called, however the tool that wrote them turned, scaled and
// padded them, the links are those that the names give.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/data.h"
#include "support/scenes/mocap_skeletons.h"
#include "support/scenes/rig_variants.h"
#include "tocsin/binding.h"
#include "tocsin/io.h"

namespace tocsin::avatar_shape_test {
namespace {

using test::Rig;

struct NamedRig {
  std::string name;
  Rig rig;
};

std::vector<NamedRig> made_rigs() {
  static const auto kVrm = test::human_hand("Metacarpal", "Proximal");
  std::vector<NamedRig> out;
  const auto add = [&](const char* name, const std::vector<test::Bone>& bones) {
    for (const bool turned : {false, true}) {
      out.push_back({std::string(name) + (turned ? ", turned" : ""),
                     test::animated(*test::make_skeleton(bones, 1.0, turned))});
    }
  };
  add("CMU ASF", test::cmu_asf());
  add("cgspeed for MotionBuilder", test::cgspeed_motionbuilder());
  add("cgspeed for 3ds Max", test::cgspeed_3dsmax());
  add("Mixamo", test::mixamo());
  add("Mixamo without fingers", test::mixamo("", false));
  add("human bones", test::human_bones(&kVrm));
  add("human bones without fingers", test::human_bones(nullptr));
  add("VRoid", test::vroid());
  add("Xsens MVN", test::xsens_mvn(false));
  add("Xsens MVN with gloves", test::xsens_mvn(true));
  add("Xsens BVH", test::xsens_bvh());
  add("Character Studio", test::biped_bvh());
  add("Rokoko", test::rokoko_newton(false));
  add("Rokoko with gloves", test::rokoko_newton(true));
  return out;
}

/// Those of the takes in ../shared/data and in motions/ that are there.
std::vector<NamedRig> recorded_rigs() {
  std::vector<NamedRig> out;
  for (const char* const take : {"motions/cmu_bvh/01_01.bvh", "motions/cmu/01_01.amc",
                                 "motions/cmu/02_01.amc", "motions/cmu/03_02.amc"}) {
    if (!test::has_data(take)) continue;
    const auto motion = load_motion(test::data_path(take));
    EXPECT_TRUE(motion.ok()) << motion.error().message;
    const std::int64_t last = motion->frame_count() - 1;
    out.push_back({take, test::rig_of(*motion, {0, last / 3, last / 2, last})});
  }
  const auto walk = load_motion(test::source_dir() + "/motions/walk_and_reach.bvh");
  EXPECT_TRUE(walk.ok()) << walk.error().message;
  const std::int64_t last = walk->frame_count() - 1;
  out.push_back({"walk_and_reach", test::rig_of(*walk, {0, last / 3, last / 2, last})});
  return out;
}

std::string other_side(const std::string& link) {
  if (link.rfind("left_", 0) == 0) return "right_" + link.substr(5);
  if (link.rfind("right_", 0) == 0) return "left_" + link.substr(6);
  return link;
}

/// The links of `avatar` on `rig` are those that names give on `named`, in every frame.
void expect_same_links(const Avatar& avatar, const Rig& rig, const Avatar& by_name,
                       const Rig& named, bool swapped) {
  ASSERT_EQ(avatar.name(), by_name.name());
  ASSERT_EQ(avatar.links().size(), by_name.links().size());
  for (std::size_t f = 0; f < rig.frames.size(); ++f) {
    const auto found = test::placed_links(avatar, rig, f);
    for (const auto& [name, wanted] : test::placed_links(by_name, named, f)) {
      const auto it = found.find(swapped ? other_side(name) : name);
      ASSERT_NE(it, found.end()) << name;
      const bool crosswise = swapped && name == "pelvis";  // from the left to the right hip
      const Vec3& a = crosswise ? it->second.b : it->second.a;
      const Vec3& b = crosswise ? it->second.a : it->second.b;
      EXPECT_LT(core::norm(a - wanted.a), 1e-9) << name << ", frame " << f;
      EXPECT_LT(core::norm(b - wanted.b), 1e-9) << name << ", frame " << f;
      EXPECT_EQ(it->second.radius, wanted.radius) << name;
    }
  }
}

/// The first joint below each shoulder, elbow, hip and knee on the way down the limb.
std::set<std::size_t> limb_joints(const Rig& rig, const Avatar& by_name) {
  std::map<std::string, int> moves;
  for (const Link& link : by_name.links()) moves[link.name] = link.joint;
  std::set<std::size_t> out;
  const auto add = [&](const std::string& above, const std::string& below) {
    int joint = moves.at(below);
    while (rig.joints[static_cast<std::size_t>(joint)].parent != moves.at(above)) {
      joint = rig.joints[static_cast<std::size_t>(joint)].parent;
    }
    out.insert(static_cast<std::size_t>(joint));
  };
  for (const std::string side : {"left_", "right_"}) {
    add(side + "upper_arm", side + "forearm");
    add(side + "forearm", side + (moves.count(side + "hand") > 0 ? "hand" : "palm"));
    add(side + "thigh", side + "shin");
    add(side + "shin", side + "foot");
  }
  return out;
}

std::set<std::size_t> all_joints(const Rig& rig) {
  std::set<std::size_t> out;
  for (std::size_t i = 0; i < rig.joints.size(); ++i) out.insert(i);
  return out;
}

std::set<std::size_t> last_joints(const Rig& rig) {
  std::set<std::size_t> out = all_joints(rig);
  for (const Joint& joint : rig.joints) {
    if (joint.parent >= 0) out.erase(static_cast<std::size_t>(joint.parent));
  }
  return out;
}

/// The first child's offset times `share`: a twist joint beside the bone.
Vec3 along_bone(const Rig& rig, std::size_t joint, double share) {
  for (const Joint& child : rig.joints) {
    if (child.parent == static_cast<int>(joint) && core::norm(child.rest.translation) > 0.05) {
      return share * child.rest.translation;
    }
  }
  return {};
}

struct Variant {
  std::string name;
  Rig rig;
  Rig named;  ///< the same body by names
  bool swapped = false;
};

std::vector<Variant> variants_of(const Rig& rig, const Avatar& by_name) {
  const double r = std::sqrt(0.5);
  const Quat z_up{r, r, 0, 0};
  const Quat x_up{r, 0, 0, -r};
  const Quat slanted = core::normalized({0.3, -0.5, 0.2, 0.8});
  const std::set<std::size_t> limbs = limb_joints(rig, by_name);
  std::set<std::size_t> above_limbs;
  for (const std::size_t j : limbs) {
    above_limbs.insert(static_cast<std::size_t>(rig.joints[j].parent));
  }
  std::vector<Variant> out;
  out.push_back({"renamed", rig, rig});
  for (const Quat& turn : {z_up, x_up, slanted}) {
    out.push_back({"another axis up", test::turned(rig, turn), test::turned(rig, turn)});
  }
  for (const double size : {0.4, 1.3}) {
    out.push_back({"scaled", test::scaled(rig, size), test::scaled(rig, size)});
  }
  // A mirrored person's left hand is a right hand: the same links, with sides exchanged.
  for (const int axis : {0, 1, 2}) {
    out.push_back({"mirrored", test::mirrored(rig, axis), test::mirrored(rig, axis), true});
  }
  out.push_back({"twist joints in limbs", test::with_inserted(rig, limbs, {0.5, 0.6}), rig});
  out.push_back(
      {"twist joints at a third", test::with_inserted(rig, limbs, {1.0 / 3.0, -0.4}), rig});
  out.push_back(
      {"twist joints beside limbs",
       test::with_leaves(rig, above_limbs, [&](std::size_t j) { return along_bone(rig, j, 0.5); }),
       rig});
  out.push_back(
      {"helper joints of no length", test::with_inserted(rig, all_joints(rig), {1.0, 0.0}), rig});
  out.push_back({"ends of no length",
                 test::with_leaves(rig, last_joints(rig), [](std::size_t) { return Vec3{}; }),
                 rig});
  Rig padded = test::with_inserted(rig, limbs, {0.5, 0.6});
  padded = test::with_inserted(padded, all_joints(padded), {1.0, 0.0});
  padded = test::with_leaves(padded, last_joints(padded), [](std::size_t) { return Vec3{}; });
  out.push_back({"all at once, mirrored", test::turned(test::mirrored(padded), z_up),
                 test::turned(test::mirrored(rig), z_up), true});
  return out;
}

bool says(const BoundAvatar& bound, const std::string& what) {
  const auto& notes = bound.binding.notes;
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(what) != std::string::npos; });
}

void check_rig(const NamedRig& one) {
  SCOPED_TRACE(one.name);
  const auto by_name = choose_bound_avatar(one.rig.motion());
  ASSERT_TRUE(by_name.ok()) << by_name.error().message;
  ASSERT_EQ(by_name->binding.by, BoundBy::kNames);
  for (const Variant& variant : variants_of(one.rig, by_name->avatar)) {
    SCOPED_TRACE(variant.name);
    const Rig plain = test::renamed(variant.rig);
    const auto found = choose_bound_avatar(plain.motion());
    ASSERT_TRUE(found.ok()) << found.error().message;
    ASSERT_EQ(found->binding.by, BoundBy::kShape);
    EXPECT_TRUE(says(*found, "as the feet show it"));
    for (const BoundJoint& joint : found->binding.joints) EXPECT_TRUE(joint.sure);
    const auto named =
        bind_avatar(*load_avatar_model(by_name->avatar.name()), variant.named.motion());
    expect_same_links(found->avatar, plain, named->avatar, variant.named, variant.swapped);
    // Names keep their sides, and the user is told.
    const auto chosen = choose_bound_avatar(variant.named.motion());
    EXPECT_EQ(says(*chosen, "may be mirrored"), variant.swapped);
  }
}

TEST(AvatarShape, MadeSkeletonsOfEverySource) {
  for (const NamedRig& rig : made_rigs()) check_rig(rig);
}

TEST(AvatarShape, RecordedSkeletons) {
  const auto rigs = recorded_rigs();
  ASSERT_FALSE(rigs.empty());
  for (const NamedRig& rig : rigs) check_rig(rig);
}

/// Legs and arms without hands or feet; `knees`: so far in front of the line from hip to ankle.
std::vector<test::Bone> without_feet(double knees) {
  using namespace test::place;
  return {{"a", "", kHips},
          {"b", "a", kBack},
          {"c", "b", kBack3},
          {"d", "c", kNeck},
          {"e", "d", kHead},
          {"f", "e", kTop},
          {"@g", "c", kShoulder},
          {"@h", "@g", kElbow},
          {"@i", "@h", kWrist},
          {"@k", "a", kHip},
          {"@l", "@k", {0.095, 0.5, -0.005 + knees}},
          {"@m", "@l", kAnkle}};
}

TEST(AvatarShape, WithoutFeetKneesShowTheFrontAndElseItIsSaid) {
  for (const int axis : {-1, 0, 1, 2}) {
    const auto chosen_for = [&](double knees) {
      const Rig rig = test::animated(*test::make_skeleton(without_feet(knees)));
      return choose_bound_avatar((axis < 0 ? rig : test::mirrored(rig, axis)).skeleton());
    };
    const auto bent = chosen_for(0.04);
    ASSERT_EQ(bent->avatar.name(), "humanoid16");
    EXPECT_TRUE(says(*bent, "as the knees show it; they are likely, not sure"));
    const auto straight = chosen_for(0.0);
    ASSERT_EQ(straight->avatar.name(), "humanoid16");
    EXPECT_TRUE(says(*straight, "may be exchanged"));
    for (const auto& chosen : {bent, straight}) {
      for (const BoundJoint& joint : chosen->binding.joints) {
        const bool sided = joint.model_joint[0] == 'L' || joint.model_joint[0] == 'R';
        EXPECT_EQ(joint.sure, !sided) << joint.model_joint;
      }
    }
  }
}

/// A service has no motion when it binds.
TEST(AvatarShape, TheSkeletonAloneDoes) {
  for (const NamedRig& one : made_rigs()) {
    SCOPED_TRACE(one.name);
    const auto by_name = choose_bound_avatar(one.rig.skeleton());
    const Rig plain = test::renamed(one.rig);
    const auto found = choose_bound_avatar(plain.skeleton());
    ASSERT_TRUE(found.ok());
    EXPECT_FALSE(found->binding.from_motion);
    expect_same_links(found->avatar, plain, by_name->avatar, one.rig, false);
  }
}

/// All bones along x, as some tools write them: only the frames show a body.
TEST(AvatarShape, ADegenerateRestPose) {
  for (const NamedRig& one : made_rigs()) {
    SCOPED_TRACE(one.name);
    const Rig straight = test::with_straight_rest(one.rig);
    const auto by_name = choose_bound_avatar(straight.motion());
    ASSERT_EQ(by_name->binding.by, BoundBy::kNames);
    const Rig plain = test::renamed(straight);
    EXPECT_EQ(choose_bound_avatar(plain.skeleton())->avatar.name(), "auto");
    const auto found = choose_bound_avatar(plain.motion());
    ASSERT_TRUE(found.ok());
    ASSERT_EQ(found->binding.by, BoundBy::kShape);
    EXPECT_TRUE(found->binding.from_motion);
    expect_same_links(found->avatar, plain, by_name->avatar, straight, false);
  }
}

}  // namespace
}  // namespace tocsin::avatar_shape_test
