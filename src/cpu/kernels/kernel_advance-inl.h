// core::certify's iteration for several triangles and one link at a time, each lane at a time of
// its own: core/motion/link_motion.h, core/query/advance.h and core/query/certify.h, operation by
// operation, so that a lane passes through the very times that certify would. Included once per
// SIMD target, from kernels.cpp only.
//
// Only what certify proves without a gap is proved here: a lane that touches, that may touch before
// the tolerance is used up, or that would leap, is left to certify. Zeros may have another sign
// than certify's, which nothing sees: they are added, compared, or divided by something > 0.
#if defined(TOCSIN_CPU_KERNEL_ADVANCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCSIN_CPU_KERNEL_ADVANCE_INL_H_
#undef TOCSIN_CPU_KERNEL_ADVANCE_INL_H_
#else
#define TOCSIN_CPU_KERNEL_ADVANCE_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "core/motion/link_motion.h"
#include "core/query/certify.h"
#include "cpu/kernels/block_results.h"
#include "cpu/kernels/kernel_clear_time-inl.h"
#include "cpu/kernels/kernel_trig-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tocsin::cpu::HWY_NAMESPACE {

/// Iterations of a lane before it is left to certify. Fewer, and more lanes are; more, and one slow
/// lane holds up a block. In a house nearly all need 2 to 5.
inline constexpr int kMostIterations = 32;

/// Each lane's own axis or part of one, as SharedAxis: core::AxisPart, and what is left of the
/// step.
template <class D, class V = hn::Vec<D>>
struct AxisLanes {
  Lanes3<V> end_a;
  Lanes3<V> end_b;
  Lanes3<V> velocity_a;
  Lanes3<V> velocity_b;
  V bound_a;  ///< of the acceleration of end a
  V bound_b;
  V left;

  HWY_INLINE Lanes3<V> a(D /*d*/) const { return end_a; }
  HWY_INLINE Lanes3<V> b(D /*d*/) const { return end_b; }
  HWY_INLINE Lanes3<V> va(D /*d*/) const { return velocity_a; }
  HWY_INLINE Lanes3<V> vb(D /*d*/) const { return velocity_b; }
  HWY_INLINE Lanes3<V> along(D /*d*/) const { return end_b - end_a; }
  HWY_INLINE Lanes3<V> faster(D /*d*/) const { return velocity_b - velocity_a; }
  HWY_INLINE V acceleration_a(D /*d*/) const { return bound_a; }
  HWY_INLINE V acceleration_b(D /*d*/) const { return bound_b; }
  HWY_INLINE V acceleration_at(D /*d*/, const V& s) const {
    return hn::Add(bound_a, hn::Mul(s, hn::Sub(bound_b, bound_a)));
  }
  HWY_INLINE V fraction(D d, const V& x, const Lanes3<V>& along) const {
    const V squared = dot(along, along);
    return hn::IfThenElseZero(hn::Gt(squared, hn::Zero(d)), clamp_to_unit(d, hn::Div(x, squared)));
  }
  HWY_INLINE V at_end(D d, const V& gap, const V& rate, const V& acceleration) const {
    const V bend = hn::Mul(hn::Mul(hn::Set(d, 0.5), acceleration), left);
    return hn::Add(gap, hn::Mul(left, hn::Sub(rate, bend)));
  }
};

/// detail::JointState, each lane at its own time; and the joint's translation.
template <class D, class V = hn::Vec<D>>
struct JointLanes {
  V sin;
  V versin;
  Lanes3<V> start;  ///< c + travel
  Lanes3<V> velocity;
};

