// Walks over a k-DOP tree, several children and triangles at a time: the same answers at every SIMD
// target (Highway), chosen when the program runs. docs/trees.md, "Culling".
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "core/bounds/box.h"
#include "scene/instance/placed_tree.h"
#include "scene/swept/swept_link.h"
#include "scene/tree/candidates.h"
#include "scene/tree/kdop_tree.h"
#include "scene/tree/may_touch.h"
#include "tocsin/types.h"

namespace tocsin::cpu {

using Wanted = std::function<bool(std::uint32_t)>;

/// A tree, as walks see it.
template <int K, int W>
struct TreeView {
  const scene::KdopNode<K, W>* nodes = nullptr;  ///< the root first; null: there is no triangle
  const scene::TriangleBlock* blocks = nullptr;
  std::size_t stack = 0;  ///< entries that a walk may need
  double farthest = 0.0;  ///< the greatest |coordinate| of all triangles
};
using RoomView = TreeView<6, 8>;

/// Borrows the tree.
template <int K, int W>
TreeView<K, W> view_of(const scene::KdopTree<K, W>& tree) {
  if (tree.nodes().empty()) return {};
  // A walk takes a node off the stack and puts at most W on it.
  const auto depth = static_cast<std::size_t>(tree.statistics().depth);
  return {tree.nodes().data(), tree.blocks().data(), depth * (W - 1) + 2,
          scene::farthest_coordinate(tree.bounds())};
}

/// A mesh's tree where an instance of it stands. What walks find is what they find in the tree of
/// the placed triangles: the same triangles, the same boxes of these, the same distances.
struct PlacedView
    : RoomView {            ///< in the mesh's coordinates, but for `farthest`: of the whole scene
  scene::BoxPlacer placer;  ///< from there to the world
  const scene::Affine* at = nullptr;  ///< the same, exactly
  std::uint32_t first_triangle = 0;   ///< the number of the mesh's first
};

/// TreeCuller::cull. Precondition: there are nodes. Written out for RoomView; for other kinds in
/// bench/papers.
template <int K, int W>
void walk_cull(const TreeView<K, W>& tree, const scene::SweptLink& link,
               scene::Candidates& candidates, scene::CullCounters& counters);

void walk_cull(const PlacedView& tree, const scene::SweptLink& link, scene::Candidates& candidates,
               scene::CullCounters& counters);

/// TreeCuller::clear_of, nearest (precondition of both: there are nodes) and empty_box.
bool walk_clear_of(const RoomView& tree, const core::Box& box);
double walk_nearest(const RoomView& tree, const Vec3& a, const Vec3& b, double limit,
                    const Wanted& wanted);
core::Box walk_empty_box(const RoomView& tree, const core::Box& inner, float reach,
                         const Wanted& wanted);
bool walk_clear_of(const PlacedView& tree, const core::Box& box);
double walk_nearest(const PlacedView& tree, const Vec3& a, const Vec3& b, double limit,
                    const Wanted& wanted);

/// Takes off `box`, which is empty but for what was not yet looked at, the tree's triangles that
/// are wanted. False if one of them touches `inner`.
bool walk_cut(const PlacedView& tree, const core::Box& inner, const Wanted& wanted, core::Box& box);
/// The same for one obstacle.
bool cut(core::Box& box, const core::Box& inner, const core::Box& other);
/// `inner` grown on all sides by `reach` metres, rounded inward.
core::Box grown_by(const core::Box& inner, float reach);
/// A lower bound of the distance of two boxes, metres: that by which walk_nearest orders triangles.
/// Never less for a box that another holds.
float gap_between(const core::Box& p, const core::Box& q);

/// What a walk has still to visit. On the stack, but for trees that are deeper than good ones.
template <class T>
class WalkStack {
 public:
  explicit WalkStack(std::size_t most) {
    if (most <= kNear) return;
    far_ = std::make_unique<T[]>(most);
    entries_ = far_.get();
  }
  WalkStack(const WalkStack&) = delete;
  WalkStack& operator=(const WalkStack&) = delete;

  void push(const T& entry) { entries_[count_++] = entry; }
  T pop() { return entries_[--count_]; }
  [[nodiscard]] bool empty() const { return count_ == 0; }

 private:
  static constexpr std::size_t kNear = 256;  ///< good trees of 10^7 triangles need half of it
  T near_[kNear];
  std::unique_ptr<T[]> far_;
  T* entries_ = near_;
  std::size_t count_ = 0;
};

}  // namespace tocsin::cpu
