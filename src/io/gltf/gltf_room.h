// Rooms in glTF 1.0 and 2.0 files, read without assimp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/import/buffer_files.h"
#include "io/nodes/room_builder.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// What reading a glTF room made beside its objects.
struct GltfRoom {
  /// A mesh is compressed with Draco, which only assimp decodes. Then nothing else was read.
  bool draco = false;
  std::vector<std::string> warnings;  ///< without the file's name
};

/// A glTF file: its path, its bytes, and the buffers beside it.
struct GltfSource {
  const std::string& name;
  std::string_view bytes;
  const std::vector<BufferFile>& buffers;
};

/// Reads the file's scene: the one that it names, else its first. Every node with meshes is an
/// object, named as the node ("nodes[7]" without a name; in 1.0 by its id); nodes come parents
/// first, in file order, primitives one after the other. Node transforms are the JSON's own doubles
/// and are multiplied in double. Strips and fans become triangles.
/// Errors (kInput), naming the file: JSON that cannot be read; a scene, node, mesh or accessor that
/// does not exist; transforms that are not affine; what GltfAccessor and RoomBuilder refuse; nodes
/// nested more than kMaxNesting deep or used so often that they are out of proportion to the file;
/// what gltf_caveats() refuses.
Result<GltfRoom> read_gltf_room(const GltfSource& file, RoomBuilder& room);

}  // namespace tocsin::io
