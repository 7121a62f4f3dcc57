// The node hierarchy of a glTF file.
#pragma once

#include <string>
#include <string_view>

namespace tocsin::io {

/// The JSON of a glTF file: the JSON chunk of a binary file (.glb), else all of it.
std::string_view gltf_json(std::string_view bytes);

/// Empty, or why its nodes must not be read: nested more than `max_depth` deep, a node below
/// itself, or glTF 1.0. JSON that is broken is left to the importer's own errors. Precondition:
/// brackets nested less than 10^6 deep.
std::string gltf_node_fault(std::string_view json, int max_depth);

}  // namespace tocsin::io
