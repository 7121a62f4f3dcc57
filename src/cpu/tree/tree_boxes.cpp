// Walks that ask about boxes: clear_of, nearest and empty_box.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/tree/tree_boxes.cpp"  // this file, once per SIMD target
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/bounds/separation.h"
#include "cpu/tree/tree_access-inl.h"
#include "cpu/tree/tree_lanes-inl.h"
#include "cpu/tree/tree_walk.h"

#ifndef TOCSIN_CPU_TREE_BOXES_ONCE_
#define TOCSIN_CPU_TREE_BOXES_ONCE_

namespace tocsin::cpu {
namespace {

/// Rounding in gap_squared is below 6 units in the last place (three squares of differences, two
/// sums), and that of the root below 2: less than this share of 2^-20, 16 units.
constexpr float kRoundedDown = 1.0F - 0x1p-20F;

/// Gaps are taken to be no larger, metres, so that their squares do not overflow.
constexpr float kFarthestGap = 1e18F;

}  // namespace
}  // namespace tocsin::cpu

#endif  // TOCSIN_CPU_TREE_BOXES_ONCE_

HWY_BEFORE_NAMESPACE();
namespace tocsin::cpu::HWY_NAMESPACE {
namespace {

using core::Box;
using scene::TriangleBlock;

using Node = scene::RoomTree::Node;
constexpr int kWidth = static_cast<int>(sizeof(Node::child) / sizeof(std::uint32_t));

HWY_INLINE std::uint32_t overlapping(const Node& node, const Box& box) {
  const hn::CappedTag<float, kWidth> d;
  std::uint32_t out = 0;
  for (std::size_t i = 0; i < kWidth; i += hn::Lanes(d)) {
    const auto side = [&](std::size_t axis, float lo, float hi) HWY_ATTR {
      return hn::And(hn::Le(hn::Load(d, node.lo[axis] + i), hn::Set(d, hi)),
                     hn::Le(hn::Set(d, lo), hn::Load(d, node.hi[axis] + i)));
    };
    const auto x = side(0, box.lo.x, box.hi.x);
    const auto y = side(1, box.lo.y, box.hi.y);
    const auto z = side(2, box.lo.z, box.hi.z);
    out |= bits_of(d, hn::And(hn::And(x, y), z)) << i;
  }
  return out;
}

template <class View>
HWY_INLINE bool clear_of_view(const View& tree, const Box& box) {
  Node node_room;
  TriangleBlock block_room;
  WalkStack<std::uint32_t> stack(tree.stack);
  stack.push(0);
  while (!stack.empty()) {
    const Node& node = node_at(tree, stack.pop(), node_room);
    for (std::uint32_t left = overlapping(node, box); left != 0; left &= left - 1) {
      const std::uint32_t child = node.child[std::countr_zero(left)];
      if ((child & scene::kLeafBit) == 0) {
        stack.push(child);
      } else if (HWY_NAMESPACE::overlapping(block_at(tree, child & ~scene::kLeafBit, block_room),
                                            box) != 0) {
        return false;
      }
    }
  }
  return true;
}

bool clear_of(const RoomView& tree, const Box& box) { return clear_of_view(tree, box); }
bool clear_of_placed(const PlacedView& tree, const Box& box) { return clear_of_view(tree, box); }

/// At most the squared distance of what lies in [lo, hi] from `box`, axis by axis; never less for a
/// smaller interval than for one that holds it: every operation is monotone.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V gap_squared(D d, const Interval<V>& x, const Interval<V>& y, const Interval<V>& z,
                         const Box& box) {
  const auto gap = [d](const Interval<V>& side, float lo, float hi) HWY_ATTR {
    const V beyond = hn::Max(hn::Sub(side.lo, hn::Set(d, hi)), hn::Sub(hn::Set(d, lo), side.hi));
    return hn::Min(hn::Max(beyond, hn::Zero(d)), hn::Set(d, kFarthestGap));
  };
  const V gx = gap(x, box.lo.x, box.hi.x);
  const V gy = gap(y, box.lo.y, box.hi.y);
  const V gz = gap(z, box.lo.z, box.hi.z);
  return hn::Mul(hn::Set(d, kRoundedDown),
                 hn::Add(hn::Add(hn::Mul(gx, gx), hn::Mul(gy, gy)), hn::Mul(gz, gz)));
}

/// Something to visit, and a lower bound of its distance, metres.
struct Entry {
  std::uint32_t what;  ///< a child of a node, or a lane. No defaults: stacks of these cost nothing
  float bound;
};

/// At most eight of them, the farthest first; ties: the last lane first.
struct Nearby {
  Entry entry[8];
  std::size_t count = 0;

