#include "base/utf8.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace tocsin::base {
namespace {

/// How characters lie in bytes.
struct WideUnits {
  std::size_t bytes = 0;  ///< a unit; 0: not wide
  bool big_endian = false;
};

WideUnits units_of(std::string_view text) {
  using namespace std::string_view_literals;
  // UTF-32's mark begins as that of UTF-16.
  if (text.starts_with("\xFF\xFE\0\0"sv)) return {4, false};
  if (text.starts_with("\0\0\xFE\xFF"sv)) return {4, true};
  if (text.starts_with("\xFF\xFE"sv)) return {2, false};
  if (text.starts_with("\xFE\xFF"sv)) return {2, true};
  if (text.size() < 4) return {};
  const auto zero = [text](std::size_t i) { return text[i] == '\0'; };
  if (!zero(0) && zero(1) && !zero(2) && zero(3)) return {2, false};
  if (zero(0) && !zero(1) && zero(2) && !zero(3)) return {2, true};
  return {};
}

void append_utf8(std::string& out, std::uint32_t c) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | (c >> shift & 0x3FU)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xC0U | c >> 6U);
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xE0U | c >> 12U);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | c >> 18U);
    tail(12);
    tail(6);
    tail(0);
  }
}

constexpr std::uint32_t kLastCharacter = 0x10FFFF;
constexpr std::uint32_t kByteOrderMarkCharacter = 0xFEFF;
constexpr bool is_surrogate(std::uint32_t c) { return c >= 0xD800 && c < 0xE000; }
constexpr bool is_first_half(std::uint32_t c) { return c >= 0xD800 && c < 0xDC00; }

}  // namespace

std::string make_utf8(std::string& bytes) {
  const WideUnits wide = units_of(bytes);
  if (wide.bytes == 0) return {};
  const char* const name = wide.bytes == 2 ? "UTF-16" : "UTF-32";
  const std::size_t count = bytes.size() / wide.bytes;
  const auto unit = [&](std::size_t i) {
    std::uint32_t value = 0;
    for (std::size_t k = 0; k < wide.bytes; ++k) {
      const std::size_t at = wide.big_endian ? k : wide.bytes - 1 - k;
      value = value << 8U | static_cast<unsigned char>(bytes[i * wide.bytes + at]);
    }
    return value;
  };
  std::string out;
  out.reserve(bytes.size() / wide.bytes + 4);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t c = unit(i);
    if (wide.bytes == 2 && is_first_half(c) && i + 1 < count) {
      const std::uint32_t second = unit(i + 1);
      if (is_surrogate(second) && !is_first_half(second)) {
        c = 0x10000 + ((c - 0xD800) << 10U) + (second - 0xDC00);
        ++i;
      }
    }
    if (is_surrogate(c) || c > kLastCharacter) {
      return fmt::format("{} text that is damaged at byte {}; save it as UTF-8", name,
                         i * wide.bytes);
    }
    if (i > 0 || c != kByteOrderMarkCharacter) append_utf8(out, c);
  }
  if (count * wide.bytes != bytes.size()) {
    return fmt::format("{} text that ends in the middle of a character; save it as UTF-8", name);
  }
  bytes = std::move(out);
  return {};
}

std::string utf8_of(std::uint32_t character) {
  std::string out;
  if (!is_surrogate(character) && character <= kLastCharacter) append_utf8(out, character);
  return out;
}

}  // namespace tocsin::base
