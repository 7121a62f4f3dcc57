// The box of a mesh where it stands, several corners at a time: the same at every SIMD target
// (Highway), chosen when the program runs.
#include "scene/instance/mesh_data.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scene/instance/placed_box.cpp"  // this file, once per SIMD target
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace tocsin::scene::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// Rounding to floats keeps the order, so that it may come last.
core::Box PlacedBox(const CornerLanes& corners, const Affine& at) {
  const hn::CappedTag<double, CornerLanes::kLanes> d;
  const std::size_t lanes = hn::Lanes(d);
  const double shift[3] = {at.t.x, at.t.y, at.t.z};
  float low[3];
  float high[3];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto mx = hn::Set(d, at.m[axis].x);
    const auto my = hn::Set(d, at.m[axis].y);
    const auto mz = hn::Set(d, at.m[axis].z);
    const auto t = hn::Set(d, shift[axis]);
    auto lo = hn::Set(d, HUGE_VAL);
    auto hi = hn::Set(d, -HUGE_VAL);
    for (std::size_t i = 0; i < corners.x.size(); i += lanes) {
      const auto x = hn::Mul(mx, hn::LoadU(d, corners.x.data() + i));
      const auto y = hn::Mul(my, hn::LoadU(d, corners.y.data() + i));
      const auto z = hn::Mul(mz, hn::LoadU(d, corners.z.data() + i));
      const auto p = hn::Add(hn::Add(hn::Add(x, y), z), t);
      lo = hn::Min(lo, p);
      hi = hn::Max(hi, p);
    }
    low[axis] = static_cast<float>(hn::GetLane(hn::MinOfLanes(d, lo)));
    high[axis] = static_cast<float>(hn::GetLane(hn::MaxOfLanes(d, hi)));
  }
  return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

}  // namespace
}  // namespace tocsin::scene::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tocsin::scene {

HWY_EXPORT(PlacedBox);

core::Box box_of(const MeshData& mesh, const Affine& at) {
  return HWY_DYNAMIC_DISPATCH(PlacedBox)(mesh.corners, at);
}

}  // namespace tocsin::scene

#endif  // HWY_ONCE
