#include "scene/instance/mesh_data.h"

#include <algorithm>
#include <utility>

#include "scene/shape/shape_data.h"
#include "scene/solid/solids.h"

namespace tocsin::scene {
namespace {

CornerLanes used_corners(const Environment& alone) {
  std::vector<std::uint32_t> used;
  used.reserve(3 * alone.triangles().size());
  for (const TriangleIndices& t : alone.triangles()) used.insert(used.end(), t.begin(), t.end());
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  while (used.size() % CornerLanes::kLanes != 0) used.push_back(used.back());
  CornerLanes out;
  for (const std::uint32_t i : used) {
    const Vec3f& v = alone.vertices()[i];
    out.x.push_back(double{v.x});
    out.y.push_back(double{v.y});
    out.z.push_back(double{v.z});
  }
  return out;
}

std::shared_ptr<const MeshData> assembled(Environment alone, RoomTree tree) {
  auto out = std::make_shared<MeshData>();
  out->tree = std::move(tree);
  // A walk takes a node off the stack and puts at most 8 on it.
  out->stack = static_cast<std::size_t>(out->tree.statistics().depth) * 7 + 2;
  out->corners = used_corners(alone);
  out->reach = core::farthest_corner({}, out->tree.bounds());
  const std::span<const std::uint32_t> shells = solids_of(alone).shells(0);
  out->shells.assign(shells.begin(), shells.end());
  out->whole = shells.size() == alone.triangles().size();
  out->alone = std::move(alone);
  return out;
}

}  // namespace

std::span<const std::uint32_t> parts_of(const MeshData& mesh) {
  std::call_once(mesh.parts->once, [&] {
    std::vector<Vec3> corners;
    for (const Vec3f& v : mesh.alone.vertices()) corners.push_back(core::to_double(v));
    mesh.parts->first = component_features(corners, mesh.alone.triangles());
  });
  return mesh.parts->first;
}

std::shared_ptr<const MeshData> make_mesh(Environment alone) {
  RoomTree tree(alone);
  return assembled(std::move(alone), std::move(tree));
}

std::shared_ptr<const MeshData> with_corners(const MeshData& mesh, Environment moved) {
  RoomTree tree = mesh.tree;
  tree.refit(moved);
  return assembled(std::move(moved), std::move(tree));
}

}  // namespace tocsin::scene
