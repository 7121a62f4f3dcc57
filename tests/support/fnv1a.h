// FNV-1a, 64 bits, as Fowler, Noll and Vo define it: the hash of the report's contact lines, and a
// number by which tests pin what must be the same bits everywhere.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace tocsin::test {

inline constexpr std::uint64_t kFnvBasis = 0xCBF29CE484222325U;

/// Of these bytes; `before`: the hash of what comes before them.
inline std::uint64_t fnv1a(std::string_view bytes, std::uint64_t before = kFnvBasis) {
  std::uint64_t hash = before;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

/// Of values as they lie in memory on a little-endian machine.
template <class T>
std::uint64_t fnv1a(std::span<const T> values, std::uint64_t before = kFnvBasis) {
  static_assert(std::is_trivially_copyable_v<T>);
  return fnv1a({reinterpret_cast<const char*>(values.data()), values.size_bytes()}, before);
}

}  // namespace tocsin::test
