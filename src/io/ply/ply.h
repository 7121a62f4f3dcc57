// Polygon File Format rooms (PLY, "Stanford triangle format").
#pragma once

#include <string_view>

#include "tocsin/io.h"

namespace tocsin::io {

/// Reads the bytes of a PLY file (Turk, "The PLY Polygon File Format", 1994), text or binary in
/// either byte order; `file` is its name in messages.
///
/// Vertices and faces keep the order of the file; ply_body.h says what is read and what is passed
/// over. The file is one object, named by its stem, unless its header notes Tocsin's objects
/// (ply_objects.h): then vertices that several objects use are copied for each, and what no
/// triangle uses is left out, with a warning. Coordinates: double, times scale, up axis turned,
/// then rounded to float once. Errors (kInput): `file: line N: vertex 3: cause` (elements count
/// from 0; binary files have lines only in their header); no triangles. Precondition: a scale that
/// is finite and positive.
Result<Environment> parse_ply(std::string_view bytes, std::string_view file,
                              const EnvironmentOptions& options = {});

}  // namespace tocsin::io