/// detail::joint_state. c: the joint's start.
template <class D, class V>
HWY_INLINE JointLanes<D> joint_lanes(D d, const core::JointMotion& m, InBetween kind, const Vec3& c,
                                     const V& t) {
  const Lanes3<V> zero = all_lanes(d, Vec3{});
  JointLanes<D> out{zero.x, zero.x, all_lanes(d, c), zero};
  if (m.w > 0.0) {
    const V two = hn::Set(d, 2.0);
    const V angle = hn::Mul(hn::Mul(hn::Set(d, 0.5), t), hn::Set(d, m.w));
    const SinCosLanes<V> half = sincos_quadrant(d, angle);
    out.sin = hn::Mul(two, hn::Mul(half.sin, half.cos));
    out.versin = hn::Mul(two, hn::Mul(half.sin, half.sin));
  }
  // A bone of fixed length: certify adds zeros.
  if (m.s == Vec3{} && m.v == Vec3{} && m.h == 0.0) return out;
  if (kind == InBetween::kTranslateRotate) {
    out.velocity = all_lanes(d, m.s);
    out.start = out.start + t * out.velocity;
    return out;
  }
  const Lanes3<V> u = all_lanes(d, m.u);
  const Lanes3<V> v = all_lanes(d, m.v);
  const Lanes3<V> turned = all_lanes(d, core::cross(m.u, m.v));
  const V w = hn::Set(d, m.w);
  const V along = m.w > 0.0 ? hn::Div(out.sin, w) : t;
  const V beside = m.w > 0.0 ? hn::Div(out.versin, w) : zero.x;
  out.start = out.start + (hn::Mul(t, hn::Set(d, m.h)) * u + (along * v + beside * turned));
  out.velocity =
      hn::Set(d, m.h) * u + (hn::Sub(hn::Set(d, 1.0), out.versin) * v + out.sin * turned);
  return out;
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE Lanes3<V> apply_lanes(D d, const core::Mat3& m, const Lanes3<V>& a) {
  return {dot(all_lanes(d, m.row[0]), a), dot(all_lanes(d, m.row[1]), a),
          dot(all_lanes(d, m.row[2]), a)};
}

/// The rest of detail::carry, where y and yv are the point and its velocity after m.r0. `moves`:
/// yv may be other than zero.
template <class D, class V>
HWY_INLINE void carry_lanes(D d, const core::JointMotion& m, const JointLanes<D>& j, bool moves,
                            Lanes3<V>& y, Lanes3<V>& yv) {
  if (m.w > 0.0) {
    const Lanes3<V> u = all_lanes(d, m.u);
    const auto turn = [&](const Lanes3<V>& x) {
      const Lanes3<V> once = cross(u, x);
      return x + (j.sin * once + j.versin * cross(u, once));
    };
    y = turn(y);
    const Lanes3<V> turning = hn::Set(d, m.w) * cross(u, y);
    yv = moves ? turn(yv) + turning : turning;
  }
  y = y + j.start;
  yv = yv + j.velocity;
}

/// core::evaluate, each lane at its own time.
template <class D, class V>
HWY_INLINE void evaluate_lanes(D d, const core::LinkMotion& link, const V& t, AxisLanes<D>& out) {
  const std::int32_t last = link.chain_length - 1;
  out.velocity_a = out.velocity_b = all_lanes(d, Vec3{});
  for (std::int32_t k = last; k >= 0; --k) {
    const core::JointMotion& m = link.joints[link.chain[k]];
    const Vec3 c = k == 0 ? m.c - link.ref : m.c;
    const JointLanes<D> j = joint_lanes(d, m, link.kind, c, t);
    const bool moves = k < last;
    if (moves) {
      out.end_a = apply_lanes(d, m.r0, out.end_a);
      out.end_b = apply_lanes(d, m.r0, out.end_b);
      out.velocity_a = apply_lanes(d, m.r0, out.velocity_a);
      out.velocity_b = apply_lanes(d, m.r0, out.velocity_b);
    } else {
      out.end_a = all_lanes(d, m.r0 * link.a);
      out.end_b = all_lanes(d, m.r0 * link.b);
    }
    carry_lanes(d, m, j, moves, out.end_a, out.velocity_a);
    carry_lanes(d, m, j, moves, out.end_b, out.velocity_b);
  }
}

/// core::clear_time_at, where `wanted`.
template <class D, class V>
HWY_INLINE V clear_time_at(D d, const AxisLanes<D>& axis, const TriangleLanes<D>& tri,
                           const ClosestLanes<D>& c, const DirectionLanes<D>& to,
                           const V& good_enough, hn::Mask<D> wanted) {
  const V best =
      hn::IfThenElseZero(to.usable, clear_time_along(d, along_lanes(d, axis, tri, to.n, c.x)));
  const auto again = hn::AndNot(hn::And(to.usable, hn::Ge(best, good_enough)), wanted);
  if (hn::AllFalse(d, again)) return best;
  return try_features(d, axis, tri, c, to.between, again, best);
}

/// core::part_of
template <class D, class V>
HWY_INLINE AxisLanes<D> part_of(D d, const AxisLanes<D>& p, const V& s0, const V& s1) {
  const Lanes3<V> along = p.along(d);
  const Lanes3<V> faster = p.faster(d);
  return {p.end_a + s0 * along,
          p.end_a + s1 * along,
          p.velocity_a + s0 * faster,
          p.velocity_a + s1 * faster,
          p.acceleration_at(d, s0),
          p.acceleration_at(d, s1),
          p.left};
}

/// The rest of core::clear_time_split, for the lanes `cut` in which the axis is cut around its
/// closest point.
template <class D, class V>
HWY_NOINLINE V clear_time_cut(D d, const AxisLanes<D>& axis, const TriangleLanes<D>& tri,
                              const ClosestLanes<D>& c, const DirectionLanes<D>& to,
                              const V& half_width, const V& own, const V& whole, hn::Mask<D> cut) {
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, 1.0);
  const V s0 = hn::Sub(c.s, half_width);
  const V s1 = hn::Add(c.s, half_width);
  const AxisLanes<D> middle = part_of(d, axis, max_of(s0, zero), min_of(s1, one));
  V pieces = clear_time_at(d, middle, tri, c, to, own, cut);
  for (int side = 0; side < 2; ++side) {
    const auto has_side = side == 0 ? hn::Gt(s0, zero) : hn::Lt(s1, one);
    const auto wanted = hn::And(cut, hn::And(has_side, hn::Gt(pieces, whole)));
    if (hn::AllFalse(d, wanted)) continue;
    const AxisLanes<D> part = part_of(d, axis, side == 0 ? zero : s1, side == 0 ? s0 : one);
    const ClosestLanes<D> nearest = closest_points(d, part, tri);
    const DirectionLanes<D> to_part = direction_of(d, part, nearest);
    const V time = clear_time_at(d, part, tri, nearest, to_part, own, wanted);
    pieces = hn::IfThenElse(wanted, min_of(pieces, time), pieces);
  }
  return hn::IfThenElse(cut, max_of(whole, pieces), whole);
}

