#include "gpu/cuda/device/device_memory.h"

#include <algorithm>
#include <compare>
#include <map>
#include <utility>

namespace tocsin::cuda {

namespace {

/// What tells devices apart.
struct Key {
  bool emulated;
  int index;
  std::size_t memory;  ///< of an emulated device; real ones have what they have
  friend auto operator<=>(const Key&, const Key&) = default;
};

}  // namespace

std::shared_ptr<DeviceMemory> DeviceMemory::of(const DeviceOptions& options) {
  static std::mutex mutex;
  static std::map<Key, std::weak_ptr<DeviceMemory>> known;
  const Key key{options.emulate, options.index.value_or(0), options.emulate ? options.memory : 0};
  const std::lock_guard lock(mutex);
  std::weak_ptr<DeviceMemory>& entry = known[key];
  if (auto there = entry.lock()) return there;
  auto made = std::make_shared<DeviceMemory>();
  entry = made;
  return made;
}

void DeviceMemory::enter(MemoryKeeper& keeper) {
  const std::lock_guard lock(mutex_);
  keepers_.push_back(&keeper);
}

void DeviceMemory::leave(MemoryKeeper& keeper) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase(keepers_, &keeper);
}

std::size_t DeviceMemory::kept() const {
  const std::lock_guard lock(mutex_);
  std::size_t bytes = 0;
  for (const MemoryKeeper* const keeper : keepers_) bytes += keeper->kept();
  return bytes;
}

std::size_t DeviceMemory::reclaim() noexcept {
  const std::lock_guard lock(mutex_);
  for (MemoryKeeper* const keeper : keepers_) {
    if (keeper->kept() == 0) continue;
    const std::size_t before = allocated_;
    keeper->give_back();
    if (const std::size_t after = allocated_; after < before) return before - after;
  }
  return 0;
}

}  // namespace tocsin::cuda
