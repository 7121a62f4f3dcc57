// core::evaluate for vectors of 4 doubles: what a joint does at t for four
// joints at a time, then both ends of an axis, or the vectors of a frame, and their velocities
// carried through the joints as lanes; core/vector/trig.h, core/motion/link_motion.h and
// core/motion/frame_motion.h, operation by operation. Included once per SIMD target, from
// kernels.cpp only.
#if defined(TOCSIN_CPU_KERNEL_EVALUATE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCSIN_CPU_KERNEL_EVALUATE_INL_H_
#undef TOCSIN_CPU_KERNEL_EVALUATE_INL_H_
#else
#define TOCSIN_CPU_KERNEL_EVALUATE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "core/motion/frame_motion.h"
#include "core/motion/link_motion.h"
#include "cpu/kernels/kernel_lanes-inl.h"
#include "cpu/kernels/kernel_trig-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tocsin::cpu::HWY_NAMESPACE {

#if HWY_ARCH_X86 && HWY_MAX_BYTES >= 32

/// A lane a joint.
using JointTag = hn::CappedTag<double, 8>;
inline constexpr std::int32_t kJointLanes = hn::MaxLanes(JointTag());
/// Half the work where a chain has no more joints left.
using FewJointsTag = hn::CappedTag<double, 4>;
inline constexpr std::int32_t kFewJoints = 4;

/// Lanes: end a, end b.
using EndTag = hn::CappedTag<double, 2>;
/// Lanes: a frame's x, y, z and its origin.
using FrameTag = hn::CappedTag<double, 4>;

/// Four numbers of each joint.
template <class V>
struct Columns {
  V x;
  V y;
  V z;
  V w;
};

/// The joints k, k - 1, ... of a chain; past the root, the root again.
template <class Motion>
struct JointRange {
  const Motion& link;
  std::int32_t k;
  /// Four doubles from `offset` bytes into the i-th joint.
  HWY_INLINE const double* row(std::int32_t i, std::size_t offset) const {
    const core::JointMotion& m = link.joints[link.chain[k > i ? k - i : 0]];
    return reinterpret_cast<const double*>(reinterpret_cast<const std::byte*>(&m) + offset);
  }
};

/// Four numbers, from `offset` bytes into a JointMotion, of the joints from the
/// i-th on.
template <class Motion>
HWY_INLINE Columns<hn::Vec<FewJointsTag>> members(FewJointsTag d, const JointRange<Motion>& joints,
                                                  std::size_t offset, std::int32_t i = 0) {
  const auto r0 = hn::LoadU(d, joints.row(i, offset));
  const auto r1 = hn::LoadU(d, joints.row(i + 1, offset));
  const auto r2 = hn::LoadU(d, joints.row(i + 2, offset));
  const auto r3 = hn::LoadU(d, joints.row(i + 3, offset));
  const auto xz01 = hn::InterleaveLower(d, r0, r1);
  const auto xz23 = hn::InterleaveLower(d, r2, r3);
  const auto yw01 = hn::InterleaveUpper(d, r0, r1);
  const auto yw23 = hn::InterleaveUpper(d, r2, r3);
  return {hn::ConcatLowerLower(d, xz23, xz01), hn::ConcatLowerLower(d, yw23, yw01),
          hn::ConcatUpperUpper(d, xz23, xz01), hn::ConcatUpperUpper(d, yw23, yw01)};
}

#if HWY_MAX_BYTES >= 64
template <class Motion>
HWY_INLINE Columns<hn::Vec<JointTag>> members(JointTag d, const JointRange<Motion>& joints,
                                              std::size_t offset) {
  const auto lower = members(FewJointsTag(), joints, offset);
  const auto upper = members(FewJointsTag(), joints, offset, kFewJoints);
  return {hn::Combine(d, upper.x, lower.x), hn::Combine(d, upper.y, lower.y),
          hn::Combine(d, upper.z, lower.z), hn::Combine(d, upper.w, lower.w)};
}
#endif
static_assert(offsetof(core::JointMotion, w) == offsetof(core::JointMotion, u) + sizeof(Vec3));
static_assert(offsetof(core::JointMotion, h) == offsetof(core::JointMotion, v) + sizeof(Vec3));
static_assert(sizeof(core::JointMotion) >= offsetof(core::JointMotion, s) + 4 * sizeof(double));

/// detail::JointState of a group of joints; vectors as x, y and z.
struct JointStates {
  alignas(64) double sin[kJointLanes];
  alignas(64) double versin[kJointLanes];
  alignas(64) double start[3][kJointLanes];  ///< c + travel
  alignas(64) double velocity[3][kJointLanes];
};

