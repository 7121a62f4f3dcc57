// The body that Tocsin's own takes move: a person of 1.75 m and average proportions.
//
// Frames: rest pose is the T-pose, all rest rotations are the identity; Y up, facing +z, left = +x,
// the soles on y = 0. Metres. Joint names are those of the HumanIK and Mixamo family.
//
// Lengths: fractions of stature H after Drillis and Contini (1966), as in Winter, "Biomechanics and
// Motor Control of Human Movement", fig. 4.1; finger bones after Buryanov and Kotiuk, "Proportions
// of hand segments" (Int. J. Morphol. 28, 2010). Other lengths are our own choice, as marked here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tocsin/skeleton.h"

namespace tocsin::make {

inline constexpr double kStature = 1.75;

inline constexpr double kHipHeight = 0.530 * kStature;
inline constexpr double kThigh = 0.245 * kStature;
inline constexpr double kAnkleHeight = 0.039 * kStature;
inline constexpr double kShin = kHipHeight - kThigh - kAnkleHeight;  ///< 0.246 H
inline constexpr double kUpperArm = 0.186 * kStature;
inline constexpr double kForearm = 0.146 * kStature;
inline constexpr double kHand = 0.108 * kStature;  ///< wrist to the middle finger's tip
inline constexpr double kShoulderHeight = 0.818 * kStature;

/// Half the distance between the joint centres. Ours: the figure's 0.129 H and 0.0955 H go to the
/// outside of the shoulders and hips.
inline constexpr double kHalfHips = 0.050 * kStature;
inline constexpr double kHalfShoulders = 0.105 * kStature;

// The sole, in a frame on the floor below the ankle. The foot's length is 0.152 H; that the ankle
// stands above a quarter of it, and the ball of the foot at three quarters, is ours.
inline constexpr double kHeel = -0.038 * kStature;  ///< z of the heel's end
inline constexpr double kBall = 0.076 * kStature;   ///< z of the toe joint
inline constexpr double kToeTip = 0.114 * kStature;
inline constexpr double kToeJointHeight = 0.017 * kStature;
inline constexpr double kToeTipHeight = 0.012 * kStature;

/// Wrist to the joint at the base of the middle finger: what its three bones leave of the hand.
inline constexpr double kPalm = kHand - 0.092;

enum Side : std::uint8_t { kLeft = 0, kRight = 1 };

// Indices of the joints. The left half comes first; a right joint is its left one + kRightArm -
// kLeftArm, or + kRightLeg - kLeftLeg.
inline constexpr int kHips = 0;
inline constexpr int kSpine = 1;  ///< and 2, 3: Spine1, Spine2
inline constexpr int kChest = 3;
inline constexpr int kNeck = 4;
inline constexpr int kHead = 5;
inline constexpr int kLeftClavicle = 7;  ///< then upper arm, forearm, hand, and 5 x 4 finger joints
inline constexpr int kArmJoints = 24;
inline constexpr int kLeftThigh = kLeftClavicle + 2 * kArmJoints;  ///< then shin, foot, toes, tip
inline constexpr int kLegJoints = 5;
inline constexpr int kBodyJoints = kLeftThigh + 2 * kLegJoints;

constexpr int clavicle(Side side) { return kLeftClavicle + kArmJoints * side; }
constexpr int upper_arm(Side side) { return clavicle(side) + 1; }
constexpr int forearm(Side side) { return clavicle(side) + 2; }
constexpr int hand(Side side) { return clavicle(side) + 3; }
/// finger 0 is the thumb, 4 the little finger; bone 0 to 2, 3 is the tip.
constexpr int finger_joint(Side side, int finger, int bone) {
  return clavicle(side) + 4 + 4 * finger + bone;
}
constexpr int thigh(Side side) { return kLeftThigh + kLegJoints * side; }
constexpr int shin(Side side) { return thigh(side) + 1; }
constexpr int foot(Side side) { return thigh(side) + 2; }
constexpr int toes(Side side) { return thigh(side) + 3; }

/// The joints with names, parents and rest transforms; kBodyJoints of them, in the order above.
const std::array<Joint, kBodyJoints>& body_joints();

/// Their rest transforms.
const std::array<Transform, kBodyJoints>& rest_pose();

/// Position of a joint in its parent's frame.
inline const Vec3& offset_of(int joint) {
  return rest_pose()[static_cast<std::size_t>(joint)].translation;
}

/// The same as a Skeleton.
Skeleton body_skeleton();

}  // namespace tocsin::make
