// The nodes of a room's file with their transforms in the file's own doubles, for what assimp
// reads: it rounds transforms to 32-bit floats.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "io/import/affine.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// How the names begin that stand for nodes while assimp has the file. A file that has such a name
/// elsewhere is refused.
inline constexpr std::string_view kNumberedPrefix = "node#";
/// The name that stands for a node.
std::string numbered_node(std::size_t index);
/// The index in such a name; `count` if it is none, or not below `count`.
std::size_t numbered_node_of(std::string_view name, std::size_t count);

/// A node, as the file has it.
struct NamedNode {
  std::string name;  ///< empty: none
  Affine local;      ///< node to parent
};

/// A file made ready for assimp.
struct NamedNodes {
  std::string for_assimp;        ///< the file, with every node's name made numbered_node(index)
  std::vector<NamedNode> nodes;  ///< those that can have a transform
  /// Collada: assimp makes names for nodes without one, and its root has the unit and axes that
  /// stand below instead of a transform. Otherwise assimp's transforms count for nodes that are not
  /// listed, those of other files (X3D's Inline).
  bool collada = false;
  double unit_metres = 1.0;  ///< that the file states
  UpAxis up = UpAxis::kY;
};

/// A Collada file (.dae). Errors (kInput, without the file's name): a transform that has too few
/// numbers or is singular, a matrix that is not affine, a <skew>, which is not read; a unit that is
/// not a positive number; a scene that is called as kNumberedPrefix has it.
Result<NamedNodes> named_dae_nodes(std::string_view bytes);
/// An X3D file (.x3d). Errors likewise.
Result<NamedNodes> named_x3d_nodes(std::string_view bytes);
/// A glTF 2.0 file (.gltf, .glb). Errors likewise, and JSON that cannot be read.
Result<NamedNodes> named_gltf_nodes(std::string_view bytes);

}  // namespace tocsin::io
