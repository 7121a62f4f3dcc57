// VRML97 rooms (.wrl).
#pragma once

#include <cstdint>
#include <string_view>

#include "io/vrml/free_triangles.h"
#include "tocsin/io.h"

namespace tocsin::io {

/// How much a file may unfold to by using nodes repeatedly (USE, PROTO), however small it is.
struct VrmlLimits {
  /// Triangles: a house of 1,000 chairs. Beyond it, a file must have as many bytes.
  std::uint64_t free_triangles = kFreeTriangles;
  /// Objects: ten houses of 26,000 things. Beyond it, a file must have four bytes for each.
  std::uint64_t free_objects = std::uint64_t{1} << 18U;
  /// Steps: a number of a geometry, a corner, a field, or what takes as long, which is up to 15 ns,
  /// so a second. Beyond it, a file must have a sixteenth as many bytes.
  std::uint64_t free_work = std::uint64_t{1} << 26U;
  /// The sum over all concave faces of their corners squared, 2.5 ns each, so under a second.
  /// Beyond it, a file must have 1/64 as many bytes.
  std::uint64_t free_concave_work = std::uint64_t{1} << 28U;
};

/// Reads the text of a VRML97 file (ISO/IEC 14772-1); `file` is its name in messages.
///
/// An object is what one named node holds: a Shape belongs to the closest node with a DEF name at
/// or around it; without one, to its geometry's; without that either, to the file (its stem). Names
/// inside of a PROTO's body do not count. Each USE is an object of its own. Objects come in the
/// order in which their nodes begin.
///
/// Transforms are multiplied and applied in double, any scale included, those too that mirror or
/// flatten, which the standard forbids; then come the options' scale and up axis; and rounding to
/// float, once. Faces are fanned from their first corner, with `convex FALSE` cut into triangles
/// that cover exactly the face; those that are not `ccw` are turned over. A Box becomes its 12
/// triangles, wound outwards. Sphere, Cylinder and Cone become polyhedra that contain them
/// (vrml_round.h); a warning says by how much these stick out.
///
/// Under a transform that mirrors, the corners of IndexedFaceSet, ElevationGrid and Extrusion keep
/// the order that the file gives them, as in the other formats, so their triangles then turn
/// clockwise seen from outside. Box and round shapes, whose triangles are no file's, are wound
/// outwards all the same.
///
/// A Switch gives the choice that it names, an LOD its finest (first) level, an instance of a PROTO
/// what its body makes of its fields, a Collision its children, its proxy if it
/// has no children, nothing if `collide` is FALSE. Text, PointSet and IndexedLineSet have no
/// surface; Inline is not followed; a node of unknown type, or of an EXTERNPROTO, is a group if it
/// has `children`, else left out. Warnings count all of these.
///
/// Errors (kInput), `file:line: cause`: not VRML97, malformed, a node inside itself, numbers out of
/// range, unfolding beyond the limits; no triangles. kUsage: a scale that is not finite and
/// positive.
Result<Environment> parse_vrml(std::string_view text, std::string_view file,
                               const EnvironmentOptions& options = {},
                               const VrmlLimits& limits = {});

}  // namespace tocsin::io
