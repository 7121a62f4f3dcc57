// A hash table of indices, for things that lie elsewhere: which of many items was the first of its
// sort?
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/batch/layout.h"

namespace tocsin::cuda {

/// Multiplies a hash by 2^64 over the golden ratio (odd), which spreads over its upper bits what
/// the lower ones tell.
inline std::uint64_t spread(std::uint64_t hash) { return hash * 0x9E3779B97F4A7C15U; }
/// One round of a multiplicative hash: collisions only cost a comparison.
inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = spread(hash ^ value);
  return hash ^ (hash >> 32U);
}

/// Open addressing, half full at most: an index costs 8 to 16 bytes, and no allocation once the
/// table has been as large.
class IndexTable {
 public:
  /// Forgets all. `most`: how many indices are added at most.
  void reset(std::size_t most) {
    const std::size_t size = std::bit_ceil(2 * most + 2);
    slots_.assign(size, core::batch::kNone);
    shift_ = 64 - std::countr_zero(size);
  }
  /// The index with that hash of which same(index) is true; kNone if none was added.
  template <class Same>
  [[nodiscard]] std::uint32_t find(std::uint64_t hash, const Same& same) const {
    return slots_[slot(hash, same)];
  }
  /// The same, but `index` is added and returned if there is none.
  template <class Same>
  std::uint32_t find_or_add(std::uint64_t hash, std::uint32_t index, const Same& same) {
    std::uint32_t& found = slots_[slot(hash, same)];
    if (found == core::batch::kNone) found = index;
    return found;
  }

 private:
  template <class Same>
  [[nodiscard]] std::size_t slot(std::uint64_t hash, const Same& same) const {
    std::size_t at = spread(hash) >> static_cast<unsigned>(shift_);
    while (slots_[at] != core::batch::kNone && !same(slots_[at])) at = (at + 1) % slots_.size();
    return at;
  }

  std::vector<std::uint32_t> slots_;  ///< 2^n of them, n > 0
  int shift_ = 0;
};

}  // namespace tocsin::cuda
