// Limits of a format for the rooms that are written in it.
#pragma once

#include <cstddef>
#include <string>

#include "tocsin/environment.h"

namespace tocsin::io {

/// Names that are unchanged after writing a format and reading it again.
struct RoomLimits {
  bool control_characters = true;                  ///< anywhere in a name; line ends are some
  bool outer_blanks = true;                        ///< before or behind a name
  std::size_t name_bytes = std::size_t{1} << 30U;  ///< at most
};

/// Empty, or why the room cannot be written: it holds no triangles (no reader takes it), or an
/// object whose name is empty, not UTF-8, or beyond the limits.
std::string room_fault(const Environment& environment, const RoomLimits& limits);

}  // namespace tocsin::io
