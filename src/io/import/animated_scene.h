// Nodes, skins and animations of a glTF or FBX file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/import/affine.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// One node, in the file's unit and axes.
struct SceneNode {
  std::string name;
  int parent = -1;       ///< smaller than the node's own index; -1: none
  Affine local;          ///< node to parent where nothing animates it
  bool visible = false;  ///< shows something: a mesh, a camera, a light
  bool mesh = false;     ///< an object of the room that the file is
  bool helper = false;   ///< a link of the chain of transforms that assimp makes of an FBX node
};

/// Which part of a node's transform T R S.
enum class TrackPath : std::uint8_t { kTranslation, kRotation, kScale };
/// Interpolation between two keys. kCubic: a spline whose tangents assimp does not deliver.
enum class KeyInterpolation : std::uint8_t { kLinear, kStep, kCubic };

/// One animated part of one node. A node with tracks is at T R S of them; parts without one are
/// the identity.
struct SceneTrack {
  int node = 0;
  TrackPath path = TrackPath::kTranslation;
  KeyInterpolation between = KeyInterpolation::kLinear;
  std::vector<double> times;   ///< seconds
  std::vector<double> values;  ///< 3 numbers a key; 4 (w x y z) for a rotation

  [[nodiscard]] std::size_t width() const { return path == TrackPath::kRotation ? 4 : 3; }
};

struct SceneClip {
  std::string name;         ///< distinct
  double frame_time = 0.0;  ///< seconds, where the file says it beside its keys; else 0
  double rate = 0.0;        ///< Hz, where the file states one; else 0
  std::vector<SceneTrack> tracks;
};

struct SceneSkin {
  std::string name;
  std::vector<int> joints;  ///< nodes
};

struct AnimatedScene {
  std::string format;        ///< "glb", "gltf", "fbx"
  std::uint64_t bytes = 0;   ///< of the file
  double unit_metres = 1.0;  ///< that the file states
  UpAxis up = UpAxis::kY;
  std::vector<SceneNode> nodes;  ///< parents before children, children in file order
  std::vector<SceneSkin> skins;
  std::vector<SceneClip> clips;
  std::uint64_t morph_channels = 0;   ///< of all clips: they change meshes, and are not read
  std::vector<std::string> warnings;  ///< without the file's name
};

}  // namespace tocsin::io
