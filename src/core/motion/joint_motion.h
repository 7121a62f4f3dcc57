// The motion of one joint in its parent's frame over a step: paper 004, section 4 (eq. 6-10), and
// the screw that joins the same two poses. docs/exact.md, "Motion".
#pragma once

#include <cstdint>

#include "core/vector/hd.h"
#include "core/vector/trig.h"
#include "core/vector/vec.h"
#include "tocsin/types.h"

namespace tocsin::core {

/// The numbers that *define* a joint's motion M(t) = (P(t), T(t)), t in [0, 1]; everything proved
/// is about them. With q = R0 x, s(t) = sin(wt), k(t) = 1 - cos(wt) = 2 sin^2(wt/2):
///
///     P(t) x = q + s(t) (u x q) + k(t) (u x (u x q))
///     translate_rotate  T(t) = c + t s
///     screw             T(t) = c + t h u + (s(t)/w) v + (k(t)/w) (u x v);  c + t h u + t v for w =
///     0
struct JointMotion {
  Mat3 r0;         ///< rotation at t = 0, joint frame to parent frame
  Vec3 c;          ///< translation at t = 0, metres
  Vec3 s;          ///< c(1) - c(0), metres
  Vec3 u;          ///< unit axis of R1 R0^T, parent frame; (1, 0, 0) if w = 0
  double w = 0.0;  ///< angle of R1 R0^T, radians, in [0, pi]
  Vec3 v;          ///< screw only: velocity at t = 0 across the axis, metres per step
  double h = 0.0;  ///< screw only: travel along u, metres
};

/// The motion from pose p0 to pose p1 (joint frame to parent frame, unit quaternions, metres).
/// Both in-between motions are defined by the same numbers; v and h are zero for translate_rotate.
TOCSIN_HD inline JointMotion joint_motion(const Transform& p0, const Transform& p1,
                                          InBetween kind) {
  JointMotion m;
  m.r0 = to_matrix(p0.rotation);
  m.c = p0.translation;
  m.s = p1.translation - p0.translation;

  Quat d = p1.rotation * conjugate(p0.rotation);
  if (d.w < 0.0) d = {-d.w, -d.x, -d.y, -d.z};  // the shorter way round: w in [0, pi]
  const Vec3 axis{d.x, d.y, d.z};
  const double n = norm(axis);
  // Below this the half angle's sine underflows, and the rotation is negligible at any scale.
  if (n > kLeastLength) {
    m.u = {axis.x / n, axis.y / n, axis.z / n};
    m.w = 2.0 * atan2_quadrant(n, d.w);
  } else {
    m.u = {1.0, 0.0, 0.0};
  }
  if (kind == InBetween::kScrew && m.s != Vec3{}) {  // without s, v and h are 0
    m.h = dot(m.s, m.u);
    const Vec3 across = m.s - m.h * m.u;
    const double half = 0.5 * m.w;
    const SinCos sc = sincos_quadrant(half);
    const double half_cot = m.w > 0.0 ? half * sc.cos / sc.sin : 1.0;
    m.v = half_cot * across - half * cross(m.u, across);
  }
  return m;
}

}  // namespace tocsin::core
