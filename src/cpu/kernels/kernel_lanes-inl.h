// Vectors of lanes: core/vector/vec.h's operations on several numbers at a time, each
// with the same order of roundings. Included once per SIMD target (Highway),
// from kernels.cpp only.
#if defined(TOCSIN_CPU_KERNEL_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCSIN_CPU_KERNEL_LANES_INL_H_
#undef TOCSIN_CPU_KERNEL_LANES_INL_H_
#else
#define TOCSIN_CPU_KERNEL_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "core/vector/vec.h"

HWY_BEFORE_NAMESPACE();
namespace tocsin::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Bit i: lane i of a mask of at most 8 lanes.
template <class D, class M>
HWY_INLINE std::uint32_t bits_of(D d, M mask) {
  std::uint8_t bits[8] = {};  // as many as StoreMaskBits may write
  hn::StoreMaskBits(d, mask, bits);
  return bits[0];
}

/// A vector in every lane.
template <class V>
struct Lanes3 {
  V x;
  V y;
  V z;
};

template <class D>
HWY_INLINE Lanes3<hn::Vec<D>> all_lanes(D d, const Vec3& a) {
  return {hn::Set(d, a.x), hn::Set(d, a.y), hn::Set(d, a.z)};
}

template <class V>
HWY_INLINE Lanes3<V> operator+(const Lanes3<V>& a, const Lanes3<V>& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
template <class V>
HWY_INLINE Lanes3<V> operator-(const Lanes3<V>& a, const Lanes3<V>& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
template <class V>
HWY_INLINE Lanes3<V> operator*(V s, const Lanes3<V>& a) {
  return {hn::Mul(s, a.x), hn::Mul(s, a.y), hn::Mul(s, a.z)};
}

template <class V>
HWY_INLINE V dot(const Lanes3<V>& a, const Lanes3<V>& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}

template <class V>
HWY_INLINE Lanes3<V> cross(const Lanes3<V>& a, const Lanes3<V>& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)),
          hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}

/// `yes` where the mask is set, else `no`.
template <class M, class V>
HWY_INLINE Lanes3<V> choose(M mask, const Lanes3<V>& yes, const Lanes3<V>& no) {
  return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y),
          hn::IfThenElse(mask, yes.z, no.z)};
}

// core::max_of and core::min_of are x86's own max and min, NaN and zeros
// included; Highway's of other targets are not.
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
template <class V>
HWY_INLINE V max_of(V a, V b) {
  return hn::Max(a, b);
}
template <class V>
HWY_INLINE V min_of(V a, V b) {
  return hn::Min(a, b);
}
#else
template <class V>
HWY_INLINE V max_of(V a, V b) {
  return hn::IfThenElse(hn::Gt(a, b), a, b);
}
template <class V>
HWY_INLINE V min_of(V a, V b) {
  return hn::IfThenElse(hn::Lt(a, b), a, b);
}
#endif

/// core::clamp_to(a, 0, 1)
template <class D, class V>
HWY_INLINE V clamp_to_unit(D d, V a) {
  return min_of(max_of(a, hn::Zero(d)), hn::Set(d, 1.0));
}

}  // namespace tocsin::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
