// Wavefront OBJ rooms, written.
#pragma once

#include <filesystem>

#include "tocsin/environment.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Writes `o`, `v` and `f` lines, object after object; indices count over the whole file. Numbers
/// are the shortest that parse_obj() reads back as the same float. Objects without triangles keep
/// their `o` line, vertices that no triangle uses their `v` line (readers tell of both and leave
/// them out). Nothing is left half-written. Errors: kInput for a name that OBJ cannot hold (empty,
/// not UTF-8, with control characters, with blanks around it) and for a room without triangles;
/// kResource if it cannot be written.
Status write_obj(const Environment& environment, const std::filesystem::path& file);

}  // namespace tocsin::io
