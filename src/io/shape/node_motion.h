// The animation of a file's nodes as the motion of the meshes that they carry.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "io/input_files.h"
#include "io/shape/csv_motion.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// How the objects of a file move. Each is carried by a joint.
struct NodeMotion {
  BodyMotion body;              ///< of a skeleton whose joints are called as the nodes
  std::vector<Vec3> origin;     ///< of each joint: where its frame is when nothing moves, metres
  std::vector<int> carried_by;  ///< of each object of the file: a joint
  bool still_first = false;     ///< joint 0 is no node: it stands still
};

/// The clip of a .glb, .gltf or .fbx. A joint for each node that it moves at or above an object;
/// its parent is the next such node above. A first joint "body", which stands still, carries the
/// rest, if there is a rest or more than one node without a parent. Frames are at the keys; the
/// start is the first key's time. At rest every joint is turned as the world, its origin where the
/// node's is: an object's corners are where load_environment() has them, less the origin.
/// `objects`: how many load_environment() has. `log`, unless it is null, gets the file. None: the
/// file is of another format, or no clip moves an object. Errors (kInput), naming the file: as
/// read_animated_scene(); several clips that move objects; broken keys; keys that jump; morph
/// weights; an object that grows, shrinks, shears, is mirrored or flattened on its way (at keys,
/// and at some times between); nodes whose objects cannot be told. Splines between keys are taken
/// as straight, with a warning (Motion::source).
Result<std::optional<NodeMotion>> read_node_motion(const std::filesystem::path& file,
                                                   std::size_t objects, InputLog* log);

}  // namespace tocsin::io
