// Wavefront OBJ rooms.
#pragma once

#include <string_view>

#include "tocsin/io.h"

namespace tocsin::io {

/// Reads the text of an OBJ file; `file` is its name in messages.
///
/// `v` (further columns are checked and left out), `f` (a, a/b, a//c, a/b/c; negative indices count
/// back; polygons are fanned from their first corner), `o`, and `g` where the file has no `o`. A
/// name that comes again continues its object; faces before any name belong to "default"; objects
/// come in the order in which they are first named. Vertices keep their order within an object.
/// Other keywords of the format are passed over; what of them was geometry (points, lines,
/// free-form surfaces) is counted in a warning. Coordinates: double, times scale, up axis turned,
/// then rounded to float once. Errors (kInput): `file:line: cause`; no triangles. kUsage: a scale
/// that is not finite and positive.
Result<Environment> parse_obj(std::string_view text, std::string_view file,
                              const EnvironmentOptions& options = {});

}  // namespace tocsin::io
