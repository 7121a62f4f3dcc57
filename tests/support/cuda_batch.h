// Batches of avatars and steps, for tests of the CUDA backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/cuda/stages/batch_data.h"
#include "support/scenes/random_scene.h"

namespace tocsin::test {

/// Items of a batch and what they point to.
class ItemList {
 public:
  /// All steps of a take, each in the next group. active, self: null for the defaults.
  void add(const RandomTake& take, const StepRange& range = {}, const ActivePairs* active = nullptr,
           const LinkPairs* self = nullptr) {
    avatars_.push_back(std::make_unique<Avatar>(take.avatar));
    steps_.push_back(std::make_unique<StepList>(take.motion.steps(range).value()));
    for (const Step& step : *steps_.back()) {
      items_.push_back({avatars_.back().get(), &step, active != nullptr ? active : all_.get(),
                        self != nullptr ? self : none_.get(), groups_++});
    }
  }
  [[nodiscard]] std::vector<cuda::BatchItem>& items() { return items_; }
  [[nodiscard]] std::uint32_t groups() const { return groups_; }

 private:
  // Behind pointers, all of it: a list may be moved.
  std::unique_ptr<ActivePairs> all_ = std::make_unique<ActivePairs>();
  std::unique_ptr<LinkPairs> none_ = std::make_unique<LinkPairs>();
  std::vector<std::unique_ptr<Avatar>> avatars_;
  std::vector<std::unique_ptr<StepList>> steps_;
  std::vector<cuda::BatchItem> items_;
  std::uint32_t groups_ = 0;
};

}  // namespace tocsin::test
