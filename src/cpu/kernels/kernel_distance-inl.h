// core/query/distance.h for several triangles at a time, operation by operation, and an axis that
// all lanes share (SharedAxis) or one of each lane's own (kernel_advance-inl.h). Included once per
// SIMD target, from kernels.cpp only.
//
// What differs from the scalar code, and why the answers do not: a cross
// product of negated vectors is the negated one bit for bit, so the edges' are
// used again for the faces (zeros may change their sign; every division is by
// something > 0, so nothing else sees that); the pair's point y is recomputed
// from s once at the end.
#if defined(TOCSIN_CPU_KERNEL_DISTANCE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCSIN_CPU_KERNEL_DISTANCE_INL_H_
#undef TOCSIN_CPU_KERNEL_DISTANCE_INL_H_
#else
#define TOCSIN_CPU_KERNEL_DISTANCE_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/motion/link_motion.h"
#include "core/query/early_out.h"
#include "cpu/kernels/kernel_lanes-inl.h"
#include "scene/tree/tree_nodes.h"

HWY_BEFORE_NAMESPACE();
namespace tocsin::cpu::HWY_NAMESPACE {

using core::kSaneReach;

/// eta = eta_factor ((reach + the triangle's reach) + speed): core::rounding_margin.
HWY_INLINE double eta_factor(const core::LinkMotion& link) {
  return core::margin_factor(link.chain_length);
}

/// One axis for all lanes, at t = 0. What the functions below take as an axis K has these members.
struct SharedAxis {
  const core::LinkMotion& link;
  const core::AxisState& at;
  double eta_factor;
  bool has_length;  ///< |b - a|^2 > 0

  template <class D>
  HWY_INLINE Lanes3<hn::Vec<D>> a(D d) const {
    return all_lanes(d, at.a);
  }
  template <class D>
  HWY_INLINE Lanes3<hn::Vec<D>> b(D d) const {
    return all_lanes(d, at.b);
  }
  template <class D>
  HWY_INLINE Lanes3<hn::Vec<D>> va(D d) const {
    return all_lanes(d, at.va);
  }
  template <class D>
  HWY_INLINE Lanes3<hn::Vec<D>> vb(D d) const {
    return all_lanes(d, at.vb);
  }
  /// b - a
  template <class D>
  HWY_INLINE Lanes3<hn::Vec<D>> along(D d) const {
    return all_lanes(d, at.b) - all_lanes(d, at.a);
  }
  /// vb - va
  template <class D>
  HWY_INLINE Lanes3<hn::Vec<D>> faster(D d) const {
    return all_lanes(d, at.vb - at.va);
  }
  template <class D>
  HWY_INLINE hn::Vec<D> acceleration_a(D d) const {
    return hn::Set(d, link.acceleration_a);
  }
  template <class D>
  HWY_INLINE hn::Vec<D> acceleration_b(D d) const {
    return hn::Set(d, link.acceleration_b);
  }
  /// core::between(acceleration_a, acceleration_b, s)
  template <class D, class V>
  HWY_INLINE V acceleration_at(D d, const V& s) const {
    return hn::Add(hn::Set(d, link.acceleration_a),
                   hn::Mul(s, hn::Set(d, link.acceleration_b - link.acceleration_a)));
  }
  /// x / |b - a|^2, clamped to [0, 1]; 0 if the axis has no length.
  template <class D, class V>
  HWY_INLINE V fraction(D d, const V& x, const Lanes3<V>& along) const {
    return has_length ? clamp_to_unit(d, hn::Div(x, dot(along, along))) : hn::Zero(d);
  }
  /// What is left of a gap when the step ends: core::clear_time with left = 1.
  template <class D, class V>
  HWY_INLINE V at_end(D d, const V& gap, const V& rate, const V& acceleration) const {
    return hn::Add(gap, hn::Sub(rate, hn::Mul(hn::Set(d, 0.5), acceleration)));
  }
};

HWY_INLINE SharedAxis axis_at_start(const core::LinkMotion& link, const core::AxisState& at0) {
  const Vec3 along = at0.b - at0.a;
  return {link, at0, eta_factor(link), core::dot(along, along) > 0.0};
}

template <class D, class V = hn::Vec<D>>
struct TriangleLanes {
  Lanes3<V> v0;
  Lanes3<V> v1;
  Lanes3<V> v2;
  Lanes3<V> e01;
  Lanes3<V> e12;
  Lanes3<V> e02;
  V eta;             ///< rounding margin
  V margin;          ///< radius + eta
  V inner;           ///< radius - eta
  hn::Mask<D> sane;  ///< finite, and near enough for these kernels
};

/// A feasible pair as core::Closest, but for y and the feature.
template <class D, class V = hn::Vec<D>>
struct ClosestLanes {
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

/// The triangles of the lanes from `lane` on, relative to the link's ref, and their margins.
template <class D>
HWY_INLINE void load_triangles(D d, const core::LinkMotion& link, double eta_factor,
                               const scene::TriangleBlock& block, std::size_t lane,
                               TriangleLanes<D>& tri) {
  using V = hn::Vec<D>;
  const Lanes3<V> ref = all_lanes(d, link.ref);
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
  tri.sane = hn::Lt(hn::Add(hn::Add(r0, r1), r2), hn::Set(d, kSaneReach * kSaneReach));
  const V reach = hn::Sqrt(max_of(r0, max_of(r1, r2)));
  tri.eta = hn::Mul(hn::Set(d, eta_factor),
                    hn::Add(hn::Add(hn::Set(d, link.reach), reach), hn::Set(d, link.speed)));
  tri.margin = hn::Add(hn::Set(d, link.radius), tri.eta);
  tri.inner = hn::Sub(hn::Set(d, link.radius), tri.eta);
}

/// The axis against the edge p + t e, under way.
template <class D, class V = hn::Vec<D>>
struct EdgeLanes {
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
template <class D, class K, class V>
HWY_INLINE void meet_line(D d, const K& k, EdgeLanes<D>& edge, const Lanes3<V>& we) {
  const Lanes3<V> n = cross(k.along(d), edge.e);
  const V nn = dot(n, n);
  edge.s = hn::IfThenElseZero(hn::Gt(nn, hn::Zero(d)), clamp_to_unit(d, hn::Div(dot(we, n), nn)));
}

template <class D, class K>
HWY_INLINE void meet_edge(D d, const K& k, EdgeLanes<D>& edge) {
  using V = hn::Vec<D>;
  const V ee = dot(edge.e, edge.e);
  const V along_e = dot(edge.s * k.along(d) - edge.w, edge.e);
  edge.t = hn::IfThenElseZero(hn::Gt(ee, hn::Zero(d)), clamp_to_unit(d, hn::Div(along_e, ee)));
}

template <class D, class K>
HWY_INLINE void meet_axis(D d, const K& k, EdgeLanes<D>& edge) {
  using V = hn::Vec<D>;
  const Lanes3<V> along = k.along(d);
  const Lanes3<V> te = edge.t * edge.e;
  edge.x = edge.p + te;
  edge.s = k.fraction(d, dot(edge.w + te, along), along);
}

template <class D, class K>
HWY_INLINE void measure(D d, const K& k, EdgeLanes<D>& edge) {
  using V = hn::Vec<D>;
  const Lanes3<V> between = (k.a(d) + edge.s * k.along(d)) - edge.x;
  edge.squared = dot(between, between);
}

/// detail::keep_nearer. Returns the lanes in which the pair was nearer.
template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> keep_nearer(ClosestLanes<D>& best, const V& squared, const V& s,
                                   const Lanes3<V>& x) {
  const auto nearer = hn::Lt(squared, best.squared);
  best.squared = min_of(squared, best.squared);  // sooner known than a choice by the mask
  best.s = hn::IfThenElse(nearer, s, best.s);
  best.x = choose(nearer, x, best.x);
  return nearer;
}

/// A point of the axis against the face, measured but not compared yet.
template <class V>
struct FaceLanes {
  V squared;  ///< infinite where the point is not above the face
  Lanes3<V> x;
};

/// detail::against_face, where `eligible`, of a point y with w = y - v0. wn1:
/// dot(cross(w, e02), n); wn2: dot(cross(e01, w), n).
template <class D, class V>
HWY_INLINE FaceLanes<V> meet_face(D d, const TriangleLanes<D>& tri, hn::Mask<D> eligible,
                                  const V& nn, const V& wn1, const V& wn2, const Lanes3<V>& y) {
  const V zero = hn::Zero(d);
  const V beta = hn::Div(wn1, nn);
  const V gamma = hn::Div(wn2, nn);
  const auto inside = hn::And(hn::And(hn::Ge(beta, zero), hn::Ge(gamma, zero)),
                              hn::Le(hn::Add(beta, gamma), hn::Set(d, 1.0)));
  FaceLanes<V> out{zero, tri.v0 + (beta * tri.e01 + gamma * tri.e02)};
  const Lanes3<V> between = y - out.x;
  out.squared =
      hn::IfThenElse(hn::And(inside, eligible), dot(between, between), hn::Set(d, HUGE_VAL));
  return out;
}

/// core::closest_points
template <class D, class K>
HWY_INLINE ClosestLanes<D> closest_points(D d, const K& k, const TriangleLanes<D>& tri) {
  using V = hn::Vec<D>;
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, 1.0);
  const auto none = hn::Lt(zero, zero);
  const Lanes3<V> a = k.a(d);
  const Lanes3<V> b = k.b(d);

