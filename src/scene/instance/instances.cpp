#include "scene/instance/instances.h"

#include <algorithm>
#include <cmath>

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

/// Which side of the mesh's shells a point is on: scene::Solid::holds.
bool is_inside(const MeshData& mesh, const Affine& at, const Vec3& p) {
  const Vec3 from = on_grid(p);
  int winding = 0;
  bool on_surface = false;
  const auto cross = [&](std::uint32_t triangle) {
    if (!mesh.whole && !std::binary_search(mesh.shells.begin(), mesh.shells.end(), triangle)) {
      return;
    }
    const Crossing c = cross_ray(from, placed_corners(mesh, at, triangle));
    if (c == Crossing::kThrough) on_surface = true;
    if (c == Crossing::kOut) ++winding;
    if (c == Crossing::kIn) --winding;
  };
  PlacedTree(mesh, at).visit([&](const core::Box& box) { return may_cross(from, box); }, cross);
  return on_surface || (at.mirrors ? -winding : winding) > 0;
}

/// Holds p, and boxes of corners that were rounded away from it.
core::Box around(const Vec3& p) {
  const double most = std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
  return core::grown_box(p, p, 0x1p-22 * most);
}

}  // namespace

std::array<Vec3f, 3> Instances::corners(std::uint32_t object, std::uint32_t triangle) const {
  const Instance& instance = items_[object];
  return placed_corners(*instance.mesh, instance.at, triangle - instance.first_triangle);
}

bool Instances::holds(std::uint32_t object, const Vec3& p) const {
  const Instance& instance = items_[object];
  if (!std::binary_search(in_motion_.rigid.begin(), in_motion_.rigid.end(), object)) {
    return is_inside(*instance.mesh, instance.at, p);
  }
  // Corners of one that moves are not rounded: asked in the mesh's own coordinates.
  return is_inside(*instance.mesh, Affine{}, to_mesh(instance.at, p));
}

std::vector<std::uint32_t> Instances::solids_near(const Vec3& p) const {
  std::vector<std::uint32_t> out;
  const auto look = [&](std::uint32_t object) {
    if (items_[object].solid) out.push_back(object);
    return true;
  };
  tree_.visit(core::grown_box(p, p, 0.0), look);
  if (!in_motion_.all.empty()) start_tree().visit(around(p), look);
  std::sort(out.begin(), out.end());
  return out;
}

const BoxTree::Snapshot& Instances::start_tree() const {
  std::call_once(start_->once, [&] {
    BoxTree tree;
    for (const std::uint32_t object : in_motion_.all) tree.insert(object, items_[object].box);
    start_->tree = tree.snapshot();
  });
  return start_->tree;
}

Instances Instances::only(std::uint32_t object) const {
  BoxTree tree;
  tree.insert(object, items_[object].box);
  const std::size_t solids = items_[object].solid ? 1 : 0;
  return {table_, items_, meshes_, tree.snapshot(), {}, solids, layout_};
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
