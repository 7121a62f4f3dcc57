#include "tocsin/c/scene.h"

#include <algorithm>
#include <utility>

#include "c/convert.h"
#include "c/detector_options.h"
#include "c/objects.h"

namespace tocsin::c {
namespace {

ObjectId object_of(tocsin_object_id id) { return ObjectId{id}; }
SwitchId switch_of(tocsin_switch_id id) { return SwitchId{id}; }

/// change(scene), whose status is taken.
template <class Change>
tocsin_status changing(tocsin_scene scene, const Change& change) {
  return guarded([&] {
    const Use to(scene);
    static_cast<void>(change(to->scene).value());
  });
}

}  // namespace
}  // namespace tocsin::c

using namespace tocsin;     // NOLINT(google-build-using-namespace)
using namespace tocsin::c;  // NOLINT(google-build-using-namespace)

extern "C" {

tocsin_status tocsin_mesh_create(const tocsin_vec3f* vertices, size_t vertex_count,
                                 const uint32_t* triangles, size_t triangle_count,
                                 tocsin_mesh* out) {
  return making(out, [&] {
    return give_value<tocsin_mesh>(
        Mesh::create(copied<Vec3f>(vertices, vertex_count, "vertices"),
                     copied<TriangleIndices>(triangles, triangle_count, "triangles"))
            .value());
  });
}

tocsin_status tocsin_mesh_of_shape(tocsin_shape shape, tocsin_mesh* out) {
  return making(out, [&] { return give_value<tocsin_mesh>(Mesh::of(*borrow(shape)).value()); });
}

tocsin_status tocsin_mesh_sphere(double radius, double tolerance, tocsin_mesh* out) {
  return making(out,
                [&] { return give_value<tocsin_mesh>(Mesh::sphere(radius, tolerance).value()); });
}

tocsin_status tocsin_mesh_of_object(tocsin_environment environment, uint32_t object,
                                    tocsin_mesh* out) {
  return making(
      out, [&] { return give_value<tocsin_mesh>(Mesh::of(*borrow(environment), object).value()); });
}

tocsin_status tocsin_scene_create(const tocsin_detector_options* options, tocsin_scene* out) {
  return making(out, [&] {
    return give<tocsin_scene>(
        std::make_shared<LiveScene>(Scene::make(detector_options_of(options)).value()));
  });
}

tocsin_status tocsin_scene_add(tocsin_scene scene, const char* name, tocsin_mesh mesh,
                               const tocsin_placement* at, tocsin_object_id* object) {
  return guarded([&] {
    const Use to(scene);
    const auto from = borrow(mesh);
    const ObjectId id = to->scene.add(text(name, "name"), *from, placement_of(at)).value();
    if (object != nullptr) *object = static_cast<tocsin_object_id>(id);
  });
}

tocsin_status tocsin_scene_add_environment(tocsin_scene scene, tocsin_environment environment,
                                           size_t* count) {
  return guarded([&] {
    const Use to(scene);
    const auto ids = to->scene.add(*borrow(environment)).value();
    if (count != nullptr) *count = ids.size();
  });
}

tocsin_status tocsin_scene_remove(tocsin_scene scene, tocsin_object_id object) {
  return changing(scene, [&](Scene& to) { return to.remove(object_of(object)); });
}

tocsin_status tocsin_scene_replace(tocsin_scene scene, tocsin_object_id object, tocsin_mesh mesh) {
  return changing(scene, [&](Scene& to) { return to.replace(object_of(object), *borrow(mesh)); });
}

tocsin_status tocsin_scene_place(tocsin_scene scene, tocsin_object_id object,
                                 const tocsin_placement* at) {
  return changing(scene, [&](Scene& to) { return to.place(object_of(object), placement_of(at)); });
}

tocsin_status tocsin_scene_move(tocsin_scene scene, tocsin_object_id object,
                                const tocsin_transform* to, int32_t in_between) {
  return changing(scene, [&](Scene& moved) {
    need(to, "to");
    return moved.move(object_of(object), transform_of(to), in_between_of(in_between));
  });
}

tocsin_status tocsin_scene_deform(tocsin_scene scene, tocsin_object_id object,
                                  const tocsin_vec3f* vertices, size_t count) {
  return changing(scene, [&](Scene& to) {
    return to.deform(object_of(object), copied<Vec3f>(vertices, count, "vertices"));
  });
}

tocsin_status tocsin_scene_deform_to(tocsin_scene scene, tocsin_object_id object,
                                     const tocsin_vec3f* vertices, size_t count,
                                     const tocsin_placement* to) {
  return changing(scene, [&](Scene& changed) {
    need(to, "to");
    return changed.deform(object_of(object), copied<Vec3f>(vertices, count, "vertices"),
                          placement_of(to));
  });
}

tocsin_status tocsin_scene_activate(tocsin_scene scene, tocsin_object_id object) {
  return changing(scene, [&](Scene& to) { return to.activate(object_of(object)); });
}

tocsin_status tocsin_scene_deactivate(tocsin_scene scene, tocsin_object_id object) {
  return changing(scene, [&](Scene& to) { return to.deactivate(object_of(object)); });
}

tocsin_status tocsin_scene_activate_pair(tocsin_scene scene, tocsin_object_id a,
                                         tocsin_object_id b) {
  return changing(scene, [&](Scene& to) { return to.activate_pair(object_of(a), object_of(b)); });
}

tocsin_status tocsin_scene_deactivate_pair(tocsin_scene scene, tocsin_object_id a,
                                           tocsin_object_id b) {
  return changing(scene, [&](Scene& to) { return to.deactivate_pair(object_of(a), object_of(b)); });
}

tocsin_status tocsin_scene_activate_pairs(tocsin_scene scene, const char* pattern) {
  return changing(scene, [&](Scene& to) { return to.activate_pairs(text(pattern, "pattern")); });
}

tocsin_status tocsin_scene_deactivate_pairs(tocsin_scene scene, const char* pattern) {
  return changing(scene, [&](Scene& to) { return to.deactivate_pairs(text(pattern, "pattern")); });
}

tocsin_status tocsin_scene_add_switch(tocsin_scene scene, tocsin_switch_id* out) {
  return guarded([&] {
    const Use to(scene);
    need(out, "out");
    const SwitchId id = to->scene.add_switch();
    if (id == SwitchId{0}) throw Failure{TOCSIN_ERROR_RESOURCE, "out of memory for a switch"};
    *out = static_cast<tocsin_switch_id>(id);
  });
}

tocsin_status tocsin_scene_set_switch(tocsin_scene scene, tocsin_object_id object,
                                      tocsin_switch_id parent) {
  return changing(scene,
                  [&](Scene& to) { return to.set_switch(object_of(object), switch_of(parent)); });
}

tocsin_status tocsin_scene_clear_switch(tocsin_scene scene, tocsin_object_id object) {
  return changing(scene, [&](Scene& to) { return to.clear_switch(object_of(object)); });
}

tocsin_status tocsin_scene_choose(tocsin_scene scene, tocsin_switch_id parent,
                                  tocsin_object_id object) {
  return changing(scene, [&](Scene& to) {
    return object == 0 ? to.choose_none(switch_of(parent))
                       : to.choose(switch_of(parent), object_of(object));
  });
}

tocsin_status tocsin_scene_find(tocsin_scene scene, const char* name, tocsin_object_id* object) {
  return guarded([&] {
    const Use from(scene);
    need(object, "object");
    const auto found = from->scene.find(text(name, "name"));
    *object = found.ok() ? static_cast<tocsin_object_id>(found.value()) : 0;
  });
}

tocsin_status tocsin_scene_index_of(tocsin_scene scene, tocsin_object_id object, uint32_t* index) {
  return guarded([&] {
    const Use from(scene);
    need(index, "index");
    *index = from->scene.index_of(object_of(object)).value();
  });
}

tocsin_status tocsin_scene_size(tocsin_scene scene, size_t* count) {
  return guarded([&] {
    const Use from(scene);
    need(count, "count");
    *count = from->scene.size();
  });
}

tocsin_status tocsin_scene_compacted(tocsin_scene scene, uint64_t* times) {
  return guarded([&] {
    const Use from(scene);
    need(times, "times");
    *times = from->scene.compacted();
  });
}

tocsin_status tocsin_scene_snapshot(tocsin_scene scene, tocsin_detector* out) {
  return making(out, [&] {
    const Use from(scene);
    return give_value<tocsin_detector>(from->scene.snapshot().value());
  });
}
}
