// What a device has found about a piece of a batch, on its way to the CPU. docs/cuda.md, "Pieces
// overlap".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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
  /// A list for so many contacts at most, and how many there are; device memory, for Stream::kWork,
  /// which sets both. Waits for the number of the list before, unless somebody has waited for the
  /// work meanwhile.
  struct Room {
    core::batch::ContactRecord* records;
    std::uint64_t* count;
  };
  [[nodiscard]] Room room_for(std::size_t most);
  /// The work that sets them is given. They are copied once it is known how many there are.
  void written();
  /// Copies what was written, if that is known by now. Does not wait.
  void send();
  /// Copies what is left, and the counters. Waits as room_for() does. Nothing comes after it.
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
    explicit List(const std::shared_ptr<Device>& device)
        : records(device), written(device), copied(device) {}
    Array<core::batch::ContactRecord> records;
    Event written;
    Event copied;
  };
  /// The list whose contacts are not copied yet; null: none.
  [[nodiscard]] List* pending() { return pending_ ? &lists_[1 - next_] : nullptr; }
  void copy(List& list, std::size_t contacts);
  /// As send(), but waits.
  void settle();

  std::shared_ptr<Device> device_;
  Array<core::batch::StepTally> tallies_;
  std::array<List, 2> lists_;
  std::size_t next_ = 0;              ///< of the lists
  bool pending_ = false;              ///< the other one has contacts that are not copied yet
  std::uint64_t waits_before_ = 0;    ///< Device::waits_for_work() when their number was asked for
  Array<std::uint64_t> count_;        ///< of contacts, on the device
  PinnedArray<std::uint64_t> known_;  ///< the same here, once somebody has waited for the work
  PinnedArray<core::batch::ContactRecord> records_;
  PinnedArray<core::batch::StepTally> tallied_;
  Event all_written_;
  Event arrived_;
};

}  // namespace tocsin::cuda
