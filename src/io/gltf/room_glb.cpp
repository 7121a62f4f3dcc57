#include "io/gltf/room_glb.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_text.h"
#include "base/packed.h"
#include "base/quoted.h"
#include "io/gltf/glb.h"
#include "io/room_limits.h"

namespace tocsin::io {
namespace {

/// Bytes. assimp cuts names at 1,023.
constexpr std::size_t kLongestName = 1000;

/// An object that has triangles, and its slice of the environment's vertices.
struct Mesh {
  const Object* object = nullptr;
  std::span<const TriangleIndices> triangles;
  std::uint32_t first_vertex = 0;
  std::span<const Vec3f> vertices;
};

std::vector<Mesh> meshes_of(const Environment& environment) {
  std::vector<Mesh> out;
  for (const Object& object : environment.objects()) {
    if (object.triangle_count == 0) continue;
    Mesh mesh{&object,
              environment.triangles().subspan(object.first_triangle, object.triangle_count),
              0xFFFFFFFFU,
              {}};
    std::uint32_t last = 0;
    for (const TriangleIndices& t : mesh.triangles) {
      mesh.first_vertex = std::min({mesh.first_vertex, t[0], t[1], t[2]});
      last = std::max({last, t[0], t[1], t[2]});
    }
    mesh.vertices = environment.vertices().subspan(mesh.first_vertex, last - mesh.first_vertex + 1);
    out.push_back(mesh);
  }
  return out;
}

void append_vector(std::string& out, std::string_view key, const Vec3f& v) {
  out += fmt::format(",\"{}\":[", key);
  for (const float x : {v.x, v.y, v.z}) {
    base::append_json(out, static_cast<double>(x));
    out += ',';
  }
  out.back() = ']';
}

void append_accessors(std::string& out, const Mesh& mesh, std::uint64_t vertex) {
  Vec3f low = mesh.vertices[0];
  Vec3f high = low;
  for (const Vec3f& v : mesh.vertices) {
    low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
    high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
  }
  // 5126: float; 5125: unsigned int.
  out += fmt::format(
      "{{\"bufferView\":0,\"byteOffset\":{},\"componentType\":5126,\"count\":{},\"type\":\"VEC3\"",
      12 * vertex, mesh.vertices.size());
  append_vector(out, "min", low);
  append_vector(out, "max", high);
  out += fmt::format(
      "}},{{\"bufferView\":1,\"byteOffset\":{},\"componentType\":5125,\"count\":{},"
      "\"type\":\"SCALAR\"}},",
      12 * std::uint64_t{mesh.object->first_triangle}, 3 * mesh.triangles.size());
}

/// Buffer 0 holds all meshes' positions, then all triangles.
std::string json_of(const Environment& environment, const std::vector<Mesh>& meshes,
                    std::uint64_t vertex_count) {
  std::string nodes;
  std::string roots;
  std::size_t node = 0;
  std::size_t mesh = 0;
  for (const Object& object : environment.objects()) {
    nodes += "{\"name\":";
    base::append_json(nodes, object.name);
    nodes += object.triangle_count > 0 ? fmt::format(",\"mesh\":{}}},", mesh++) : "},";
    roots += fmt::format("{},", node++);
  }
  std::string accessors;
  std::string mesh_list;
  std::uint64_t vertex = 0;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    append_accessors(accessors, meshes[i], vertex);
    vertex += meshes[i].vertices.size();
    mesh_list +=
        fmt::format("{{\"primitives\":[{{\"attributes\":{{\"POSITION\":{}}},\"indices\":{}}}]}},",
                    2 * i, 2 * i + 1);
  }
  for (std::string* list : {&nodes, &roots, &accessors, &mesh_list}) list->pop_back();  // a comma
  const std::uint64_t positions = 12 * vertex_count;
  const std::uint64_t indices = 12 * std::uint64_t{environment.triangles().size()};
  // 34962: vertex attributes; 34963: indices.
  return fmt::format(
      R"({{"asset":{{"version":"2.0","generator":"Tocsin"}},"scene":0,"scenes":[{{"nodes":[{}]}}],)"
      R"("nodes":[{}],"meshes":[{}],"accessors":[{}],"bufferViews":[)"
      R"({{"buffer":0,"byteLength":{},"byteStride":12,"target":34962}},)"
      R"({{"buffer":0,"byteOffset":{},"byteLength":{},"target":34963}}],)"
      R"("buffers":[{{"byteLength":{}}}]}})",
      roots, nodes, mesh_list, accessors, positions, positions, indices, positions + indices);
}

Status write_bytes(GlbWriter& out, const std::vector<Mesh>& meshes) {
  Status status = Nothing{};
  const auto sink = [&](std::string_view bytes) {
    status = out.write(bytes);
    return status.ok();
  };
  const auto put_vertex = [](char* to, const Vec3f& v) {
    return base::put_packed(base::put_packed(base::put_packed(to, v.x), v.y), v.z);
  };
  for (const Mesh& mesh : meshes) {
    if (!base::write_packed<12>(mesh.vertices, put_vertex, sink)) return status;
  }
  for (const Mesh& mesh : meshes) {
    const auto put_triangle = [&](char* to, const TriangleIndices& t) {
      for (const std::uint32_t index : t) to = base::put_packed(to, index - mesh.first_vertex);
      return to;
    };
    if (!base::write_packed<12>(mesh.triangles, put_triangle, sink)) return status;
  }
  return status;
}

/// Empty, or which name assimp would not give back.
std::string assimp_name_fault(const Environment& environment) {
  for (const Object& object : environment.objects()) {
    const bool bracketed = object.name.starts_with('<') && object.name.ends_with('>');
    if (bracketed || object.name.find("_$AssimpFbx$_") != std::string::npos) {
      return fmt::format("the name of object {} would be lost when the file is read",
                         base::in_quotes(object.name));
    }
  }
  return {};
}

}  // namespace

Status write_room_glb(const Environment& environment, const std::filesystem::path& file) {
  std::string fault =
      room_fault(environment, {.control_characters = false, .name_bytes = kLongestName});
  if (fault.empty()) fault = assimp_name_fault(environment);
  if (!fault.empty()) return {ErrorCode::kInput, fmt::format("{}: {}", file.string(), fault)};

  const std::vector<Mesh> meshes = meshes_of(environment);
  std::uint64_t vertices = 0;
  for (const Mesh& mesh : meshes) vertices += mesh.vertices.size();
  const std::uint64_t bytes = 12 * (vertices + environment.triangles().size());
  GlbWriter out;
  if (Status opened = out.open(file, json_of(environment, meshes, vertices), bytes); !opened) {
    return opened;
  }
  if (Status written = write_bytes(out, meshes); !written) return written;
  return out.finish();
}

}  // namespace tocsin::io
