#include "tocsin/c/room.h"

#include <string>
#include <utility>
#include <vector>

#include "c/convert.h"
#include "c/objects.h"

namespace tocsin::c {
namespace {

std::vector<ObjectMesh> meshes_of(const tocsin_object* objects, std::size_t count) {
  std::vector<ObjectMesh> out;
  for (const tocsin_object& object : list_of(objects, count, "objects")) {
    ObjectMesh mesh;
    mesh.name = text(object.name, "name");
    mesh.vertices = copied<Vec3f>(object.vertices, object.vertex_count, "vertices");
    mesh.triangles = copied<TriangleIndices>(object.triangles, object.triangle_count, "triangles");
    out.push_back(std::move(mesh));
  }
  return out;
}

const Object& object_at(const Environment& environment, std::uint32_t object) {
  if (object >= environment.objects().size()) {
    refuse("there is no object " + std::to_string(object) + ": the environment has " +
           std::to_string(environment.objects().size()));
  }
  return environment.objects()[object];
}

}  // namespace
}  // namespace tocsin::c

using namespace tocsin;     // NOLINT(google-build-using-namespace)
using namespace tocsin::c;  // NOLINT(google-build-using-namespace)

extern "C" {

tocsin_status tocsin_environment_create(const tocsin_object* objects, size_t count,
                                        tocsin_environment* out) {
  return making(out, [&] {
    return give_value<tocsin_environment>(Environment::create(meshes_of(objects, count)).value());
  });
}

tocsin_status tocsin_environment_merge(const tocsin_environment* parts, size_t count,
                                       tocsin_environment* out) {
  return making(out, [&] {
    need_list(parts, count, "parts");
    std::vector<Environment> all;
    for (size_t i = 0; i < count; ++i) all.push_back(*borrow(parts[i]));
    return give_value<tocsin_environment>(Environment::merge(all).value());
  });
}

tocsin_status tocsin_environment_with_vertices(tocsin_environment environment,
                                               const tocsin_vec3f* vertices, size_t count,
                                               tocsin_environment* out) {
  return making(out, [&] {
    const auto from = borrow(environment);
    return give_value<tocsin_environment>(
        from->with_vertices(copied<Vec3f>(vertices, count, "vertices")).value());
  });
}

tocsin_status tocsin_environment_object_count(tocsin_environment environment, size_t* count) {
  return guarded([&] {
    const auto from = borrow(environment);
    need(count, "count");
    *count = from->objects().size();
  });
}

tocsin_status tocsin_environment_vertex_count(tocsin_environment environment, size_t* count) {
  return guarded([&] {
    const auto from = borrow(environment);
    need(count, "count");
    *count = from->vertices().size();
  });
}

tocsin_status tocsin_environment_object_name(tocsin_environment environment, uint32_t object,
                                             char* buffer, size_t capacity, size_t* length) {
  return guarded([&] {
    const auto from = borrow(environment);
    hand_out_text(object_at(*from, object).name, buffer, capacity, length);
  });
}

tocsin_status tocsin_environment_triangle_count(tocsin_environment environment, uint32_t object,
                                                uint32_t* count) {
  return guarded([&] {
    const auto from = borrow(environment);
    need(count, "count");
    *count = object_at(*from, object).triangle_count;
  });
}

tocsin_status tocsin_environment_corners(tocsin_environment environment, uint32_t object,
                                         uint32_t triangle, tocsin_vec3f* corners) {
  return guarded([&] {
    const auto from = borrow(environment);
    need(corners, "corners");
    const Object& at = object_at(*from, object);
    if (triangle >= at.triangle_count) {
      refuse("there is no triangle " + std::to_string(triangle) + ": the object has " +
             std::to_string(at.triangle_count));
    }
    const auto stored = from->corners(at.first_triangle + triangle);
    for (std::size_t i = 0; i < 3; ++i) corners[i] = same_bytes<tocsin_vec3f>(stored.at(i));
  });
}

tocsin_status tocsin_environment_warnings(tocsin_environment environment, char* buffer,
                                          size_t capacity, size_t* length) {
  return guarded([&] {
    const auto from = borrow(environment);
    hand_out_text(lines(from->warnings()), buffer, capacity, length);
  });
}
}
