// Numbers as bytes, the least significant first, whatever the machine's own order; and many of them
// in large pieces.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace tocsin::base {

/// Writes four bytes at `to`. Returns the end.
inline char* put_packed(char* to, std::uint32_t value) {
  if constexpr (std::endian::native == std::endian::little) {
    std::memcpy(to, &value, sizeof value);
  } else {
    for (unsigned i = 0; i < 4; ++i) to[i] = static_cast<char>(value >> (8 * i) & 0xFFU);
  }
  return to + sizeof value;
}

/// Appends four bytes.
inline void append_packed(std::string& text, std::uint32_t value) {
  char bytes[sizeof value];
  put_packed(bytes, value);
  text.append(bytes, sizeof bytes);
}

/// Reads four bytes. Precondition: there are that many.
inline std::uint32_t get_packed(const char* from) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < 4; ++i) {
    value |= static_cast<std::uint32_t>(static_cast<unsigned char>(from[i])) << (8 * i);
  }
  return value;
}

inline char* put_packed(char* to, float value) {
  return put_packed(to, std::bit_cast<std::uint32_t>(value));
}

/// Passes items of `kItemBytes` each to `sink(string_view)`, many at a time, until it returns
/// false. `put(char* to, item)` writes one and returns its end. Returns the result of the last
/// sink.
template <std::size_t kItemBytes, class Items, class Put, class Sink>
bool write_packed(const Items& items, Put put, Sink sink) {
  // Bytes: few, large writes, which still lie in the second cache when they are handed on.
  constexpr std::size_t kPiece = std::size_t{1} << 18U;
  constexpr std::size_t kItemsAPiece = kPiece / kItemBytes;
  std::string piece(std::min(items.size(), kItemsAPiece) * kItemBytes, '\0');
  for (std::size_t done = 0; done < items.size();) {
    char* to = piece.data();
    const std::size_t end = std::min(items.size(), done + kItemsAPiece);
    for (; done < end; ++done) to = put(to, items[done]);
    if (!sink(std::string_view(piece.data(), static_cast<std::size_t>(to - piece.data())))) {
      return false;
    }
  }
  return true;
}

}  // namespace tocsin::base
