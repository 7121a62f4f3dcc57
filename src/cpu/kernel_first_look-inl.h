// core::certify's first iteration, at t = 0, for several triangles at a time:
// core/distance.h and core/advance.h, operation by operation. Included once per
// SIMD target, from kernels.cpp only.
//
// What differs from the scalar code, and why the answers do not: a cross
// product of negated vectors is the negated one bit for bit, so the edges' are
// used again for the faces (zeros may change their sign; every division is by
// something > 0, so nothing else sees that); the pair's point y is recomputed
// from s once at the end; quotients are not formed where no lane can need them.
#if defined(TOCSIN_CPU_KERNEL_FIRST_LOOK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCSIN_CPU_KERNEL_FIRST_LOOK_INL_H_
#undef TOCSIN_CPU_KERNEL_FIRST_LOOK_INL_H_
#else
#define TOCSIN_CPU_KERNEL_FIRST_LOOK_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/advance.h"
#include "core/certify.h"
#include "cpu/kernel_lanes-inl.h"
#include "cpu/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace tocsin::cpu::HWY_NAMESPACE {

/// Metres. Below it no product of these kernels overflows, so no NaN arises;
/// triangles and links beyond it are left to core::certify. Nothing in a room
/// is that large.
inline constexpr double kSaneReach = 0x1p+100;

template <class D, class M>
HWY_INLINE std::uint32_t bits_of(D d, M mask) {
  std::uint8_t bits[8] = {};  // as many as StoreMaskBits may write
  hn::StoreMaskBits(d, mask, bits);
  return bits[0];
}

/// What all triangles of a block share.
struct LookAxis {
  const core::LinkMotion& link;
  const core::AxisState& at;
  double eta_factor;  ///< eta = eta_factor ((reach + triangle's reach) + speed)
  bool has_length;    ///< |b - a|^2 > 0
};

HWY_INLINE LookAxis look_axis(const core::LinkMotion& link, const core::AxisState& at0) {
  const Vec3 along = at0.b - at0.a;
  const int joints =
      link.chain_length > core::kEtaLeastJoints ? link.chain_length : core::kEtaLeastJoints;
  return {link, at0, joints * core::kEtaFactor, core::dot(along, along) > 0.0};
}

/// b - a
template <class D>
HWY_INLINE Lanes3<hn::Vec<D>> along_axis(D d, const LookAxis& k) {
  return all_lanes(d, k.at.b) - all_lanes(d, k.at.a);
}

template <class D, class V = hn::Vec<D>>
struct LookTriangle {
  Lanes3<V> v0;
  Lanes3<V> v1;
  Lanes3<V> v2;
  Lanes3<V> e01;
  Lanes3<V> e12;
  Lanes3<V> e02;
  V margin;  ///< radius + eta
  V inner;   ///< radius - eta
};

/// A feasible pair as core::Closest, but for y and the feature.
template <class D, class V = hn::Vec<D>>
struct LookClosest {
  V squared;
  V s;
  Lanes3<V> x;
  hn::Mask<D> edge12;  ///< the feature; no mask set: edge 01
  hn::Mask<D> edge02;
  hn::Mask<D> face;
  hn::Mask<D> at_b;  ///< y is b itself
};

template <class D>
HWY_INLINE Lanes3<hn::Vec<D>> load_corner(D d, const scene::TriangleBlock& block, int corner,
                                          std::size_t lane) {
  const hn::Rebind<float, D> df;
  const float(&v)[3][scene::kBlockSize] = block.v[corner];
  return {hn::PromoteTo(d, hn::LoadU(df, v[0] + lane)),
          hn::PromoteTo(d, hn::LoadU(df, v[1] + lane)),
          hn::PromoteTo(d, hn::LoadU(df, v[2] + lane))};
}

/// The axis against the edge p + t e, under way.
template <class D, class V = hn::Vec<D>>
struct LookEdge {
  Lanes3<V> p;
  Lanes3<V> e;
  Lanes3<V> w;  ///< p - a
  V s;
  V t;
  Lanes3<V> x;
  V squared;
};

