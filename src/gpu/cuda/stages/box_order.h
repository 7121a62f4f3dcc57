// Boxes sorted along an axis, for a sweep. docs/cuda.md, "Broadphase".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/batch/sweep.h"
#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"

namespace tocsin::cuda {

/// Items sorted by group and low end along the axis on which the fewest of them overlap; those
/// whose box holds no point come last. Owns memory that is used again. Functions throw Failure.
class BoxOrder {
 public:
  explicit BoxOrder(std::shared_ptr<Device> device);

  /// boxes, holds: per item; holds[i]: boxes[i] holds a point. steps: whose groups the items have,
  /// below `groups`; null: they are one group. All are the device's.
  void sort(const core::Box* boxes, const std::uint8_t* holds, std::size_t items,
            const core::batch::BatchStep* steps, std::uint32_t groups);

  /// Items.
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Comparisons that find all overlapping pairs: of those that overlap on the axis.
  [[nodiscard]] std::uint64_t tests() const { return tests_; }
  /// Per place, the item and its box. Device memory.
  [[nodiscard]] const std::uint32_t* items() const { return best_.order.data(); }
  [[nodiscard]] const core::Box* boxes() const { return best_.sorted.data(); }
  [[nodiscard]] core::batch::SweepRow row() const;

 private:
  /// The order along one axis.
  struct Along {
    explicit Along(const std::shared_ptr<Device>& device);
    Array<std::uint32_t> order;
    Array<core::Box> sorted;
    Array<std::uint64_t> offsets;  ///< of each place's comparisons
  };
  /// What is sorted.
  struct Items {
    const core::Box* boxes;
    const std::uint8_t* holds;
    const core::batch::BatchStep* steps;
    std::uint32_t groups;
  };
  std::uint64_t sort_along(int axis, const Items& of, Along& to);

  std::shared_ptr<Device> device_;
  Array<std::uint64_t> keys_;
  Array<std::uint32_t> reach_;
  Along best_;
  Along other_;
  std::size_t count_ = 0;
  std::uint64_t tests_ = 0;
};

}  // namespace tocsin::cuda