  const Lanes3<V> w0 = tri.v0 - a;
  const Lanes3<V> w1 = tri.v1 - a;
  const Lanes3<V> w0_e01 = cross(w0, tri.e01);
  const Lanes3<V> w0_e02 = cross(w0, tri.e02);
  EdgeLanes<D> edge01{tri.v0, tri.e01, w0, zero, zero, w0, zero};
  EdgeLanes<D> edge12{tri.v1, tri.e12, w1, zero, zero, w1, zero};
  EdgeLanes<D> edge02{tri.v0, tri.e02, w0, zero, zero, w0, zero};
  meet_line(d, k, edge01, w0_e01);
  meet_line(d, k, edge12, cross(w1, tri.e12));
  meet_line(d, k, edge02, w0_e02);

  const Lanes3<V> n = cross(tri.e01, tri.e02);
  const V nn = dot(n, n);
  const auto has_face = hn::Gt(nn, zero);
  const Lanes3<V> wb = b - tri.v0;
  const FaceLanes<V> face_a =
      meet_face(d, tri, has_face, nn, hn::Neg(dot(w0_e02, n)), dot(w0_e01, n), a);
  const FaceLanes<V> face_b =
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

  ClosestLanes<D> best{edge01.squared, edge01.s, edge01.x, none, none, none, none};
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
    const Lanes3<V> y = a + s * k.along(d);
    const Lanes3<V> w = y - tri.v0;
    const FaceLanes<V> pierced =
        meet_face(d, tri, crossing, nn, dot(cross(w, tri.e02), n), dot(cross(tri.e01, w), n), y);
    const auto nearer = keep_nearer(best, pierced.squared, s, pierced.x);
    best.face = hn::Or(best.face, nearer);
    best.at_b = hn::AndNot(nearer, best.at_b);
  }
  return best;
}

}  // namespace tocsin::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
