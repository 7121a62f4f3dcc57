// Standing: the posture from which reaching and kicking start.
#pragma once

#include "make/motion/pose.h"

namespace tocsin::make {

/// Half the distance between the feet, and how far the toes point outwards, of a standing person.
inline constexpr double kStanceHalf = 0.10;   ///< metres
inline constexpr double kStanceToeOut = 8.0;  ///< degrees

/// How much lower than with straight legs the hips are of a standing person at ease, metres: the
/// knees are bent by about 15 degrees, and the body can sway without lifting a foot.
inline constexpr double kEaseDrop = 0.012;

/// Upright, both feet flat on the floor, arms hanging.
inline Controls standing() {
  Controls out;
  out.pelvis = {0.0, kHipHeight - kEaseDrop, 0.0};
  for (const Side side : {kLeft, kRight}) {
    const double sign = side == kLeft ? 1.0 : -1.0;
    LegControls& leg = out.leg[side];
    leg.print = {sign * kStanceHalf, 0.0, 0.0};
    leg.yaw = sign * kStanceToeOut;
    ArmControls& arm = out.arm[side];
    arm.flexion = 6.0;
    arm.abduction = 9.0;
    arm.swivel = 25.0;
    arm.elbow = 20.0;
    arm.pronation = 15.0;
    arm.curl = 28.0;
  }
  out.trunk.flexion = 2.0;
  out.neck.flexion = -1.0;
  return out;
}

}  // namespace tocsin::make
