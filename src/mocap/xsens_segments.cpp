// MVN's segments: [MVN] 3.1, tables 1 and 2; names as in its files (MVNX).
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "mocap/xsens.h"

namespace tocsin::mocap {
namespace {

struct BodySegment {
  std::string_view name;
  int parent = -1;
};

constexpr BodySegment kBody[kXsensBody] = {{"Pelvis", -1},
                                           {"L5", 0},
                                           {"L3", 1},
                                           {"T12", 2},
                                           {"T8", 3},
                                           {"Neck", 4},
                                           {"Head", 5},
                                           {"RightShoulder", 4},
                                           {"RightUpperArm", 7},
                                           {"RightForeArm", 8},
                                           {"RightHand", 9},
                                           {"LeftShoulder", 4},
                                           {"LeftUpperArm", 11},
                                           {"LeftForeArm", 12},
                                           {"LeftHand", 13},
                                           {"RightUpperLeg", 0},
                                           {"RightLowerLeg", 15},
                                           {"RightFoot", 16},
                                           {"RightToe", 17},
                                           {"LeftUpperLeg", 0},
                                           {"LeftLowerLeg", 19},
                                           {"LeftFoot", 20},
                                           {"LeftToe", 21}};
constexpr int kLeftHand = 14;
constexpr int kRightHand = 10;

/// Segments of a hand with finger tracking.
constexpr int kHand = 20;
constexpr BodySegment kFingers[kHand] = {
    {"Carpus", -1},   {"FirstMC", 0},  {"FirstPP", 1},  {"FirstDP", 2},   {"SecondMC", 0},
    {"SecondPP", 4},  {"SecondMP", 5}, {"SecondDP", 6}, {"ThirdMC", 0},   {"ThirdPP", 8},
    {"ThirdMP", 9},   {"ThirdDP", 10}, {"FourthMC", 0}, {"FourthPP", 12}, {"FourthMP", 13},
    {"FourthDP", 14}, {"FifthMC", 0},  {"FifthPP", 16}, {"FifthMP", 17},  {"FifthDP", 18}};

}  // namespace

std::string xsens_segment_name(int place, int props) {
  if (place < kXsensBody) return std::string(kBody[place].name);
  const int after = place - kXsensBody;
  if (after < props) return fmt::format("Prop{}", after + 1);
  const int finger = after - props;
  if (finger >= 2 * kHand) return {};
  return fmt::format("{}{}", finger < kHand ? "Left" : "Right", kFingers[finger % kHand].name);
}

int xsens_parent(int place, int props) {
  if (place < kXsensBody) return kBody[place].parent;
  const int finger = place - kXsensBody - props;
  if (finger < 0) return -1;  // a prop is held by whom it may be
  const int first = place - finger % kHand;
  const int above = kFingers[finger % kHand].parent;
  if (above >= 0) return first + above;
  return finger < kHand ? kLeftHand : kRightHand;
}

}  // namespace tocsin::mocap
