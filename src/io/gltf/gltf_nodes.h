// The node hierarchy of a glTF file.
#pragma once

#include <string>
#include <string_view>

namespace tocsin::io {

/// The JSON of a glTF file: the JSON chunk of a binary file (.glb), else all of it.
std::string_view gltf_json(std::string_view bytes);

/// The same file with other JSON.
std::string gltf_with_json(std::string_view bytes, std::string json);

/// Empty, or why assimp must not read its nodes: nested more than `max_depth` deep, or a node below
/// itself. JSON that is broken is left to the importer's own errors, and the nodes of glTF 1.0,
/// which assimp does not get, to the reader. Precondition: brackets nested less than 10^6 deep.
std::string gltf_node_fault(std::string_view json, int max_depth);

}  // namespace tocsin::io
