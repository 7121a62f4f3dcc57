// The CUDA backend: a whole batch of steps, from poses to contacts, on the device. Paper 004's
// pipeline for many avatars; docs/cuda.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/batch/layout.h"
#include "gpu/cuda/device/device.h"
#include "gpu/cuda/stages/batch_data.h"
#include "gpu/cuda/stages/stage.h"
#include "tocsin/environment.h"
#include "tocsin/result.h"
#include "tocsin/step_report.h"

namespace tocsin::cuda {

/// What is asked of a checker.
struct CheckerOptions {
  double margin = 0.0;      ///< metres
  double tolerance = 1e-9;  ///< step time
  int k = 6;                ///< of the tree's k-DOPs
  /// Steps that are handed to the device at once, at most; fewer where memory asks for it.
  std::size_t most_steps = 1 << 16;
  /// A batch is cut into so many pieces, which overlap, but into no smaller ones than
  /// `least_steps`: below that, launches cost more than the work. 1: it is not.
  std::size_t pieces = 8;
  std::size_t least_steps = 4096;
  Traversal traversal = {};  ///< experiments: lanes are chosen when the tree is built
};

/// The answer for one step: what a StepReport says, but for what the CPU adds.
struct BatchAnswer {
  /// In order of (link, object), then links with other links. `other.avatar` is the item's index.
  std::vector<Contact> contacts;
  StepCounters counters;
  /// Set: nothing is known about the step, and the CPU has to be asked: the step, or its group,
  /// does not fit into the device's memory even alone, or a search of its shapes was given up.
  std::optional<Error> left;
};

/// Thread-safe: one batch at a time, others wait.
class BatchChecker {
 public:
  /// Uploads the room and builds its tree. Errors: the device's.
  static Result<std::shared_ptr<BatchChecker>> create(std::shared_ptr<Device> device,
                                                      const Environment& environment,
                                                      const CheckerOptions& options);
  ~BatchChecker();
  /// A checker of the same room at another place, on the same device.
  [[nodiscard]] Result<std::shared_ptr<BatchChecker>> with_environment(
      const Environment& environment) const;
  /// A checker of the same room and tree with another margin and tolerance.
  [[nodiscard]] Result<std::shared_ptr<BatchChecker>> with_options(
      const CheckerOptions& options) const;

  /// Contacts of every item with the room, of its own links (BatchItem::self), and, if `meet`, of
  /// links of different items of one group (which follow each other, in order of group); told by
  /// the item that comes first. Every contact of a pair that touches, at its first touch
  /// (Contacts::kPairs), the bits of the CPU's. Batches that do not fit into the device's memory
  /// are split (groups are not: they are asked about piece by piece). Errors: kResource: the
  /// device's; answers of items below `done` are complete then. kCancelled: `stop`, looked at
  /// between pieces. `first`: the index of the first item, as contacts between items name it.
  [[nodiscard]] Status check(std::span<const BatchItem> items, bool meet,
                             const std::stop_token& stop, std::span<BatchAnswer> answers,
                             std::size_t& done, std::size_t first = 0);

  [[nodiscard]] const Device& device() const;
  [[nodiscard]] std::size_t tree_bytes() const;
  /// Measures from now on, from 0; see Device::measure. costs(): per Stage.
  void measure(bool on);
  [[nodiscard]] std::array<StageCost, kStages> costs() const;

 private:
  struct Parts;
  explicit BatchChecker(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace tocsin::cuda
