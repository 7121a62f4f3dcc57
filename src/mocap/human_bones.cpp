#include "mocap/human_bones.h"

#include <algorithm>
#include <iterator>

#include "base/lower_case.h"

namespace tocsin::mocap {
namespace {

constexpr HumanBone kBones[] = {
    {"Hips", -1, {0.0, 0.93, 0.0}},
    {"Spine", 0, {0.0, 0.06, 0.0}},
    {"Chest", 1, {0.0, 0.12, 0.0}},
    {"UpperChest", 2, {0.0, 0.12, 0.0}},
    {"Neck", 3, {0.0, 0.17, 0.0}},
    {"Head", 4, {0.0, 0.1, 0.0}},
    {"LeftEye", 5, {0.03, 0.06, 0.07}},
    {"RightEye", 5, {-0.03, 0.06, 0.07}},
    {"Jaw", 5, {0.0, 0.01, 0.02}},
    {"LeftUpperLeg", 0, {0.09, -0.02, 0.0}},
    {"LeftLowerLeg", 9, {0.0, -0.426, 0.0}},
    {"LeftFoot", 10, {0.0, -0.444, 0.0}},
    {"LeftToes", 11, {0.0, -0.04, 0.13}},
    {"RightUpperLeg", 0, {-0.09, -0.02, 0.0}},
    {"RightLowerLeg", 13, {0.0, -0.426, 0.0}},
    {"RightFoot", 14, {0.0, -0.444, 0.0}},
    {"RightToes", 15, {0.0, -0.04, 0.13}},
    {"LeftShoulder", 3, {0.03, 0.13, 0.0}},
    {"LeftUpperArm", 17, {0.14, 0.0, 0.0}},
    {"LeftLowerArm", 18, {0.284, 0.0, 0.0}},
    {"LeftHand", 19, {0.271, 0.0, 0.0}},
    {"LeftThumbProximal", 20, {0.03, -0.01, 0.03}},
    {"LeftThumbIntermediate", 21, {0.035, 0.0, 0.02}},
    {"LeftThumbDistal", 22, {0.025, 0.0, 0.015}},
    {"LeftIndexProximal", 20, {0.09, 0.0, 0.025}},
    {"LeftIndexIntermediate", 24, {0.04, 0.0, 0.0}},
    {"LeftIndexDistal", 25, {0.024, 0.0, 0.0}},
    {"LeftMiddleProximal", 20, {0.09, 0.0, 0.005}},
    {"LeftMiddleIntermediate", 27, {0.045, 0.0, 0.0}},
    {"LeftMiddleDistal", 28, {0.027, 0.0, 0.0}},
    {"LeftRingProximal", 20, {0.09, 0.0, -0.015}},
    {"LeftRingIntermediate", 30, {0.042, 0.0, 0.0}},
    {"LeftRingDistal", 31, {0.025, 0.0, 0.0}},
    {"LeftLittleProximal", 20, {0.09, 0.0, -0.035}},
    {"LeftLittleIntermediate", 33, {0.033, 0.0, 0.0}},
    {"LeftLittleDistal", 34, {0.02, 0.0, 0.0}},
    {"RightShoulder", 3, {-0.03, 0.13, 0.0}},
    {"RightUpperArm", 36, {-0.14, 0.0, 0.0}},
    {"RightLowerArm", 37, {-0.284, 0.0, 0.0}},
    {"RightHand", 38, {-0.271, 0.0, 0.0}},
    {"RightThumbProximal", 39, {-0.03, -0.01, 0.03}},
    {"RightThumbIntermediate", 40, {-0.035, 0.0, 0.02}},
    {"RightThumbDistal", 41, {-0.025, 0.0, 0.015}},
    {"RightIndexProximal", 39, {-0.09, 0.0, 0.025}},
    {"RightIndexIntermediate", 43, {-0.04, 0.0, 0.0}},
    {"RightIndexDistal", 44, {-0.024, 0.0, 0.0}},
    {"RightMiddleProximal", 39, {-0.09, 0.0, 0.005}},
    {"RightMiddleIntermediate", 46, {-0.045, 0.0, 0.0}},
    {"RightMiddleDistal", 47, {-0.027, 0.0, 0.0}},
    {"RightRingProximal", 39, {-0.09, 0.0, -0.015}},
    {"RightRingIntermediate", 49, {-0.042, 0.0, 0.0}},
    {"RightRingDistal", 50, {-0.025, 0.0, 0.0}},
    {"RightLittleProximal", 39, {-0.09, 0.0, -0.035}},
    {"RightLittleIntermediate", 52, {-0.033, 0.0, 0.0}},
    {"RightLittleDistal", 53, {-0.02, 0.0, 0.0}},
};

}  // namespace

std::span<const HumanBone> human_bones() { return kBones; }

int find_human_bone(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kBones); ++i) {
    const std::string_view bone = kBones[i].name;
    const bool same = std::equal(bone.begin(), bone.end(), name.begin(), name.end(),
                                 [](char a, char b) { return base::lower(a) == base::lower(b); });
    if (same) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace tocsin::mocap
