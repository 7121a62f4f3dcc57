// TreeCuller::cull over k-DOP trees: nodes first, then the leaves that they led to. Included once
// per SIMD target (Highway), from the sources that write out a kind of tree.
#if defined(TOCSIN_CPU_TREE_CULL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCSIN_CPU_TREE_CULL_INL_H_
#undef TOCSIN_CPU_TREE_CULL_INL_H_
#else
#define TOCSIN_CPU_TREE_CULL_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "cpu/tree/tree_access-inl.h"
#include "cpu/tree/tree_lanes-inl.h"
#include "cpu/tree/tree_walk.h"
#include "scene/tree/may_touch.h"

HWY_BEFORE_NAMESPACE();
namespace tocsin::cpu::HWY_NAMESPACE {
namespace {

using core::Kdop;
using core::LinkDirections;
using scene::KdopNode;
using scene::SweptLink;
using scene::TriangleBlock;

/// Leaves that a walk collects before it tests them: time for their triangles to arrive from
/// memory. Any number gives the same candidates.
constexpr std::size_t kLeavesAtOnce = 32;

/// The children whose intervals along direction i overlap [lo, hi].
template <int K, int W, class D>
HWY_INLINE hn::Mask<D> overlap_along(D d, const KdopNode<K, W>& node, std::size_t i,
                                     std::size_t lane, float lo, float hi) {
  return hn::And(hn::Le(hn::Load(d, node.lo[i] + lane), hn::Set(d, hi)),
                 hn::Le(hn::Set(d, lo), hn::Load(d, node.hi[i] + lane)));
}

template <int W>
HWY_INLINE std::uint32_t overlapping(const KdopNode<6, W>& node, const core::Box& box) {
  const hn::CappedTag<float, W> d;
  std::uint32_t out = 0;
  for (std::size_t lane = 0; lane < W; lane += hn::Lanes(d)) {
    const auto x = overlap_along(d, node, 0, lane, box.lo.x, box.hi.x);
    const auto y = overlap_along(d, node, 1, lane, box.lo.y, box.hi.y);
    const auto z = overlap_along(d, node, 2, lane, box.lo.z, box.hi.z);
    out |= bits_of(d, hn::And(hn::And(x, y), z)) << lane;
  }
  return out;
}

/// Direction by direction, until no child is left.
template <int K, int W>
HWY_INLINE std::uint32_t overlapping(const KdopNode<K, W>& node, const Kdop<K>& query) {
  const hn::CappedTag<float, W> d;
  std::uint32_t out = 0;
  for (std::size_t lane = 0; lane < W; lane += hn::Lanes(d)) {
    hn::Mask<decltype(d)> left{};
    for (std::size_t n = 0; n < K / 2; ++n) {
      const auto i = static_cast<std::size_t>(core::kTestOrder<K>[n]);
      const auto here = overlap_along(d, node, i, lane, query.lo[i], query.hi[i]);
      left = n == 0 ? here : hn::And(left, here);
      if (n >= 2 && n + 1 < K / 2 && hn::AllFalse(d, left)) break;
    }
    out |= bits_of(d, left) << lane;
  }
  return out;
}

/// How many of the children are in use.
template <int K, int W>
HWY_INLINE int count_children(const KdopNode<K, W>& node) {
  const hn::CappedTag<std::uint32_t, W> d;
  std::uint32_t bits = 0;
  for (std::size_t lane = 0; lane < W; lane += hn::Lanes(d)) {
    bits |= bits_of(d, hn::Ne(hn::Load(d, node.child + lane), hn::Set(d, scene::kNone))) << lane;
  }
  return std::popcount(bits);
}

HWY_INLINE int count_triangles(const TriangleBlock& block) {
  const hn::CappedTag<std::uint32_t, scene::kBlockSize> d;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < scene::kBlockSize; i += hn::Lanes(d)) {
    bits |= bits_of(d, hn::Ne(hn::Load(d, block.triangle + i), hn::Set(d, scene::kNone))) << i;
  }
  return std::popcount(bits);
}

/// n . p of one corner of all triangles, as core::separated has it.
template <class D>
HWY_INLINE hn::Vec<D> along(D d, const Vec3f& n, const TriangleBlock& block, int corner,
                            std::size_t lane) {
  const auto x = hn::Mul(hn::Set(d, n.x), hn::Load(d, block.v[corner][0] + lane));
  const auto y = hn::Mul(hn::Set(d, n.y), hn::Load(d, block.v[corner][1] + lane));
  const auto z = hn::Mul(hn::Set(d, n.z), hn::Load(d, block.v[corner][2] + lane));
  return hn::Add(hn::Add(x, y), z);
}

/// Those of the triangles `left` that none of the directions separates from the link.
HWY_INLINE std::uint32_t not_separated(const LinkDirections& link, const TriangleBlock& block,
                                       std::uint32_t left) {
  const hn::CappedTag<float, scene::kBlockSize> d;
  for (int n = 0; n < core::kLinkDirections && left != 0; ++n) {
    std::uint32_t apart = 0;
    for (std::size_t i = 0; i < scene::kBlockSize; i += hn::Lanes(d)) {
      const auto p = along(d, link.n[n], block, 0, i);
      const auto q = along(d, link.n[n], block, 1, i);
      const auto r = along(d, link.n[n], block, 2, i);
      const auto above = hn::Gt(hn::Min(hn::Min(p, q), r), hn::Set(d, link.hi[n]));
      const auto below = hn::Lt(hn::Max(hn::Max(p, q), r), hn::Set(d, link.lo[n]));
      apart |= bits_of(d, hn::Or(above, below)) << i;
    }
    left &= ~apart;
  }
  return left;
}

/// Room for something in every piece of a step; none of it is made before it is needed.
template <class T>
class PerPiece {
 public:
  static_assert(std::is_trivially_destructible_v<T>);
  [[nodiscard]] bool has(std::size_t piece) const { return (made_ >> piece & 1U) != 0; }
  [[nodiscard]] const T& operator[](std::size_t piece) const {
    return *std::launder(reinterpret_cast<const T*>(room_[piece]));
  }
  const T& set(std::size_t piece, const T& value) {
    made_ |= 1U << piece;
    return *new (room_[piece]) T(value);
  }

