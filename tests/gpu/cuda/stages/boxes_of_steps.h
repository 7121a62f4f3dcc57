// Batches for the tests of the broadphase: steps that have boxes and nothing else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/batch/layout.h"
#include "core/bounds/box.h"
#include "cpu/broadphase/body_pairs.h"
#include "cpu/broadphase/interval_sweep.h"
#include "cpu/broadphase/random_bodies.h"
#include "gpu/cuda/device/array.h"
#include "gpu/cuda/stages/broadphase.h"

namespace tocsin::test {

/// Steps with links that have boxes, on the CPU.
struct BoxesOfSteps {
  std::vector<core::batch::Model> models;  ///< one a step
  std::vector<core::batch::BatchStep> steps;
  std::vector<std::uint32_t> step_of_link;
  std::vector<core::Box> boxes;

  void add(std::uint32_t group, const std::vector<core::Box>& links) {
    const auto step = static_cast<std::uint32_t>(steps.size());
    core::batch::BatchStep s;
    s.model = step;
    s.first_link = static_cast<std::uint32_t>(boxes.size());
    s.group = group;
    steps.push_back(s);
    models.push_back({.link_count = static_cast<std::uint32_t>(links.size())});
    boxes.insert(boxes.end(), links.begin(), links.end());
    step_of_link.resize(boxes.size(), step);
  }
  /// These two may meet.
  [[nodiscard]] bool strangers(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t s = step_of_link[a];
    const std::uint32_t t = step_of_link[b];
    return s != t && steps[s].group == steps[t].group;
  }
};

inline std::vector<core::batch::LinkPair> between_strangers(const BoxesOfSteps& scene,
                                                            std::span<const cpu::BodyPair> pairs) {
  std::vector<core::batch::LinkPair> out;
  for (const cpu::BodyPair& p : pairs) {
    const auto a = static_cast<std::uint32_t>(p.first);
    const auto b = static_cast<std::uint32_t>(p.second);
    if (scene.strangers(a, b)) out.push_back({a, b});
  }
  return out;
}

/// What brute force finds.
inline std::vector<core::batch::LinkPair> pairs_by_force(const BoxesOfSteps& scene) {
  return between_strangers(scene, all_pairs(scene.boxes));
}

/// What the CPU backend finds.
inline std::vector<core::batch::LinkPair> pairs_by_sweep(const BoxesOfSteps& scene) {
  cpu::IntervalSweep sweep;
  return between_strangers(scene, sweep.pairs(scene.boxes));
}

/// Such steps on a device.
class BoxesOnDevice {
 public:
  explicit BoxesOnDevice(std::shared_ptr<cuda::Device> device)
      : device_(std::move(device)),
        models_(device_),
        steps_(device_),
        step_of_link_(device_),
        boxes_(device_),
        tallies_(device_) {}

  void set(const BoxesOfSteps& scene) {
    models_.upload(scene.models);
    steps_.upload(scene.steps);
    step_of_link_.upload(scene.step_of_link);
    boxes_.upload(scene.boxes);
    tallies_.resize(scene.steps.size());
    tallies_.fill(0);
    view_ = {};
    view_.models = models_.data();
    view_.steps = steps_.data();
    view_.step_of_link = step_of_link_.data();
    view_.step_count = static_cast<std::uint32_t>(scene.steps.size());
    view_.link_count = static_cast<std::uint32_t>(scene.boxes.size());
    for (const core::batch::BatchStep& step : scene.steps) {
      view_.group_count = std::max(view_.group_count, step.group + 1);
    }
  }
  [[nodiscard]] const core::batch::View& view() const { return view_; }
  [[nodiscard]] const core::Box* boxes() const { return boxes_.data(); }
  [[nodiscard]] core::batch::StepTally* tallies() { return tallies_.data(); }
  [[nodiscard]] std::vector<std::uint64_t> link_pairs() const {
    std::vector<std::uint64_t> out;
    for (const core::batch::StepTally& t : tallies_.download()) out.push_back(t.link_pairs);
    return out;
  }
  void forget_tallies() { tallies_.fill(0); }

 private:
  std::shared_ptr<cuda::Device> device_;
  cuda::Array<core::batch::Model> models_;
  cuda::Array<core::batch::BatchStep> steps_;
  cuda::Array<std::uint32_t> step_of_link_;
  cuda::Array<core::Box> boxes_;
  cuda::Array<core::batch::StepTally> tallies_;
  core::batch::View view_;
};

/// Per step how many of the pairs have their first link there.
inline std::vector<std::uint64_t> pairs_per_step(const BoxesOfSteps& scene,
                                                 std::span<const core::batch::LinkPair> pairs) {
  std::vector<std::uint64_t> out(scene.steps.size());
  for (const core::batch::LinkPair& p : pairs) ++out[scene.step_of_link[p.first]];
  return out;
}

}  // namespace tocsin::test
