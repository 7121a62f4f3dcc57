// Reads nodes, skins and animations of a glTF or FBX file, through assimp.
#pragma once

#include <filesystem>

#include "io/import/animated_scene.h"
#include "io/input_files.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Reads a .glb, .gltf or .fbx through assimp, in a child process (limited_process.h).
///
/// glTF: assimp 5.2 distinguishes nodes by name only, drops the keys' interpolation, drops skins
/// that no mesh uses, and reads past the end of short outputs. So the JSON is read first
/// (gltf_motion.h). FBX: assimp 5.2 always interpolates keys linearly, reads only the keys within
/// the take, uses the first layer's blending for all, and gives times since the take's start.
///
/// Errors (kInput), naming the file: as read_assimp_room(); an animation of a node that cannot be
/// told from another.
Result<AnimatedScene> read_animated_scene(const std::filesystem::path& path,
                                          InputLog* log = nullptr);

}  // namespace tocsin::io
