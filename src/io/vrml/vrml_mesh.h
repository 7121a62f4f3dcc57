// Triangles in double, on their way from a VRML geometry to an object.
#pragma once

#include <cstddef>
#include <vector>

#include "core/vector/vec.h"
#include "tocsin/environment.h"
#include "tocsin/types.h"

namespace tocsin::io {

struct VrmlMesh {
  std::vector<Vec3> points;
  std::vector<TriangleIndices> triangles;  ///< outside is where they turn counterclockwise
};

/// The box from -half to half.
void add_box(const Vec3& half, VrmlMesh& mesh);

/// Turns the triangles from that one on inside out; the first corner of each stays first.
void turn_over(VrmlMesh& mesh, std::size_t first_triangle = 0);

/// The rotation by `angle` radians about an axis of any length, as VRML writes it: x y z angle. A
/// zero angle is no rotation, whatever the axis. False: another angle about (0, 0, 0), or one that
/// is too large for its degrees.
bool vrml_rotation(const Vec3& axis, double angle, core::Mat3& out);

}  // namespace tocsin::io
