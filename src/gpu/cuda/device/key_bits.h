// Which bits of sorted keys matter.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tocsin::cuda {

/// A key of 64 bits is two numbers, the upper half deciding first. Of each half so many low bits
/// matter, 0 to 32; all others are 0 in every key. A radix sort passes over the keys once for every
/// eight bits that matter.
struct KeyBits {
  int low = 32;
  int high = 32;

  /// Numbers below these counts.
  static constexpr KeyBits below(std::uint64_t high_count, std::uint64_t low_count) {
    return {bits_below(low_count), bits_below(high_count)};
  }
  /// The upper half is below a count; all bits of the lower one matter.
  static constexpr KeyBits below(std::uint64_t high_count) { return {32, bits_below(high_count)}; }

  [[nodiscard]] constexpr bool holds(std::uint64_t key) const {
    return ((key & 0xFFFFFFFFU) >> low) == 0 && ((key >> 32U) >> high) == 0;
  }

 private:
  static constexpr int bits_below(std::uint64_t count) {
    return count < 2 ? 0 : std::min(32, static_cast<int>(std::bit_width(count - 1)));
  }
};

}  // namespace tocsin::cuda
