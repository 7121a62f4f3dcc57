// Numbers in datagrams, in either order of bytes.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace tocsin::mocap {

/// An unsigned number of `kBytes` bytes at `at`, most significant byte first. Precondition: they
/// are there.
template <int kBytes>
std::uint64_t load_big(std::string_view bytes, std::size_t at) {
  std::uint64_t out = 0;
  for (int i = 0; i < kBytes; ++i) {
    out = out << 8U | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  }
  return out;
}

/// The same, least significant byte first.
template <int kBytes>
std::uint64_t load_little(std::string_view bytes, std::size_t at) {
  std::uint64_t out = 0;
  for (int i = kBytes - 1; i >= 0; --i) {
    out = out << 8U | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  }
  return out;
}

inline float big_float(std::string_view bytes, std::size_t at) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(load_big<4>(bytes, at)));
}
inline float little_float(std::string_view bytes, std::size_t at) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(load_little<4>(bytes, at)));
}
inline double little_double(std::string_view bytes, std::size_t at) {
  return std::bit_cast<double>(load_little<8>(bytes, at));
}

template <int kBytes>
void append_big(std::string& out, std::uint64_t value) {
  for (int i = kBytes - 1; i >= 0; --i) {
    out.push_back(static_cast<char>(value >> (8U * static_cast<unsigned>(i)) & 0xffU));
  }
}
template <int kBytes>
void append_little(std::string& out, std::uint64_t value) {
  for (int i = 0; i < kBytes; ++i) {
    out.push_back(static_cast<char>(value >> (8U * static_cast<unsigned>(i)) & 0xffU));
  }
}
inline void append_big_float(std::string& out, float value) {
  append_big<4>(out, std::bit_cast<std::uint32_t>(value));
}
inline void append_little_float(std::string& out, float value) {
  append_little<4>(out, std::bit_cast<std::uint32_t>(value));
}

}  // namespace tocsin::mocap
