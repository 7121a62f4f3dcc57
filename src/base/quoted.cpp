#include "base/quoted.h"

#include <fmt/format.h>

#include <cstddef>

namespace tocsin::base {
namespace {

/// Length of the well-formed UTF-8 character at the start of `text`; 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xC2 && first < 0xE0 ? 2
                             : first >= 0xE0 && first < 0xF0 ? 3
                             : first >= 0xF0 && first < 0xF5 ? 4
                                                             : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte.
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) >= 0xA0) ||
      (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) >= 0x90)) {
    return 0;
  }
  // C1 control characters (U+0080 to U+009F) can steer a terminal.
  if (first == 0xC2 && byte(1) < 0xA0) return 0;
  return length;
}

void append_escaped(std::string& out, unsigned char c) {
  switch (c) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    case '"':
    case '\\':
      out += '\\';
      out += static_cast<char>(c);
      return;
    default:
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
  }
}

}  // namespace

std::string escaped(std::string_view text, std::size_t limit) {
  std::string out;
  std::size_t i = 0;
  while (i < text.size() && out.size() < limit) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0 || c < 0x20 || c == 0x7F || c == '"' || c == '\\') {
      append_escaped(out, c);
      ++i;
    } else {
      out += text.substr(i, length);
      i += length;
    }
  }
  if (i < text.size()) out += "...";
  return out;
}

std::string in_quotes(std::string_view text, std::size_t limit) {
  return '"' + escaped(text, limit) + '"';
}

}  // namespace tocsin::base