// detail::against_edge in three stages. Each ends with a division or is one
// long chain of operations, and three edges abreast keep the processor busy
// meanwhile.

/// we: cross(w, e)
template <class D, class V>
HWY_INLINE void meet_line(D d, const LookAxis& k, LookEdge<D>& edge, const Lanes3<V>& we) {
  const Lanes3<V> n = cross(along_axis(d, k), edge.e);
  const V nn = dot(n, n);
  edge.s = hn::IfThenElseZero(hn::Gt(nn, hn::Zero(d)), clamp_to_unit(d, hn::Div(dot(we, n), nn)));
}

template <class D>
HWY_INLINE void meet_edge(D d, const LookAxis& k, LookEdge<D>& edge) {
  using V = hn::Vec<D>;
  const V ee = dot(edge.e, edge.e);
  const V along_e = dot(edge.s * along_axis(d, k) - edge.w, edge.e);
  edge.t = hn::IfThenElseZero(hn::Gt(ee, hn::Zero(d)), clamp_to_unit(d, hn::Div(along_e, ee)));
}

template <class D>
HWY_INLINE void meet_axis(D d, const LookAxis& k, LookEdge<D>& edge) {
  using V = hn::Vec<D>;
  const Lanes3<V> along = along_axis(d, k);
  const Lanes3<V> te = edge.t * edge.e;
  edge.x = edge.p + te;
  edge.s = k.has_length ? clamp_to_unit(d, hn::Div(dot(edge.w + te, along), dot(along, along)))
                        : hn::Zero(d);
}

template <class D>
HWY_INLINE void measure(D d, const LookAxis& k, LookEdge<D>& edge) {
  using V = hn::Vec<D>;
  const Lanes3<V> between = (all_lanes(d, k.at.a) + edge.s * along_axis(d, k)) - edge.x;
  edge.squared = dot(between, between);
}

/// detail::keep_nearer. Returns the lanes in which the pair was nearer.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> keep_nearer(LookClosest<D>& best, const V& squared, const V& s,
                                   const Lanes3<V>& x) {
  const auto nearer = hn::Lt(squared, best.squared);
  best.squared = min_of(squared, best.squared);  // sooner known than a choice by the mask
  best.s = hn::IfThenElse(nearer, s, best.s);
  best.x = choose(nearer, x, best.x);
  return nearer;
}

/// A point of the axis against the face, measured but not compared yet.
template <class V>
struct LookFace {
  V squared;  ///< infinite where the point is not above the face
  Lanes3<V> x;
};

/// detail::against_face, where `eligible`, of a point y with w = y - v0. wn1:
/// dot(cross(w, e02), n); wn2: dot(cross(e01, w), n).
template <class D, class V>
HWY_INLINE LookFace<V> meet_face(D d, const LookTriangle<D>& tri, hn::Mask<D> eligible, const V& nn,
                                 const V& wn1, const V& wn2, const Lanes3<V>& y) {
  const V zero = hn::Zero(d);
  const V beta = hn::Div(wn1, nn);
  const V gamma = hn::Div(wn2, nn);
  const auto inside = hn::And(hn::And(hn::Ge(beta, zero), hn::Ge(gamma, zero)),
                              hn::Le(hn::Add(beta, gamma), hn::Set(d, 1.0)));
  LookFace<V> out{zero, tri.v0 + (beta * tri.e01 + gamma * tri.e02)};
  const Lanes3<V> between = y - out.x;
  out.squared =
      hn::IfThenElse(hn::And(inside, eligible), dot(between, between), hn::Set(d, HUGE_VAL));
  return out;
}