 private:
  alignas(T) std::byte room_[scene::kMaxPieces][sizeof(T)];
  std::uint32_t made_ = 0;
};

/// A link's volumes in a step, whole and in pieces.
template <int K>
class LinkVolumes {
 public:
  explicit LinkVolumes(const SweptLink& link) {
    if (link.pieces == 1) {
      whole_ = scene::piece_kdop<K>(link, 0);
      return;
    }
    for (std::int32_t i = 0; i < link.pieces; ++i) {
      whole_ = join(whole_, piece_.set(static_cast<std::size_t>(i), scene::piece_kdop<K>(link, i)));
    }
  }
  [[nodiscard]] const Kdop<K>& whole() const { return whole_; }
  /// Precondition: there are several.
  [[nodiscard]] const Kdop<K>& piece(std::size_t i) const { return piece_[i]; }

 private:
  Kdop<K> whole_;
  PerPiece<Kdop<K>> piece_;
};

template <>
class LinkVolumes<6> {
 public:
  explicit LinkVolumes(const SweptLink& link) : link_(link) {}
  [[nodiscard]] const core::Box& whole() const { return link_.box; }
  [[nodiscard]] const core::Box& piece(std::size_t i) const { return link_.piece[i]; }

 private:
  const SweptLink& link_;
};

/// A link, as nodes and triangles are asked about it. Its directions are made when first needed.
template <int K>
class Query {
 public:
  Query(const SweptLink& link, double farthest)
      : link_(link),
        pieces_(static_cast<std::size_t>(link.pieces)),
        farthest_(farthest),
        volumes_(link) {}
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  [[nodiscard]] std::uint64_t volume_count() const { return pieces_ == 1 ? 1 : pieces_ + 1; }

