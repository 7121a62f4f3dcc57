// A set of small integers that finds the next one fast.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tocsin::cpu {

/// Integers below a bound, one bit each; above them a bit for each word of 64 that is not zero, and
/// so on. Every operation costs O(log64 of the bound).
class BitTree {
 public:
  /// Empties the set; integers are below `bound` from now on.
  void reset(std::size_t bound) {
    levels_ = 0;
    std::size_t words = 0;
    for (std::size_t size = bound;; size = (size + 63) / 64) {
      begin_[levels_++] = words;
      words += (size + 63) / 64;
      if (size <= 64) break;
    }
    words_.assign(words, 0);
  }

  void insert(std::size_t i) {
    for (std::size_t level = 0; level < levels_; ++level, i /= 64) {
      std::uint64_t& word = words_[begin_[level] + i / 64];
      const bool was_empty = word == 0;
      word |= std::uint64_t{1} << (i % 64);
      if (!was_empty) return;
    }
  }

  void erase(std::size_t i) {
    for (std::size_t level = 0; level < levels_; ++level, i /= 64) {
      std::uint64_t& word = words_[begin_[level] + i / 64];
      word &= ~(std::uint64_t{1} << (i % 64));
      if (word != 0) return;
    }
  }

  /// The least member that is not below `from`; `end` if there is none below `end`. Precondition:
  /// end is at most the bound.
  [[nodiscard]] std::size_t next(std::size_t from, std::size_t end) const {
    std::size_t i = from;
    for (std::size_t level = 0; level < levels_ && i << (6 * level) < end; ++level) {
      const std::uint64_t word = words_[begin_[level] + i / 64] >> (i % 64);
      if (word != 0) {
        i = first(level, i + static_cast<std::size_t>(std::countr_zero(word)));
        return i < end ? i : end;
      }
      i = i / 64 + 1;
    }
    return end;
  }

 private:
  /// The least member below bit i of a level, which is set.
  [[nodiscard]] std::size_t first(std::size_t level, std::size_t i) const {
    for (; level > 0; --level) {
      i = 64 * i + static_cast<std::size_t>(std::countr_zero(words_[begin_[level - 1] + i]));
    }
    return i;
  }

  static constexpr std::size_t kMaxLevels = 11;  ///< 64^11 = 2^66
  std::vector<std::uint64_t> words_;             ///< level after level
  std::size_t begin_[kMaxLevels] = {};
  std::size_t levels_ = 0;
};

}  // namespace tocsin::cpu