/// core::closest_points
template <class D>
HWY_INLINE LookClosest<D> closest_points(D d, const LookAxis& k, const LookTriangle<D>& tri) {
  using V = hn::Vec<D>;
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, 1.0);
  const auto none = hn::Lt(zero, zero);
  const Lanes3<V> a = all_lanes(d, k.at.a);
  const Lanes3<V> b = all_lanes(d, k.at.b);

  const Lanes3<V> w0 = tri.v0 - a;
  const Lanes3<V> w1 = tri.v1 - a;
  const Lanes3<V> w0_e01 = cross(w0, tri.e01);
  const Lanes3<V> w0_e02 = cross(w0, tri.e02);
  LookEdge<D> edge01{tri.v0, tri.e01, w0, zero, zero, w0, zero};
  LookEdge<D> edge12{tri.v1, tri.e12, w1, zero, zero, w1, zero};
  LookEdge<D> edge02{tri.v0, tri.e02, w0, zero, zero, w0, zero};
  meet_line(d, k, edge01, w0_e01);
  meet_line(d, k, edge12, cross(w1, tri.e12));
  meet_line(d, k, edge02, w0_e02);

  const Lanes3<V> n = cross(tri.e01, tri.e02);
  const V nn = dot(n, n);
  const auto has_face = hn::Gt(nn, zero);
  const Lanes3<V> wb = b - tri.v0;
  const LookFace<V> face_a =
      meet_face(d, tri, has_face, nn, hn::Neg(dot(w0_e02, n)), dot(w0_e01, n), a);
  const LookFace<V> face_b =
      meet_face(d, tri, has_face, nn, dot(cross(wb, tri.e02), n), dot(cross(tri.e01, wb), n), b);

  meet_edge(d, k, edge01);
  meet_edge(d, k, edge12);
  meet_edge(d, k, edge02);
  meet_axis(d, k, edge01);
  meet_axis(d, k, edge12);
  meet_axis(d, k, edge02);
  measure(d, k, edge01);
  measure(d, k, edge12);
  measure(d, k, edge02);

  LookClosest<D> best{edge01.squared, edge01.s, edge01.x, none, none, none, none};
  best.edge12 = keep_nearer(best, edge12.squared, edge12.s, edge12.x);
  best.edge02 = keep_nearer(best, edge02.squared, edge02.s, edge02.x);
  best.face = keep_nearer(best, face_a.squared, zero, face_a.x);
  best.at_b = keep_nearer(best, face_b.squared, one, face_b.x);
  best.face = hn::Or(best.face, best.at_b);

  const V above_a = hn::Neg(dot(w0, n));
  const V above_b = dot(wb, n);
  const auto crossing = hn::And(has_face, hn::Xor(hn::Lt(above_a, zero), hn::Lt(above_b, zero)));
  if (!hn::AllFalse(d, crossing)) {
    const V s = clamp_to_unit(d, hn::Div(above_a, hn::Sub(above_a, above_b)));
    const Lanes3<V> y = a + s * along_axis(d, k);
    const Lanes3<V> w = y - tri.v0;
    const LookFace<V> pierced =
        meet_face(d, tri, crossing, nn, dot(cross(w, tri.e02), n), dot(cross(tri.e01, w), n), y);
    const auto nearer = keep_nearer(best, pierced.squared, s, pierced.x);
    best.face = hn::Or(best.face, nearer);
    best.at_b = hn::AndNot(nearer, best.at_b);
  }
  return best;
}

/// core::clear_time with left = 1, for a rate and a gap; both before its roots
/// are taken.
template <class D, class V = hn::Vec<D>>
struct LookGap {
  V gap;
  V rate;
  V acceleration;
  hn::Mask<D> clear;   ///< gap > 0
  hn::Mask<D> to_end;  ///< clear, and the answer is kToEnd
};

template <class D, class V>
HWY_INLINE LookGap<D> look_gap(D d, const V& gap, const V& rate, const V& acceleration) {
  const V zero = hn::Zero(d);
  const auto clear = hn::Gt(gap, zero);
  const V least = hn::Add(gap, hn::Sub(rate, hn::Mul(hn::Set(d, 0.5), acceleration)));
  return {gap, rate, acceleration, clear, hn::And(clear, hn::Gt(least, zero))};
}

