// Where a joint's motion over a step goes on. docs/lookahead.md.
#pragma once

#include "core/motion/joint_motion.h"
#include "core/vector/hd.h"
#include "core/vector/trig.h"
#include "core/vector/vec.h"
#include "tocsin/types.h"

namespace tocsin::core {

/// The most that a joint turns ahead: half of an angle of 3 radians. A step between two poses takes
/// the shorter way round, so beyond pi the joint would turn back. What turns so fast is a glitch of
/// the capture, as a rule. Smaller: fast wrists are predicted too slowly.
inline constexpr double kMostHalfTurnAhead = 1.5;

/// The joint `k` steps after the end of the step from p0 to p1, k > 0, if it goes on with the
/// step's constant velocities: its screw, or its rotation and its translation. What would turn
/// beyond kMostHalfTurnAhead goes only so far.
TOCSIN_HD inline Transform motion_ahead(const Transform& p0, const Transform& p1, InBetween kind,
                                        double k) {
  const JointMotion m = joint_motion(p0, p1, kind);
  double half = 0.5 * m.w * k;
  if (half > kMostHalfTurnAhead) {
    half = kMostHalfTurnAhead;
    k = half / (0.5 * m.w);
  }
  const SinCos turned = sincos_quadrant(half);
  Transform out = p1;
  if (m.w > 0.0) {
    const Quat turn{turned.cos, turned.sin * m.u.x, turned.sin * m.u.y, turned.sin * m.u.z};
    out.rotation = normalized(turn * p1.rotation);
  }
  if (kind == InBetween::kTranslateRotate) {
    out.translation = p1.translation + k * m.s;
    return out;
  }
  // The velocity across the axis, turned to where the step ends.
  const SinCos whole = sincos_quadrant(0.5 * m.w);
  const double cos = 1.0 - 2.0 * whole.sin * whole.sin;
  const double sin = 2.0 * whole.sin * whole.cos;
  const Vec3 v = cos * m.v + sin * cross(m.u, m.v);
  const double along = m.w > 0.0 ? 2.0 * turned.sin * turned.cos / m.w : k;
  const double across = m.w > 0.0 ? 2.0 * turned.sin * turned.sin / m.w : 0.0;
  out.translation = p1.translation + (k * m.h) * m.u + along * v + across * cross(m.u, v);
  return out;
}

}  // namespace tocsin::core
