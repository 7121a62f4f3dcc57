// Spheres, cylinders and cones, under any affine map, as polyhedra that contain them.
#pragma once

#include <cstdint>

#include "io/vrml/vrml_mesh.h"

namespace tocsin::io {

/// A round solid: centre + axes * u for all u of
///   kSphere    |u| <= 1
///   kCylinder  x^2 + z^2 <= 1, |y| <= 1
///   kCone      the base x^2 + z^2 <= 1 at y = -1, and the apex (0, 1, 0)
struct VrmlRound {
  enum class Shape : std::uint8_t { kSphere, kCylinder, kCone };
  Shape shape = Shape::kSphere;
  core::Mat3 axes;  ///< metres; may mirror, shear, and flatten
  Vec3 centre;      ///< metres
  bool side = true;
  bool top = true;
  bool bottom = true;
};

/// Metres by which a polyhedron may stick out, where that takes no more segments than kMax...
/// allows. A millimetre is less than what a body's surface is known to, and halving it doubles the
/// triangles of a sphere.
inline constexpr double kRoundTolerance = 0.8e-3;
/// Segments around a sphere: 128 make 16,000 triangles and reach the tolerance up to a radius of
/// 1.3 m.
inline constexpr int kMaxSphereSegments = 128;
/// Around a cylinder or cone: 512 make 2,000 triangles and reach it up to a radius of 42 m.
inline constexpr int kMaxRingSegments = 512;

struct VrmlRoundMesh : VrmlMesh {
  /// No point of the mesh, its vertices rounded to float, is further from the solid than this.
  double tolerance = 0.0;
  /// Triangles that were made and checked for it, all attempts together.
  std::uint64_t tried = 0;
};

/// A closed mesh, wound counterclockwise seen from outside, whose inside contains the solid *after*
/// its vertices are rounded to float; of that mesh the parts that the flags ask for. The centre and
/// axes must be finite and reach no further than 1e9 m.
VrmlRoundMesh contain_round(const VrmlRound& round);

/// The most triangles that contain_round() makes.
std::int64_t round_triangles_bound(VrmlRound::Shape shape);

}  // namespace tocsin::io
