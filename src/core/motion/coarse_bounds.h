// Bounds of a step's motion without trigonometry. They are never below those of link_motion.h, and
// cheap. Most steps need no others. docs/exact.md, "Coarse bounds".
#pragma once

#include <cmath>

#include "core/motion/link_motion.h"
#include "core/vector/hd.h"
#include "core/vector/vec.h"
#include "tocsin/types.h"

namespace tocsin::core {

/// Raises these bounds above those of link_motion.h for the same poses, whatever either rounds.
/// That is a millionth of slack in volumes that are loose by design.
inline constexpr double kCoarseGrowth = 1.0 + 0x1p-20;
/// Added to d^2 below. It covers the rounding of the product of two stored quaternions, whose
/// lengths are 1 +- 10.5 u: below 50 u. With it no angle seems less than 2.4e-7 radians, which is
/// micrometres.
inline constexpr double kCoarseChord = 0x1p-46;

/// At least the angle w in [0, pi] of joint_motion between two rotations, radians. The chord d of
/// the nearer pair of unit quaternions is 2 sin(w/4), d^2 = 2 - 2 |p.q|; 4 asin(d/2) <=
/// 2 d (1 + 0.0554 d^2) up to d = sqrt(2), that is w = pi, as asin(x)/x is convex in x^2.
TOCSIN_HD inline double angle_above(const Quat& p, const Quat& q) {
  const double product = (p.w * q.w + p.x * q.x) + (p.y * q.y + p.z * q.z);
  const double d2 = max_of(2.0 - 2.0 * std::fabs(product), 0.0) + kCoarseChord;
  return 2.0 * std::sqrt(d2) * (1.0 + 0.0554 * d2) * kCoarseGrowth;
}

/// Bounds of a chain that goes on with a joint moving from pose p0 to p1, along a screw or by
/// translate_rotate: upper bounds of extend()'s. `parent`: default-made for a root.
TOCSIN_HD inline ChainBounds extend_coarsely(const ChainBounds& parent, const Transform& p0,
                                             const Transform& p1, const Vec3& ref) {
  const double w = angle_above(p0.rotation, p1.rotation);
  ChainBounds out;
  out.joints = parent.joints + 1;
  out.turn = parent.turn + w;
  const Vec3& c = p0.translation;
  if (p1.translation == c && parent.joints > 0) {  // a bone of fixed length
    const double a = norm(c);
    out.speed = parent.speed + parent.turn * a;
    out.acceleration = parent.acceleration + parent.turn * parent.turn * a;
    out.reach = parent.reach + a;
    return out;
  }
  const double s = norm(p1.translation - c);
  // |(v, h)| <= |s| (w/2) / sin(w/2), and x / sin x <= 1 + 0.2316 x^2 up to pi/2.
  const double b = s * (1.0 + 0.0579 * w * w);
  const double d = w * b;
  const double a = (norm(c) + s) + 0.125 * d;
  out.speed = parent.speed + (parent.turn * a + b);
  out.acceleration =
      parent.acceleration + (parent.turn * parent.turn * a + 2.0 * parent.turn * b + d);
  out.reach = parent.joints == 0 ? (norm(c - ref) + s) + 0.125 * d : parent.reach + a;
  return out;
}

/// A point this far from its joint, metres, on a chain with such bounds.
struct CoarsePoint {
  double speed = 0.0;         ///< metres per step
  double acceleration = 0.0;  ///< metres per step^2
  double reach = 0.0;         ///< from ref, metres
};

/// Upper bounds of what set_bounds() computes of the same link end.
TOCSIN_HD inline CoarsePoint coarse_point(const ChainBounds& chain, double distance) {
  return {(chain.speed + chain.turn * distance) * kCoarseGrowth,
          (chain.acceleration + chain.turn * chain.turn * distance) * kCoarseGrowth,
          (chain.reach + distance) * kCoarseGrowth};
}

}  // namespace tocsin::core
