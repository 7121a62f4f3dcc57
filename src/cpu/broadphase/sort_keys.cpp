#include "cpu/broadphase/sort_keys.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace tocsin::cpu {
namespace {

/// Bits sorted by in one pass: three passes for a float. With more, the counts of a pass leave the
/// first cache; with fewer, there are more passes.
constexpr unsigned kDigit = 11;

/// Up to so many keys, comparing them is faster than clearing and adding up the counts: measured.
constexpr std::size_t kFewKeys = 400;

constexpr std::uint64_t field(std::uint64_t key, unsigned low, unsigned bits) {
  return (key >> low) & ((std::uint64_t{1} << bits) - 1);
}

}  // namespace

void sort_keys(std::vector<std::uint64_t>& keys, unsigned low, unsigned high,
               std::vector<std::uint64_t>& spare) {
  if (keys.size() <= kFewKeys) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  spare.resize(keys.size());
  for (unsigned at = low; at < high; at += kDigit) {
    const unsigned bits = std::min(kDigit, high - at);
    std::array<std::uint32_t, std::size_t{1} << kDigit> place{};
    for (const std::uint64_t key : keys) ++place[field(key, at, bits)];
    if (place[field(keys.front(), at, bits)] == keys.size()) continue;  // all the same
    std::uint32_t begin = 0;
    for (std::uint32_t& p : place) {
      const std::uint32_t count = p;
      p = begin;
      begin += count;
    }
    for (const std::uint64_t key : keys) spare[place[field(key, at, bits)]++] = key;
    keys.swap(spare);
  }
}

}  // namespace tocsin::cpu
