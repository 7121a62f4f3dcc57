// Nodes and blocks of a tree where it stands: those of a room are there, those of an instance are
// placed. Included once per SIMD target (Highway), from the sources of walks only.
#if defined(TOCSIN_CPU_TREE_ACCESS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCSIN_CPU_TREE_ACCESS_INL_H_
#undef TOCSIN_CPU_TREE_ACCESS_INL_H_
#else
#define TOCSIN_CPU_TREE_ACCESS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "cpu/kernels/kernel_lanes-inl.h"
#include "cpu/tree/tree_walk.h"

HWY_BEFORE_NAMESPACE();
namespace tocsin::cpu::HWY_NAMESPACE {

/// `room`: where one is made if there is none.
template <int K, int W>
HWY_INLINE const scene::KdopNode<K, W>& node_at(const TreeView<K, W>& tree, std::uint32_t i,
                                                scene::KdopNode<K, W>& /*room*/) {
  return tree.nodes[i];
}
template <int K, int W>
HWY_INLINE const scene::TriangleBlock& block_at(const TreeView<K, W>& tree, std::uint32_t i,
                                                scene::TriangleBlock& /*room*/) {
  return tree.blocks[i];
}

/// scene::BoxPlacer::box of all children at once; those not in use overlap nothing.
HWY_INLINE const scene::RoomTree::Node& node_at(const PlacedView& view, std::uint32_t i,
                                                scene::RoomTree::Node& room) {
  const scene::RoomTree::Node& from = view.nodes[i];
  constexpr std::size_t kWidth = sizeof(room.child) / sizeof(room.child[0]);
  const hn::CappedTag<float, kWidth> d;
  for (std::size_t lane = 0; lane < kWidth; lane += hn::Lanes(d)) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto side = [&](bool upper) HWY_ATTR {
        const auto end = [&](std::size_t j) HWY_ATTR {
          const float m = view.placer.m[axis][j];
          const float* const of = (m >= 0.0F) == upper ? from.hi[j] : from.lo[j];
          return hn::Mul(hn::Set(d, m), hn::Load(d, of + lane));
        };
        return hn::Add(hn::Add(hn::Add(end(0), end(1)), end(2)), hn::Set(d, view.placer.t[axis]));
      };
      const auto pad = hn::Set(d, view.placer.pad[axis]);
      hn::Store(hn::Sub(side(false), pad), d, room.lo[axis] + lane);
      hn::Store(hn::Add(side(true), pad), d, room.hi[axis] + lane);
    }
  }
  for (std::size_t c = 0; c < kWidth; ++c) room.child[c] = from.child[c];
  return room;
}

/// scene::Affine::place of all corners at once.
HWY_INLINE const scene::TriangleBlock& block_at(const PlacedView& view, std::uint32_t i,
                                                scene::TriangleBlock& room) {
  const scene::TriangleBlock& from = view.blocks[i];
  const hn::CappedTag<double, scene::kBlockSize> d;
  const hn::Rebind<float, decltype(d)> f;
  const double shift[3] = {view.at->t.x, view.at->t.y, view.at->t.z};
  for (std::size_t lane = 0; lane < scene::kBlockSize; lane += hn::Lanes(d)) {
    for (std::size_t c = 0; c < 3; ++c) {
      const auto x = hn::PromoteTo(d, hn::Load(f, from.v[c][0] + lane));
      const auto y = hn::PromoteTo(d, hn::Load(f, from.v[c][1] + lane));
      const auto z = hn::PromoteTo(d, hn::Load(f, from.v[c][2] + lane));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const Vec3& row = view.at->m[axis];
        const auto sum =
            hn::Add(hn::Add(hn::Mul(hn::Set(d, row.x), x), hn::Mul(hn::Set(d, row.y), y)),
                    hn::Mul(hn::Set(d, row.z), z));
        hn::Store(hn::DemoteTo(f, hn::Add(sum, hn::Set(d, shift[axis]))), f,
                  room.v[c][axis] + lane);
      }
    }
  }
  for (std::size_t lane = 0; lane < scene::kBlockSize; ++lane) {
    const std::uint32_t triangle = from.triangle[lane];
    room.triangle[lane] = triangle == scene::kNone ? scene::kNone : view.first_triangle + triangle;
  }
  return room;
}

}  // namespace tocsin::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
