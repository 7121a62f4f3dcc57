// What assimp does not deliver of a glTF file's nodes, skins and animations.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/gltf/gltf_json.h"
#include "io/import/animated_scene.h"
#include "io/import/assimp_scene.h"
#include "io/nodes/named_nodes.h"
#include "tocsin/result.h"

namespace tocsin::io {

struct GltfNode {
  std::string name;      ///< "node 7" where the file gives none
  bool visible = false;  ///< as SceneNode
  bool mesh = false;     ///< likewise
  /// As the file has it; assimp's is rounded to 32-bit floats. Nothing if that is no transform.
  std::optional<Affine> local;
  /// The same in parts, which count where nothing animates them. Nothing if that is no transform,
  /// or if the file has a matrix instead.
  std::optional<GltfTransform> parts;
};

struct GltfClip {
  std::string name;         ///< "clip 0" where the file gives none
  double frame_time = 0.0;  ///< extras.frame_time, seconds; 0: none
  /// The parts of nodes that it moves.
  std::map<std::pair<std::size_t, TrackPath>, KeyInterpolation> channels;
};

/// A glTF file, made ready for assimp.
struct GltfMotion {
  /// The file without meshes, materials and skins, and with every node's name made
  /// numbered_node(index).
  std::string for_assimp;
  std::vector<GltfNode> nodes;
  std::vector<SceneSkin> skins;  ///< joints are indices into `nodes`
  std::vector<GltfClip> clips;
  std::uint64_t morph_channels = 0;  ///< as AnimatedScene

  /// The index in a numbered name; nodes.size() if it is none.
  [[nodiscard]] std::size_t node_of(std::string_view name) const {
    return numbered_node_of(name, nodes.size());
  }
};

/// Errors (kInput), naming the file: JSON that cannot be read; an index that leads nowhere; two
/// channels for one thing; an animation's accessors that do not fit each other, are not floats or
/// are compressed.
Result<GltfMotion> prepare_gltf(const AssimpFile& file);

}  // namespace tocsin::io
