// What SceneVersions knows of an object; for its sources only.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "detect/scene/versions/scene_versions.h"

namespace tocsin::detect {

/// A mesh, and what it came from.
struct SceneVersions::MeshUse {
  Mesh mesh;
  Shape shape;                           ///< or:
  std::optional<std::uint32_t> of_file;  ///< object of the room's files

  /// Its vertices and triangles, made anew.
  [[nodiscard]] ObjectMesh parts(const Environment& room) const;
};

struct SceneVersions::Entry {
  std::string name;
  std::shared_ptr<const MeshUse> mesh;
  ShapePlacement at;
  Vertices vertices;  ///< it was deformed; null: the mesh's own
  InBetween in_between = InBetween::kScrew;
  bool active = true;
  std::string parent;  ///< its switch; empty: none
  ObjectId id{};
  std::uint64_t order = 0;
};

/// What there was before a change.
struct SceneVersions::Undo {
  std::map<std::uint64_t, std::optional<Entry>> entries;
  std::optional<std::map<std::string, Switch>> switches;  ///< none: they are as they were
  std::optional<std::vector<SceneEdit>> rules;
  struct SavedStart {
    std::uint64_t version;
    std::string name;
    std::optional<Start> start;
  };
  std::vector<SavedStart> starts;
};

inline bool is_same_placement(const ShapePlacement& a, const ShapePlacement& b) {
  return a.translation == b.translation && a.rotation == b.rotation && a.scale == b.scale;
}

}  // namespace tocsin::detect
