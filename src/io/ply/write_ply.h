// Polygon File Format rooms, written.
#pragma once

#include <filesystem>

#include "tocsin/environment.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Writes binary little-endian PLY: all vertices (float x, y, z), all triangles (list uchar int
/// vertex_indices), in order; the objects as comments (ply_objects.h). Objects without triangles
/// and vertices that no triangle uses are written too; parse_ply() tells of them and leaves them
/// out, if there are several objects. Nothing is left half-written. Errors: kInput for a name that
/// is empty or not UTF-8, for a room without triangles or with more than 2^31 - 1 vertices;
/// kResource if it cannot be written.
Status write_ply(const Environment& environment, const std::filesystem::path& file);

}  // namespace tocsin::io
