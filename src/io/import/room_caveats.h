// Parts of a room that assimp 5.2 reads wrongly, or leaves out, without a message.
//
// Found by reading such files with it. A newer assimp may do better: then a check here can go, once
// its test shows so.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/result.h"

namespace tocsin::io {

/// Parts that assimp would read wrongly or leave out without a message.
struct RoomCaveats {
  std::vector<std::string> warnings;  ///< without the file's name
};

/// Looks at .x3d and .stl files; others have no caveats. `extension` is in lower case,
/// with its dot; `bytes` is the file, which nesting_fault() has passed. Errors (kInput, without the
/// file's name): what would be read wrongly, or only in part. A file that is broken in a way that
/// assimp notices has no caveats. kResource: out of memory. Takes time and memory in proportion to
/// the file.
Result<RoomCaveats> room_caveats(std::string_view bytes, std::string_view extension);

/// Looks at the JSON of a glTF file. Errors: an extension that changes the geometry and is
/// required; instances. Warnings: skins and morph targets, which are not applied. `by_assimp`: it
/// reads the meshes, so that errors are also positions that are not three floats, and sparse
/// accessors.
Result<RoomCaveats> gltf_caveats(const nlohmann::json& top, bool by_assimp);

/// Warnings: elements that are left out, or replaced by something smaller; units that are not
/// applied. No errors.
Result<RoomCaveats> x3d_caveats(std::string_view bytes);

/// Errors, by line: a text file that is cut, or damaged so that facets would get lost.
Result<RoomCaveats> stl_caveats(std::string_view bytes);

}  // namespace tocsin::io
