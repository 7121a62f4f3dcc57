#include "gpu/cuda/device/emulated_sort.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tocsin::cuda::detail {
namespace {

constexpr int kDigitBits = 8;
constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;

std::size_t digit(std::uint64_t key, int shift) { return (key >> shift) & (kDigits - 1); }

struct Sequence {
  std::uint64_t* keys;
  std::uint32_t* values;
};

/// From one sequence to the other, in order of one digit. False: it is the same in all keys, and
/// nothing was done.
bool sort_digit(const Sequence& from, const Sequence& to, std::size_t n, int shift) {
  std::array<std::size_t, kDigits> place{};
  for (std::size_t i = 0; i < n; ++i) ++place[digit(from.keys[i], shift)];
  if (place[digit(from.keys[0], shift)] == n) return false;
  std::size_t sum = 0;
  for (std::size_t& p : place) sum += std::exchange(p, sum);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t at = place[digit(from.keys[i], shift)]++;
    to.keys[at] = from.keys[i];
    if (from.values != nullptr) to.values[at] = from.values[i];
  }
  return true;
}

}  // namespace

std::size_t radix_sort_bytes(std::size_t n, bool with_values) {
  return n * (sizeof(std::uint64_t) + (with_values ? sizeof(std::uint32_t) : 0));
}

void radix_sort(std::uint64_t* keys, std::uint32_t* values, std::size_t n, void* scratch) {
  if (n == 0) return;
  auto* const other = static_cast<std::uint64_t*>(scratch);
  Sequence from{keys, values};
  Sequence to{other, values == nullptr ? nullptr : reinterpret_cast<std::uint32_t*>(other + n)};
  for (int shift = 0; shift < 64; shift += kDigitBits) {
    if (sort_digit(from, to, n, shift)) std::swap(from, to);
  }
  if (from.keys == keys) return;
  std::copy_n(from.keys, n, keys);
  if (values != nullptr) std::copy_n(from.values, n, values);
}

}  // namespace tocsin::cuda::detail
