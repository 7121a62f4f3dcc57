// What a device has found about a piece of a batch, on its way to the CPU. docs/cuda.md, "Pieces
// overlap".
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "core/batch/layout.h"
#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"
#include "gpu/cuda/device/event.h"
#include "gpu/cuda/device/pinned_array.h"

namespace tocsin::cuda {

/// Contacts and counters. Lists of contacts are copied one after the other, while the device works
/// on the next. Memory is used again. Functions throw Failure.
class PieceResult {
 public:
  explicit PieceResult(std::shared_ptr<Device> device);

  /// Forgets what was found; counters of so many steps are 0.
  void begin(std::size_t steps);
  /// Per step; device memory, for Stream::kWork.
  [[nodiscard]] core::batch::StepTally* tallies() { return tallies_.data(); }
  /// Where so many contacts are to be written; device memory, for Stream::kWork.
  [[nodiscard]] core::batch::ContactRecord* room_for(std::size_t contacts);
  /// They are: copies them, without waiting.
  void send();
  /// Copies the counters, without waiting. Nothing comes after it.
  void end();
  /// Returns once all copies are there, records() and tallied() then as well.
  void wait() { arrived_.wait(); }
  [[nodiscard]] std::span<const core::batch::ContactRecord> records() const {
    return records_.all();
  }
  [[nodiscard]] std::span<const core::batch::StepTally> tallied() const { return tallied_.all(); }

 private:
  /// One list on the device; another one is written while it is copied.
  struct List {
    explicit List(const std::shared_ptr<Device>& device) : records(device), copied(device) {}
    Array<core::batch::ContactRecord> records;
    Event copied;
  };
  /// Has copies wait for the work so far.
  void after_work();

  std::shared_ptr<Device> device_;
  Array<core::batch::StepTally> tallies_;
  std::array<List, 2> lists_;
  std::size_t next_ = 0;  ///< of the lists
  PinnedArray<core::batch::ContactRecord> records_;
  PinnedArray<core::batch::StepTally> tallied_;
  Event written_;
  Event arrived_;
};

}  // namespace tocsin::cuda
