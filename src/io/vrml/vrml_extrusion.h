// The Extrusion of VRML97 (ISO/IEC 14772-1, 6.18): a cross-section that is moved along a spine.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "io/vrml/vrml_faces.h"
#include "io/vrml/vrml_mesh.h"

namespace tocsin::io {

/// Points of one Extrusion: cross-section times spine. A file of n bytes could otherwise ask for n
/// squared of them. A handrail of 1,000 rings of 100 points has 100,000.
inline constexpr std::size_t kMaxExtrusionPoints = std::size_t{1} << 22U;

struct VrmlExtrusion {
  std::span<const double> cross_section;  ///< x z of each point; none: the square from -1 to 1
  std::span<const double> spine;          ///< x y z of each; none: (0,0,0), (0,1,0)
  std::span<const double> scale;          ///< x z at each spine point, or once; none: 1 1
  std::span<const double> orientation;    ///< axis and angle likewise; none: no rotation
  bool begin_cap = true;
  bool end_cap = true;
  bool ccw = true;
  bool convex = true;
};

/// Rings in order of the spine, two triangles between successive points of successive rings, then
/// the caps. Empty, or what is wrong.
std::string read_vrml_extrusion(const VrmlExtrusion& extrusion, VrmlMesh& mesh,
                                VrmlFaceCounts& counts);

}  // namespace tocsin::io
