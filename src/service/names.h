// Names that clients and operators give.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace tocsin::service {

/// Bytes of the name of a room, an upload's file or a principal. They are shown in lists and
/// messages, and the name of an upload is one of a file: most systems allow 255.
inline constexpr std::size_t kMostName = 128;

/// True if a terminal would obey some of it.
inline bool has_controls(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

}  // namespace tocsin::service
