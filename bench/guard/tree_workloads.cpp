// Trees: building, loading, walking.
#include <memory>
#include <utility>

#include "cpu/tree/make_tree_culler.h"
#include "guard/scenes.h"
#include "guard/workloads.h"
#include "papers/paper_trees.h"
#include "scene/swept/step_motion.h"
#include "shared/timing.h"

namespace tocsin::bench::guard {

namespace {

Result<Work> build_work(papers::AxisRule rule) {
  Result<Environment> made = make_house();
  if (!made.ok()) return made.error();
  return Work([room = std::move(made).value(), rule] {
    keep(*cpu::make_tree_culler(papers::build_tree<6, 8>(room, {.rule = rule, .threads = 1})));
    return static_cast<std::uint64_t>(room.triangles().size());
  });
}

Result<Work> refit_work() {
  Result<Environment> made = make_house();
  if (!made.ok()) return made.error();
  const std::shared_ptr<const cpu::TreeCuller> tree = cpu::make_tree_culler(*made);
  return Work([room = std::move(made).value(), tree] {
    keep(*tree->refitted(room));
    return static_cast<std::uint64_t>(room.triangles().size());
  });
}

/// All links' swept bounds of all steps, made beforehand.
struct Swept {
  std::unique_ptr<cpu::TreeCuller> tree;
  Scene scene;
  std::vector<scene::StepMotion> steps;
};

Result<Work> cull_work() {
  Result<Scene> made = make_scene(Place::kAmong);
  if (!made.ok()) return made.error();
  auto swept = std::make_shared<Swept>();
  swept->tree = cpu::make_tree_culler(made->room);
  swept->scene = std::move(made).value();
  swept->steps.resize(swept->scene.steps.size());
  for (std::size_t i = 0; i < swept->steps.size(); ++i) {
    swept->steps[i].set(swept->scene.avatar, swept->scene.steps[i], 0.0, swept->tree->bounds());
  }
  return Work([swept, found = scene::Candidates()]() mutable {
    scene::CullCounters counters;
    std::uint64_t candidates = 0;
    for (const scene::StepMotion& step : swept->steps) {
      for (const scene::SweptLink& link : step.links()) {
        found.clear();
        swept->tree->cull(link, found, counters);
        candidates += found.size();
      }
    }
    return candidates;
  });
}

}  // namespace

std::vector<Workload> tree_workloads() {
  return {
      {"build_tree", "make_tree_culler, one thread", "triangles",
       [] { return build_work(papers::AxisRule::kSah); }},
      {"build_paper", "the same by paper 001's splatter rule", "triangles",
       [] { return build_work(papers::AxisRule::kSplatter); }},
      {"refit_tree", "TreeCuller::refitted", "triangles", refit_work},
      {"cull", "TreeCuller::cull, all links of 120 steps among furniture", "candidates", cull_work},
  };
}

}  // namespace tocsin::bench::guard
