// Broadphase on the device: which boxes of a batch's links meet? The pair set of the CPU's sweep
// and prune (cpu/broadphase/interval_sweep.h), paper 000, section 5.1. docs/cuda.md, "Broadphase".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/batch/layout.h"
#include "core/batch/sweep.h"
#include "core/batch/sweep_links.h"
#include "core/batch/sweep_objects.h"
#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"
#include "gpu/cuda/stages/box_order.h"

namespace tocsin::cuda {

/// Work done by the latest call, for benches and tests.
struct BroadphaseCounters {
  std::uint64_t sweep_tests = 0;  ///< comparisons of whole steps' boxes
  std::uint64_t step_pairs = 0;   ///< of steps whose boxes overlap
};

/// Owns memory that is used again. Functions throw Failure: kMemory also, before memory is asked
/// for, where 2^32 pairs or more would be listed at once. Tallies have not been touched then.
class Broadphase {
 public:
  explicit Broadphase(std::shared_ptr<Device> device);

  /// All pairs of links of two steps of one group whose boxes overlap, in order of (first, second);
  /// device memory, valid until the next call. boxes: per link of the batch; they may be empty or
  /// infinite, not NaN. Links of one step are no pairs. tallies: link_pairs of the first's step
  /// counts them; may be null.
  const Array<core::batch::LinkPair>& pairs(const core::batch::View& view, const core::Box* boxes,
                                            core::batch::StepTally* tallies);

  /// The same with bounded memory: how many pairs there are whose first link belongs to a step
  /// first_step <= s < last_step. Needs memory for the pairs of steps only, 8 bytes each and as
  /// much for sorting them.
  std::uint64_t count(const core::batch::View& view, const core::Box* boxes,
                      std::uint32_t first_step, std::uint32_t last_step,
                      core::batch::StepTally* tallies);
  /// Of those that count() has counted just before, the ones with the numbers begin <= n < end, in
  /// order. View and boxes must be as they were. Valid until the next call.
  const Array<core::batch::LinkPair>& take(std::uint64_t begin, std::uint64_t end);

  /// Clears the flags of links whose box meets none of an object that is active for the link; those
  /// of steps without a mask stay. boxes, flags: per link; objects: per object of the room.
  void drop_inactive(const core::batch::View& view, const core::Box* boxes,
                     const core::Box* objects, std::uint32_t object_count, std::uint8_t* flags);

  [[nodiscard]] const BroadphaseCounters& counters() const { return counters_; }

 private:
  /// Pairs of steps whose boxes overlap, sorted, to step_pairs_.
  void find_steps(const core::batch::View& view, const core::Box* boxes,
                  core::batch::StepsFromTo range);
  /// Of a stretch of the sweep's comparisons, those that find something; returns how many.
  std::uint64_t compare(core::batch::SweepStretch stretch, core::batch::StepsFromTo range);
  /// Sums counts_ up to offsets_.
  std::uint64_t sum_up(std::size_t links);
  void tally(core::batch::StepTally* tallies);
  core::batch::ObjectBlocks blocks_of(const core::Box* objects, std::size_t count);

  std::shared_ptr<Device> device_;
  BoxOrder order_;
  Array<core::Box> step_boxes_;  ///< per step
  Array<std::uint8_t> holds_;
  Array<std::uint64_t> masks_;   ///< per chunk of comparisons
  Array<std::uint32_t> counts_;  ///< per chunk, then per link
  Array<std::uint64_t> offsets_;
  Array<std::uint64_t> step_pairs_;
  Array<std::uint32_t> partners_;  ///< per step: where its pairs begin
  Array<core::Box> blocks_;        ///< of objects
  Array<core::Box> large_blocks_;
  Array<core::batch::LinkPair> pairs_;
  core::batch::Meetings meetings_{};  ///< what count() was asked about
  std::uint64_t counted_ = 0;
  BroadphaseCounters counters_;
};

}  // namespace tocsin::cuda