template <class D, class V>
HWY_INLINE void store(D d, const Lanes3<V>& a, double (&out)[3][kJointLanes]) {
  hn::Store(a.x, d, out[0]);
  hn::Store(a.y, d, out[1]);
  hn::Store(a.z, d, out[2]);
}

/// detail::joint_state at t of as many joints as there are lanes.
template <class D, class Motion>
HWY_INLINE void joint_states(D d, const JointRange<Motion>& joints, double t, JointStates& out) {
  using V = hn::Vec<D>;
  const Motion& link = joints.link;
  const Columns<V> uw = members(d, joints, offsetof(core::JointMotion, u));
  const Lanes3<V> u{uw.x, uw.y, uw.z};
  const V w = uw.w;
  const V two = hn::Set(d, 2.0);
  const auto turning = hn::Gt(w, hn::Zero(d));
  const SinCosLanes<V> half = sincos_quadrant(d, hn::Mul(hn::Set(d, 0.5 * t), w));
  const V sin = hn::IfThenElseZero(turning, hn::Mul(two, hn::Mul(half.sin, half.cos)));
  const V versin = hn::IfThenElseZero(turning, hn::Mul(two, hn::Mul(half.sin, half.sin)));
  hn::Store(sin, d, out.sin);
  hn::Store(versin, d, out.versin);

  const Columns<V> cs = members(d, joints, offsetof(core::JointMotion, c));
  Lanes3<V> c{cs.x, cs.y, cs.z};
  if (joints.k < kJointLanes) {
    alignas(64) static constexpr double kLane[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const auto root = hn::Eq(hn::Load(d, kLane), hn::Set(d, static_cast<double>(joints.k)));
    c = choose(root, c - all_lanes(d, link.ref), c);
  }
  const V time = hn::Set(d, t);
  if (link.kind == InBetween::kTranslateRotate) {
    const Columns<V> su = members(d, joints, offsetof(core::JointMotion, s));
    const Lanes3<V> s{su.x, su.y, su.z};
    store(d, c + time * s, out.start);
    store(d, s, out.velocity);
    return;
  }
  const Columns<V> vh = members(d, joints, offsetof(core::JointMotion, v));
  const Lanes3<V> v{vh.x, vh.y, vh.z};
  const Lanes3<V> turned = cross(u, v);
  const V along = hn::IfThenElse(turning, hn::Div(sin, w), time);
  const V beside = hn::IfThenElseZero(turning, hn::Div(versin, w));
  store(d, c + (hn::Mul(time, vh.w) * u + (along * v + beside * turned)), out.start);
  store(d, vh.w * u + (hn::Sub(hn::Set(d, 1.0), versin) * v + sin * turned), out.velocity);
}

/// The same of the joints k, k - 1, ... of a chain.
template <class Motion>
HWY_INLINE void joint_states(const Motion& link, std::int32_t k, double t, JointStates& out) {
  const JointRange<Motion> joints{link, k};
#if HWY_MAX_BYTES >= 64
  if (k >= kFewJoints) return joint_states(JointTag(), joints, t, out);
#endif
  joint_states(FewJointsTag(), joints, t, out);
}

template <class D, class V>
HWY_INLINE Lanes3<V> apply(D d, const core::Mat3& m, const Lanes3<V>& a) {
  return {dot(all_lanes(d, m.row[0]), a), dot(all_lanes(d, m.row[1]), a),
          dot(all_lanes(d, m.row[2]), a)};
}

/// detail::turn
template <class V>
HWY_INLINE Lanes3<V> turn(const Lanes3<V>& u, V sin, V versin, const Lanes3<V>& y) {
  const Lanes3<V> once = cross(u, y);
  return y + (sin * once + versin * cross(u, once));
}

/// Vectors, and their velocities.
template <class D>
struct Carried {
  Lanes3<hn::Vec<D>> x;
  Lanes3<hn::Vec<D>> v;
};

/// detail::carry_vector through joint i of `states`.
template <class D>
HWY_INLINE void carry_vectors(D d, const core::JointMotion& m, const JointStates& states,
                              std::int32_t i, Carried<D>& a) {
  using V = hn::Vec<D>;
  a.x = apply(d, m.r0, a.x);
  a.v = apply(d, m.r0, a.v);
  if (m.w > 0.0) {
    const Lanes3<V> u = all_lanes(d, m.u);
    const V sin = hn::Set(d, states.sin[i]);
    const V versin = hn::Set(d, states.versin[i]);
    a.x = turn(u, sin, versin, a.x);
    a.v = turn(u, sin, versin, a.v) + hn::Set(d, m.w) * cross(u, a.x);
  }
}

HWY_INLINE Vec3 column(const double (&rows)[3][kJointLanes], std::int32_t i) {
  return {rows[0][i], rows[1][i], rows[2][i]};
}

/// Calls carry(joint, states, i) for all joints, from the last to the root.
template <class Motion, class Carry>
HWY_INLINE void for_each_joint(const Motion& link, double t, const Carry& carry) {
  // One group of joints ahead: its series run while the chain of operations
  // through the group before it is waited for.
  JointStates states[2];
  int group = 0;
  for (std::int32_t k = link.chain_length - 1 + kJointLanes; k >= 0; k -= kJointLanes) {
    if (k >= kJointLanes) joint_states(link, k - kJointLanes, t, states[group]);
    group = 1 - group;
    if (k >= link.chain_length) continue;
    for (std::int32_t i = 0; i < kJointLanes && i <= k; ++i) {
      carry(link.joints[link.chain[k - i]], states[group], i);
    }
  }
}

HWY_INLINE core::AxisState evaluate_lanes(const core::LinkMotion& link, double t) {
  const EndTag d;
  const auto zero = hn::Zero(d);
  Carried<EndTag> ends{{hn::InterleaveLower(d, hn::Set(d, link.a.x), hn::Set(d, link.b.x)),
                        hn::InterleaveLower(d, hn::Set(d, link.a.y), hn::Set(d, link.b.y)),
                        hn::InterleaveLower(d, hn::Set(d, link.a.z), hn::Set(d, link.b.z))},
                       {zero, zero, zero}};
  for_each_joint(link, t,
                 [&](const core::JointMotion& m, const JointStates& states, std::int32_t i) {
                   carry_vectors(d, m, states, i, ends);
                   ends.x = ends.x + all_lanes(d, column(states.start, i));
                   ends.v = ends.v + all_lanes(d, column(states.velocity, i));
                 });
  core::AxisState out;
  hn::StoreInterleaved3(ends.x.x, ends.x.y, ends.x.z, d, &out.a.x);
  hn::StoreInterleaved3(ends.v.x, ends.v.y, ends.v.z, d, &out.va.x);
  return out;
}
static_assert(offsetof(core::AxisState, b) == sizeof(Vec3));
static_assert(offsetof(core::AxisState, vb) == offsetof(core::AxisState, va) + sizeof(Vec3));

HWY_INLINE core::FrameState evaluate_lanes(const core::FrameMotion& frame, double t) {
  alignas(32) static constexpr double kUnit[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  alignas(32) static constexpr double kOrigin[4] = {0, 0, 0, 1};
  const FrameTag d;
  const auto zero = hn::Zero(d);
  const auto origin = hn::Gt(hn::Load(d, kOrigin), zero);
  Carried<FrameTag> all{{hn::Load(d, kUnit[0]), hn::Load(d, kUnit[1]), hn::Load(d, kUnit[2])},
                        {zero, zero, zero}};
  for_each_joint(frame, t,
                 [&](const core::JointMotion& m, const JointStates& states, std::int32_t i) {
                   carry_vectors(d, m, states, i, all);
                   // Not + 0 elsewhere: that changes a zero's sign.
                   all.x = choose(origin, all.x + all_lanes(d, column(states.start, i)), all.x);
                   all.v = choose(origin, all.v + all_lanes(d, column(states.velocity, i)), all.v);
                 });
  core::FrameState out;
  hn::StoreInterleaved3(all.x.x, all.x.y, all.x.z, d, &out.x.x);
  hn::StoreInterleaved3(all.v.x, all.v.y, all.v.z, d, &out.x_velocity.x);
  return out;
}
static_assert(offsetof(core::FrameState, origin) == 3 * sizeof(Vec3));
static_assert(offsetof(core::FrameState, x_velocity) == 4 * sizeof(Vec3));
static_assert(offsetof(core::FrameState, velocity) == 7 * sizeof(Vec3));

#else

HWY_INLINE core::AxisState evaluate_lanes(const core::LinkMotion& link, double t) {
  return core::evaluate(link, t);
}

HWY_INLINE core::FrameState evaluate_lanes(const core::FrameMotion& frame, double t) {
  return core::evaluate(frame, t);
}

#endif

}  // namespace tocsin::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
