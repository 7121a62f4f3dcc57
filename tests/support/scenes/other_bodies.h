// Skeletons of animals and machines: metres, Y up, facing +z. Made here, of no recording.
#pragma once

#include <string>
#include <vector>

#include "support/scenes/bones.h"

namespace tocsin::test {

inline std::vector<Bone> dog(double tail) {
  std::vector<Bone> bones{{"Root", "", {0, 0, 0}},
                          {"Pelvis", "Root", {0, 0.55, -0.3}},
                          {"Spine1", "Pelvis", {0, 0.56, -0.1}},
                          {"Spine2", "Spine1", {0, 0.56, 0.1}},
                          {"Chest", "Spine2", {0, 0.55, 0.25}},
                          {"Neck", "Chest", {0, 0.65, 0.35}},
                          {"Head", "Neck", {0, 0.75, 0.42}},
                          {"Nose", "Head", {0, 0.72, 0.58}},
                          {"@Hip", "Pelvis", {0.07, 0.52, -0.3}},
                          {"@Knee", "@Hip", {0.08, 0.3, -0.22}},
                          {"@Hock", "@Knee", {0.08, 0.12, -0.36}},
                          {"@Paw", "@Hock", {0.08, 0.02, -0.32}},
                          {"@Claw", "@Paw", {0.08, 0.0, -0.26}},
                          {"@Shoulder", "Chest", {0.07, 0.48, 0.28}},
                          {"@Elbow", "@Shoulder", {0.08, 0.3, 0.22}},
                          {"@Wrist", "@Elbow", {0.08, 0.1, 0.25}},
                          {"@Toe", "@Wrist", {0.08, 0.01, 0.29}}};
  std::string above = "Pelvis";
  for (int i = 1; i <= 4; ++i) {
    const std::string name = "Tail" + std::to_string(i);
    bones.push_back({name, above, {0, 0.56 + 0.05 * i, -0.35 - tail * i}});
    above = name;
  }
  return bones;
}

inline std::vector<Bone> spider() {
  std::vector<Bone> bones{{"Body", "", {0, 0.2, 0}},
                          {"Abdomen", "Body", {0, 0.25, -0.3}},
                          {"Head", "Body", {0, 0.22, 0.1}}};
  for (int leg = 0; leg < 4; ++leg) {
    const std::string name = "@Leg" + std::to_string(leg);
    const double z = 0.15 - 0.1 * leg;
    bones.push_back({name + "A", "Body", {0.05, 0.2, 0.5 * z}});
    bones.push_back({name + "B", name + "A", {0.2, 0.4, z}});
    bones.push_back({name + "C", name + "B", {0.4, 0.2, 1.5 * z}});
    bones.push_back({name + "D", name + "C", {0.5, 0.0, 2 * z}});
  }
  return bones;
}

inline std::vector<Bone> robot_arm() {
  return {{"Base", "", {0, 0, 0}},
          {"Turn", "Base", {0, 0.3, 0}},
          {"Shoulder", "Turn", {0, 0.4, 0}},
          {"Upper", "Shoulder", {0, 0.9, 0}},
          {"Elbow", "Upper", {0.4, 1.0, 0}},
          {"Wrist", "Elbow", {0.8, 0.9, 0}},
          {"Tool", "Wrist", {0.9, 0.8, 0}},
          {"@Finger", "Tool", {0.93, 0.75, 0}},
          {"@Tip", "@Finger", {0.94, 0.7, 0}}};
}

inline std::vector<Bone> chair() {
  return {{"Seat", "", {0, 0.45, 0}},
          {"@FrontLeg", "Seat", {0.2, 0.45, 0.2}},
          {"@FrontKnob", "@FrontLeg", {0.2, 0.22, 0.2}},
          {"@FrontFoot", "@FrontKnob", {0.2, 0, 0.2}},
          {"@BackLeg", "Seat", {0.2, 0.45, -0.2}},
          {"@BackKnob", "@BackLeg", {0.2, 0.22, -0.2}},
          {"@BackFoot", "@BackKnob", {0.2, 0, -0.2}},
          {"Back", "Seat", {0, 0.6, -0.2}},
          {"@Post", "Back", {0.2, 0.6, -0.2}},
          {"@PostMiddle", "@Post", {0.2, 0.8, -0.2}},
          {"@PostTop", "@PostMiddle", {0.2, 1.0, -0.2}}};
}

inline std::vector<Bone> crane() {
  return {{"Foot", "", {0, 0, 0}},         {"Tower", "Foot", {0, 20, 0}},
          {"Cab", "Tower", {0, 22, 0}},    {"Jib", "Cab", {15, 23, 0}},
          {"Trolley", "Jib", {30, 23, 0}}, {"Hook", "Trolley", {30, 10, 0}},
          {"Counter", "Cab", {-8, 23, 0}}, {"Top", "Cab", {0, 27, 0}}};
}

/// It goes on two legs and has short arms, but its back is level.
inline std::vector<Bone> tyrant_lizard() {
  return {{"Pelvis", "", {0, 2, 0}},
          {"Spine", "Pelvis", {0, 2.1, 0.6}},
          {"Chest", "Spine", {0, 2.1, 1.2}},
          {"Neck", "Chest", {0, 2.4, 1.6}},
          {"Head", "Neck", {0, 2.6, 1.9}},
          {"Nose", "Head", {0, 2.5, 2.5}},
          {"@Hip", "Pelvis", {0.3, 1.9, 0}},
          {"@Knee", "@Hip", {0.35, 1.0, 0.3}},
          {"@Ankle", "@Knee", {0.35, 0.3, -0.1}},
          {"@Toes", "@Ankle", {0.35, 0, 0.3}},
          {"@Shoulder", "Chest", {0.25, 1.8, 1.3}},
          {"@Elbow", "@Shoulder", {0.3, 1.5, 1.2}},
          {"@Wrist", "@Elbow", {0.3, 1.3, 1.45}},
          {"Tail1", "Pelvis", {0, 2.1, -0.8}},
          {"Tail2", "Tail1", {0, 2.0, -1.6}},
          {"Tail3", "Tail2", {0, 1.9, -2.4}}};
}

/// A trunk that forks, again and again.
inline std::vector<Bone> tree() {
  std::vector<Bone> bones{{"Ground", "", {0, 0, 0}}, {"Trunk", "Ground", {0, 1.2, 0}}};
  for (int i = 0; i < 2; ++i) {
    const std::string above = i == 0 ? "Trunk" : "Top" + std::to_string(i - 1);
    const std::string top = "Top" + std::to_string(i);
    bones.push_back({top, above, {0, 2.0 + 0.7 * i, 0}});
    bones.push_back({"@Bough" + std::to_string(i), top, {0.6, 2.4 + 0.7 * i, 0.1}});
    bones.push_back(
        {"@Twig" + std::to_string(i), "@Bough" + std::to_string(i), {1.0, 2.9 + 0.7 * i, 0.1}});
  }
  return bones;
}

/// It lies along z, tail first.
inline std::vector<Bone> snake() {
  std::vector<Bone> bones{{"Tail", "", {0, 0.03, 0}}};
  for (int i = 1; i <= 14; ++i) {
    const std::string name = "Bone" + std::to_string(i);
    bones.push_back({name, bones.back().name, {0.03 * (i % 2), 0.03, 0.1 * i}});
  }
  bones.push_back({"Head", bones.back().name, {0, 0.05, 1.5}});
  return bones;
}

/// A right hand by itself.
inline std::vector<Bone> hand() {
  std::vector<Bone> bones{{"Wrist", "", place::kWrist}};
  HandNames names;
  for (std::size_t f = 0; f < names.size(); ++f) {
    for (std::size_t b = 0; b < 4; ++b) {
      names[f][b] = "Finger" + std::to_string(f) + "_" + std::to_string(b);
    }
  }
  add_fingers(bones, "Wrist", names);
  return bones;
}

inline std::vector<Bone> upper_body() {
  using namespace place;
  return {{"Pelvis", "", kHips},         {"Belly", "Pelvis", kBack2},   {"Chest", "Belly", kBack3},
          {"Neck", "Chest", kNeck},      {"Head", "Neck", kHead},       {"HeadTop", "Head", kTop},
          {"@Collar", "Chest", kCollar}, {"@Up", "@Collar", kShoulder}, {"@Low", "@Up", kElbow},
          {"@Palm", "@Low", kWrist},     {"@Tip", "@Palm", kHandTip}};
}

/// A dog whose joints are called as a person's are by MotionBuilder.
inline std::vector<Bone> dog_with_a_persons_names() {
  std::vector<Bone> bones{{"Hips", "", {0, 0.55, -0.3}},
                          {"Spine", "Hips", {0, 0.56, -0.1}},
                          {"Spine1", "Spine", {0, 0.55, 0.25}},
                          {"Neck", "Spine1", {0, 0.65, 0.35}},
                          {"Head", "Neck", {0, 0.75, 0.42}},
                          {"Head_end", "Head", {0, 0.72, 0.58}},
                          {"@UpLeg", "Hips", {0.07, 0.52, -0.3}},
                          {"@Leg", "@UpLeg", {0.08, 0.3, -0.22}},
                          {"@Foot", "@Leg", {0.08, 0.12, -0.36}},
                          {"@ToeBase", "@Foot", {0.08, 0.02, -0.32}},
                          {"@ToeBase_end", "@ToeBase", {0.08, 0.0, -0.26}},
                          {"@Shoulder", "Spine1", {0.05, 0.5, 0.26}},
                          {"@Arm", "@Shoulder", {0.07, 0.48, 0.28}},
                          {"@ForeArm", "@Arm", {0.08, 0.3, 0.22}},
                          {"@Hand", "@ForeArm", {0.08, 0.1, 0.25}},
                          {"@Hand_end", "@Hand", {0.08, 0.01, 0.29}},
                          {"Tail", "Hips", {0, 0.6, -0.6}}};
  return bones;
}

}  // namespace tocsin::test
