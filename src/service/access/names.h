// Names given by clients and operators.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/json_text.h"

namespace tocsin::service {

/// Longest name of a room, an upload's file or a principal, in bytes. Names are shown in lists and
/// messages. An upload's name is a file name, and most systems allow 255.
inline constexpr std::size_t kMostName = 128;

/// The principal of clients that need neither a token nor a certificate. No certificate may have
/// this name.
inline constexpr std::string_view kAnyone = "anyone";

/// True if the text has control characters, which a terminal would execute: those of ASCII, and
/// U+0080 to U+009F.
inline bool has_controls(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (base::is_control(text[i])) return true;
    const bool latin = static_cast<unsigned char>(text[i]) == 0xC2 && i + 1 < text.size();
    if (latin && static_cast<unsigned char>(text[i + 1]) < 0xA0) return true;
  }
  return false;
}

/// True if the text may name a principal or a group: 1 to 128 bytes of UTF-8 without control
/// characters.
inline bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kMostName && !has_controls(text) &&
         base::valid_utf8(text) == text;
}

}  // namespace tocsin::service
