// A version of a scene as a room of its own.
#include <fmt/format.h>

#include <limits>
#include <new>
#include <utility>

#include "detect/scene/versions/scene_parts.h"
#include "scene/instance/affine.h"

namespace tocsin::detect {

ObjectMesh SceneVersions::MeshUse::parts(const Environment& room) const {
  ObjectMesh out;
  if (!of_file) {
    for (const Vec3& p : shape.corners()) {
      out.vertices.push_back(
          {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    }
    out.triangles.assign(shape.features().begin(), shape.features().end());
    return out;
  }
  // As Mesh::of: the vertices are a run of the room's.
  const Object& object = room.objects()[*of_file];
  const auto all = room.triangles().subspan(object.first_triangle, object.triangle_count);
  std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t last = 0;
  for (const TriangleIndices& triangle : all) {
    for (const std::uint32_t i : triangle) {
      first = std::min(first, i);
      last = std::max(last, i);
    }
  }
  const auto own = room.vertices().subspan(first, std::size_t{last} - first + 1);
  out.vertices.assign(own.begin(), own.end());
  out.triangles.assign(all.begin(), all.end());
  for (TriangleIndices& triangle : out.triangles) {
    for (std::uint32_t& i : triangle) i -= first;
  }
  return out;
}

std::uint64_t SceneVersions::flat_triangles() const {
  const std::scoped_lock lock(mutex_);
  return count_flat();
}

std::uint64_t SceneVersions::count_flat() const {
  std::uint64_t out = 0;
  for (const auto& [order, entry] : entries_) {
    if (is_there(entry)) out += entry.mesh->mesh.triangle_count();
  }
  return out;
}

Result<FlatScene> SceneVersions::flat(std::uint64_t most) const {
  try {
    FlatScene out;
    std::vector<Entry> there;  // they share their meshes
    {
      const std::scoped_lock lock(mutex_);
      if (const std::uint64_t now = count_flat(); now > most) {
        return {ErrorCode::kResource,
                fmt::format("the room has {} triangles now, more than {}", now, most)};
      }
      out.version = version_;
      for (const auto& [order, entry] : entries_) {
        if (!is_there(entry)) continue;
        there.push_back(entry);
        out.numbers.push_back(numbers_.at(entry.name));
      }
    }
    // Not under the lock, for which the steps of readers wait: this takes seconds in large rooms.
    std::vector<ObjectMesh> objects;
    for (const Entry& entry : there) {
      ObjectMesh& one = objects.emplace_back(entry.mesh->parts(room_));
      one.name = entry.name;
      if (entry.vertices) one.vertices = *entry.vertices;
      const auto at = scene::affine_of(entry.at);
      if (!at) return at.error();
      for (Vec3f& v : one.vertices) v = at->place(v);
    }
    auto room = Environment::create(std::move(objects));
    if (!room) return room.error();
    out.room = std::move(room).value();
    return out;
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, "out of memory for the objects of a room that changes"};
  }
}

}  // namespace tocsin::detect
