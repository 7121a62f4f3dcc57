#include "gpu/cuda/stages/box_order.h"

#include <utility>

namespace tocsin::cuda {
namespace {

/// Comparisons per box that are not worth a look at the other axes, which costs a sort each. More
/// than the neighbours that an avatar has in a small group; far less than in a hall.
constexpr std::uint64_t kFewTests = 8;

}  // namespace

BoxOrder::Along::Along(const std::shared_ptr<Device>& device)
    : order(device), sorted(device), offsets(device) {}

BoxOrder::BoxOrder(std::shared_ptr<Device> device)
    : device_(std::move(device)),
      keys_(device_),
      reach_(device_),
      best_(device_),
      other_(device_) {}

core::batch::SweepRow BoxOrder::row() const {
  return {best_.sorted.data(), best_.offsets.data(), count_};
}

void BoxOrder::sort(const core::Box* boxes, const std::uint8_t* holds, std::size_t items,
                    const core::batch::BatchStep* steps, std::uint32_t groups) {
  count_ = items;
  tests_ = 0;
  if (count_ == 0) return;
  const Items of{boxes, holds, steps, groups};
  tests_ = sort_along(0, of, best_);
  for (int axis = 1; axis < 3 && tests_ > kFewTests * count_; ++axis) {
    const std::uint64_t tests = sort_along(axis, of, other_);
    if (tests >= tests_) continue;
    tests_ = tests;
    std::swap(best_, other_);
  }
}

std::uint64_t BoxOrder::sort_along(int axis, const Items& of, Along& to) {
  keys_.resize(count_);
  reach_.resize(count_);
  to.order.resize(count_);
  to.sorted.resize(count_);
  to.offsets.resize(count_ + 1);
  device_->launch(count_, core::batch::SweepKeys{of.boxes, of.steps, of.holds, of.groups, axis,
                                                 keys_.data(), to.order.data()});
  device_->sort_pairs(keys_.data(), to.order.data(), count_,
                      KeyBits::below(std::uint64_t{of.groups} + 1));
  device_->launch(
      count_, core::batch::SweepReach{of.boxes, keys_.data(), to.order.data(), count_, of.groups,
                                      axis, to.sorted.data(), reach_.data()});
  return device_->exclusive_sum(reach_.data(), to.offsets.data(), count_);
}

}  // namespace tocsin::cuda
