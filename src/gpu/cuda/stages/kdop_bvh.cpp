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
  BvhOf(std::shared_ptr<Device> device, const RoomView& room, unsigned lane_bits)
      : device_(std::move(device)),
        room_(room),
        lane_bits_(lane_bits),
        tree_(device_),
        flags_(device_),
        counts_(device_),
        count_(device_) {
    tree_.build(room);
  }

  void refit(const RoomView& room) override {
    assert(room.triangle_count == room_.triangle_count);
    room_ = room;
    tree_.fit(room);
  }

  [[nodiscard]] std::unique_ptr<KdopBvh> copy() const override {
    auto out = std::make_unique<BvhOf>(device_, RoomView(), lane_bits_);
    out->tree_.copy(tree_);
    out->room_ = room_;
    return out;
  }

  [[nodiscard]] int k() const override { return K; }
  [[nodiscard]] std::size_t bytes() const override { return tree_.bytes(); }

  [[nodiscard]] std::size_t lanes() const override { return std::size_t{1} << lane_bits_; }

  void forget() override {
    flags_.clear();
    counts_.clear();
    count_.clear();
  }

  void flag_near(const core::Box* boxes, std::size_t count, Array<std::uint8_t>& flags) override {
    flags.resize(count);
    Array<std::uint8_t>& of_lane = lanes() == 1 ? flags : flags_;
    of_lane.resize(count * lanes());
    device_->launch(of_lane.size(), core::batch::FlagNearRoom<K>{room_, tree_.view(), boxes,
                                                                 lane_bits_, of_lane.data()});
    if (lanes() > 1) {
      device_->launch(count, core::batch::AnyLane{flags_.data(), lane_bits_, flags.data()});
    }
  }

  std::uint64_t count_candidates(const core::batch::View& view, const std::uint32_t* near,
                                 const SweptLink* swept, std::size_t count,
                                 Array<std::uint64_t>& offsets,
                                 core::batch::StepTally* tallies) override {
    counts_.resize(count * lanes());
    offsets.resize(counts_.size() + 1);
    device_->launch(counts_.size(), core::batch::CountCandidates<K>{
                                        room_,
                                        tree_.view(),
                                        {swept, near, view.step_of_link, lane_bits_, tallies},
                                        counts_.data()});
    return device_->exclusive_sum(counts_.data(), offsets.data(), counts_.size());
  }

  void find_candidates(const SweptLink* swept, std::size_t begin, std::size_t end,
                       const Array<std::uint64_t>& offsets, std::uint64_t count,
                       Array<Candidate>& candidates) override {
    assert(begin <= end && end * lanes() < offsets.size());
    candidates.resize(count);
    device_->launch((end - begin) * lanes(),
                    core::batch::FillCandidates<K>{room_, tree_.view(), swept, begin, lane_bits_,
                                                   offsets.data(), candidates.data()});
  }

  std::uint64_t append_candidates(const core::batch::View& view, const std::uint32_t* near,
                                  const SweptLink* swept, std::size_t count,
                                  Array<Candidate>& candidates,
                                  core::batch::StepTally* tallies) override {
    count_.resize(1);
    count_.fill(0);
    device_->launch(count * lanes(), core::batch::AppendCandidates<K>{
                                         room_,
                                         tree_.view(),
                                         {swept, near, view.step_of_link, lane_bits_, tallies},
                                         candidates.size(),
                                         candidates.data(),
                                         count_.data()});
    std::uint64_t found = 0;
    device_->download(&found, count_.data(), sizeof found);
    if (found <= candidates.size()) candidates.resize(static_cast<std::size_t>(found));
    return found;
  }

 private:
  std::shared_ptr<Device> device_;
  RoomView room_;
  unsigned lane_bits_;
  TreeArrays<K> tree_;
  Array<std::uint8_t> flags_;  ///< per lane of each link; so are counts_
  Array<std::uint32_t> counts_;
  Array<std::uint64_t> count_;
};

}  // namespace

std::unique_ptr<KdopBvh> KdopBvh::build(std::shared_ptr<Device> device, const RoomView& room, int k,
                                        unsigned lane_bits) {
  switch (k) {
    case 14:
      return std::make_unique<BvhOf<14>>(std::move(device), room, lane_bits);
    case 18:
      return std::make_unique<BvhOf<18>>(std::move(device), room, lane_bits);
    case 26:
      return std::make_unique<BvhOf<26>>(std::move(device), room, lane_bits);
    default:
      assert(k == 6);
      return std::make_unique<BvhOf<6>>(std::move(device), room, lane_bits);
  }
}

}  // namespace tocsin::cuda
