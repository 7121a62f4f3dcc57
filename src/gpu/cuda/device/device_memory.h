// What this process uses of one device, over all Devices that were opened: its turn and its memory.
// docs/cuda.md, "Devices, failures, emulation".
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/cuda/device/device_options.h"

namespace tocsin::cuda {

/// An object that keeps memory of a device for the next batch, and can do without it. Functions are
/// called by the thread that holds DeviceMemory::in_use().
class MemoryKeeper {
 public:
  MemoryKeeper() = default;
  MemoryKeeper(const MemoryKeeper&) = delete;
  MemoryKeeper& operator=(const MemoryKeeper&) = delete;
  virtual ~MemoryKeeper() = default;

  /// Bytes that give_back() would release now; 0 while they are needed.
  [[nodiscard]] virtual std::size_t kept() const = 0;
  virtual void give_back() noexcept = 0;
};

/// Shared by all cuda::Devices of one index. So a checker that is idle cannot starve another one,
/// whichever detector either belongs to. Thread-safe.
class DeviceMemory {
 public:
  /// Of the device that the options name. An emulated device is one per index and size of its
  /// memory. Throws std::bad_alloc.
  static std::shared_ptr<DeviceMemory> of(const DeviceOptions& options);

  /// To be held during several calls of the device in a row.
  [[nodiscard]] std::mutex& in_use() { return in_use_; }

  /// Bytes that are allocated by all.
  [[nodiscard]] std::size_t allocated() const { return allocated_; }
  void add(std::size_t bytes) { allocated_ += bytes; }
  void subtract(std::size_t bytes) { allocated_ -= bytes; }

  /// A keeper is registered for as long as it may keep something. Throws std::bad_alloc.
  void enter(MemoryKeeper& keeper);
  /// Returns once no thread calls the keeper any more.
  void leave(MemoryKeeper& keeper) noexcept;
  /// Bytes that keepers would give back.
  [[nodiscard]] std::size_t kept() const;
  /// Has the first keeper that can do so give its memory back. Returns how many bytes; 0: none can.
  std::size_t reclaim() noexcept;

 private:
  std::mutex in_use_;
  std::atomic<std::size_t> allocated_{0};
  mutable std::mutex mutex_;  ///< of the keepers
  std::vector<MemoryKeeper*> keepers_;
};

}  // namespace tocsin::cuda
