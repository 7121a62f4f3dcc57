#include "view/film/gltf_parts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/json_text.h"
#include "base/packed.h"
#include "base/unique_names.h"
#include "tocsin/version.h"
#include "view/colours.h"

namespace tocsin::view {
namespace {

// The specification's numbers for component types and uses of a buffer view.
constexpr int kFloats = 5126;
constexpr int kWholeNumbers = 5125;
constexpr int kOfVertices = 34962;
constexpr int kOfIndices = 34963;
constexpr int kOfNeither = 0;

char* put_vector(char* to, const Vec3f& v) {
  return base::put_packed(base::put_packed(base::put_packed(to, v.x), v.y), v.z);
}

char* put_number(char* to, float value) { return base::put_packed(to, value); }

}  // namespace

GltfParts::GltfParts() {
  json_["asset"] = {{"version", "2.0"}, {"generator", std::string("Tocsin ") + kVersion}};
  json_["scene"] = 0;
}

std::size_t GltfParts::add(const char* list, Json entry) {
  Json& all = json_[list];
  all.push_back(std::move(entry));
  return all.size() - 1;
}

std::size_t GltfParts::add_node(std::string name, Json node) {
  names_.push_back(base::valid_utf8(name));
  return add("nodes", std::move(node));
}

void GltfParts::add_child(std::size_t parent, std::size_t child) {
  json_["nodes"][parent]["children"].push_back(child);
}

std::size_t GltfParts::add_material(const char* name, const Colour& colour, bool two_sided) {
  const Colour c = to_linear(colour);
  Json material{{"name", name},
                {"pbrMetallicRoughness",
                 {{"baseColorFactor", {c.r, c.g, c.b, 1.0}},
                  {"metallicFactor", 0.0},
                  {"roughnessFactor", 0.8}}}};
  if (two_sided) material["doubleSided"] = true;
  return add("materials", std::move(material));
}

template <class Put, class Items>
std::size_t GltfParts::add_view(std::size_t each, const Items& items, Put put, int target) {
  const std::size_t offset = bytes_.size();  // a multiple of four, as all items are
  bytes_.resize(offset + each * items.size());
  char* to = bytes_.data() + offset;
  for (const auto& item : items) to = put(to, item);
  Json view{{"buffer", 0}, {"byteOffset", offset}, {"byteLength", each * items.size()}};
  if (target != kOfNeither) view["target"] = target;
  return add("bufferViews", std::move(view));
}

std::size_t GltfParts::add_accessor(std::size_t view, std::size_t count, int component,
                                    const char* type) {
  return add(
      "accessors",
      {{"bufferView", view}, {"componentType", component}, {"count", count}, {"type", type}});
}

std::size_t GltfParts::add_vectors(std::span<const Vec3f> vectors) {
  const std::size_t view = add_view(12, vectors, put_vector, kOfVertices);
  return add_accessor(view, vectors.size(), kFloats, "VEC3");
}

std::size_t GltfParts::add_positions(std::span<const Vec3f> positions) {
  const std::size_t out = add_vectors(positions);
  Vec3f low = positions.front();
  Vec3f high = low;
  for (const Vec3f& p : positions) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  entry("accessors", out)["min"] = {low.x, low.y, low.z};
  entry("accessors", out)["max"] = {high.x, high.y, high.z};
  return out;
}

std::size_t GltfParts::add_indices(std::span<const TriangleIndices> triangles) {
  const auto put = [](char* to, const TriangleIndices& t) {
    return base::put_packed(base::put_packed(base::put_packed(to, t[0]), t[1]), t[2]);
  };
  return add_accessor(add_view(12, triangles, put, kOfIndices), 3 * triangles.size(), kWholeNumbers,
                      "SCALAR");
}

std::size_t GltfParts::add_mesh(const std::string& name, const Mesh& mesh, std::size_t material) {
  std::vector<Vec3f> positions;
  std::vector<Vec3f> normals;
  for (const Vertex& v : mesh.vertices) {
    positions.push_back(v.position);
    normals.push_back(v.normal);
  }
  Json attributes{{"POSITION", add_positions(positions)}};
  attributes["NORMAL"] = add_vectors(normals);
  const Json primitive{{"attributes", std::move(attributes)},
                       {"indices", add_indices(mesh.triangles)},
                       {"material", material}};
  return add("meshes",
             {{"name", base::valid_utf8(name)}, {"primitives", Json::array({primitive})}});
}

std::size_t GltfParts::add_mesh(const std::string& name, std::span<const Vec3f> vertices,
                                std::span<const TriangleIndices> triangles, std::size_t material) {
  const Json attributes{{"POSITION", add_positions(vertices)}};
  const Json primitive{
      {"attributes", attributes}, {"indices", add_indices(triangles)}, {"material", material}};
  return add("meshes",
             {{"name", base::valid_utf8(name)}, {"primitives", Json::array({primitive})}});
}

std::size_t GltfParts::add_times(std::span<const float> times) {
  const std::size_t view = add_view(4, times, put_number, kOfNeither);
  const std::size_t out = add_accessor(view, times.size(), kFloats, "SCALAR");
  entry("accessors", out)["min"] = Json::array({times.front()});
  entry("accessors", out)["max"] = Json::array({times.back()});
  return out;
}

void GltfParts::add_channel(std::size_t node, const char* path, std::size_t times, const char* type,
                            std::span<const float> values, bool held) {
  const std::size_t count = entry("accessors", times)["count"].get<std::size_t>();
  const std::size_t output =
      add_accessor(add_view(4, values, put_number, kOfNeither), count, kFloats, type);
  channels_.push_back(
      {{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
  samplers_.push_back(
      {{"input", times}, {"interpolation", held ? "STEP" : "LINEAR"}, {"output", output}});
}

std::string GltfParts::document(std::vector<std::size_t> roots, Json asset_extras,
                                Json animation_extras) {
  std::vector<std::string*> names;
  for (std::string& name : names_) names.push_back(&name);
  base::make_distinct(names);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    Json named{{"name", names_[i]}};
    named.update(json_["nodes"][i]);
    json_["nodes"][i] = std::move(named);
  }
  json_["asset"]["extras"] = std::move(asset_extras);
  json_["scenes"] = Json::array({Json{{"nodes", std::move(roots)}}});
  if (!channels_.empty()) {
    json_["animations"] = Json::array({Json{{"name", "check"},
                                            {"channels", std::move(channels_)},
                                            {"samplers", std::move(samplers_)},
                                            {"extras", std::move(animation_extras)}}});
  }
  json_["buffers"] = Json::array({Json{{"byteLength", bytes_.size()}}});
  return json_.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace tocsin::view
