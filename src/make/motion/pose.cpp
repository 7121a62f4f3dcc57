#include "make/motion/pose.h"

#include <algorithm>
#include <utility>

#include "make/motion/rotation.h"
#include "make/motion/smooth.h"
#include "make/motion/two_bones.h"

namespace tocsin::make {
namespace {

constexpr int kTrunkJoints = 3;
constexpr int kNeckJoints = 2;

Quat bend_rotation(const Bend& bend, double share) {
  return about_y(share * bend.twist) * about_z(-share * bend.lateral) *
         about_x(share * bend.flexion);
}

Vec3 end_of(const Transform& frame, const Vec3& offset) {
  return frame.translation + core::rotate(frame.rotation, offset);
}

/// The frame of a child joint that is turned by `rotation` in its parent.
Transform child_of(const Transform& parent, int joint, const Quat& rotation) {
  return {parent.rotation * rotation, end_of(parent, offset_of(joint))};
}

Quat clavicle_rotation(const ArmControls& arm) {
  return about_y(-arm.protract) * about_z(arm.shrug);
}

// ---- legs ----

struct PlacedFoot {
  Vec3 ankle;
  Quat turn;
};

PlacedFoot placed_foot(const LegControls& leg) {
  // Heel up about the toe joint, then toes up about the heel; both in the plane x = 0 of the print.
  constexpr double kArch = kAnkleHeight - kToeJointHeight;
  const core::SinCos rise = core::sincos_degrees(leg.heel_rise);
  const double z = kBall - kBall * rise.cos + kArch * rise.sin;
  const double y = kToeJointHeight + kBall * rise.sin + kArch * rise.cos;
  const core::SinCos toe = core::sincos_degrees(leg.toe_rise);
  const Vec3 ankle{0.0, (z - kHeel) * toe.sin + y * toe.cos,
                   kHeel + (z - kHeel) * toe.cos - y * toe.sin};
  const Quat yaw = about_y(leg.yaw);
  return {leg.print + core::rotate(yaw, ankle), yaw * about_x(leg.heel_rise - leg.toe_rise)};
}

void pose_leg(const LegControls& leg, Side side, const Transform& pelvis, Transform* pose) {
  const double sign = side == kLeft ? 1.0 : -1.0;
  const Vec3 hip = end_of(pelvis, offset_of(thigh(side)));
  const PlacedFoot placed = placed_foot(leg);
  Vec3 ankle = placed.ankle;
  Vec3 pole = core::rotate(about_y(leg.yaw + sign * leg.knee_out), {0.0, 0.0, 1.0});
  if (leg.freedom > 0.0) {
    const Quat swing = pelvis.rotation * about_x(-leg.flexion) * about_z(sign * leg.abduction) *
                       about_y(sign * leg.rotation);
    const core::SinCos knee = core::sincos_degrees(leg.knee);
    const Vec3 leg_line{0.0, -kThigh - kShin * knee.cos, -kShin * knee.sin};
    ankle = mix(ankle, hip + core::rotate(swing, leg_line), leg.freedom);
    pole = mix(pole, core::rotate(swing, {0.0, 0.0, 1.0}), leg.freedom);
  }
  const TwoBones bones = solve_two_bones(ankle - hip, kThigh, kShin, pole);
  const Vec3 up = -bones.upper;
  const Quat upper = from_basis(bones.axis, up, core::cross(bones.axis, up));
  const Quat knee{bones.half_cos, bones.half_sin, 0.0, 0.0};
  const Quat standing = core::conjugate(upper * knee) * placed.turn;
  pose[thigh(side)].rotation = core::conjugate(pelvis.rotation) * upper;
  pose[shin(side)].rotation = knee;
  pose[foot(side)].rotation =
      leg.freedom > 0.0 ? blend(standing, about_x(leg.plantar), leg.freedom) : standing;
  pose[toes(side)].rotation = about_x(-leg.heel_rise * (1.0 - leg.freedom));
}

// ---- arms ----
// All of it for a left arm, in the chest's frame; a right arm is the mirror image.

struct ArmPose {
  Quat upper;  ///< in the chest's frame
  Quat elbow;
  Quat hand;
};

/// The line from shoulder to wrist and the side of the elbow, in the chest's frame.
struct ArmLine {
  Vec3 reach;
  Vec3 pole;
};

ArmLine free_line(const ArmControls& arm) {
  const Quat hang = about_z(arm.abduction) * about_y(arm.azimuth) * about_x(-arm.flexion);
  const core::SinCos swivel = core::sincos_degrees(arm.swivel);
  const double cosine_elbow = cosine(arm.elbow);
  const double length = std::sqrt(kUpperArm * kUpperArm + kForearm * kForearm +
                                  2.0 * kUpperArm * kForearm * cosine_elbow);
  return {core::rotate(hang, {0.0, -length, 0.0}),
          core::rotate(hang, {swivel.sin, 0.0, -swivel.cos})};
}

Quat free_hand(const ArmControls& arm) {
  return about_x(arm.pronation) * about_y(-arm.radial) * about_z(-arm.wrist);
}

ArmPose solve_arm(const ArmControls& arm, Side side, const Transform& chest) {
  ArmLine line = free_line(arm);
  Quat planted_turn;
  if (arm.planted > 0.0) {
    const auto to_left = [&](const Vec3& v) { return side == kLeft ? v : mirrored(v); };
    const Quat to_chest = core::conjugate(chest.rotation);
    const Quat turn = to_chest * arm.turn;
    planted_turn = side == kLeft ? turn : mirrored(turn);
    const Vec3 knuckle = to_left(core::rotate(to_chest, arm.knuckle - chest.translation));
    const Vec3 wrist = knuckle - core::rotate(planted_turn, {kPalm, 0.0, 0.0});
    line.reach = mix(line.reach, wrist - shoulder_in_chest(arm), arm.planted);
    line.pole = mix(line.pole, arm.pole, arm.planted);
  }
  const TwoBones bones = solve_two_bones(line.reach, kUpperArm, kForearm, line.pole);
  ArmPose out;
  // The elbow's axis is the arm's -y in the rest pose: it bends forward.
  out.upper = from_basis(bones.upper, -bones.axis, core::cross(bones.upper, -bones.axis));
  out.elbow = {bones.half_cos, 0.0, -bones.half_sin, 0.0};
  out.hand = free_hand(arm);
  if (arm.planted > 0.0) {
    const Quat standing = core::conjugate(out.upper * out.elbow) * planted_turn;
    out.hand = blend(out.hand, standing, arm.planted);
  }
  return out;
}

void pose_fingers(const ArmControls& arm, Side side, Transform* pose) {
  const auto on_side = [&](const Quat& q) { return side == kLeft ? q : mirrored(q); };
  // A relaxed hand: the base bends about half as much as the middle, the last joint two thirds.
  const double base = mix(0.5 * arm.curl, -arm.finger_extension, arm.planted);
  const double curl = mix(arm.curl, 0.0, arm.planted);
  const Quat bones[3] = {on_side(about_z(-base)), on_side(about_z(-curl)),
                         on_side(about_z(-0.66 * curl))};
  const Quat thumb = on_side(about_y(0.4 * curl));
  for (int bone = 0; bone < 3; ++bone) {
    for (int finger = 1; finger < 5; ++finger) {
      pose[finger_joint(side, finger, bone)].rotation = bones[bone];
    }
    if (bone > 0) pose[finger_joint(side, 0, bone)].rotation = thumb;
  }
}

void pose_arm(const ArmControls& arm, Side side, const Transform& chest, Transform* pose) {
  const ArmPose solved = solve_arm(arm, side, chest);
  const auto on_side = [&](const Quat& q) { return side == kLeft ? q : mirrored(q); };
  const Quat collar = clavicle_rotation(arm);
  pose[clavicle(side)].rotation = on_side(collar);
  pose[upper_arm(side)].rotation = on_side(core::conjugate(collar) * solved.upper);
  pose[forearm(side)].rotation = on_side(solved.elbow);
  pose[hand(side)].rotation = on_side(solved.hand);
  pose_fingers(arm, side, pose);
}

}  // namespace

Controls mirrored(const Controls& controls) {
  Controls out = controls;
  out.pelvis = mirrored(out.pelvis);
  out.pelvis_turn = mirrored(out.pelvis_turn);
  for (Bend* bend : {&out.trunk, &out.neck}) {
    bend->lateral = -bend->lateral;
    bend->twist = -bend->twist;
  }
  std::swap(out.arm[kLeft], out.arm[kRight]);
  std::swap(out.leg[kLeft], out.leg[kRight]);
  for (ArmControls& arm : out.arm) {
    arm.knuckle = mirrored(arm.knuckle);
    arm.turn = mirrored(arm.turn);
  }
  for (LegControls& leg : out.leg) {
    leg.print = mirrored(leg.print);
    leg.yaw = -leg.yaw;
  }
  return out;
}

Transform chest_frame(const Controls& controls) {
  Transform frame{controls.pelvis_turn, controls.pelvis};
  const Quat bend = bend_rotation(controls.trunk, 1.0 / kTrunkJoints);
  for (int joint = kSpine; joint <= kChest; ++joint) frame = child_of(frame, joint, bend);
  return frame;
}

Vec3 shoulder_in_chest(const ArmControls& arm) {
  return offset_of(clavicle(kLeft)) +
         core::rotate(clavicle_rotation(arm), offset_of(upper_arm(kLeft)));
}

Vec3 straight_hand_knuckle(const ArmControls& arm) {
  const ArmLine line = free_line(arm);
  const TwoBones bones = solve_two_bones(line.reach, kUpperArm, kForearm, line.pole);
  return kUpperArm * bones.upper + (kForearm + kPalm) * bones.lower;
}

void pose_body(const Controls& controls, std::span<Transform> pose) {
  const std::array<Transform, kBodyJoints>& rest = rest_pose();
  std::copy(rest.begin(), rest.end(), pose.begin());
  pose[kHips] = {controls.pelvis_turn, controls.pelvis};
  const Quat trunk = bend_rotation(controls.trunk, 1.0 / kTrunkJoints);
  for (int joint = kSpine; joint <= kChest; ++joint) {
    pose[static_cast<std::size_t>(joint)].rotation = trunk;
  }
  const Quat neck = bend_rotation(controls.neck, 1.0 / kNeckJoints);
  pose[kNeck].rotation = neck;
  pose[kHead].rotation = neck;
  const Transform chest = chest_frame(controls);
  for (const Side side : {kLeft, kRight}) {
    pose_leg(controls.leg[side], side, pose[kHips], pose.data());
    pose_arm(controls.arm[side], side, chest, pose.data());
  }
  // Products of unit quaternions: Motion::create() normalises what rounding has made of them.
  for (Transform& joint : pose) joint.rotation = canonical(joint.rotation);
}

}  // namespace tocsin::make
