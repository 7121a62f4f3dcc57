// Candidates in the order in which contacts are made of them, cut into segments: the triangles of
// one object that one near link may touch. docs/cuda.md, "Stages".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/batch/segments.h"
#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"

namespace tocsin::cuda {

/// Owns memory that is used again. Functions throw Failure.
class CandidateKeys {
 public:
  explicit CandidateKeys(std::shared_ptr<Device> device)
      : device_(device), keys_(device), heads_(device), ranks_(std::move(device)) {}

  /// Keys of the first `count` candidates that `chosen` names, in order; `chosen` gets that order.
  void sort(const Array<core::batch::Candidate>& candidates, Array<std::uint32_t>& chosen,
            std::size_t count, KeyBits bits) {
    keys_.resize(count);
    device_->launch(count, core::batch::MakeKeys{candidates.data(), chosen.data(), keys_.data()});
    device_->sort_pairs(keys_.data(), chosen.data(), count, bits);
  }
  /// Numbers the segments: key i is of segment ranks()[i + 1] - 1.
  void number(const core::batch::RoomView& room) {
    heads_.resize(size());
    device_->launch(size(), core::batch::MarkHeads{room, keys_.data(), heads_.data()});
    ranks_.resize(size() + 1);
    device_->sum_there(heads_.data(), ranks_.data(), size());
  }

  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  [[nodiscard]] const std::uint64_t* data() const { return keys_.data(); }
  [[nodiscard]] const std::uint64_t* ranks() const { return ranks_.data(); }
  /// How many segments there are; on the device.
  [[nodiscard]] const std::uint64_t* segment_count() const { return ranks_.data() + size(); }

 private:
  std::shared_ptr<Device> device_;
  Array<std::uint64_t> keys_;
  Array<std::uint32_t> heads_;
  Array<std::uint64_t> ranks_;
};

}  // namespace tocsin::cuda
