#include "scene/instance/instances.h"

#include <algorithm>

#include "scene/instance/placed_tree.h"
#include "scene/room/coordinate_limit.h"
#include "scene/solid/crossing.h"

namespace tocsin::scene {
namespace {

/// False if the ray along x from p meets nothing in the box.
bool may_cross(const Vec3& p, const core::Box& box) {
  return p.x <= double{box.hi.x} && double{box.lo.y} <= p.y && p.y <= double{box.hi.y} &&
         double{box.lo.z} <= p.z && p.z <= double{box.hi.z};
}

}  // namespace

std::array<Vec3f, 3> Instances::corners(std::uint32_t object, std::uint32_t triangle) const {
  const Instance& instance = items_[object];
  return placed_corners(*instance.mesh, instance.at, triangle - instance.first_triangle);
}

std::vector<std::uint32_t> Instances::objects_around(const Vec3& p) const {
  std::vector<std::uint32_t> out;
  const core::Box point = core::grown_box(p, p, 0.0);
  const auto look = [&](std::uint32_t object) {
    const Instance& instance = items_[object];
    if (instance.solid && holds(instance, p)) out.push_back(object);
    return true;
  };
  tree_.visit(point, look);
  if (!moving_.empty()) start_tree().visit(point, look);
  std::sort(out.begin(), out.end());
  return out;
}

const BoxTree::Snapshot& Instances::start_tree() const {
  std::call_once(start_->once, [&] {
    BoxTree tree;
    for (const std::uint32_t object : moving_) tree.insert(object, items_[object].box);
    start_->tree = tree.snapshot();
  });
  return start_->tree;
}

bool Instances::holds(const Instance& instance, const Vec3& p) const {
  const Vec3 from = on_grid(p);
  int winding = 0;
  bool on_surface = false;
  const MeshData& mesh = *instance.mesh;
  const auto cross = [&](std::uint32_t triangle) {
    if (!mesh.whole && !std::binary_search(mesh.shells.begin(), mesh.shells.end(), triangle)) {
      return;
    }
    const Crossing c = cross_ray(from, placed_corners(mesh, instance.at, triangle));
    if (c == Crossing::kThrough) on_surface = true;
    if (c == Crossing::kOut) ++winding;
    if (c == Crossing::kIn) --winding;
  };
  const PlacedTree tree(mesh, instance.at);
  tree.visit([&](const core::Box& box) { return may_cross(from, box); }, cross);
  return on_surface || (instance.at.mirrors ? -winding : winding) > 0;
}

Instances Instances::only(std::uint32_t object) const {
  BoxTree tree;
  tree.insert(object, items_[object].box);
  return {table_, items_, meshes_, tree.snapshot(), {}, items_[object].solid ? std::size_t{1} : 0};
}

Environment Instances::flat() const {
  std::vector<ObjectMesh> meshes;
  meshes.reserve(objects_.size());
  for (std::uint32_t i = 0; i < objects_.size(); ++i) {
    ObjectMesh mesh;
    mesh.name = objects_[i].name;
    if (const MeshData* const data = items_[i].mesh) {
      for (const Vec3f& v : data->alone.vertices()) {
        const Vec3f placed = items_[i].at.place(v);
        // Only one that no triangle uses is too far away.
        mesh.vertices.push_back(within_reach(placed) ? placed : Vec3f{});
      }
      mesh.triangles.assign(data->alone.triangles().begin(), data->alone.triangles().end());
    } else {
      mesh.vertices.assign(1, {});
      mesh.triangles.assign(objects_[i].triangle_count, {0, 0, 0});
    }
    meshes.push_back(std::move(mesh));
  }
  return std::move(Environment::create(std::move(meshes))).value();
}

}  // namespace tocsin::scene
