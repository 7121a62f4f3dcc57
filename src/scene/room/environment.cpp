#include "tocsin/environment.h"

#include <fmt/format.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/quoted.h"
#include "base/unique_names.h"
#include "scene/room/coordinate_limit.h"
#include "scene/room/environment_data.h"

namespace tocsin {
namespace {

using detail::EnvironmentData;
using detail::EnvironmentTopology;

/// Triangle numbers must fit into a signed 32-bit integer, as GPU trees use the sign as a tag.
constexpr std::size_t kMaxTriangles = std::size_t{1} << 31U;
/// Indices are 32 bits.
constexpr std::size_t kMaxVertices = 0xFFFFFFFFU;

/// An environment without anything.
const EnvironmentData& no_data() {
  static const EnvironmentData kNothing{
      std::make_shared<const EnvironmentTopology>(EnvironmentTopology{{}, {}, {0}}),
      std::make_shared<const std::vector<Vec3f>>(),
      {},
      {}};
  return kNothing;
}

const EnvironmentData& deref(const std::shared_ptr<const EnvironmentData>& data) {
  return data ? *data : no_data();
}

Error bad_vertex(std::string_view object, std::size_t vertex, const Vec3f& v,
                 std::span<const TriangleIndices> triangles, std::size_t first_vertex) {
  const auto user = std::find_if(triangles.begin(), triangles.end(), [&](const TriangleIndices& t) {
    return std::any_of(t.begin(), t.end(),
                       [&](std::uint32_t i) { return i == first_vertex + vertex; });
  });
  const std::string where = user == triangles.end()
                                ? "used by no triangle"
                                : fmt::format("used by triangle {}", user - triangles.begin());
  const bool finite = std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
  return {ErrorCode::kInput,
          fmt::format("object {}, vertex {} ({}): ({}, {}, {}) {}", base::in_quotes(object), vertex,
                      where, v.x, v.y, v.z,
                      finite ? "is further than 1000000 m from the origin" : "is not finite")};
}

std::array<Vec3f, 2> bounds_of(std::span<const Vec3f> vertices,
                               std::span<const TriangleIndices> triangles) {
  if (triangles.empty()) return {};
  Vec3f low = vertices[triangles[0][0]];
  Vec3f high = low;
  for (const TriangleIndices& triangle : triangles) {
    for (const std::uint32_t index : triangle) {
      const Vec3f& v = vertices[index];
      low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
      high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
  }
  return {low, high};
}

/// Refuses vertices that are not finite or too far away, object by object.
std::optional<Error> check_vertices(const EnvironmentTopology& topology,
                                    std::span<const Vec3f> vertices) {
  for (std::size_t o = 0; o < topology.objects.size(); ++o) {
    const std::size_t begin = topology.first_vertex[o];
    const std::size_t end = topology.first_vertex[o + 1];
    for (std::size_t i = begin; i < end; ++i) {
      if (scene::within_reach(vertices[i])) continue;
      const Object& object = topology.objects[o];
      const auto triangles =
          std::span(topology.triangles).subspan(object.first_triangle, object.triangle_count);
      return bad_vertex(object.name, i - begin, vertices[i], triangles, begin);
    }
  }
  return std::nullopt;
}

/// Refuses an index that the object has no vertex for.
std::optional<Error> check_indices(const ObjectMesh& mesh) {
  std::uint32_t greatest = 0;
  for (const TriangleIndices& t : mesh.triangles) {
    greatest = std::max({greatest, t[0], t[1], t[2]});
  }
  if (greatest < mesh.vertices.size() || mesh.triangles.empty()) return std::nullopt;
  for (std::size_t t = 0;; ++t) {
    for (const std::uint32_t index : mesh.triangles[t]) {
      if (index < mesh.vertices.size()) continue;
      return Error{ErrorCode::kInput,
                   fmt::format("object {}, triangle {}: index {} is out of range (the object has "
                               "{} vertices)",
                               base::in_quotes(mesh.name), t, index, mesh.vertices.size())};
    }
  }
}

/// Appends triangles, their indices shifted by `first_vertex`.
void append_triangles(std::span<const TriangleIndices> from, std::uint32_t first_vertex,
                      std::vector<TriangleIndices>& to) {
  for (const TriangleIndices& t : from) {
    to.push_back({first_vertex + t[0], first_vertex + t[1], first_vertex + t[2]});
  }
}

std::optional<Error> check_size(std::size_t triangles, std::size_t vertices) {
  if (triangles > kMaxTriangles) {
    return Error{ErrorCode::kInput,
                 fmt::format("{} triangles; at most 2^31 are possible", triangles)};
  }
  if (vertices > kMaxVertices) {
    return Error{ErrorCode::kInput,
                 fmt::format("{} vertices; at most 2^32 - 1 are possible", vertices)};
  }
  return std::nullopt;
}

/// Makes the objects' names distinct; says so in `warnings`.
void name_apart(std::vector<Object>& objects, std::vector<std::string>& warnings) {
  std::vector<std::string*> names;
  names.reserve(objects.size());
  for (Object& object : objects) names.push_back(&object.name);
  std::string warning = base::describe_renames(base::make_distinct(names), "object");
  if (!warning.empty()) warnings.push_back(std::move(warning));
}

/// An environment's data from its checked parts; `warnings` are those of the parts.
std::shared_ptr<const EnvironmentData> assemble(EnvironmentTopology topology,
                                                std::vector<Vec3f> vertices,
                                                std::vector<std::string> warnings) {
  auto data = std::make_shared<EnvironmentData>();
  data->warnings = std::move(warnings);
  name_apart(topology.objects, data->warnings);
  data->bounds = bounds_of(vertices, topology.triangles);
  data->topology = std::make_shared<const EnvironmentTopology>(std::move(topology));
  data->vertices = std::make_shared<const std::vector<Vec3f>>(std::move(vertices));
  return data;
}

/// A scene's triangles as a room of their own.
const Environment& flat_of(const EnvironmentData& scene) {
  std::call_once(scene.flat->once, [&] { scene.flat->room = scene.instances->flat(); });
  return scene.flat->room;
}

}  // namespace

Environment::Environment() = default;

Result<Environment> Environment::create(std::vector<ObjectMesh> objects) {
  std::size_t triangle_count = 0;
  std::size_t vertex_count = 0;
  for (const ObjectMesh& mesh : objects) {
    triangle_count += mesh.triangles.size();
    vertex_count += mesh.vertices.size();
  }
  if (auto error = check_size(triangle_count, vertex_count)) return *error;

  EnvironmentTopology topology;
  topology.objects.reserve(objects.size());
  topology.first_vertex.push_back(0);
  std::vector<Vec3f> vertices;
  const bool single = objects.size() == 1;  // its memory is taken over
  if (!single) {
    topology.triangles.reserve(triangle_count);
    vertices.reserve(vertex_count);
  }
  for (ObjectMesh& mesh : objects) {
    if (auto error = check_indices(mesh)) return *error;
    const auto first_triangle = static_cast<std::uint32_t>(topology.triangles.size());
    const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
    if (single) {
      topology.triangles = std::move(mesh.triangles);
      vertices = std::move(mesh.vertices);
    } else {
      append_triangles(mesh.triangles, static_cast<std::uint32_t>(vertices.size()),
                       topology.triangles);
      vertices.insert(vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
    }
    topology.first_vertex.push_back(static_cast<std::uint32_t>(vertices.size()));
    topology.objects.push_back({std::move(mesh.name), first_triangle, count});
    mesh = {};  // its memory is not needed twice
  }
  if (auto error = check_vertices(topology, vertices)) return *error;
  Environment environment;
  environment.data_ = assemble(std::move(topology), std::move(vertices), {});
  return environment;
}

Result<Environment> Environment::merge(std::span<const Environment> parts) {
  if (parts.size() == 1) return parts[0];
  if (std::any_of(parts.begin(), parts.end(),
                  [](const Environment& part) { return deref(part.data_).instances; })) {
    std::vector<Environment> rooms(parts.begin(), parts.end());
    for (Environment& room : rooms) {
      if (deref(room.data_).instances) room = flat_of(deref(room.data_));
    }
    return merge(rooms);
  }
  std::size_t triangle_count = 0;
  std::size_t vertex_count = 0;
  for (const Environment& part : parts) {
    triangle_count += part.triangles().size();
    vertex_count += part.vertices().size();
  }
  if (auto error = check_size(triangle_count, vertex_count)) return *error;

  EnvironmentTopology topology;
  topology.triangles.reserve(triangle_count);
  topology.first_vertex.push_back(0);
  std::vector<Vec3f> vertices;
  vertices.reserve(vertex_count);
  std::vector<std::string> warnings;
  for (const Environment& part : parts) {
    const auto first_vertex = static_cast<std::uint32_t>(vertices.size());
    const auto first_triangle = static_cast<std::uint32_t>(topology.triangles.size());
    append_triangles(part.triangles(), first_vertex, topology.triangles);
    for (const Object& object : part.objects()) {
      topology.objects.push_back(
          {object.name, first_triangle + object.first_triangle, object.triangle_count});
    }
    const std::vector<std::uint32_t>& starts = deref(part.data_).topology->first_vertex;
    for (std::size_t i = 1; i < starts.size(); ++i) {
      topology.first_vertex.push_back(first_vertex + starts[i]);
    }
    vertices.insert(vertices.end(), part.vertices().begin(), part.vertices().end());
    warnings.insert(warnings.end(), part.warnings().begin(), part.warnings().end());
  }
  Environment environment;
  environment.data_ = assemble(std::move(topology), std::move(vertices), std::move(warnings));
  return environment;
}

std::span<const Object> Environment::objects() const {
  const EnvironmentData& data = deref(data_);
  return data.instances ? data.instances->objects() : data.topology->objects;
}

std::span<const Vec3f> Environment::vertices() const {
  const EnvironmentData& data = deref(data_);
  return data.instances ? flat_of(data).vertices() : *data.vertices;
}

std::span<const TriangleIndices> Environment::triangles() const {
  const EnvironmentData& data = deref(data_);
  return data.instances ? flat_of(data).triangles() : data.topology->triangles;
}

std::uint32_t Environment::object_of(std::uint32_t triangle) const {
  // The last object that begins at or before the triangle. Objects without triangles begin where
  // the next one does, and so are passed over.
  const std::span<const Object> all = objects();
  const auto after = std::upper_bound(
      all.begin(), all.end(), triangle,
      [](std::uint32_t t, const Object& object) { return t < object.first_triangle; });
  return static_cast<std::uint32_t>(after - all.begin() - 1);
}

std::array<Vec3f, 3> Environment::corners(std::uint32_t triangle) const {
  const EnvironmentData& data = deref(data_);
  if (data.instances) return data.instances->corners(object_of(triangle), triangle);
  const TriangleIndices& t = data.topology->triangles[triangle];
  const std::vector<Vec3f>& v = *data.vertices;
  return {v[t[0]], v[t[1]], v[t[2]]};
}

std::array<Vec3f, 2> Environment::bounds() const { return deref(data_).bounds; }

Result<Environment> Environment::with_vertices(std::vector<Vec3f> vertices) const {
  const EnvironmentData& old = deref(data_);
  if (old.instances) {
    return {ErrorCode::kUsage, "a scene's objects are changed by the scene, not by new vertices"};
  }
  if (vertices.size() != old.vertices->size()) {
    return {ErrorCode::kInput,
            fmt::format("a new version needs {} vertices, as the old one; got {}",
                        old.vertices->size(), vertices.size())};
  }
  if (auto error = check_vertices(*old.topology, vertices)) return *error;
  auto data = std::make_shared<EnvironmentData>();
  data->topology = old.topology;
  data->bounds = bounds_of(vertices, old.topology->triangles);
  data->vertices = std::make_shared<const std::vector<Vec3f>>(std::move(vertices));
  data->warnings = old.warnings;
  Environment environment;
  environment.data_ = std::move(data);
  return environment;
}

std::span<const std::string> Environment::warnings() const { return deref(data_).warnings; }

Environment Environment::with_warnings(std::vector<std::string> warnings) const {
  auto data = std::make_shared<EnvironmentData>(deref(data_));
  data->warnings = std::move(warnings);
  Environment environment;
  environment.data_ = std::move(data);
  return environment;
}

const scene::Solids& scene::solids_of(const Environment& environment) {
  tocsin::detail::LazySolids& lazy = *deref(environment.data_).solids;
  std::call_once(lazy.once, [&] {
    // Isolated: a thread that waits here must not take up a task that asks the same.
    tbb::this_task_arena::isolate([&] { lazy.solids = Solids(environment); });
  });
  return lazy.solids;
}

const scene::Instances* scene::instances_of(const Environment& environment) {
  return deref(environment.data_).instances.get();
}

Environment scene::environment_of(std::shared_ptr<const scene::Instances> instances) {
  auto data = std::make_shared<EnvironmentData>(no_data());
  const core::Box box = instances->tree().bounds();
  if (box.lo.x <= box.hi.x) data->bounds = {box.lo, box.hi};
  data->instances = std::move(instances);
  data->flat = std::make_shared<tocsin::detail::LazyFlat>();
  Environment out;
  out.data_ = std::move(data);
  return out;
}

}  // namespace tocsin
