#include <algorithm>
#include <new>
#include <utility>

#include "scene/instance/mesh_data.h"
#include "tocsin/scene.h"

namespace tocsin {
namespace {

Error no_mesh_memory() { return {ErrorCode::kResource, "out of memory while building a mesh"}; }

}  // namespace

Result<Mesh> Mesh::create(std::vector<Vec3f> vertices, std::vector<TriangleIndices> triangles) {
  if (triangles.empty()) return {ErrorCode::kInput, "a mesh needs at least one triangle"};
  try {
    std::vector<ObjectMesh> alone(1);
    alone.front() = {"mesh", std::move(vertices), std::move(triangles)};
    auto room = Environment::create(std::move(alone));
    if (!room) return room.error();
    Mesh out;
    out.data_ = scene::make_mesh(std::move(room).value());
    return out;
  } catch (const std::bad_alloc&) {
    return no_mesh_memory();
  }
}

Result<Mesh> Mesh::of(const Shape& shape) {
  if (shape.empty()) return {ErrorCode::kInput, "there is no shape"};
  if (shape.radius() > 0.0) {
    return {ErrorCode::kInput,
            "a mesh of a scene has no rounding: give the shape a radius of 0, or make it a link"};
  }
  std::vector<Vec3f> corners;
  for (const Vec3& p : shape.corners()) {
    corners.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
  }
  return create(std::move(corners), {shape.features().begin(), shape.features().end()});
}

Result<Mesh> Mesh::of(const Environment& room, std::uint32_t object) {
  if (object >= room.objects().size()) return {ErrorCode::kUsage, "there is no such object"};
  const Object& o = room.objects()[object];
  const auto all = room.triangles().subspan(o.first_triangle, o.triangle_count);
  if (all.empty()) return {ErrorCode::kInput, "the object has no triangles"};
  // Its vertices are a run of the room's.
  std::uint32_t first = all.front().front();
  std::uint32_t last = first;
  for (const TriangleIndices& t : all) {
    for (const std::uint32_t i : t) {
      first = std::min(first, i);
      last = std::max(last, i);
    }
  }
  const auto own = room.vertices().subspan(first, std::size_t{last} - first + 1);
  std::vector<TriangleIndices> triangles(all.begin(), all.end());
  for (TriangleIndices& t : triangles) {
    for (std::uint32_t& i : t) i -= first;
  }
  return create({own.begin(), own.end()}, std::move(triangles));
}

std::uint32_t Mesh::triangle_count() const { return data_ ? data_->triangle_count() : 0; }

bool Mesh::closed() const { return data_ && !data_->shells.empty(); }

}  // namespace tocsin
