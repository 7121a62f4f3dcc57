// The CUDA devices of a backend: each has the room, and all share the steps of a batch.
// docs/cuda.md, "Several devices".
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "devices/cuda/piece_queue.h"
#include "gpu/cuda/device/device.h"
#include "gpu/cuda/stages/batch_checker.h"
#include "gpu/cuda/stages/batch_item.h"
#include "tocsin/environment.h"
#include "tocsin/result.h"

namespace tocsin::devices {

/// What a batch is asked, and where its answers go.
struct GroupBatch {
  std::span<const cuda::BatchItem> items;  ///< as BatchChecker::check takes them
  bool meet = false;
  std::stop_token stop = {};
  std::span<cuda::BatchAnswer> answers;
  std::span<std::uint8_t> answered;  ///< per item: set to 1 once its answer is there
};

/// Thread-safe. Callers wait for each other at each device. A device that fails is asked no more,
/// and its share goes to the others.
class DeviceGroup {
 public:
  /// Takes the room to each device, of which there is at least one. A device that does not work, or
  /// is too small for the room, counts as failed. Throws std::bad_alloc.
  DeviceGroup(const std::vector<std::shared_ptr<cuda::Device>>& devices,
              const Environment& environment, const cuda::CheckerOptions& options);
  /// The same devices for another version of the room, or for the room with other margin and
  /// tolerance. Those that have failed try again, and are left out if they fail again while another
  /// one works. Throws std::bad_alloc.
  [[nodiscard]] std::shared_ptr<DeviceGroup> with_environment(
      const Environment& environment, const cuda::CheckerOptions& options) const;
  [[nodiscard]] std::shared_ptr<DeviceGroup> with_options(
      const Environment& environment, const cuda::CheckerOptions& options) const;

  /// Asks the devices that work: the caller's thread drives one, and one more thread each of the
  /// others that have something to do. What no device has answered stays unmarked. Throws
  /// std::bad_alloc.
  void check(const GroupBatch& batch);

  /// Of all devices: cuda::names_of().
  [[nodiscard]] std::string name() const;
  /// Why no device is asked any more; none while one is.
  [[nodiscard]] std::optional<Error> failure() const;
  /// What devices have not answered, why, and what answers in their place; empty: nothing.
  [[nodiscard]] std::string fallback() const;

 private:
  using MadeChecker = Result<std::shared_ptr<cuda::BatchChecker>>;
  struct Seat {
    std::shared_ptr<cuda::Device> device;
    std::shared_ptr<cuda::BatchChecker> checker;  ///< null: failed from the start
    std::optional<Error> failure = std::nullopt;  ///< under the lock
  };
  struct Run;

  DeviceGroup() = default;
  template <class Derive>
  std::shared_ptr<DeviceGroup> derived(const Environment& environment,
                                       const cuda::CheckerOptions& options,
                                       const Derive& derive) const;
  void add(std::shared_ptr<cuda::Device> device, MadeChecker checker);
  [[nodiscard]] std::vector<Seat*> working();
  [[nodiscard]] bool works(const Seat& seat) const;
  /// Drives devices that no thread drives yet, the next one where one fails.
  void drive_some(Run& run);
  /// Has the device check pieces until there are none (true), or it fails.
  bool drive(Seat& seat, Run& run);
  bool check_piece(Seat& seat, const Piece& piece, Run& run);
  void note(std::span<const cuda::BatchAnswer> answers);

  std::vector<Seat> seats_;
  mutable std::mutex mutex_;       ///< of what is remembered
  std::optional<Error> why_left_;  ///< the first step that the CPU had to check
  std::size_t left_ = 0;           ///< steps that the CPU had to check
};

}  // namespace tocsin::devices
