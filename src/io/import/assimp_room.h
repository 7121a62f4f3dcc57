// Rooms in the formats that assimp reads: STL, Collada (.dae), X3D, FBX, and glTF with Draco; and
// the child process in which glTF is read as well (gltf_room.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/folder_guard.h"
#include "io/input_files.h"
#include "tocsin/environment.h"
#include "tocsin/io.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Extensions, in lower case and with their dot, that read_assimp_room() knows.
std::vector<std::string> assimp_room_extensions();

/// Reads a room through assimp, asked for no post-processing: triangles, vertices and order are as
/// its importer delivers them. glTF without Draco is read by read_gltf_room() in its place.
///
/// Every scene node that has meshes is an object, named as the node (the file's stem if it has no
/// name), its meshes one after the other; nodes come parents first, in file order. A mesh that
/// several nodes use is copied for each. Node transforms are multiplied and applied in double, any
/// scale and mirroring included; but for FBX they are the file's own numbers (named_nodes.h).
/// Polygons are fanned from their first corner. Points and lines are left out and counted in a
/// warning. Then the unit and the up axis that the file itself states make metres and Y up (glTF
/// always is; Collada: unit and up_axis; FBX: UnitScaleFactor and UpAxis, applied here and said in
/// a warning; STL and X3D state none); after that come the options' scale and up axis, and rounding
/// to float, once.
///
/// The file may hold 2 GiB; files beside it that it refers to (glTF buffers) as much each. If it
/// refers to one that `guard` does not allow it is refused (kUsage, naming that one) instead of
/// read in part. Errors (kInput), naming the file: it cannot be read; assimp's message for a
/// malformed file; an index out of range; a transform that is not affine; coordinates that are not
/// finite or beyond 1e6 m; meshes used so often that the triangles are out of proportion to the
/// file; a file that nesting.h refuses; no triangles.
Result<Environment> read_assimp_room(const std::filesystem::path& file,
                                     const EnvironmentOptions& options, const FolderGuard& guard,
                                     InputLog* log);

}  // namespace tocsin::io
