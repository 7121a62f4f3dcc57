#include "io/vrml/vrml_mesh.h"

#include <cmath>
#include <cstdint>
#include <utility>

#include "core/vector/rotation.h"
#include "io/import/affine.h"

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
  out = kIdentity;
  if (angle == 0.0) return true;
  const double degrees = angle * core::kDegreesPerRadian;
  const double size =
      core::max_of(std::fabs(axis.x), core::max_of(std::fabs(axis.y), std::fabs(axis.z)));
  if (!std::isfinite(degrees) || !(size > 0.0)) return false;
  // Divided by its largest component first, so that no square overflows or vanishes.
  const Vec3 shrunk{axis.x / size, axis.y / size, axis.z / size};
  const Vec3 unit = (1.0 / core::norm(shrunk)) * shrunk;
  const core::SinCos turn = core::sincos_degrees(degrees);
  const double versed = 1.0 - turn.cos;
  const Vec3 s = turn.sin * unit;
  out.row[0] = {turn.cos + versed * unit.x * unit.x, versed * unit.x * unit.y - s.z,
                versed * unit.x * unit.z + s.y};
  out.row[1] = {versed * unit.y * unit.x + s.z, turn.cos + versed * unit.y * unit.y,
                versed * unit.y * unit.z - s.x};
  out.row[2] = {versed * unit.z * unit.x - s.y, versed * unit.z * unit.y + s.x,
                turn.cos + versed * unit.z * unit.z};
  return true;
}

}  // namespace tocsin::io
