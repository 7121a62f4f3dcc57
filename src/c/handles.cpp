#include "c/handles.h"

#include <array>
#include <atomic>
#include <mutex>
#include <utility>

#include "c/failure.h"

namespace tocsin::c {
namespace {

static_assert(sizeof(void*) == 8, "a handle holds an index and a generation");

struct Slot {
  std::mutex mutex;
  std::uint32_t generation = 1;  ///< of the handle that it has, or will have next
  Named named;
};

/// Slots a block, and blocks: 16 million handles at a time. More needs only a larger table.
constexpr std::uint32_t kBlockSize = 1024;
constexpr std::uint32_t kBlocks = 16384;
using Block = std::array<Slot, kBlockSize>;

/// A handle's upper half is a generation, its lower half an index plus one.
void* handle_of(std::uint32_t index, std::uint32_t generation) {
  const std::uint64_t number = std::uint64_t{generation} << 32U | (std::uint64_t{index} + 1);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a number, never followed
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(number));
}

/// All handles. Slots stay where they are, so that finding one locks nothing that others need.
class Table {
 public:
  void* add(Named named) {
    const std::uint32_t index = take_index();
    Slot& slot = *find_slot(index);
    const std::scoped_lock lock(slot.mutex);
    slot.named = std::move(named);
    count_.fetch_add(1, std::memory_order_relaxed);
    return handle_of(index, slot.generation);
  }

  Named find(const void* handle) {
    std::uint32_t generation = 0;
    Slot* const slot = find_slot(index_of(handle, generation));
    if (slot == nullptr) return {};
    const std::scoped_lock lock(slot->mutex);
    return slot->generation == generation ? slot->named : Named{};
  }

  Named remove(const void* handle) {
    std::uint32_t generation = 0;
    const std::uint32_t index = index_of(handle, generation);
    Slot* const slot = find_slot(index);
    if (slot == nullptr) return {};
    Named out;
    {
      const std::scoped_lock lock(slot->mutex);
      if (slot->generation != generation || slot->named.object == nullptr) return {};
      out = std::exchange(slot->named, {});
      if (++slot->generation == 0) ++slot->generation;
    }
    count_.fetch_sub(1, std::memory_order_relaxed);
    give_back(index);
    return out;
  }

  [[nodiscard]] std::size_t count() const { return count_.load(std::memory_order_relaxed); }

 private:
  static std::uint32_t index_of(const void* handle, std::uint32_t& generation) {
    const auto number = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(handle));
    generation = static_cast<std::uint32_t>(number >> 32U);
    return static_cast<std::uint32_t>(number) - 1;  // NULL: an index that there is not
  }

  Slot* find_slot(std::uint32_t index) {
    if (index / kBlockSize >= kBlocks) return nullptr;
    Block* const block = blocks_[index / kBlockSize].load(std::memory_order_acquire);
    return block == nullptr ? nullptr : &(*block)[index % kBlockSize];
  }

  std::uint32_t take_index() {
    const std::scoped_lock lock(mutex_);
    if (first_free_ != kNone) {
      return std::exchange(first_free_,
                           next_free_[first_free_ / kBlockSize][first_free_ % kBlockSize]);
    }
    const std::uint32_t block = used_ / kBlockSize;
    if (block >= kBlocks) throw Failure{TOCSIN_ERROR_RESOURCE, "too many handles"};
    if (used_ % kBlockSize == 0) {
      auto slots = std::make_unique<Block>();
      next_free_[block] = std::make_unique<std::uint32_t[]>(kBlockSize);
      blocks_[block].store(slots.release(), std::memory_order_release);
    }
    return used_++;
  }

  void give_back(std::uint32_t index) {
    const std::scoped_lock lock(mutex_);
    next_free_[index / kBlockSize][index % kBlockSize] = std::exchange(first_free_, index);
  }

  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  std::array<std::atomic<Block*>, kBlocks> blocks_{};
  std::atomic<std::size_t> count_ = 0;
  std::mutex mutex_;  ///< of what follows
  std::uint32_t used_ = 0;
  std::uint32_t first_free_ = kNone;
  std::array<std::unique_ptr<std::uint32_t[]>, kBlocks> next_free_{};
};

/// Never destroyed: other threads, and destructors of the program, may call until the very end.
Table& table() {
  static Table& out = *new Table;
  return out;
}

}  // namespace

void* add_handle(Named named) { return table().add(std::move(named)); }
Named find_handle(const void* handle) noexcept { return table().find(handle); }
Named remove_handle(const void* handle) noexcept { return table().remove(handle); }
std::size_t handle_count() noexcept { return table().count(); }

}  // namespace tocsin::c
