#include "cpu/tree/make_tree_culler.h"

#include <utility>

#include "cpu/tree/tree_walk.h"

namespace tocsin::cpu {
namespace {

class RoomCuller final : public TreeCuller {
 public:
  explicit RoomCuller(scene::RoomTree tree) : tree_(std::move(tree)), view_(view_of(tree_)) {}

  void cull(const scene::SweptLink& link, scene::Candidates& candidates,
            scene::CullCounters& counters) const override {
    if (view_.nodes != nullptr) walk_cull(view_, link, candidates, counters);
  }

  [[nodiscard]] const core::Box& bounds() const override { return tree_.bounds(); }

  [[nodiscard]] bool clear_of(const core::Box& box) const override {
    return view_.nodes == nullptr || walk_clear_of(view_, box);
  }

  [[nodiscard]] double nearest(const Vec3& a, const Vec3& b, double limit,
                               const Wanted& wanted) const override {
    return view_.nodes == nullptr ? limit : walk_nearest(view_, a, b, limit, wanted);
  }

  [[nodiscard]] core::Box empty_box(const core::Box& inner, float reach,
                                    const Wanted& wanted) const override {
    return walk_empty_box(view_, inner, reach, wanted);
  }

  [[nodiscard]] std::unique_ptr<TreeCuller> refitted(
      const Environment& environment) const override {
    scene::RoomTree tree = tree_;
    tree.refit(environment);
    return make_tree_culler(std::move(tree));
  }

  [[nodiscard]] scene::Clusters clusters(const Environment& environment) const override {
    return {tree_, environment};
  }

 private:
  scene::RoomTree tree_;
  RoomView view_;
};

}  // namespace

std::unique_ptr<TreeCuller> make_tree_culler(scene::RoomTree tree) {
  return std::make_unique<RoomCuller>(std::move(tree));
}

std::unique_ptr<TreeCuller> make_tree_culler(const Environment& environment,
                                             const scene::TreeOptions& options) {
  return make_tree_culler(scene::RoomTree(environment, options));
}

}  // namespace tocsin::cpu
