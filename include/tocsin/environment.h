// An environment: the list of named objects, each a list of triangles, that an avatar can touch.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin {

/// An object as it is handed in: its own vertices, and triangles that index them from 0.
struct ObjectMesh {
  std::string name;
  std::vector<Vec3f> vertices;             ///< metres, Y up
  std::vector<TriangleIndices> triangles;  ///< in file order; duplicates and zero area are allowed
};

/// An object as it is kept: a contiguous run of the environment's triangles.
struct Object {
  std::string name;
  std::uint32_t first_triangle = 0;
  std::uint32_t triangle_count = 0;
};

namespace detail {
struct EnvironmentData;
}
class Environment;
namespace scene {
class Instances;
class Solids;
const Solids& solids_of(const Environment& environment);
const Instances* instances_of(const Environment& environment);
Environment environment_of(std::shared_ptr<const Instances> instances);
}  // namespace scene

/// An immutable environment. Copies share their data.
class Environment {
 public:
  Environment();

  /// Errors (kInput), naming object and triangle: an index out of range; a vertex that is not
  /// finite or beyond 1e6 m; more than 2^31 triangles.
  static Result<Environment> create(std::vector<ObjectMesh> objects);

  /// One environment with all objects of all parts, in order.
  static Result<Environment> merge(std::span<const Environment> parts);

  /// Of a scene (Scene::snapshot): those that were removed, too. Their triangles lie at the origin
  /// and are not checked.
  [[nodiscard]] std::span<const Object> objects() const;
  /// Of a scene: made at the first call of this or triangles(), as its meshes are kept once.
  [[nodiscard]] std::span<const Vec3f> vertices() const;
  /// All triangles, object after object; indices into vertices().
  [[nodiscard]] std::span<const TriangleIndices> triangles() const;
  /// The object that owns a triangle.
  [[nodiscard]] std::uint32_t object_of(std::uint32_t triangle) const;
  /// Corners of a triangle, as stored.
  [[nodiscard]] std::array<Vec3f, 3> corners(std::uint32_t triangle) const;
  /// Least box around all vertices that triangles use; {0,0} if there are none. Of a scene: around
  /// those of all objects that are checked.
  [[nodiscard]] std::array<Vec3f, 2> bounds() const;

  /// A new version with the same objects and triangles and other vertices (as many). This version
  /// does not change. Errors as in create(); kUsage: it is a scene's (Scene::deform).
  [[nodiscard]] Result<Environment> with_vertices(std::vector<Vec3f> vertices) const;

  /// What was tolerated while reading, each with file and line.
  [[nodiscard]] std::span<const std::string> warnings() const;
  /// The same environment with these warnings attached.
  [[nodiscard]] Environment with_warnings(std::vector<std::string> warnings) const;

 private:
  friend const scene::Solids& scene::solids_of(const Environment& environment);
  friend const scene::Instances* scene::instances_of(const Environment& environment);
  friend Environment scene::environment_of(std::shared_ptr<const scene::Instances> instances);
  std::shared_ptr<const detail::EnvironmentData> data_;
};

}  // namespace tocsin
