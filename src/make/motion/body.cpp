#include "make/motion/body.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "make/motion/rotation.h"

namespace tocsin::make {
namespace {

constexpr double kH = kStature;

using Joints = std::array<Joint, kBodyJoints>;

void set(Joints& joints, int index, std::string name, int parent, const Vec3& offset) {
  Joint& joint = joints[static_cast<std::size_t>(index)];
  joint.name = std::move(name);
  joint.parent = parent;
  joint.rest.translation = offset;
}

/// Heights of the trunk's joints are ours, between the table's hip (0.530 H), shoulder (0.818 H)
/// and chin (0.870 H).
void add_trunk(Joints& joints) {
  set(joints, kHips, "Hips", -1, {0.0, kHipHeight, 0.0});
  set(joints, kSpine, "Spine", kHips, {0.0, 0.055 * kH, -0.005 * kH});
  set(joints, kSpine + 1, "Spine1", kSpine, {0.0, 0.070 * kH, 0.0});
  set(joints, kChest, "Spine2", kSpine + 1, {0.0, 0.075 * kH, 0.0});
  set(joints, kNeck, "Neck", kChest, {0.0, 0.112 * kH, 0.0});
  set(joints, kHead, "Head", kNeck, {0.0, 0.050 * kH, 0.010 * kH});
  set(joints, kHead + 1, "HeadTop_End", kHead, {0.0, kH - 0.892 * kH, 0.0});
}

struct Finger {
  const char* name;
  Vec3 base;       ///< of its first joint, in the left hand's frame
  double bone[3];  ///< lengths, the last one with the finger's pad
};

/// The joint in the parent's frame: the left one's, or its mirror image.
Vec3 on(Side side, const Vec3& left) { return side == kLeft ? left : mirrored(left); }

void add_arm(Joints& joints, Side side) {
  const std::string name = side == kLeft ? "Left" : "Right";
  constexpr double kChestHeight = 0.730 * kH;
  constexpr double kInner = 0.020 * kH;  // the clavicle's inner end; ours
  set(joints, clavicle(side), name + "Shoulder", kChest,
      on(side, {kInner, 0.820 * kH - kChestHeight, 0.005 * kH}));
  set(joints, upper_arm(side), name + "Arm", clavicle(side),
      on(side, {kHalfShoulders - kInner, kShoulderHeight - 0.820 * kH, 0.0}));
  set(joints, forearm(side), name + "ForeArm", upper_arm(side), on(side, {kUpperArm, 0.0, 0.0}));
  set(joints, hand(side), name + "Hand", forearm(side), on(side, {kForearm, 0.0, 0.0}));

  // Where the fingers start across the hand is ours; the thumb points forward and inwards.
  const Finger fingers[5] = {{"Thumb", {0.022, -0.008, 0.022}, {0.046, 0.032, 0.026}},
                             {"Index", {kPalm - 0.001, 0.0, 0.023}, {0.040, 0.022, 0.020}},
                             {"Middle", {kPalm, 0.0, 0.0}, {0.045, 0.026, 0.021}},
                             {"Ring", {kPalm - 0.006, 0.0, -0.020}, {0.041, 0.026, 0.021}},
                             {"Pinky", {kPalm - 0.015, 0.0, -0.039}, {0.033, 0.018, 0.020}}};
  const Vec3 along_finger{1.0, 0.0, 0.0};
  const Vec3 along_thumb = unit({0.75, -0.25, 0.60});
  for (int f = 0; f < 5; ++f) {
    const Finger& finger = fingers[f];
    const std::string base = name + "Hand" + finger.name;
    set(joints, finger_joint(side, f, 0), base + "1", hand(side), on(side, finger.base));
    for (int bone = 0; bone < 3; ++bone) {
      const Vec3 offset = finger.bone[bone] * (f == 0 ? along_thumb : along_finger);
      set(joints, finger_joint(side, f, bone + 1), base + std::to_string(bone + 2),
          finger_joint(side, f, bone), on(side, offset));
    }
  }
}

void add_leg(Joints& joints, Side side) {
  const std::string name = side == kLeft ? "Left" : "Right";
  set(joints, thigh(side), name + "UpLeg", kHips, on(side, {kHalfHips, 0.0, 0.0}));
  set(joints, shin(side), name + "Leg", thigh(side), {0.0, -kThigh, 0.0});
  set(joints, foot(side), name + "Foot", shin(side), {0.0, -kShin, 0.0});
  set(joints, toes(side), name + "ToeBase", foot(side),
      {0.0, kToeJointHeight - kAnkleHeight, kBall});
  set(joints, toes(side) + 1, name + "Toe_End", toes(side),
      {0.0, kToeTipHeight - kToeJointHeight, kToeTip - kBall});
}

Joints made_joints() {
  Joints joints;
  add_trunk(joints);
  for (const Side side : {kLeft, kRight}) {
    add_arm(joints, side);
    add_leg(joints, side);
  }
  return joints;
}

}  // namespace

const std::array<Joint, kBodyJoints>& body_joints() {
  static const Joints kJoints = made_joints();
  return kJoints;
}

const std::array<Transform, kBodyJoints>& rest_pose() {
  static const std::array<Transform, kBodyJoints> kRest = [] {
    std::array<Transform, kBodyJoints> rest;
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = body_joints()[i].rest;
    return rest;
  }();
  return kRest;
}

Skeleton body_skeleton() {
  const Joints& joints = body_joints();
  return Skeleton::create(std::vector<Joint>(joints.begin(), joints.end())).value();
}

}  // namespace tocsin::make
