#include "base/json_text.h"

#include <array>
#include <charconv>
#include <cmath>

namespace tocsin::base {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
}

/// Length of the well-formed UTF-8 sequence at `i`, 0 if there is none. Unicode 15, table 3-7.
std::size_t sequence_length(std::string_view text, std::size_t i) {
  const unsigned first = byte_at(text, i);
  if (first < 0x80U) return 1;
  if (first < 0xC2U || first > 0xF4U) return 0;
  const unsigned low = first == 0xE0U ? 0xA0U : first == 0xF0U ? 0x90U : 0x80U;
  const unsigned high = first == 0xEDU ? 0x9FU : first == 0xF4U ? 0x8FU : 0xBFU;
  const std::size_t length = first < 0xE0U ? 2 : first < 0xF0U ? 3 : 4;
  if (byte_at(text, i + 1) < low || byte_at(text, i + 1) > high) return 0;
  for (std::size_t k = 2; k < length; ++k) {
    if ((byte_at(text, i + k) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

template <class AppendCharacter>
void for_each_character(std::string_view text, const AppendCharacter& append) {
  bool ill_formed = false;  // continuation bytes after a bad byte belong to the same U+FFFD
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = sequence_length(text, i);
    if (length > 0) {
      append(text.substr(i, length));
      ill_formed = false;
      i += length;
      continue;
    }
    const bool continues = ill_formed && (byte_at(text, i) & 0xC0U) == 0x80U;
    if (!continues) append(kReplacement);
    ill_formed = true;
    ++i;
  }
}

void append_escaped(std::string& out, std::string_view character) {
  constexpr std::string_view kHex = "0123456789abcdef";
  const auto c = static_cast<unsigned char>(character[0]);
  if (character == "\"" || character == "\\") {
    out += '\\';
    out += character;
  } else if (character == "\n") {
    out += "\\n";
  } else if (character == "\t") {
    out += "\\t";
  } else if (character == "\r") {
    out += "\\r";
  } else if (c < 0x20U) {
    out += "\\u00";
    out += kHex[c >> 4U];
    out += kHex[c & 15U];
  } else {
    out += character;
  }
}

template <class Number>
void append_number(std::string& out, Number value) {
  std::array<char, 32> text{};  // the longest double is 24 characters
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  out.append(text.data(), end);
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, [&out](std::string_view c) { out += c; });
  return out;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for_each_character(text, [&out](std::string_view c) {
    const auto first = static_cast<unsigned char>(c[0]);
    const bool control = (first < 0x20U && c != "\n" && c != "\t") || first == 0x7FU ||
                         (first == 0xC2U && static_cast<unsigned char>(c[1]) < 0xA0U);
    out += control ? std::string_view("?") : c;
  });
  return out;
}

void append_json(std::string& out, std::string_view text) {
  out += '"';
  for_each_character(text, [&out](std::string_view c) { append_escaped(out, c); });
  out += '"';
}

void append_json(std::string& out, double value) {
  if (std::isfinite(value)) {
    append_number(out, value);
  } else {
    out += "null";
  }
}

void append_json(std::string& out, std::int64_t value) { append_number(out, value); }
void append_json(std::string& out, std::uint64_t value) { append_number(out, value); }

}  // namespace tocsin::base
