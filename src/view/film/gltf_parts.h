// The JSON and the bytes of a glTF document that is being put together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "tocsin/types.h"
#include "view/image.h"
#include "view/mesh.h"

namespace tocsin::view {

/// Its buffer is gathered in memory: of a long take, a hundred megabytes.
class GltfParts {
 public:
  using Json = nlohmann::ordered_json;

  GltfParts();

  /// Appends to a list at the top of the document. Returns the entry's index.
  std::size_t add(const char* list, Json entry);
  [[nodiscard]] Json& entry(const char* list, std::size_t i) { return json_[list][i]; }

  /// A node; its name is made distinct at the end.
  std::size_t add_node(std::string name, Json node = Json::object());
  void add_child(std::size_t parent, std::size_t child);

  /// sRGB, as pictures have it.
  std::size_t add_material(const char* name, const Colour& colour, bool two_sided);
  /// With normals.
  std::size_t add_mesh(const std::string& name, const Mesh& mesh, std::size_t material);
  /// Without.
  std::size_t add_mesh(const std::string& name, std::span<const Vec3f> vertices,
                       std::span<const TriangleIndices> triangles, std::size_t material);

  /// Times of keys, increasing. Returns the accessor.
  std::size_t add_times(std::span<const float> times);
  /// A channel of the animation. type: "VEC3" or "VEC4".
  void add_channel(std::size_t node, const char* path, std::size_t times, const char* type,
                   std::span<const float> values, bool held);

  /// The document with its scene, and `notes` as extras of the animation.
  std::string document(std::vector<std::size_t> roots, Json asset_extras, Json animation_extras);
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  template <class Put, class Items>
  std::size_t add_view(std::size_t each, const Items& items, Put put, int target);
  std::size_t add_accessor(std::size_t view, std::size_t count, int component, const char* type);
  std::size_t add_positions(std::span<const Vec3f> positions);
  std::size_t add_vectors(std::span<const Vec3f> vectors);
  std::size_t add_indices(std::span<const TriangleIndices> triangles);

  Json json_;
  std::string bytes_;
  Json channels_ = Json::array();
  Json samplers_ = Json::array();
  std::vector<std::string> names_;  ///< of nodes
};

}  // namespace tocsin::view
