// The animation of a file's nodes as the motion of one rigid body.
#pragma once

#include <filesystem>
#include <optional>

#include "io/input_files.h"
#include "io/shape/csv_motion.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// How the meshes of a .glb or .gltf move as one: from where load_environment() has them, a frame
/// at each key; its start is the first key's time. `log`, unless it is null, gets the file. None:
/// the file is of another format, or no clip moves anything that is seen. Errors (kInput), naming
/// the file: as read_animated_scene(); several clips; broken keys; meshes (or cameras, lights) that
/// move apart; a mesh that grows, shrinks, is mirrored or flattened.
Result<std::optional<BodyMotion>> read_node_motion(const std::filesystem::path& file,
                                                   InputLog* log);

}  // namespace tocsin::io