/// core::clear_time_split, where `wanted`.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V clear_time_split(D d, const AxisLanes<D>& axis, const TriangleLanes<D>& tri,
                              const ClosestLanes<D>& c, const DirectionLanes<D>& to,
                              const OwnLanes<D>& own, double radius, hn::Mask<D> wanted) {
  const V zero = hn::Zero(d);
  const V enough = hn::Mul(hn::Set(d, 0.5), own.time);
  V whole = clear_time_at(d, axis, tri, c, to, enough, wanted);
  whole = hn::IfThenElseZero(hn::Gt(whole, zero), whole);
  const Lanes3<V> along = axis.along(d);
  const V length = hn::Sqrt(dot(along, along));
  const auto long_enough = hn::Gt(length, hn::Set(d, core::kLeastLength));
  const auto cut = hn::AndNot(hn::Ge(whole, enough),
                              hn::And(wanted, hn::And(long_enough, hn::Gt(own.gap, zero))));
  if (hn::AllFalse(d, cut)) return whole;
  const V two = hn::Set(d, 2.0);
  const V width = hn::Sqrt(hn::Mul(hn::Set(d, 2.0 * radius), own.gap));
  const V half_width = hn::Div(hn::Mul(two, width), length);
  return clear_time_cut(d, axis, tri, c, to, half_width, own.time, whole, cut);
}

/// detail::travel_time
template <class D, class V>
HWY_INLINE V travel_time(D d, const V& distance, const V& c, const V& acceleration) {
  const V two = hn::Set(d, 2.0);
  const V bend = hn::Mul(hn::Mul(two, acceleration), distance);
  return hn::Div(hn::Mul(two, distance), hn::Add(c, hn::Sqrt(hn::Add(hn::Mul(c, c), bend))));
}

/// detail::closing_time
template <class D, class V>
HWY_INLINE V closing_time(D d, const V& gap, const V& c, const V& acceleration) {
  const V two = hn::Set(d, 2.0);
  const V disc = hn::Sub(hn::Mul(c, c), hn::Mul(hn::Mul(two, acceleration), gap));
  const auto closes = hn::And(hn::Gt(c, hn::Zero(d)), hn::Ge(disc, hn::Zero(d)));
  const V time = hn::Div(hn::Mul(two, gap), hn::Add(c, hn::Sqrt(disc)));
  return hn::IfThenElse(closes, time, hn::Set(d, core::kToEnd));
}

