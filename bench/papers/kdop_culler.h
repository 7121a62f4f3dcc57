// A culler over a k-DOP tree of any kind.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "cpu/tree/tree_culler.h"
#include "cpu/tree/tree_walk.h"
#include "scene/tree/kdop_tree.h"

namespace tocsin::papers {

/// K: 6, 14, 18 or 26; W: 2, 4 or 8. `room`: whom all other questions are passed on to.
template <int K, int W>
class KdopCuller final : public cpu::TreeCuller {
 public:
  KdopCuller(scene::KdopTree<K, W> tree, std::shared_ptr<const cpu::TreeCuller> room)
      : tree_(std::move(tree)), view_(cpu::view_of(tree_)), room_(std::move(room)) {}

  void cull(const scene::SweptLink& link, scene::Candidates& candidates,
            scene::CullCounters& counters) const override {
    if (view_.nodes != nullptr) cpu::walk_cull(view_, link, candidates, counters);
  }

  [[nodiscard]] const core::Box& bounds() const override { return tree_.bounds(); }

  [[nodiscard]] bool clear_of(const core::Box& box) const override { return room_->clear_of(box); }

  [[nodiscard]] double nearest(const Vec3& a, const Vec3& b, double limit,
                               const std::function<bool(std::uint32_t)>& wanted) const override {
    return room_->nearest(a, b, limit, wanted);
  }

  [[nodiscard]] core::Box empty_box(
      const core::Box& inner, float reach,
      const std::function<bool(std::uint32_t)>& wanted) const override {
    return room_->empty_box(inner, reach, wanted);
  }

  [[nodiscard]] std::unique_ptr<cpu::TreeCuller> refitted(
      const Environment& environment) const override {
    scene::KdopTree<K, W> tree = tree_;
    tree.refit(environment);
    return std::make_unique<KdopCuller>(std::move(tree), room_->refitted(environment));
  }

  [[nodiscard]] scene::Clusters clusters(const Environment& environment) const override {
    return room_->clusters(environment);
  }

 private:
  scene::KdopTree<K, W> tree_;
  cpu::TreeView<K, W> view_;
  std::shared_ptr<const cpu::TreeCuller> room_;
};

}  // namespace tocsin::papers
