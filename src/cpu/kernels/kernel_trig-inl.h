// core/vector/trig.h's sine and cosine for vectors of lanes, operation by operation. Included once
// per SIMD target, from kernels.cpp only.
#if defined(TOCSIN_CPU_KERNEL_TRIG_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCSIN_CPU_KERNEL_TRIG_INL_H_
#undef TOCSIN_CPU_KERNEL_TRIG_INL_H_
#else
#define TOCSIN_CPU_KERNEL_TRIG_INL_H_
#endif

#include <hwy/highway.h>

#include "core/vector/trig.h"
#include "cpu/kernels/kernel_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tocsin::cpu::HWY_NAMESPACE {

template <class V>
struct SinCosLanes {
  V sin;
  V cos;
};

/// c0 + z (c1 + z (c2 + ...))
template <class D, class V>
HWY_INLINE V series(D d, V /*z*/, double c) {
  return hn::Set(d, c);
}
template <class D, class V, class... Rest>
HWY_INLINE V series(D d, V z, double c, Rest... rest) {
  return hn::Add(hn::Set(d, c), hn::Mul(z, series(d, z, rest...)));
}

/// core::sincos_octant
template <class D, class V>
HWY_INLINE SinCosLanes<V> sincos_octant(D d, V x) {
  const V z = hn::Mul(x, x);
  const V s = series(d, z, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800,
                     1.0 / 6227020800.0, -1.0 / 1307674368000.0, 1.0 / 355687428096000.0);
  const V c = series(d, z, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600.0,
                     -1.0 / 87178291200.0, 1.0 / 20922789888000.0);
  return {
      hn::Add(x, hn::Mul(x, hn::Mul(z, s))),
      hn::Sub(hn::Set(d, 1.0), hn::Sub(hn::Mul(hn::Set(d, 0.5), z), hn::Mul(hn::Mul(z, z), c)))};
}

/// core::sincos_quadrant
template <class D, class V>
HWY_INLINE SinCosLanes<V> sincos_quadrant(D d, V x) {
  const auto low = hn::Le(x, hn::Set(d, 0.5 * core::kHalfPi));
  const V complement = hn::Add(hn::Sub(hn::Set(d, core::kHalfPi), x), hn::Set(d, core::kHalfPiLow));
  const SinCosLanes<V> o = sincos_octant(d, hn::IfThenElse(low, x, complement));
  return {hn::IfThenElse(low, o.sin, o.cos), hn::IfThenElse(low, o.cos, o.sin)};
}

}  // namespace tocsin::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
