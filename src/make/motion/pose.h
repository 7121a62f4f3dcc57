// Computes the pose of the body's joints from controls: where the pelvis is, where a foot stands,
// how an arm is held.
//
// Angles in degrees, as a clinician measures them: each grows with the movement of its name, on the
// left and on the right. Metres, world frame unless stated otherwise.
#pragma once

#include <array>
#include <span>

#include "make/motion/body.h"
#include "tocsin/types.h"

namespace tocsin::make {

/// The trunk's or the neck's bend against the pelvis or the chest, spread over its joints.
struct Bend {
  double flexion = 0.0;  ///< forward
  double lateral = 0.0;  ///< to the left
  double twist = 0.0;    ///< to the left
};

/// A leg between standing (freedom 0: the foot's position is given) and moving freely (freedom 1:
/// angles at the joints are given).
struct LegControls {
  // The foot on the floor: first the heel is raised about the toe joint, the toes staying flat,
  // then the foot about the heel. Both keep the sole on or above the floor, and its supporting part
  // in place.
  Vec3 print;              ///< the floor point below the ankle of the flat foot; y lifts the foot
  double yaw = 0.0;        ///< where the toes point: 0 is +z, 90 is +x
  double heel_rise = 0.0;  ///< 0 or more
  double toe_rise = 0.0;   ///< 0 or more
  double knee_out = 0.0;   ///< the knee bends towards the toes, turned outwards by this

  double freedom = 0.0;
  double flexion = 0.0;
  double abduction = 0.0;
  double rotation = 0.0;  ///< outwards
  double knee = 10.0;
  double plantar = 0.0;  ///< of the ankle: toes down
};

/// An arm: where the line from shoulder to wrist points, seen from the chest, and how far the elbow
/// is bent; or a planted hand.
struct ArmControls {
  double flexion = 0.0;    ///< 0 hangs, 90 points away from the body, 180 points up
  double azimuth = 0.0;    ///< where to: 0 forward, 90 outwards, below 0 across the body
  double abduction = 0.0;  ///< afterwards, about the chest's forward axis: outwards
  double swivel = 0.0;     ///< the elbow, about that line: from back (or down) to outwards
  double elbow = 15.0;     ///< bend
  double shrug = 0.0;      ///< the clavicle upwards
  double protract = 0.0;   ///< the clavicle forward
  double pronation = 0.0;  ///< the thumb from forward (arm hanging) to inwards
  double wrist = 0.0;      ///< flexion, towards the palm
  double radial = 0.0;     ///< deviation, towards the thumb
  double curl = 15.0;      ///< of every finger's middle joint; the others follow

  // A planted hand: the base of the middle finger at a point, the hand turned in the world as
  // given, the fingers flat. The elbow bends towards `pole`, which is in the chest's frame, as if
  // the arm were the left one.
  double planted = 0.0;  ///< 0: free, as above; 1: planted
  Vec3 knuckle;
  Quat turn;
  Vec3 pole = {1.0, 0.0, 0.0};
  double finger_extension = 0.0;  ///< of the first joints, of a planted hand
};

struct Controls {
  Vec3 pelvis = {0.0, kHipHeight, 0.0};
  Quat pelvis_turn;
  Bend trunk;
  Bend neck;
  std::array<ArmControls, 2> arm;  ///< by Side
  std::array<LegControls, 2> leg;
};

/// The mirror image in the plane x = 0: left and right exchanged.
Controls mirrored(const Controls& controls);

/// Writes the joints' transforms, kBodyJoints of them.
void pose_body(const Controls& controls, std::span<Transform> pose);

/// The frame of the chest (joint Spine2) in the world.
Transform chest_frame(const Controls& controls);

/// The left shoulder's place in the chest's frame, or the mirror image of the right one's.
Vec3 shoulder_in_chest(const ArmControls& arm);

/// From the shoulder to the base of the middle finger of a free left arm whose wrist is straight,
/// in the chest's frame.
Vec3 straight_hand_knuckle(const ArmControls& arm);

}  // namespace tocsin::make
