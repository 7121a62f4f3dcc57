// core/query/advance.h for several triangles at a time, operation by operation; the axis is one of
// those that kernel_distance-inl.h takes. Included once per SIMD target, from kernels.cpp only.
//
// What differs from the scalar code: quotients are not formed where no lane can
// need them.
#if defined(TOCSIN_CPU_KERNEL_CLEAR_TIME_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCSIN_CPU_KERNEL_CLEAR_TIME_INL_H_
#undef TOCSIN_CPU_KERNEL_CLEAR_TIME_INL_H_
#else
#define TOCSIN_CPU_KERNEL_CLEAR_TIME_INL_H_
#endif

#include <hwy/highway.h>

#include "core/query/advance.h"
#include "cpu/kernels/kernel_distance-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tocsin::cpu::HWY_NAMESPACE {

/// core::clear_time for a gap and its rate, before its roots are taken.
template <class D, class V = hn::Vec<D>>
struct GapLanes {
  V gap;
  V rate;
  V acceleration;
  hn::Mask<D> clear;   ///< gap > 0
  hn::Mask<D> to_end;  ///< clear, and the answer is kToEnd
};

template <class D, class K, class V>
HWY_INLINE GapLanes<D> gap_lanes(D d, const K& k, const V& gap, const V& rate,
                                 const V& acceleration) {
  const V zero = hn::Zero(d);
  const auto clear = hn::Gt(gap, zero);
  const auto open = hn::Gt(k.at_end(d, gap, rate, acceleration), zero);
  return {gap, rate, acceleration, clear, hn::And(clear, open)};
}

template <class D>
HWY_INLINE hn::Vec<D> clear_time(D d, const GapLanes<D>& g) {
  using V = hn::Vec<D>;
  const V two = hn::Set(d, 2.0);
  const V root =
      hn::Sqrt(hn::Add(hn::Mul(g.rate, g.rate), hn::Mul(hn::Mul(two, g.acceleration), g.gap)));
  const auto nearing = hn::Lt(g.rate, hn::Zero(d));
  const V time = hn::Div(hn::IfThenElse(nearing, hn::Mul(two, g.gap), hn::Add(g.rate, root)),
                         hn::IfThenElse(nearing, hn::Sub(root, g.rate), g.acceleration));
  return hn::IfThenElse(g.to_end, hn::Set(d, core::kToEnd), hn::IfThenElseZero(g.clear, time));
}

/// core::clear_time_along, before its roots are taken.
template <class D>
struct AlongLanes {
  GapLanes<D> a;
  GapLanes<D> b;
};

template <class D, class K, class V>
HWY_INLINE AlongLanes<D> along_lanes(D d, const K& k, const TriangleLanes<D>& tri,
                                     const Lanes3<V>& n, const Lanes3<V>& x) {
  const V support = max_of(dot(n, tri.v0 - x), max_of(dot(n, tri.v1 - x), dot(n, tri.v2 - x)));
  const V offset = hn::Add(support, tri.margin);
  const V gap_a = hn::Sub(dot(n, k.a(d) - x), offset);
  const V gap_b = hn::Sub(dot(n, k.b(d) - x), offset);
  return {gap_lanes(d, k, gap_a, dot(n, k.va(d)), k.acceleration_a(d)),
          gap_lanes(d, k, gap_b, dot(n, k.vb(d)), k.acceleration_b(d))};
}

template <class D>
HWY_INLINE hn::Vec<D> clear_time_along(D d, const AlongLanes<D>& g) {
  const hn::Vec<D> ta = clear_time(d, g.a);
  const hn::Vec<D> tb = clear_time(d, g.b);
  return hn::IfThenElseZero(hn::Gt(ta, hn::Zero(d)), min_of(ta, tb));
}

/// From a triangle's near point to the axis's.
template <class D, class V = hn::Vec<D>>
struct DirectionLanes {
  V distance;
  Lanes3<V> between;
  hn::Mask<D> usable;  ///< distance > core::kLeastLength
  Lanes3<V> n;         ///< of unit length; zero where not usable
};

template <class D, class K>
HWY_INLINE DirectionLanes<D> direction_of(D d, const K& k, const ClosestLanes<D>& c) {
  using V = hn::Vec<D>;
  const V distance = hn::Sqrt(c.squared);
  const Lanes3<V> y = choose(c.at_b, k.b(d), k.a(d) + c.s * k.along(d));
  const Lanes3<V> between = y - c.x;
  const auto usable = hn::Gt(distance, hn::Set(d, core::kLeastLength));
  const V inverse = hn::IfThenElseZero(usable, hn::Div(hn::Set(d, 1.0), distance));
  return {distance, between, usable, inverse * between};
}

/// The second half of core::clear_time_at, with the features' own normal: the greater of `best` and
/// what it allows where `again`, else `best`.
template <class D, class K, class V>
HWY_INLINE V try_features(D d, const K& k, const TriangleLanes<D>& tri, const ClosestLanes<D>& c,
                          const Lanes3<V>& between, hn::Mask<D> again, const V& best) {
  const V one = hn::Set(d, 1.0);
  const Lanes3<V> edge = choose(c.edge02, tri.e02, choose(c.edge12, tri.e12, tri.e01));
  const Lanes3<V> f = choose(c.face, cross(tri.e01, tri.e02), cross(k.along(d), edge));
  const V length = hn::Sqrt(dot(f, f));
  const auto usable = hn::And(again, hn::Gt(length, hn::Set(d, core::kLeastLength)));
  const V sign = hn::IfThenElse(hn::Lt(dot(f, between), hn::Zero(d)), hn::Set(d, -1.0), one);
  const AlongLanes<D> second = along_lanes(d, k, tri, hn::Div(sign, length) * f, c.x);
  return hn::IfThenElse(usable, max_of(best, clear_time_along(d, second)), best);
}

/// What the motion of the closest point alone would allow: detail::LinkAndTriangle::outlook.
template <class D, class V = hn::Vec<D>>
struct OwnLanes {
  Lanes3<V> velocity;
  V rate;
  V acceleration;
  V gap;
  V time;  ///< `own`
};

template <class D, class K>
HWY_INLINE OwnLanes<D> own_outlook(D d, const K& k, const TriangleLanes<D>& tri,
                                   const DirectionLanes<D>& to, const hn::Vec<D>& s) {
  using V = hn::Vec<D>;
  const Lanes3<V> velocity = k.va(d) + s * k.faster(d);
  const V rate = dot(to.n, velocity);
  const V acceleration = k.acceleration_at(d, s);
  const V gap = hn::Sub(to.distance, tri.margin);
  return {velocity, rate, acceleration, gap,
          clear_time(d, gap_lanes(d, k, gap, rate, acceleration))};
}

}  // namespace tocsin::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
