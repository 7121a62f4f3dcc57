#include "oracle/bounds.h"

#include <algorithm>
#include <cmath>

namespace tocsin::oracle {
namespace {

// Covers the rounding of these few sums and products themselves (docs/oracle.md): a chain of 1000
// joints uses less than 2^-50 of it. Far below anything that would slow a proof.
constexpr Real kRoundUp = 1.0L + 0x1p-45L;

// Bounds of one joint's motion, and of its first and second derivatives.
struct JointBounds {
  Real turn = 1.0L;   // |P|
  Real turn1 = 0.0L;  // |P'|
  Real turn2 = 0.0L;  // |P''|
  Real move = 0.0L;   // |T|
  Real move1 = 0.0L;  // |T'|
  Real move2 = 0.0L;  // |T''|
  Real terms = 0.0L;  // sum of the lengths that T(t) is added up from
};

// Spectral norm of a matrix that is orthonormal up to rounding: sqrt(1 + |R^T R - I|_F) at most.
Real norm_of_nearly_orthonormal(const core::Mat3& r) {
  const RealVec rows[3] = {widen<Real>(r.row[0]), widen<Real>(r.row[1]), widen<Real>(r.row[2])};
  Real off = 0.0L;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Real defect = inner(rows[i], rows[j]) - (i == j ? 1.0L : 0.0L);
      off += defect * defect;
    }
  }
  return std::sqrt(1.0L + std::sqrt(off));
}

JointBounds joint_bounds(const core::JointMotion& m, InBetween kind, const Vec3& origin) {
  JointBounds out;
  const RealVec u = widen<Real>(m.u);
  const Real w = m.w;
  const Real uu = inner(u, u);
  const Real stretch = std::max(std::sqrt(uu), uu);  // |cos [u] + sin [u]^2| at most
  const Real base = norm_of_nearly_orthonormal(m.r0);
  out.turn = base * std::sqrt(1.0L + 4.0L * uu * std::max(uu - 1.0L, 0.0L));
  out.turn1 = base * w * stretch;
  out.turn2 = base * w * w * stretch;

  const RealVec start = widen<Real>(m.c) - widen<Real>(origin);
  if (kind == InBetween::kTranslateRotate) {
    const RealVec s = widen<Real>(m.s);
    out.move = std::max(length(start), length(start + s));
    out.move1 = length(s);
    out.terms = length(start) + length(s);
    return out;
  }
  const RealVec v = widen<Real>(m.v);
  const Real h = m.h;
  const Real vv = inner(v, v);
  out.move1 = std::sqrt(h * h * uu + vv * std::max(uu, 1.0L) + 2.0L * std::fabs(h * inner(u, v)));
  out.move2 = w * std::sqrt(vv) * std::max(std::sqrt(uu), 1.0L);
  const RealVec end = w > 0.0L
                          ? start + h * u + (std::sin(w) / w) * v +
                                ((2.0L * std::sin(0.5L * w) * std::sin(0.5L * w)) / w) * outer(u, v)
                          : start + h * u + v;
  out.move = std::max(length(start), length(end)) + out.move2 / 8.0L;
  out.terms = length(start) + std::fabs(h) + 2.0L * std::sqrt(vv);
  return out;
}

}  // namespace

FrameBounds frame_bounds(std::span<const core::JointMotion> chain, InBetween kind,
                         const Vec3& origin) {
  FrameBounds out;
  // Product rule from root to leaf: stretch, speed_per_arm, acceleration_per_arm bound
  // Q_k = P_1 ... P_k and its derivatives.
  for (const core::JointMotion& m : chain) {
    const JointBounds j = joint_bounds(m, kind, out.joints == 0 ? origin : Vec3{});
    out.speed += out.speed_per_arm * j.move + out.stretch * j.move1;
    out.acceleration += out.acceleration_per_arm * j.move + 2.0L * out.speed_per_arm * j.move1 +
                        out.stretch * j.move2;
    out.reach += out.stretch * j.terms;
    out.acceleration_per_arm = out.acceleration_per_arm * j.turn +
                               2.0L * out.speed_per_arm * j.turn1 + out.stretch * j.turn2;
    out.speed_per_arm = out.speed_per_arm * j.turn + out.stretch * j.turn1;
    out.stretch = out.stretch * j.turn;
    ++out.joints;
  }
  return out;
}

MotionBounds FrameBounds::of(Real arm_a, Real arm_b) const {
  const Real arm = std::max(arm_a, arm_b);
  MotionBounds out;
  out.speed = kRoundUp * (speed + speed_per_arm * arm);
  out.acceleration_a = kRoundUp * (acceleration + acceleration_per_arm * arm_a);
  out.acceleration_b = kRoundUp * (acceleration + acceleration_per_arm * arm_b);
  out.reach = kRoundUp * (reach + stretch * arm);
  out.joints = joints;
  return out;
}

MotionBounds motion_bounds(std::span<const core::JointMotion> chain, InBetween kind, const Vec3& a,
                           const Vec3& b, const Vec3& origin) {
  return frame_bounds(chain, kind, origin).of(length(widen<Real>(a)), length(widen<Real>(b)));
}

Real rounding_slack(const MotionBounds& bounds, Real extent) {
  return 128.0L * static_cast<Real>(bounds.joints + 2) * kUnit * (bounds.reach + extent);
}

}  // namespace tocsin::oracle
