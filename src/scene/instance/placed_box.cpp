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

/// The least and the greatest coordinate along one axis of what it was shown.
template <class D>
class Along {
 public:
  using V = hn::Vec<D>;

  Along(D d, const Vec3& row, double shift)
      : x_(hn::Set(d, row.x)),
        y_(hn::Set(d, row.y)),
        z_(hn::Set(d, row.z)),
        shift_(hn::Set(d, shift)),
        lo_(hn::Set(d, HUGE_VAL)),
        hi_(hn::Set(d, -HUGE_VAL)) {}

  void look_at(V x, V y, V z) {
    const V sum = hn::Add(hn::Add(hn::Mul(x_, x), hn::Mul(y_, y)), hn::Mul(z_, z));
    const V p = hn::Add(sum, shift_);
    lo_ = hn::Min(lo_, p);
    hi_ = hn::Max(hi_, p);
  }
  [[nodiscard]] float lo(D d) const {
    return static_cast<float>(hn::GetLane(hn::MinOfLanes(d, lo_)));
  }
  [[nodiscard]] float hi(D d) const {
    return static_cast<float>(hn::GetLane(hn::MaxOfLanes(d, hi_)));
  }

 private:
  V x_;
  V y_;
  V z_;
  V shift_;
  V lo_;
  V hi_;
};

/// Rounding to floats keeps the order, so that it may come last. Corners are read once for all
/// axes.
core::Box PlacedBox(const CornerLanes& corners, const Affine& at) {
  const hn::CappedTag<double, CornerLanes::kLanes> d;
  const std::size_t lanes = hn::Lanes(d);
  Along a(d, at.m[0], at.t.x);
  Along b(d, at.m[1], at.t.y);
  Along c(d, at.m[2], at.t.z);
  for (std::size_t i = 0; i < corners.x.size(); i += lanes) {
    const auto x = hn::LoadU(d, corners.x.data() + i);
    const auto y = hn::LoadU(d, corners.y.data() + i);
    const auto z = hn::LoadU(d, corners.z.data() + i);
    a.look_at(x, y, z);
    b.look_at(x, y, z);
    c.look_at(x, y, z);
  }
  return {{a.lo(d), b.lo(d), c.lo(d)}, {a.hi(d), b.hi(d), c.hi(d)}};
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