/// What detail::Outlook says, but for `leap`.
template <class D, class V>
HWY_INLINE V floor_of(D d, const AxisLanes<D>& axis, const TriangleLanes<D>& tri, const V& rate,
                      const Lanes3<V>& n) {
  const V fastest = max_of(
      hn::Neg(rate), max_of(hn::Neg(dot(n, axis.velocity_a)), hn::Neg(dot(n, axis.velocity_b))));
  return travel_time(d, hn::Mul(hn::Set(d, 0.25), tri.eta), max_of(fastest, hn::Zero(d)),
                     max_of(axis.bound_a, axis.bound_b));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V touch_of(D d, const TriangleLanes<D>& tri, const OwnLanes<D>& own, const V& distance) {
  const V squared = dot(own.velocity, own.velocity);
  const V across = max_of(hn::Sub(squared, hn::Mul(own.rate, own.rate)), hn::Zero(d));
  return closing_time(d, hn::Add(own.gap, hn::Mul(hn::Set(d, 2.5), tri.eta)), hn::Neg(own.rate),
                      hn::Add(own.acceleration, hn::Div(across, distance)));
}

/// How far certify has got with the triangles of some lanes.
template <class D, class V = hn::Vec<D>>
struct Advancement {
  V t;  ///< proved free on [0, t]
  hn::Mask<D> under_way;
  hn::Mask<D> settled;
};

/// One iteration of detail::Query::run, where under way.
template <class D>
HWY_INLINE void advance_once(D d, const AxisLanes<D>& axis, const TriangleLanes<D>& tri,
                             double radius, double tolerance, double stop_after,
                             Advancement<D>& lanes) {
  using V = hn::Vec<D>;
  const V one = hn::Set(d, 1.0);
  const ClosestLanes<D> c = closest_points(d, axis, tri);
  const DirectionLanes<D> to = direction_of(d, axis, c);
  const auto open = hn::AndNot(hn::Le(to.distance, tri.inner), lanes.under_way);
  const OwnLanes<D> own = own_outlook(d, axis, tri, to, c.s);
  const V clear = clear_time_split(d, axis, tri, c, to, own, radius, open);
  const auto free = hn::And(open, hn::Ge(clear, hn::Set(d, core::kToEnd)));

  // detail::advance_time
  const V ahead = hn::Mul(hn::Add(lanes.t, hn::Mul(clear, hn::Set(d, 1.0 - 0x1p-44))),
                          hn::Set(d, 1.0 - 0x1p-52));
  const auto gains =
      hn::And(hn::Gt(ahead, lanes.t), hn::Gt(clear, floor_of(d, axis, tri, own.rate, to.n)));
  const V probe = min_of(hn::Add(lanes.t, touch_of(d, tri, own, to.distance)), one);
  const auto probes = hn::Le(hn::Sub(probe, ahead), hn::Set(d, tolerance));
  const auto advances = hn::AndNot(free, hn::AndNot(probes, hn::And(open, gains)));
  const auto pruned = hn::And(advances, hn::Gt(ahead, hn::Set(d, stop_after)));
  lanes.t = hn::IfThenElse(advances, ahead, lanes.t);
  lanes.settled = hn::Or(lanes.settled, hn::Or(free, pruned));
  lanes.under_way = hn::AndNot(pruned, advances);
}

/// Advances the lanes from `lane` on.
template <class D>
HWY_INLINE void advance_lanes(D d, const core::LinkMotion& link, const core::AxisState& at0,
                              const scene::TriangleBlock& block, std::size_t lane, double tolerance,
                              double stop_after, Advanced& out) {
  using V = hn::Vec<D>;
  const V one = hn::Set(d, 1.0);
  TriangleLanes<D> tri;
  load_triangles(d, link, eta_factor(link), block, lane, tri);
  Advancement<D> lanes{hn::Zero(d), tri.sane, hn::Lt(one, one)};
  AxisLanes<D> axis{all_lanes(d, at0.a),
                    all_lanes(d, at0.b),
                    all_lanes(d, at0.va),
                    all_lanes(d, at0.vb),
                    hn::Set(d, link.acceleration_a),
                    hn::Set(d, link.acceleration_b),
                    one};
  for (int i = 0; i < kMostIterations && !hn::AllFalse(d, lanes.under_way); ++i) {
    if (i > 0) evaluate_lanes(d, link, lanes.t, axis);
    axis.left = hn::Sub(one, lanes.t);
    out.evaluations += static_cast<std::uint32_t>(hn::CountTrue(d, lanes.under_way));
    advance_once(d, axis, tri, link.radius, tolerance, stop_after, lanes);
  }
  out.settled |= bits_of(d, lanes.settled) << lane;
}

HWY_INLINE Advanced advance_all(const core::LinkMotion& link, const core::AxisState& at0,
                                const scene::TriangleBlock& block, double tolerance,
                                double stop_after) {
  Advanced out;
  if (!is_sane(link)) return out;
  const hn::CappedTag<double, scene::kBlockSize> d;
  for (std::size_t lane = 0; lane < scene::kBlockSize; lane += hn::Lanes(d)) {
    advance_lanes(d, link, at0, block, lane, tolerance, stop_after, out);
  }
  return out;
}

}  // namespace tocsin::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
