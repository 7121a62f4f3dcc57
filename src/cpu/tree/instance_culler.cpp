#include "cpu/tree/instance_culler.h"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cpu/tree/tree_walk.h"

namespace tocsin::cpu {
namespace {

class InstanceCuller final : public TreeCuller {
 public:
  explicit InstanceCuller(std::shared_ptr<const scene::Instances> instances)
      : instances_(std::move(instances)),
        bounds_(instances_->tree().bounds()),
        farthest_(scene::farthest_coordinate(bounds_)) {}

  void cull(const scene::SweptLink& link, scene::Candidates& candidates,
            scene::CullCounters& counters) const override {
    instances_->tree().visit(link.box, [&](std::uint32_t object) {
      ++counters.volume_tests;
      if (meets_a_piece(link, instance(object).box)) {
        walk_cull(view_of(object), link, candidates, counters);
      }
      return true;
    });
  }

  [[nodiscard]] const core::Box& bounds() const override { return bounds_; }

  [[nodiscard]] bool clear_of(const core::Box& box) const override {
    return instances_->tree().visit(
        box, [&](std::uint32_t object) { return walk_clear_of(view_of(object), box); });
  }

  [[nodiscard]] double nearest(const Vec3& a, const Vec3& b, double limit,
                               const Wanted& wanted) const override {
    const core::Box segment = core::grown_box(a, b, 0.0);
    double best = limit;
    const auto is_near = [&](const core::Box& box) {
      return static_cast<double>(gap_between(box, segment)) < best;
    };
    // The nearest objects first: they leave out most of the others.
    std::vector<std::pair<float, std::uint32_t>> near;
    instances_->tree().visit_if(is_near, [&](std::uint32_t object) {
      near.emplace_back(gap_between(instance(object).box, segment), object);
      return true;
    });
    std::sort(near.begin(), near.end());
    for (const auto& [gap, object] : near) {
      if (!(static_cast<double>(gap) < best)) break;
      best = walk_nearest(view_of(object), a, b, best, wanted);
    }
    return best;
  }

  [[nodiscard]] core::Box empty_box(const core::Box& inner, float reach,
                                    const Wanted& wanted) const override {
    core::Box box = grown_by(inner, reach);
    const auto is_in = [&](const core::Box& other) { return core::overlap(other, box); };
    const bool empty = instances_->tree().visit_if(
        is_in, [&](std::uint32_t object) { return walk_cut(view_of(object), inner, wanted, box); });
    return empty ? box : core::Box{};
  }

  [[nodiscard]] std::unique_ptr<TreeCuller> refitted(const Environment& /*room*/) const override {
    throw std::logic_error("a scene's objects are changed by the scene");
  }
  [[nodiscard]] scene::Clusters clusters(const Environment& /*room*/) const override {
    throw std::logic_error("no device checks a scene");
  }

 private:
  [[nodiscard]] const scene::Instance& instance(std::uint32_t object) const {
    return (*instances_)[object];
  }
  [[nodiscard]] PlacedView view_of(std::uint32_t object) const {
    const scene::Instance& of = instance(object);
    const scene::MeshData& mesh = *of.mesh;
    return {{mesh.tree.nodes().data(), mesh.tree.blocks().data(), mesh.stack, farthest_},
            scene::BoxPlacer(of.at, mesh.tree.bounds()),
            &of.at,
            of.first_triangle};
  }
  static bool meets_a_piece(const scene::SweptLink& link, const core::Box& box) {
    for (std::int32_t i = 0; i < link.pieces; ++i) {
      if (core::overlap(link.piece[static_cast<std::size_t>(i)], box)) return true;
    }
    return false;
  }

  std::shared_ptr<const scene::Instances> instances_;
  core::Box bounds_;
  double farthest_;
};

}  // namespace

std::unique_ptr<TreeCuller> make_instance_culler(
    std::shared_ptr<const scene::Instances> instances) {
  return std::make_unique<InstanceCuller>(std::move(instances));
}

}  // namespace tocsin::cpu
