// The data shared by the copies of an Environment.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "scene/instance/instances.h"
#include "scene/solid/solids.h"
#include "tocsin/environment.h"

namespace tocsin::detail {

/// Made at the first question about them.
struct LazySolids {
  std::once_flag once;
  scene::Solids solids;
};

/// All triangles of a scene as a room of its own, made at the first question about them.
struct LazyFlat {
  std::once_flag once;
  Environment room;
};

/// The data shared by all versions of an environment.
struct EnvironmentTopology {
  std::vector<Object> objects;             ///< names are distinct
  std::vector<TriangleIndices> triangles;  ///< object after object; indices into the vertices
  /// Where each object's own vertices begin; one more entry than objects.
  std::vector<std::uint32_t> first_vertex;
};

/// One version of an environment.
struct EnvironmentData {
  std::shared_ptr<const EnvironmentTopology> topology;
  std::shared_ptr<const std::vector<Vec3f>> vertices;  ///< metres, Y up, object after object
  std::array<Vec3f, 2> bounds{};                       ///< of the vertices that triangles use
  std::vector<std::string> warnings;
  std::shared_ptr<LazySolids> solids = std::make_shared<LazySolids>();  ///< of these vertices
  /// Of a scene: in place of topology and vertices, which are empty. Else null.
  std::shared_ptr<const scene::Instances> instances = {};
  std::shared_ptr<LazyFlat> flat = {};  ///< of a scene
};

}  // namespace tocsin::detail
