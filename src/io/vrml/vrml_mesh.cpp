#include "io/vrml/vrml_mesh.h"

#include <cstdint>
#include <utility>

#include "core/vector/rotation.h"
#include "io/nodes/turns.h"

namespace tocsin::io {

void add_box(const Vec3& half, VrmlMesh& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.points.size());
  for (unsigned i = 0; i < 8; ++i) {  // bit by bit: x, y, z
    mesh.points.push_back({(i & 1U) != 0 ? half.x : -half.x, (i & 2U) != 0 ? half.y : -half.y,
                           (i & 4U) != 0 ? half.z : -half.z});
  }
  const auto face = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    mesh.triangles.push_back({first + a, first + b, first + c});
    mesh.triangles.push_back({first + a, first + c, first + d});
  };
  face(0, 4, 6, 2);
  face(1, 3, 7, 5);
  face(0, 1, 5, 4);
  face(2, 6, 7, 3);
  face(0, 2, 3, 1);
  face(4, 5, 7, 6);
}

void turn_over(VrmlMesh& mesh, std::size_t first_triangle) {
  for (std::size_t i = first_triangle; i < mesh.triangles.size(); ++i) {
    std::swap(mesh.triangles[i][1], mesh.triangles[i][2]);
  }
}

bool vrml_rotation(const Vec3& axis, double angle, core::Mat3& out) {
  return turn_about(axis, angle * core::kDegreesPerRadian, out);
}

}  // namespace tocsin::io
