// core::certify's first iteration, at t = 0, for several triangles at a time. Included once per
// SIMD target, from kernels.cpp only.
#if defined(TOCSIN_CPU_KERNEL_EARLY_OUT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCSIN_CPU_KERNEL_EARLY_OUT_INL_H_
#undef TOCSIN_CPU_KERNEL_EARLY_OUT_INL_H_
#else
#define TOCSIN_CPU_KERNEL_EARLY_OUT_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>

#include "core/query/certify.h"
#include "cpu/kernels/block_results.h"
#include "cpu/kernels/kernel_clear_time-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tocsin::cpu::HWY_NAMESPACE {

/// Sets the bits and entries of the lanes from `lane` on.
template <class D>
HWY_INLINE void early_out_lanes(D d, const SharedAxis& k, const scene::TriangleBlock& block,
                                std::size_t lane, EarlyOut& out) {
  using V = hn::Vec<D>;
  const V zero = hn::Zero(d);
  const V one = hn::Set(d, 1.0);
  TriangleLanes<D> tri;
  load_triangles(d, k.link, k.eta_factor, block, lane, tri);
  const ClosestLanes<D> c = closest_points(d, k, tri);
  const DirectionLanes<D> to = direction_of(d, k, c);
  const auto overlap = hn::And(tri.sane, hn::Le(to.distance, tri.inner));
  const auto open = hn::AndNot(overlap, tri.sane);
  const AlongLanes<D> first = along_lanes(d, k, tri, to.n, c.x);
  out.overlap |= bits_of(d, overlap) << lane;
  const auto free_at_once =
      hn::And(open, hn::And(to.usable, hn::And(first.a.to_end, first.b.to_end)));
  const auto rest = hn::AndNot(free_at_once, open);
  if (hn::AllFalse(d, rest)) {
    out.free |= bits_of(d, free_at_once) << lane;
    hn::StoreU(hn::IfThenElseZero(free_at_once, one), d, out.free_until + lane);
    return;
  }

  // core::clear_time_at tries the features' own normal where that is not good
  // enough.
  V whole = hn::IfThenElseZero(to.usable, clear_time_along(d, first));
  const V good_enough = hn::Mul(hn::Set(d, 0.5), own_outlook(d, k, tri, to, c.s).time);
  const auto again = hn::AndNot(hn::And(to.usable, hn::Ge(whole, good_enough)), rest);
  if (!hn::AllFalse(d, again)) whole = try_features(d, k, tri, c, to.between, again, whole);
  // detail::advance_time(0, whole); max_of drops a NaN.
  const V next = hn::Mul(hn::Mul(whole, hn::Set(d, 1.0 - 0x1p-44)), hn::Set(d, 1.0 - 0x1p-52));
  const V until = hn::IfThenElseZero(open, min_of(max_of(next, zero), one));
  hn::StoreU(until, d, out.free_until + lane);
  const auto free = hn::And(open, hn::Ge(whole, hn::Set(d, core::kToEnd)));
  out.free |= bits_of(d, free) << lane;
}

HWY_INLINE EarlyOut early_out_of_block(const core::LinkMotion& link, const core::AxisState& at0,
                                       const scene::TriangleBlock& block) {
  EarlyOut out;
  if (!is_sane(link)) return out;
  const SharedAxis k = axis_at_start(link, at0);
  const hn::CappedTag<double, scene::kBlockSize> d;
  for (std::size_t lane = 0; lane < scene::kBlockSize; lane += hn::Lanes(d)) {
    early_out_lanes(d, k, block, lane, out);
  }
  return out;
}

}  // namespace tocsin::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