  void add(std::uint32_t what, float bound) {
    std::size_t at = count++;
    for (; at > 0 && entry[at - 1].bound <= bound; --at) entry[at] = entry[at - 1];
    entry[at] = {what, bound};
  }
};

/// The children in use that are nearer to `box` than `limit`.
HWY_INLINE Nearby children_near(const Node& node, const Box& box, float limit) {
  const hn::CappedTag<float, kWidth> d;
  HWY_ALIGN float bound[kWidth];
  for (std::size_t i = 0; i < kWidth; i += hn::Lanes(d)) {
    const auto side = [&](std::size_t axis) HWY_ATTR {
      return Interval<hn::Vec<decltype(d)>>{hn::Load(d, node.lo[axis] + i),
                                            hn::Load(d, node.hi[axis] + i)};
    };
    hn::Store(hn::Sqrt(gap_squared(d, side(0), side(1), side(2), box)), d, bound + i);
  }
  Nearby out;
  for (int c = 0; c < kWidth; ++c) {  // the bound of a child that is not in use is inf
    if (bound[c] < limit && node.child[c] != scene::kNone) out.add(node.child[c], bound[c]);
  }
  return out;
}

/// The triangles of the block that are nearer to `box` than `limit`.
HWY_INLINE Nearby triangles_near(const TriangleBlock& block, const Box& box, float limit) {
  const hn::CappedTag<float, scene::kBlockSize> d;
  HWY_ALIGN float bound[scene::kBlockSize];
  for (std::size_t i = 0; i < scene::kBlockSize; i += hn::Lanes(d)) {
    const auto g =
        gap_squared(d, extent(d, block, 0, i), extent(d, block, 1, i), extent(d, block, 2, i), box);
    hn::Store(hn::Sqrt(g), d, bound + i);
  }
  Nearby out;
  for (std::uint32_t lane = 0; lane < scene::kBlockSize; ++lane) {
    if (block.triangle[lane] == scene::kNone) break;
    if (bound[lane] < limit) out.add(lane, bound[lane]);
  }
  return out;
}

Vec3 corner(const TriangleBlock& block, int corner, std::uint32_t lane) {
  return {static_cast<double>(block.v[corner][0][lane]),
          static_cast<double>(block.v[corner][1][lane]),
          static_cast<double>(block.v[corner][2][lane])};
}

/// Below which floats are less than x: bound < x if and only if bound < this.
float float_limit(double x) { return x < 0x1p127 ? core::float_above(x) : HUGE_VALF; }

template <class View>
HWY_INLINE double nearest_view(const View& tree, const Vec3& a, const Vec3& b, double limit,
                               const Wanted& wanted) {
  Node node_room;
  TriangleBlock block_room;
  const Box segment = core::grown_box(a, b, 0.0);
  double best = limit;
  WalkStack<Entry> stack(tree.stack);
  stack.push({0, 0.0F});
  while (!stack.empty()) {
    const Entry entry = stack.pop();
    if (!(static_cast<double>(entry.bound) < best)) continue;
    if ((entry.what & scene::kLeafBit) == 0) {
      const Nearby near =
          children_near(node_at(tree, entry.what, node_room), segment, float_limit(best));
      for (std::size_t i = 0; i < near.count; ++i) stack.push(near.entry[i]);
      continue;
    }
    const TriangleBlock& block = block_at(tree, entry.what & ~scene::kLeafBit, block_room);
    const Nearby near = triangles_near(block, segment, float_limit(best));
    for (std::size_t i = near.count; i-- > 0;) {
      const std::uint32_t lane = near.entry[i].what;
      const auto bound = static_cast<double>(near.entry[i].bound);
      if (!(bound < best)) break;
      if (!wanted(block.triangle[lane])) continue;
      const core::Triangle t{
          {corner(block, 0, lane) - a, corner(block, 1, lane) - a, corner(block, 2, lane) - a}};
      // Never less than the bound that pruned others, or the answer would depend on the tree.
      const double distance = core::max_of(core::separation(Vec3{}, b - a, t), bound);
      best = core::min_of(distance, best);
    }
  }
  return best;
}

double nearest(const RoomView& tree, const Vec3& a, const Vec3& b, double limit,
               const Wanted& wanted) {
  return nearest_view(tree, a, b, limit, wanted);
}
double nearest_placed(const PlacedView& tree, const Vec3& a, const Vec3& b, double limit,
                      const Wanted& wanted) {
  return nearest_view(tree, a, b, limit, wanted);
}

Box box_of(const TriangleBlock& block, std::uint32_t lane) {
  const auto at = [&](int c) {
    return core::box_of(Vec3f{block.v[c][0][lane], block.v[c][1][lane], block.v[c][2][lane]});
  };
  return join(at(0), join(at(1), at(2)));
}

/// False if a triangle touches `inner`.
template <class View>
HWY_INLINE bool cut_view(const View& tree, const Box& inner, const Wanted& wanted, Box& box) {
  Node node_room;
  TriangleBlock block_room;
  WalkStack<Entry> stack(tree.stack);
  stack.push({0, 0.0F});
  while (!stack.empty()) {
    const Entry entry = stack.pop();
    if ((entry.what & scene::kLeafBit) == 0) {
      const Node& node = node_at(tree, entry.what, node_room);
      if (overlapping(node, box) == 0) continue;
      const Nearby near = children_near(node, inner, HUGE_VALF);
      for (std::size_t i = 0; i < near.count; ++i) stack.push(near.entry[i]);
      continue;
    }
    const TriangleBlock& block = block_at(tree, entry.what & ~scene::kLeafBit, block_room);
    if (HWY_NAMESPACE::overlapping(block, box) == 0) continue;
    const Nearby near = triangles_near(block, inner, HUGE_VALF);
    for (std::size_t i = near.count; i-- > 0;) {
      const std::uint32_t lane = near.entry[i].what;
      const Box other = box_of(block, lane);
      if (!overlap(box, other) || !wanted(block.triangle[lane])) continue;
      if (!cut(box, inner, other)) return false;
    }
  }
  return true;
}

Box empty_box(const RoomView& tree, const Box& inner, float reach, const Wanted& wanted) {
  Box box = grown_by(inner, reach);
  if (tree.nodes != nullptr && !cut_view(tree, inner, wanted, box)) return Box{};
  return box;
}
bool cut_placed(const PlacedView& tree, const Box& inner, const Wanted& wanted, Box& box) {
  return cut_view(tree, inner, wanted, box);
}

}  // namespace
}  // namespace tocsin::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tocsin::cpu {

