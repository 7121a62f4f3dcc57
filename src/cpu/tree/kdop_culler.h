// A TreeCuller for one k and one number of children a node.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "cpu/tree/tree_culler.h"
#include "cpu/tree/tree_walk.h"
#include "scene/tree/kdop_tree.h"
#include "scene/tree/may_touch.h"

namespace tocsin::cpu {

/// K: 6, 14, 18 or 26; W: 2, 4 or 8.
template <int K, int W>
class KdopCuller final : public TreeCuller {
 public:
  explicit KdopCuller(scene::KdopTree<K, W> tree) : tree_(std::move(tree)) { set_views(); }

  void cull(const scene::SweptLink& link, scene::Candidates& candidates,
            scene::CullCounters& counters) const override {
    if (cull_view_.nodes == nullptr) return;
    walk_cull(cull_view_, link, candidates, counters);
  }

  [[nodiscard]] const core::Box& bounds() const override { return tree_.bounds(); }

  [[nodiscard]] bool clear_of(const core::Box& box) const override {
    return box_view_.nodes == nullptr || walk_clear_of(box_view_, box);
  }

  [[nodiscard]] double nearest(const Vec3& a, const Vec3& b, double limit,
                               const Wanted& wanted) const override {
    return box_view_.nodes == nullptr ? limit : walk_nearest(box_view_, a, b, limit, wanted);
  }

  [[nodiscard]] core::Box empty_box(const core::Box& inner, float reach,
                                    const Wanted& wanted) const override {
    return walk_empty_box(box_view_, inner, reach, wanted);
  }

  [[nodiscard]] std::unique_ptr<TreeCuller> refitted(
      const Environment& environment) const override {
    scene::KdopTree<K, W> tree = tree_;
    tree.refit(environment);
    return std::make_unique<KdopCuller<K, W>>(std::move(tree));
  }

  [[nodiscard]] scene::Clusters clusters(const Environment& environment) const override {
    return {tree_, environment};
  }

  [[nodiscard]] const scene::KdopTree<K, W>& tree() const { return tree_; }

 private:
  using Node = scene::KdopNode<K, W>;

  void set_views() {
    if (tree_.nodes().empty()) return;
    // A walk takes a node off the stack and puts at most W on it.
    const auto depth = static_cast<std::size_t>(tree_.statistics().depth);
    const std::size_t stack = depth * (W - 1) + 2;
    cull_view_ = {tree_.nodes().data(), tree_.blocks().data(), stack,
                  scene::farthest_coordinate(tree_.bounds())};
    box_view_ = {reinterpret_cast<const std::byte*>(tree_.nodes().data()),
                 sizeof(Node),
                 offsetof(Node, hi),
                 offsetof(Node, child),
                 W,
                 tree_.blocks().data(),
                 stack};
  }

  scene::KdopTree<K, W> tree_;
  CullView<K, W> cull_view_;
  BoxView box_view_;
};

}  // namespace tocsin::cpu