template <class D>
HWY_INLINE hn::Vec<D> clear_time(D d, const LookGap<D>& g) {
  using V = hn::Vec<D>;
  const V two = hn::Set(d, 2.0);
  const V root =
      hn::Sqrt(hn::Add(hn::Mul(g.rate, g.rate), hn::Mul(hn::Mul(two, g.acceleration), g.gap)));
  const auto nearing = hn::Lt(g.rate, hn::Zero(d));
  const V time = hn::Div(hn::IfThenElse(nearing, hn::Mul(two, g.gap), hn::Add(g.rate, root)),
                         hn::IfThenElse(nearing, hn::Sub(root, g.rate), g.acceleration));
  return hn::IfThenElse(g.to_end, hn::Set(d, core::kToEnd), hn::IfThenElseZero(g.clear, time));
}

/// core::clear_time_along of the whole axis with left = 1, before its roots are
/// taken.
template <class D>
struct LookAlong {
  LookGap<D> a;
  LookGap<D> b;
};

template <class D, class V>
HWY_INLINE LookAlong<D> look_along(D d, const LookAxis& k, const LookTriangle<D>& tri,
                                   const Lanes3<V>& n, const Lanes3<V>& x) {
  const V support = max_of(dot(n, tri.v0 - x), max_of(dot(n, tri.v1 - x), dot(n, tri.v2 - x)));
  const V offset = hn::Add(support, tri.margin);
  const V gap_a = hn::Sub(dot(n, all_lanes(d, k.at.a) - x), offset);
  const V gap_b = hn::Sub(dot(n, all_lanes(d, k.at.b) - x), offset);
  return {look_gap(d, gap_a, dot(n, all_lanes(d, k.at.va)), hn::Set(d, k.link.acceleration_a)),
          look_gap(d, gap_b, dot(n, all_lanes(d, k.at.vb)), hn::Set(d, k.link.acceleration_b))};
}

template <class D>
HWY_INLINE hn::Vec<D> clear_time_along(D d, const LookAlong<D>& g) {
  const hn::Vec<D> ta = clear_time(d, g.a);
  const hn::Vec<D> tb = clear_time(d, g.b);
  return hn::IfThenElseZero(hn::Gt(ta, hn::Zero(d)), min_of(ta, tb));
}

/// What detail::Query::outlook calls `own`.
template <class D, class V>
HWY_INLINE V own_clear_time(D d, const LookAxis& k, const LookTriangle<D>& tri, const V& distance,
                            const Lanes3<V>& n, const V& s) {
  const Lanes3<V> va = all_lanes(d, k.at.va);
  const Lanes3<V> velocity = va + s * all_lanes(d, k.at.vb - k.at.va);
  const V acceleration =
      hn::Add(hn::Set(d, k.link.acceleration_a),
              hn::Mul(s, hn::Set(d, k.link.acceleration_b - k.link.acceleration_a)));
  return clear_time(d, look_gap(d, hn::Sub(distance, tri.margin), dot(n, velocity), acceleration));
}