HWY_EXPORT(clear_of);
HWY_EXPORT(nearest);
HWY_EXPORT(empty_box);
HWY_EXPORT(clear_of_placed);
HWY_EXPORT(nearest_placed);
HWY_EXPORT(cut_placed);

bool walk_clear_of(const RoomView& tree, const core::Box& box) {
  return HWY_DYNAMIC_DISPATCH(clear_of)(tree, box);
}

double walk_nearest(const RoomView& tree, const Vec3& a, const Vec3& b, double limit,
                    const Wanted& wanted) {
  return HWY_DYNAMIC_DISPATCH(nearest)(tree, a, b, limit, wanted);
}

core::Box walk_empty_box(const RoomView& tree, const core::Box& inner, float reach,
                         const Wanted& wanted) {
  return HWY_DYNAMIC_DISPATCH(empty_box)(tree, inner, reach, wanted);
}

bool walk_clear_of(const PlacedView& tree, const core::Box& box) {
  return HWY_DYNAMIC_DISPATCH(clear_of_placed)(tree, box);
}

double walk_nearest(const PlacedView& tree, const Vec3& a, const Vec3& b, double limit,
                    const Wanted& wanted) {
  return HWY_DYNAMIC_DISPATCH(nearest_placed)(tree, a, b, limit, wanted);
}

bool walk_cut(const PlacedView& tree, const core::Box& inner, const Wanted& wanted,
              core::Box& box) {
  return HWY_DYNAMIC_DISPATCH(cut_placed)(tree, inner, wanted, box);
}

bool cut(core::Box& box, const core::Box& inner, const core::Box& other) {
  const float gap[6] = {other.lo.x - inner.hi.x, other.lo.y - inner.hi.y, other.lo.z - inner.hi.z,
                        inner.lo.x - other.hi.x, inner.lo.y - other.hi.y, inner.lo.z - other.hi.z};
  const auto widest = std::max_element(gap, gap + 6) - gap;
  if (!(gap[widest] > 0.0F)) return false;
  switch (widest) {
    case 0:
      box.hi.x = std::nextafter(other.lo.x, -HUGE_VALF);
      break;
    case 1:
      box.hi.y = std::nextafter(other.lo.y, -HUGE_VALF);
      break;
    case 2:
      box.hi.z = std::nextafter(other.lo.z, -HUGE_VALF);
      break;
    case 3:
      box.lo.x = std::nextafter(other.hi.x, HUGE_VALF);
      break;
    case 4:
      box.lo.y = std::nextafter(other.hi.y, HUGE_VALF);
      break;
    default:
      box.lo.z = std::nextafter(other.hi.z, HUGE_VALF);
      break;
  }
  return true;
}

core::Box grown_by(const core::Box& inner, float reach) {
  const auto more = [&](float x, float by) {
    const double sum = static_cast<double>(x) + static_cast<double>(by);
    return by < 0.0F ? core::float_above(sum) : core::float_below(sum);
  };
  return {{more(inner.lo.x, -reach), more(inner.lo.y, -reach), more(inner.lo.z, -reach)},
          {more(inner.hi.x, reach), more(inner.hi.y, reach), more(inner.hi.z, reach)}};
}

float gap_between(const core::Box& p, const core::Box& q) {
  // As gap_squared above, operation by operation.
  const auto gap = [](float low, float high, float lo, float hi) {
    return std::min(std::max(std::max(low - hi, lo - high), 0.0F), kFarthestGap);
  };
  const float x = gap(p.lo.x, p.hi.x, q.lo.x, q.hi.x);
  const float y = gap(p.lo.y, p.hi.y, q.lo.y, q.hi.y);
  const float z = gap(p.lo.z, p.hi.z, q.lo.z, q.hi.z);
  return std::sqrt(kRoundedDown * ((x * x + y * y) + z * z));
}

}  // namespace tocsin::cpu

#endif  // HWY_ONCE
