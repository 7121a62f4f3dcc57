// Binary glTF 2.0 rooms, written.
#pragma once

#include <filesystem>

#include "tocsin/environment.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Writes one node with one mesh for each object, named as the object: positions as floats, indices
/// as 32-bit integers, in order; metres, Y up. An object without triangles becomes a node without
/// mesh (readers see no object in it); vertices that no triangle uses may be left out. Nothing is
/// left half-written. Read back, coordinates have the same bits but for -0, which
/// becomes 0. Errors: kInput for a name that does not come back (empty, not UTF-8, with control
/// characters, in angle brackets, longer than 1,000 bytes, with assimp's own mark in it), for a
/// room without triangles or one that 4 GiB cannot hold; kResource if it cannot be written.
Status write_room_glb(const Environment& environment, const std::filesystem::path& file);

}  // namespace tocsin::io
