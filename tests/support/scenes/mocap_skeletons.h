// Skeletons as the sources of motions make them: real joint names and parents, plausible places
// (a T-pose, metres, Y up, left is +x, about 1.75 m). Where the names come from: docs/avatars.md.
#pragma once

#include <string>
#include <vector>

#include "support/scenes/bones.h"

namespace tocsin::test {

/// CMU's ASF: a joint where each bone starts; NAME_end where a last one ends.
inline std::vector<Bone> cmu_asf() {
  using namespace place;
  return {{"root", "", kHips},
          {"&hipjoint", "root", kHips},
          {"&femur", "&hipjoint", kHip},
          {"&tibia", "&femur", kKnee},
          {"&foot", "&tibia", kAnkle},
          {"&toes", "&foot", kBall},
          {"&toes_end", "&toes", kToes},
          {"lowerback", "root", kHips},
          {"upperback", "lowerback", kBack2},
          {"thorax", "upperback", kBack3},
          {"lowerneck", "thorax", kChest},
          {"upperneck", "lowerneck", kNeck},
          {"head", "upperneck", kHead},
          {"head_end", "head", kTop},
          {"&clavicle", "thorax", kChest},
          {"&humerus", "&clavicle", kShoulder},
          {"&radius", "&humerus", kElbow},
          {"&wrist", "&radius", {0.65, 1.42, -0.023}},
          {"&hand", "&wrist", kWrist},
          {"&fingers", "&hand", {0.77, 1.42, -0.02}},
          {"&fingers_end", "&fingers", {0.8, 1.42, -0.02}},
          {"&thumb", "&wrist", kWrist},
          {"&thumb_end", "&thumb", {0.76, 1.42, 0.01}}};
}

/// CMU's motions as BVH by cgspeed, for MotionBuilder.
inline std::vector<Bone> cgspeed_motionbuilder() {
  using namespace place;
  return {{"Hips", "", kHips},
          {"#HipJoint", "Hips", kHips},
          {"@UpLeg", "#HipJoint", kHip},
          {"@Leg", "@UpLeg", kKnee},
          {"@Foot", "@Leg", kAnkle},
          {"@ToeBase", "@Foot", kBall},
          {"@ToeBase_end", "@ToeBase", kToes},
          {"LowerBack", "Hips", kHips},
          {"Spine", "LowerBack", kBack2},
          {"Spine1", "Spine", kChest},
          {"Neck", "Spine1", kChest},
          {"Neck1", "Neck", kNeck},
          {"Head", "Neck1", kHead},
          {"Head_end", "Head", kTop},
          {"@Shoulder", "Spine1", kChest},
          {"@Arm", "@Shoulder", kShoulder},
          {"@ForeArm", "@Arm", kElbow},
          {"@Hand", "@ForeArm", kWrist},
          {"@FingerBase", "@Hand", kWrist},
          {"#Fingers", "@FingerBase", {0.77, 1.42, -0.02}},
          {"#Fingers_end", "#Fingers", {0.8, 1.42, -0.02}},
          {"#Thumb", "@Hand", kWrist},
          {"#Thumb_end", "#Thumb", {0.76, 1.42, 0.01}}};
}

/// The same, for 3ds Max: "@Shoulder" is the upper arm here.
inline std::vector<Bone> cgspeed_3dsmax() {
  using namespace place;
  return {{"Hips", "", kHips},
          {"#HipJoint", "Hips", kHips},
          {"@Hip", "#HipJoint", kHip},
          {"@Knee", "@Hip", kKnee},
          {"@Ankle", "@Knee", kAnkle},
          {"@Toe", "@Ankle", kBall},
          {"@Toe_end", "@Toe", kToes},
          {"lowerback", "Hips", kHips},
          {"Chest", "lowerback", kBack2},
          {"Chest2", "Chest", kChest},
          {"lowerneck", "Chest2", kChest},
          {"Neck", "lowerneck", kNeck},
          {"Head", "Neck", kHead},
          {"Head_end", "Head", kTop},
          {"@Collar", "Chest2", kChest},
          {"@Shoulder", "@Collar", kShoulder},
          {"@Elbow", "@Shoulder", kElbow},
          {"@Wrist", "@Elbow", kWrist},
          {"&hand", "@Wrist", kWrist},
          {"#Fingers", "&hand", {0.77, 1.42, -0.02}},
          {"#Fingers_end", "#Fingers", {0.8, 1.42, -0.02}},
          {"#Thumb", "@Wrist", kWrist},
          {"#Thumb_end", "#Thumb", {0.76, 1.42, 0.01}}};
}

inline HandNames mixamo_hand(const std::string& prefix = "") {
  HandNames names;
  const char* const fingers[] = {"Thumb", "Index", "Middle", "Ring", "Pinky"};
  for (std::size_t f = 0; f < 5; ++f) {
    for (std::size_t i = 0; i < 4; ++i) {
      names[f][i] = prefix + "@Hand" + fingers[f] + std::to_string(i + 1);
    }
  }
  return names;
}

/// Mixamo's rig, each name with `prefix`.
inline std::vector<Bone> mixamo(const std::string& prefix = "mixamorig:", bool fingers = true) {
  using namespace place;
  std::vector<Bone> bones{{"Hips", "", kHips},
                          {"Spine", "Hips", kBack},
                          {"Spine1", "Spine", kBack2},
                          {"Spine2", "Spine1", kBack3},
                          {"Neck", "Spine2", kNeck},
                          {"Head", "Neck", kHead},
                          {"HeadTop_End", "Head", kTop},
                          {"@Shoulder", "Spine2", kCollar},
                          {"@Arm", "@Shoulder", kShoulder},
                          {"@ForeArm", "@Arm", kElbow},
                          {"@Hand", "@ForeArm", kWrist},
                          {"@UpLeg", "Hips", kHip},
                          {"@Leg", "@UpLeg", kKnee},
                          {"@Foot", "@Leg", kAnkle},
                          {"@ToeBase", "@Foot", kBall},
                          {"@Toe_End", "@ToeBase", kToes}};
  for (Bone& bone : bones) {
    bone.name.insert(0, prefix);
    if (!bone.parent.empty()) bone.parent.insert(0, prefix);
  }
  if (fingers) add_fingers(bones, prefix + "@Hand", mixamo_hand(prefix));
  return bones;
}

/// Human bones of VRM 1.0 (`thumb`: Metacarpal, Proximal) or of Unity and VRM 0 (Proximal,
/// Intermediate).
inline HandNames human_hand(const std::string& thumb1, const std::string& thumb2) {
  HandNames names;
  names[0] = {"%Thumb" + thumb1, "%Thumb" + thumb2, "%ThumbDistal", ""};
  const char* const fingers[] = {"Index", "Middle", "Ring", "Little"};
  for (std::size_t f = 0; f < 4; ++f) {
    const std::string name = std::string("%") + fingers[f];
    names[f + 1] = {name + "Proximal", name + "Intermediate", name + "Distal", ""};
  }
  return names;
}

/// VRM's and Unity's human bones: nothing ends in a joint.
inline std::vector<Bone> human_bones(const HandNames* hand) {
  using namespace place;
  std::vector<Bone> bones{{"hips", "", kHips},
                          {"spine", "hips", kBack},
                          {"chest", "spine", kBack2},
                          {"upperChest", "chest", kBack3},
                          {"neck", "upperChest", kNeck},
                          {"head", "neck", kHead},
                          {"%Eye", "head", {0.03, 1.62, 0.08}},
                          {"jaw", "head", {0, 1.57, 0.02}},
                          {"%Shoulder", "upperChest", kCollar},
                          {"%UpperArm", "%Shoulder", kShoulder},
                          {"%LowerArm", "%UpperArm", kElbow},
                          {"%Hand", "%LowerArm", kWrist},
                          {"%UpperLeg", "hips", kHip},
                          {"%LowerLeg", "%UpperLeg", kKnee},
                          {"%Foot", "%LowerLeg", kAnkle},
                          {"%Toes", "%Foot", kBall}};
  if (hand != nullptr) add_fingers(bones, "%Hand", *hand);
  return bones;
}

inline HandNames vroid_hand() {
  HandNames names;
  const char* const fingers[] = {"Thumb", "Index", "Middle", "Ring", "Little"};
  for (std::size_t f = 0; f < 5; ++f) {
    const std::string name = std::string("J_Bip_#_") + fingers[f];
    names[f] = {name + "1", name + "2", name + "3", name + "3_end"};
  }
  return names;
}

/// The nodes of a VRM model made by VRoid Studio.
inline std::vector<Bone> vroid() {
  using namespace place;
  std::vector<Bone> bones{{"Root", "", {0, 0, 0}},
                          {"J_Bip_C_Hips", "Root", kHips},
                          {"J_Bip_C_Spine", "J_Bip_C_Hips", kBack},
                          {"J_Bip_C_Chest", "J_Bip_C_Spine", kBack2},
                          {"J_Bip_C_UpperChest", "J_Bip_C_Chest", kBack3},
                          {"J_Bip_C_Neck", "J_Bip_C_UpperChest", kNeck},
                          {"J_Bip_C_Head", "J_Bip_C_Neck", kHead},
                          {"J_Adj_#_FaceEye", "J_Bip_C_Head", {0.03, 1.62, 0.08}},
                          {"J_Sec_#_Bust1", "J_Bip_C_UpperChest", {0.06, 1.25, 0.1}},
                          {"J_Bip_#_Shoulder", "J_Bip_C_UpperChest", kCollar},
                          {"J_Bip_#_UpperArm", "J_Bip_#_Shoulder", kShoulder},
                          {"J_Bip_#_LowerArm", "J_Bip_#_UpperArm", kElbow},
                          {"J_Bip_#_Hand", "J_Bip_#_LowerArm", kWrist},
                          {"J_Bip_#_UpperLeg", "J_Bip_C_Hips", kHip},
                          {"J_Bip_#_LowerLeg", "J_Bip_#_UpperLeg", kKnee},
                          {"J_Bip_#_Foot", "J_Bip_#_LowerLeg", kAnkle},
                          {"J_Bip_#_ToeBase", "J_Bip_#_Foot", kBall}};
  add_fingers(bones, "J_Bip_#_Hand", vroid_hand());
  return bones;
}

inline HandNames xsens_hand() {
  HandNames names;
  names[0] = {"@FirstMC", "@FirstPP", "@FirstDP", ""};
  const char* const fingers[] = {"Second", "Third", "Fourth", "Fifth"};
  for (std::size_t f = 0; f < 4; ++f) {
    const std::string name = std::string("@") + fingers[f];
    names[f + 1] = {name + "PP", name + "MP", name + "DP", ""};
  }
  return names;
}

/// The segments of Xsens MVN, with or without gloves: "@Shoulder" is the collarbone here.
inline std::vector<Bone> xsens_mvn(bool gloves) {
  using namespace place;
  std::vector<Bone> bones{{"Pelvis", "", kHips},
                          {"L5", "Pelvis", kBack},
                          {"L3", "L5", kBack2},
                          {"T12", "L3", kBack3},
                          {"T8", "T12", kChest},
                          {"Neck", "T8", kNeck},
                          {"Head", "Neck", kHead},
                          {"@Shoulder", "T8", kCollar},
                          {"@UpperArm", "@Shoulder", kShoulder},
                          {"@ForeArm", "@UpperArm", kElbow},
                          {"@Hand", "@ForeArm", kWrist},
                          {"@UpperLeg", "Pelvis", kHip},
                          {"@LowerLeg", "@UpperLeg", kKnee},
                          {"@Foot", "@LowerLeg", kAnkle},
                          {"@Toe", "@Foot", kBall}};
  if (!gloves) return bones;
  bones.push_back({"@Carpus", "@Hand", kWrist});
  add_fingers(bones, "@Carpus", xsens_hand(), "@Metacarpal?");
  for (Bone& bone : bones) {  // the real names of the metacarpals
    for (std::string* text : {&bone.name, &bone.parent}) {
      const char* const real[] = {"@SecondMC", "@ThirdMC", "@FourthMC", "@FifthMC"};
      for (std::size_t f = 0; f < 4; ++f) {
        if (*text == "@Metacarpal" + std::to_string(f + 2)) *text = real[f];
      }
    }
  }
  return bones;
}

/// The BVH files of Xsens MVN: "@Shoulder" is the upper arm here.
inline std::vector<Bone> xsens_bvh() {
  using namespace place;
  return {{"Hips", "", kHips},
          {"Chest", "Hips", kBack},
          {"Chest2", "Chest", kBack2},
          {"Chest3", "Chest2", kBack3},
          {"Chest4", "Chest3", kChest},
          {"Neck", "Chest4", kNeck},
          {"Head", "Neck", kHead},
          {"Head_end", "Head", kTop},
          {"@Collar", "Chest4", kCollar},
          {"@Shoulder", "@Collar", kShoulder},
          {"@Elbow", "@Shoulder", kElbow},
          {"@Wrist", "@Elbow", kWrist},
          {"@Wrist_end", "@Wrist", kHandTip},
          {"@Hip", "Hips", kHip},
          {"@Knee", "@Hip", kKnee},
          {"@Ankle", "@Knee", kAnkle},
          {"@Toe", "@Ankle", kBall},
          {"@Toe_end", "@Toe", kToes}};
}

inline HandNames biped_hand() {
  HandNames names;
  for (std::size_t f = 0; f < 5; ++f) {
    const std::string name = "@Finger" + std::to_string(f);
    names[f] = {name, name + "1", name + "2", name + "2_end"};
  }
  return names;
}

/// The BVH files of Character Studio, with fingers.
inline std::vector<Bone> biped_bvh() {
  std::vector<Bone> bones = xsens_bvh();
  std::erase_if(bones, [](const Bone& bone) { return bone.name == "@Wrist_end"; });
  add_fingers(bones, "@Wrist", biped_hand());
  return bones;
}

inline HandNames rokoko_hand() {
  HandNames names;
  names[0] = {"@Finger1Metacarpal", "@Finger1Proximal", "@Finger1Distal", "@Finger1Tip"};
  for (std::size_t f = 1; f < 5; ++f) {
    const std::string name = "@Finger" + std::to_string(f + 1);
    names[f] = {name + "Proximal", name + "Medial", name + "Distal", name + "Tip"};
  }
  return names;
}

/// Rokoko Studio's Newton skeleton, with or without gloves.
inline std::vector<Bone> rokoko_newton(bool gloves) {
  using namespace place;
  std::vector<Bone> bones{{"Root", "", {0, 0, 0}},          {"Hips", "Root", kHips},
                          {"@Thigh", "Hips", kHip},         {"@Shin", "@Thigh", kKnee},
                          {"@Foot", "@Shin", kAnkle},       {"@Toe", "@Foot", kBall},
                          {"@ToeTip", "@Toe", kToes},       {"Spine1", "Hips", kBack},
                          {"Spine2", "Spine1", kBack2},     {"Spine3", "Spine2", kBack3},
                          {"Spine4", "Spine3", kChest},     {"@Shoulder", "Spine4", kCollar},
                          {"@Arm", "@Shoulder", kShoulder}, {"@ForeArm", "@Arm", kElbow},
                          {"@Hand", "@ForeArm", kWrist},    {"Neck", "Spine4", kNeck},
                          {"Head", "Neck", kHead}};
  if (gloves) {
    bones.push_back({"HeadTip", "Head", kTop});
    add_fingers(bones, "@Hand", rokoko_hand(), "@Finger?Metacarpal");
  }
  return bones;
}

}  // namespace tocsin::test
