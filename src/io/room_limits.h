// What a room must be like to be written in a format.
#pragma once

#include <cstddef>
#include <string>

#include "tocsin/environment.h"

namespace tocsin::io {

/// Names that a format, or the reader that reads it here, gives back as they are.
struct RoomLimits {
  bool control_characters = true;                  ///< anywhere in a name; line ends are some
  bool outer_blanks = true;                        ///< before or behind a name
  std::size_t name_bytes = std::size_t{1} << 30U;  ///< at most
};

/// Empty, or why the room cannot be written: it holds no triangles (no reader takes it), or an
/// object whose name is empty, not UTF-8, or beyond the limits.
std::string room_fault(const Environment& environment, const RoomLimits& limits);

}  // namespace tocsin::io