  /// The children that some piece of the step overlaps.
  template <int W>
  HWY_INLINE std::uint32_t children(const KdopNode<K, W>& node, scene::CullCounters& counters) {
    counters.volume_tests += static_cast<std::uint64_t>(count_children(node));
    const std::uint32_t whole = overlapping(node, volumes_.whole());
    if (pieces_ == 1 || whole == 0) return whole;
    std::uint32_t left = whole;
    for (std::size_t i = 0; i < pieces_ && left != 0; ++i) {
      counters.volume_tests += static_cast<std::uint64_t>(std::popcount(left));
      left &= ~overlapping(node, volumes_.piece(i));
    }
    return whole & ~left;
  }

  /// The triangles that scene::may_touch keeps.
  HWY_INLINE std::uint32_t triangles(const TriangleBlock& block) {
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < pieces_; ++i) {
      const std::uint32_t left = HWY_NAMESPACE::overlapping(block, link_.piece[i]) & ~out;
      if (left != 0) out |= not_separated(directions(i), block, left);
    }
    return out;
  }

 private:
  const LinkDirections& directions(std::size_t piece) {
    if (directions_.has(piece)) return directions_[piece];
    return directions_.set(
        piece, scene::link_directions(link_, static_cast<std::int32_t>(piece), farthest_));
  }

  const SweptLink& link_;
  std::size_t pieces_;
  double farthest_;
  LinkVolumes<K> volumes_;
  PerPiece<LinkDirections> directions_;
};

template <int K>
HWY_INLINE void test_leaf(const TriangleBlock& block, Query<K>& query,
                          scene::Candidates& candidates, scene::CullCounters& counters) {
  counters.primitive_tests += static_cast<std::uint64_t>(count_triangles(block));
  const std::uint32_t keep = query.triangles(block);
  if (keep != 0) candidates.add(block, keep);
}

template <int K, int W>
HWY_INLINE void prefetch_node(const TreeView<K, W>& tree, std::uint32_t i) {
  hwy::Prefetch(&tree.nodes[i]);
}
template <int K, int W>
HWY_INLINE void prefetch_block(const TreeView<K, W>& tree, std::uint32_t i) {
  hwy::Prefetch(&tree.blocks[i]);
}

/// `View`: TreeView<K, W>, or PlacedView.
template <int K, int W, class View>
HWY_INLINE void cull_view(const View& tree, const SweptLink& link, scene::Candidates& candidates,
                          scene::CullCounters& counters) {
  Query<K> query(link, tree.farthest);
  counters.updates += query.volume_count();
  KdopNode<K, W> node_room;
  TriangleBlock block_room;
  std::uint32_t leaves[kLeavesAtOnce];
  std::size_t leaf_count = 0;
  WalkStack<std::uint32_t> stack(tree.stack);
  stack.push(0);
  while (!stack.empty()) {
    const KdopNode<K, W>& node = node_at(tree, stack.pop(), node_room);
    for (std::uint32_t left = query.children(node, counters); left != 0; left &= left - 1) {
      const std::uint32_t child = node.child[std::countr_zero(left)];
      if ((child & scene::kLeafBit) == 0) {
        prefetch_node(tree, child);
        stack.push(child);
        continue;
      }
      leaves[leaf_count] = child & ~scene::kLeafBit;
      prefetch_block(tree, leaves[leaf_count]);
      if (++leaf_count == kLeavesAtOnce) {
        for (const std::uint32_t leaf : leaves) {
          test_leaf(block_at(tree, leaf, block_room), query, candidates, counters);
        }
        leaf_count = 0;
      }
    }
  }
  for (std::size_t i = 0; i < leaf_count; ++i) {
    test_leaf(block_at(tree, leaves[i], block_room), query, candidates, counters);
  }
}

template <int K, int W>
HWY_INLINE void cull(const TreeView<K, W>& tree, const SweptLink& link,
                     scene::Candidates& candidates, scene::CullCounters& counters) {
  cull_view<K, W>(tree, link, candidates, counters);
}

}  // namespace
}  // namespace tocsin::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
