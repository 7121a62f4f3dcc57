#include "scene/motion/pose_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "scene/motion/pose_kernels.cpp"  // this file, once per SIMD target
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace tocsin::scene::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, 4>;
using Vector = hn::Vec<Tag>;

/// Calls body(i) for the first lane of each vector in a Lanes4.
template <class Body>
HWY_INLINE void for_each_vector(const Body& body) {
  for (std::size_t i = 0; i < 4; i += hn::Lanes(Tag())) body(i);
}

HWY_INLINE Vector load(const Lanes4& a, std::size_t i) { return hn::Load(Tag(), a.at + i); }
HWY_INLINE void store(Vector v, Lanes4& a, std::size_t i) { hn::Store(v, Tag(), a.at + i); }

/// The frame's rotation applied to a vector: (x c0 + y c1) + z c2 is core::dot with each row.
HWY_INLINE Vector rotate(const JointFrame& f, const Vec3& p, std::size_t i) {
  const Tag d;
  return hn::Add(hn::Add(hn::Mul(load(f.column[0], i), hn::Set(d, p.x)),
                         hn::Mul(load(f.column[1], i), hn::Set(d, p.y))),
                 hn::Mul(load(f.column[2], i), hn::Set(d, p.z)));
}

void PlaceJoints(std::span<const std::int32_t> used, std::span<const std::int32_t> parents,
                 std::span<const Transform> local, std::span<JointFrame> frames) {
  for (const std::int32_t joint : used) {
    const auto j = static_cast<std::size_t>(joint);
    const core::Mat3 m = core::to_matrix(local[j].rotation);
    JointFrame& out = frames[j];
    if (parents[j] < 0) {
      for (int c = 0; c < 3; ++c) {
        const Vec3 column = core::column(m, c);
        out.column[c] = {{column.x, column.y, column.z, 0.0}};
      }
      const Vec3& p = local[j].translation;
      out.position = {{p.x, p.y, p.z, 0.0}};
      continue;
    }
    const JointFrame& parent = frames[static_cast<std::size_t>(parents[j])];
    for_each_vector([&](std::size_t i) {
      for (int c = 0; c < 3; ++c) store(rotate(parent, core::column(m, c), i), out.column[c], i);
      store(hn::Add(load(parent.position, i), rotate(parent, local[j].translation, i)),
            out.position, i);
    });
  }
}

void PlaceLinks(std::span<const LinkPlace> links, std::span<const JointFrame> frames,
                std::span<LinkEnds> ends) {
  for (std::size_t k = 0; k < links.size(); ++k) {
    const JointFrame& f = frames[static_cast<std::size_t>(links[k].joint)];
    for_each_vector([&](std::size_t i) {
      store(hn::Add(load(f.position, i), rotate(f, links[k].a, i)), ends[k].a, i);
      store(hn::Add(load(f.position, i), rotate(f, links[k].b, i)), ends[k].b, i);
    });
  }
}

Extent ExtentOf(std::span<const LinkEnds> start, std::span<const LinkEnds> end,
                std::span<const EndRadii> radii) {
  const Tag d;
  Extent out;
  for_each_vector([&](std::size_t i) {
    Vector lo = hn::Set(d, HUGE_VAL);
    Vector hi = hn::Set(d, -HUGE_VAL);
    for (std::size_t k = 0; k < radii.size(); ++k) {
      const Vector a0 = load(start[k].a, i);
      const Vector a1 = load(end[k].a, i);
      const Vector b0 = load(start[k].b, i);
      const Vector b1 = load(end[k].b, i);
      const Vector ra = hn::Set(d, radii[k].a);
      const Vector rb = hn::Set(d, radii[k].b);
      lo = hn::Min(lo, hn::Min(hn::Sub(hn::Min(a0, a1), ra), hn::Sub(hn::Min(b0, b1), rb)));
      hi = hn::Max(hi, hn::Max(hn::Add(hn::Max(a0, a1), ra), hn::Add(hn::Max(b0, b1), rb)));
    }
    store(lo, out.lo, i);
    store(hi, out.hi, i);
  });
  return out;
}

}  // namespace
}  // namespace tocsin::scene::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tocsin::scene {

HWY_EXPORT(PlaceJoints);
HWY_EXPORT(PlaceLinks);
HWY_EXPORT(ExtentOf);

void place_joints(std::span<const std::int32_t> used, std::span<const std::int32_t> parents,
                  std::span<const Transform> local, std::span<JointFrame> frames) {
  HWY_DYNAMIC_DISPATCH(PlaceJoints)(used, parents, local, frames);
}

void place_links(std::span<const LinkPlace> links, std::span<const JointFrame> frames,
                 std::span<LinkEnds> ends) {
  HWY_DYNAMIC_DISPATCH(PlaceLinks)(links, frames, ends);
}

Extent extent_of(std::span<const LinkEnds> start, std::span<const LinkEnds> end,
                 std::span<const EndRadii> radii) {
  return HWY_DYNAMIC_DISPATCH(ExtentOf)(start, end, radii);
}

}  // namespace tocsin::scene
#endif
