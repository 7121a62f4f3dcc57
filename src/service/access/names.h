// Names given by clients and operators.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace tocsin::service {

/// Longest name of a room, an upload's file or a principal, in bytes. Names are shown in lists and
/// messages. An upload's name is a file name, and most systems allow 255.
inline constexpr std::size_t kMostName = 128;

/// True if the text has control characters, which a terminal would execute.
inline bool has_controls(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

}  // namespace tocsin::service
