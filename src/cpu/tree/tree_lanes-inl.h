// Boxes, nodes and blocks of triangles in vectors of floats. Included once per SIMD target
// (Highway), from the sources of walks only.
#if defined(TOCSIN_CPU_TREE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCSIN_CPU_TREE_LANES_INL_H_
#undef TOCSIN_CPU_TREE_LANES_INL_H_
#else
#define TOCSIN_CPU_TREE_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "core/bounds/box.h"
#include "cpu/kernels/kernel_lanes-inl.h"
#include "scene/tree/kdop_tree.h"

HWY_BEFORE_NAMESPACE();
namespace tocsin::cpu::HWY_NAMESPACE {

/// The intervals of a block's triangles along an axis.
template <class V>
struct Interval {
  V lo;
  V hi;
};

template <class D, class V = hn::Vec<D>>
HWY_INLINE Interval<V> extent(D d, const scene::TriangleBlock& block, int axis, std::size_t lane) {
  const V a = hn::Load(d, block.v[0][axis] + lane);
  const V b = hn::Load(d, block.v[1][axis] + lane);
  const V c = hn::Load(d, block.v[2][axis] + lane);
  return {hn::Min(hn::Min(a, b), c), hn::Max(hn::Max(a, b), c)};
}

/// Which lanes' intervals overlap [lo, hi]. False where one is NaN.
template <class D, class V>
HWY_INLINE hn::Mask<D> overlap_1(D d, const Interval<V>& x, float lo, float hi) {
  return hn::And(hn::Le(x.lo, hn::Set(d, hi)), hn::Le(hn::Set(d, lo), x.hi));
}

/// The triangles of the block whose boxes overlap `box`.
HWY_INLINE std::uint32_t overlapping(const scene::TriangleBlock& block, const core::Box& box) {
  const hn::CappedTag<float, scene::kBlockSize> d;
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < scene::kBlockSize; i += hn::Lanes(d)) {
    const auto x = overlap_1(d, extent(d, block, 0, i), box.lo.x, box.hi.x);
    const auto y = overlap_1(d, extent(d, block, 1, i), box.lo.y, box.hi.y);
    const auto z = overlap_1(d, extent(d, block, 2, i), box.lo.z, box.hi.z);
    out |= bits_of(d, hn::And(hn::And(x, y), z)) << i;
  }
  return out;
}

}  // namespace tocsin::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
