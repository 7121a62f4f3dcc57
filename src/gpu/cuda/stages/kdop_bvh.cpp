#include "gpu/cuda/stages/kdop_bvh.h"

#include <cassert>
#include <utility>

#include "core/batch/tree.h"
#include "core/batch/tree_ask.h"
#include "core/batch/tree_build.h"
#include "gpu/cuda/stages/tree_arrays.h"

namespace tocsin::cuda {

namespace {

using core::SweptLink;
using core::batch::Candidate;
using core::batch::RoomView;

template <int K>
class BvhOf final : public KdopBvh {
 public:
  BvhOf(std::shared_ptr<Device> device, const RoomView& room)
      : device_(std::move(device)), room_(room), tree_(device_), counts_(device_) {
    tree_.build(room);
  }

  void refit(const RoomView& room) override {
    assert(room.triangle_count == room_.triangle_count);
    room_ = room;
    tree_.fit(room);
  }

  [[nodiscard]] std::unique_ptr<KdopBvh> copy() const override {
    auto out = std::make_unique<BvhOf>(device_, RoomView());
    out->tree_.copy(tree_);
    out->room_ = room_;
    return out;
  }

  [[nodiscard]] int k() const override { return K; }
  [[nodiscard]] std::size_t bytes() const override { return tree_.bytes(); }

  void forget() override { counts_.clear(); }

  void flag_near(const core::Box* boxes, std::size_t count, Array<std::uint8_t>& flags) override {
    flags.resize(count);
    device_->launch(count, core::batch::FlagNearRoom<K>{room_, tree_.view(), boxes, flags.data()});
  }

  std::uint64_t count_candidates(const core::batch::View& view, const std::uint32_t* near,
                                 const SweptLink* swept, std::size_t count,
                                 Array<std::uint64_t>& offsets,
                                 core::batch::StepTally* tallies) override {
    counts_.resize(count);
    offsets.resize(count + 1);
    device_->launch(
        count, core::batch::CountCandidates<K>{room_, tree_.view(), swept, near, view.step_of_link,
                                               counts_.data(), tallies});
    return device_->exclusive_sum(counts_.data(), offsets.data(), count);
  }

  void find_candidates(const SweptLink* swept, std::size_t begin, std::size_t end,
                       const Array<std::uint64_t>& offsets, std::uint64_t count,
                       Array<Candidate>& candidates) override {
    assert(begin <= end && end < offsets.size());
    candidates.resize(count);
    device_->launch(end - begin, core::batch::FillCandidates<K>{room_, tree_.view(), swept, begin,
                                                                offsets.data(), candidates.data()});
  }

 private:
  std::shared_ptr<Device> device_;
  RoomView room_;
  TreeArrays<K> tree_;
  Array<std::uint32_t> counts_;
};

}  // namespace

std::unique_ptr<KdopBvh> KdopBvh::build(std::shared_ptr<Device> device, const RoomView& room,
                                        int k) {
  switch (k) {
    case 14:
      return std::make_unique<BvhOf<14>>(std::move(device), room);
    case 18:
      return std::make_unique<BvhOf<18>>(std::move(device), room);
    case 26:
      return std::make_unique<BvhOf<26>>(std::move(device), room);
    default:
      assert(k == 6);
      return std::make_unique<BvhOf<6>>(std::move(device), room);
  }
}

}  // namespace tocsin::cuda
