// The polygonal geometries of VRML97: IndexedFaceSet, ElevationGrid and Extrusion, in their own
// coordinates.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/vrml/vrml_mesh.h"

namespace tocsin::io {

/// Polygons that needed or got special treatment.
struct VrmlFaceCounts {
  std::int64_t short_faces = 0;     ///< of fewer than three corners; left out
  std::int64_t crossing_faces = 0;  ///< said to be concave, and cross themselves
};

struct VrmlFaceSet {
  std::span<const double> points;  ///< x y z of each
  std::span<const double> index;   ///< of polygons, each ended by -1; the last may lack it
  bool ccw = true;
  bool convex = true;
};

/// Makes vertices of the points that faces use, in order of first use. Convex faces are fanned from
/// their first corner, others cut by cut_polygon(); those that are not ccw are turned over.
class VrmlFaceReader {
 public:
  /// `concave_work`: how large the sum over all concave faces of their corners squared, so the time
  /// for cutting them up, may become.
  explicit VrmlFaceReader(std::uint64_t concave_work) : concave_work_(concave_work) {}

  /// Appends to `mesh`. Empty, or what is wrong: an index that is no index of a point; too many
  /// corners for a concave face.
  std::string read(const VrmlFaceSet& faces, VrmlMesh& mesh, VrmlFaceCounts& counts);

 private:
  std::string read_face(const VrmlFaceSet& faces, VrmlMesh& mesh, VrmlFaceCounts& counts);
  std::uint32_t vertex(const VrmlFaceSet& faces, std::size_t point, VrmlMesh& mesh);

  std::uint64_t concave_work_;
  std::vector<std::uint32_t> vertex_of_;  ///< by point; kept between calls, so that many small
                                          ///< face sets may share a large Coordinate
  std::vector<std::size_t> used_;
  std::vector<std::uint32_t> corners_;
};

struct VrmlGrid {
  double x_dimension = 0.0;
  double z_dimension = 0.0;
  double x_spacing = 1.0;
  double z_spacing = 1.0;
  std::span<const double> height;
  bool ccw = true;
};

/// Two triangles for each cell, cut from its corner of least x and z to that of greatest. Empty, or
/// what is wrong: dimensions that are not whole, or not those of the heights.
std::string read_vrml_grid(const VrmlGrid& grid, VrmlMesh& mesh);

}  // namespace tocsin::io
