// One link over one step: its axis at any time, and bounds of its speed and acceleration. Paper
// 004, section 4 (eq. 11); docs/exact.md, "Bounds that hold for the whole step" and "Rounding".
#pragma once

#include <cstdint>

#include "core/motion/joint_motion.h"
#include "core/vector/trig.h"
#include "core/vector/vec.h"

namespace tocsin::core {

/// Factor by which speed and acceleration bounds are raised. It covers the rounding of the sums
/// that produce them and of the expressions in certify that use them, and stored rotations that
/// stretch by a few u, on chains of up to 2^14 joints. Smaller: docs/exact.md's proof fails for
/// long chains. It costs nothing.
inline constexpr double kBoundGrowth = 1.0 + 0x1p-32;

/// Rounding margin per joint and metre: 224 u. docs/exact.md proves that (186 K + 190) u X + (79 K
/// + 138) u L is enough; a smaller factor narrows the graze zone but voids the proof.
inline constexpr double kEtaFactor = 0x1.cp-46;
/// Shorter chains count as if they had this many joints. That covers the distance arithmetic.
inline constexpr int kEtaLeastJoints = 16;

/// Sums along a chain from its root to one joint k; every joint extends its parent's.
struct ChainBounds {
  int joints = 0;             ///< K
  double turn = 0.0;          ///< W_k: sum of the angles w, radians
  double speed = 0.0;         ///< sum of W_(k-1) a_k + b_k, metres per step
  double acceleration = 0.0;  ///< sum of W_(k-1)^2 a_k + 2 W_(k-1) b_k + d_k, metres per step^2
  double reach = 0.0;         ///< |c_1 - ref| + |s_1| + d_1/8 + sum over k >= 2 of a_k, metres
};

/// Bounds of a chain that ends in joint m, whose parent's chain has bounds `parent` (default-made
/// for a root). `ref`: the point that coordinates are taken relative to, world frame, metres.
TOCSIN_HD inline ChainBounds extend(const ChainBounds& parent, const JointMotion& m, InBetween kind,
                                    const Vec3& ref) {
  ChainBounds out;
  out.joints = parent.joints + 1;
  out.turn = parent.turn + m.w;
  if (m.s == Vec3{} && parent.joints > 0) {  // a bone of fixed length: b = d = 0
    const double a = norm(m.c);
    out.speed = parent.speed + parent.turn * a;
    out.acceleration = parent.acceleration + parent.turn * parent.turn * a;
    out.reach = parent.reach + a;
    return out;
  }
  const double across = norm(m.v);
  const bool screw = kind == InBetween::kScrew;
  const double d = screw ? m.w * across : 0.0;
  const double a = max_of(norm(m.c), norm(m.c + m.s)) + 0.125 * d;
  const double b = screw ? std::sqrt(across * across + m.h * m.h) : norm(m.s);
  out.speed = parent.speed + (parent.turn * a + b);
  out.acceleration =
      parent.acceleration + (parent.turn * parent.turn * a + 2.0 * parent.turn * b + d);
  out.reach = parent.joints == 0 ? (norm(m.c - ref) + norm(m.s)) + 0.125 * d : parent.reach + a;
  return out;
}

/// A link's axis a-b over one step, as numbers. certify's proofs are about these numbers.
struct LinkMotion {
  const JointMotion* joints = nullptr;  ///< motions of the skeleton's joints
  const std::int32_t* chain = nullptr;  ///< joint indices from the root to the link's joint
  std::int32_t chain_length = 0;
  InBetween kind = InBetween::kScrew;
  Vec3 a;  ///< end points in the joint's frame, metres
  Vec3 b;
  double radius = 0.0;  ///< link radius plus margin, metres
  Vec3 ref;             ///< a float point near the link; all coordinates below are relative to it
  double speed = 0.0;   ///< L: |p'(t)| <= L for every point p of the axis, metres per step
  double acceleration_a = 0.0;  ///< A of end point a: |a''(t)| <= A, metres per step^2
  double acceleration_b =
      0.0;             ///< A of end point b; a link often turns about an end that hardly moves
  double reach = 0.0;  ///< X without the triangle: |p(t) - ref| <= X, metres
};

/// How many joints, from the root on, the chains of two links or frames share.
template <class Motion>
TOCSIN_HD inline std::int32_t shared_joints(const Motion& a, const Motion& b) {
  if (a.joints != b.joints || a.kind != b.kind) return 0;
  const std::int32_t most = a.chain_length < b.chain_length ? a.chain_length : b.chain_length;
  std::int32_t shared = 0;
  while (shared < most && a.chain[shared] == b.chain[shared]) ++shared;
  return shared;
}

/// Completes a link's bounds from those of its joint's chain.
TOCSIN_HD inline void set_bounds(LinkMotion& link, const ChainBounds& chain) {
  const double la = norm(link.a);
  const double lb = norm(link.b);
  const double turn2 = chain.turn * chain.turn;
  link.speed = (chain.speed + chain.turn * max_of(la, lb)) * kBoundGrowth;
  link.acceleration_a = (chain.acceleration + turn2 * la) * kBoundGrowth;
  link.acceleration_b = (chain.acceleration + turn2 * lb) * kBoundGrowth;
  link.reach = chain.reach + max_of(la, lb);
}

/// A: |p''(t)| <= A for every point p of the axis, metres per step^2.
TOCSIN_HD inline double acceleration_of(const LinkMotion& link) {
  return max_of(link.acceleration_a, link.acceleration_b);
}

/// 224 u max(16, K): what eta is of a metre for a chain of K joints.
TOCSIN_HD inline double margin_factor(std::int32_t chain_length) {
  return (chain_length > kEtaLeastJoints ? chain_length : kEtaLeastJoints) * kEtaFactor;
}

/// eta: the rounding margin of everything certify computes about this link and a triangle whose
/// corners lie within `triangle_reach` of ref, and of the jump between successive steps. Metres.
TOCSIN_HD inline double rounding_margin(const LinkMotion& link, double triangle_reach) {
  return margin_factor(link.chain_length) * (link.reach + triangle_reach + link.speed);
}

/// The link's axis at one time: positions relative to ref, metres, and velocities, metres per step.
struct AxisState {
  Vec3 a;
  Vec3 b;
  Vec3 va;
  Vec3 vb;
};

namespace detail {

/// A joint's rotation P(t) = R(u, wt) R0 and translation T(t) at one time.
struct JointState {
  double sin = 0.0;     ///< sin(wt)
  double versin = 0.0;  ///< 1 - cos(wt)
  Vec3 travel;          ///< T(t) - c
  Vec3 velocity;        ///< T'(t)
};

TOCSIN_HD inline JointState joint_state(const JointMotion& m, InBetween kind, double t) {
  JointState s;
  if (m.w > 0.0) {
    const SinCos half = sincos_quadrant(0.5 * t * m.w);
    s.sin = 2.0 * (half.sin * half.cos);
    s.versin = 2.0 * (half.sin * half.sin);
  }
  if (kind == InBetween::kTranslateRotate) {
    s.travel = t * m.s;
    s.velocity = m.s;
    return s;
  }
  const Vec3 turned = cross(m.u, m.v);
  const double along = m.w > 0.0 ? s.sin / m.w : t;
  const double beside = m.w > 0.0 ? s.versin / m.w : 0.0;
  s.travel = (t * m.h) * m.u + (along * m.v + beside * turned);
  s.velocity = m.h * m.u + ((1.0 - s.versin) * m.v + s.sin * turned);
  return s;
}

/// R(u, wt) y.
TOCSIN_HD inline Vec3 turn(const JointMotion& m, const JointState& s, const Vec3& y) {
  const Vec3 once = cross(m.u, y);
  return y + (s.sin * once + s.versin * cross(m.u, once));
}

/// Turns a vector and its velocity from the joint's frame to its parent's.
TOCSIN_HD inline void carry_vector(const JointMotion& m, const JointState& s, Vec3& x, Vec3& v) {
  Vec3 y = m.r0 * x;
  Vec3 yv = m.r0 * v;
  if (m.w > 0.0) {
    y = turn(m, s, y);
    yv = turn(m, s, yv) + m.w * cross(m.u, y);
  }
  x = y;
  v = yv;
}

/// Transforms a point and its velocity from the joint's frame to its parent's; `c` is the joint's
/// start.
TOCSIN_HD inline void carry(const JointMotion& m, const JointState& s, const Vec3& c, Vec3& x,
                            Vec3& v) {
  carry_vector(m, s, x, v);
  x = x + (c + s.travel);
  v = v + s.velocity;
}

}  // namespace detail

/// The axis at local time t in [0, 1]: M_1(t) ... M_K(t) applied to both end points, minus ref.
/// Errors of each position below (36 K + 13) u X and of each velocity below 75 K u L
/// (docs/exact.md).
TOCSIN_HD inline AxisState evaluate(const LinkMotion& link, double t) {
  AxisState s{link.a, link.b, {}, {}};
  for (std::int32_t k = link.chain_length - 1; k >= 0; --k) {
    const JointMotion& m = link.joints[link.chain[k]];
    const detail::JointState j = detail::joint_state(m, link.kind, t);
    const Vec3 c = k == 0 ? m.c - link.ref : m.c;
    detail::carry(m, j, c, s.a, s.va);
    detail::carry(m, j, c, s.b, s.vb);
  }
  return s;
}

}  // namespace tocsin::core