/// Sets the bits and entries of the lanes from `lane` on.
template <class D>
HWY_INLINE void look_at_lanes(D d, const LookAxis& k, const scene::TriangleBlock& block,
                              std::size_t lane, FirstLook& out) {
  using V = hn::Vec<D>;
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, 1.0);
  const Lanes3<V> ref = all_lanes(d, k.link.ref);
  LookTriangle<D> tri;
  tri.v0 = load_corner(d, block, 0, lane) - ref;
  tri.v1 = load_corner(d, block, 1, lane) - ref;
  tri.v2 = load_corner(d, block, 2, lane) - ref;
  tri.e01 = tri.v1 - tri.v0;
  tri.e12 = tri.v2 - tri.v1;
  tri.e02 = tri.v2 - tri.v0;
  const V r0 = dot(tri.v0, tri.v0);
  const V r1 = dot(tri.v1, tri.v1);
  const V r2 = dot(tri.v2, tri.v2);
  // Not so where a corner is NaN: max_of alone would not tell.
  const auto sane = hn::Lt(hn::Add(hn::Add(r0, r1), r2), hn::Set(d, kSaneReach * kSaneReach));
  const V reach = hn::Sqrt(max_of(r0, max_of(r1, r2)));
  const V eta = hn::Mul(hn::Set(d, k.eta_factor), hn::Add(hn::Add(hn::Set(d, k.link.reach), reach),
                                                          hn::Set(d, k.link.speed)));
  tri.margin = hn::Add(hn::Set(d, k.link.radius), eta);
  tri.inner = hn::Sub(hn::Set(d, k.link.radius), eta);

  const LookClosest<D> c = closest_points(d, k, tri);
  const V distance = hn::Sqrt(c.squared);
  const auto overlap = hn::And(sane, hn::Le(distance, tri.inner));
  const auto open = hn::AndNot(overlap, sane);

  const Lanes3<V> y =
      choose(c.at_b, all_lanes(d, k.at.b), all_lanes(d, k.at.a) + c.s * along_axis(d, k));
  const Lanes3<V> between = y - c.x;
  const auto has_direction = hn::Gt(distance, hn::Set(d, core::kLeastLength));
  const V inverse = hn::IfThenElseZero(has_direction, hn::Div(one, distance));
  const Lanes3<V> n = inverse * between;
  const LookAlong<D> first = look_along(d, k, tri, n, c.x);
  out.overlap |= bits_of(d, overlap) << lane;
  const auto free_at_once =
      hn::And(open, hn::And(has_direction, hn::And(first.a.to_end, first.b.to_end)));
  const auto rest = hn::AndNot(free_at_once, open);
  if (hn::AllFalse(d, rest)) {
    out.free |= bits_of(d, free_at_once) << lane;
    hn::StoreU(hn::IfThenElseZero(free_at_once, one), d, out.free_until + lane);
    return;
  }

  // core::clear_time_at tries the features' own normal where that is not good
  // enough.
  V whole = hn::IfThenElseZero(has_direction, clear_time_along(d, first));
  const V good_enough = hn::Mul(hn::Set(d, 0.5), own_clear_time(d, k, tri, distance, n, c.s));
  const auto again = hn::AndNot(hn::And(has_direction, hn::Ge(whole, good_enough)), rest);
  if (!hn::AllFalse(d, again)) {
    const Lanes3<V> edge = choose(c.edge02, tri.e02, choose(c.edge12, tri.e12, tri.e01));
    const Lanes3<V> f = choose(c.face, cross(tri.e01, tri.e02), cross(along_axis(d, k), edge));
    const V length = hn::Sqrt(dot(f, f));
    const auto usable = hn::And(again, hn::Gt(length, hn::Set(d, core::kLeastLength)));
    const V sign = hn::IfThenElse(hn::Lt(dot(f, between), zero), hn::Set(d, -1.0), one);
    const LookAlong<D> second = look_along(d, k, tri, hn::Div(sign, length) * f, c.x);
    whole = hn::IfThenElse(usable, max_of(whole, clear_time_along(d, second)), whole);
  }
  // detail::advance_time(0, whole); max_of drops a NaN.
  const V next = hn::Mul(hn::Mul(whole, hn::Set(d, 1.0 - 0x1p-44)), hn::Set(d, 1.0 - 0x1p-52));
  const V until = hn::IfThenElseZero(open, min_of(max_of(next, zero), one));
  hn::StoreU(until, d, out.free_until + lane);
  const auto free = hn::And(open, hn::Ge(whole, hn::Set(d, core::kToEnd)));
  out.free |= bits_of(d, free) << lane;
}

HWY_INLINE FirstLook look_at_block(const core::LinkMotion& link, const core::AxisState& at0,
                                   const scene::TriangleBlock& block) {
  FirstLook out;
  const double greatest = (link.reach + link.speed) + (link.acceleration_a + link.acceleration_b) +
                          std::fabs(link.radius);
  if (!(greatest < kSaneReach)) return out;
  const LookAxis k = look_axis(link, at0);
  const hn::CappedTag<double, scene::kBlockSize> d;
  for (std::size_t lane = 0; lane < scene::kBlockSize; lane += hn::Lanes(d)) {
    look_at_lanes(d, k, block, lane, out);
  }
  return out;
}

}  // namespace tocsin::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
