// From the one global vertex list of a file (OBJ, PLY) to objects that own their vertices.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/environment.h"

namespace tocsin::io {

/// An `o` or `g` line, or its like: the triangles after it belong to this name.
struct ObjMark {
  std::string_view name;
  std::size_t first_triangle = 0;  ///< how many triangles came before it
  bool is_object = false;          ///< `o`
};

/// The geometry of a file, as it stands there.
struct ObjGeometry {
  std::vector<Vec3f> vertices;             ///< metres, Y up
  std::vector<TriangleIndices> triangles;  ///< indices into `vertices`, in range
  std::vector<ObjMark> marks;              ///< in file order
};

struct ObjObjects {
  std::vector<ObjectMesh> objects;  ///< in the order in which they are first named; none is empty
  /// Names without triangles, vertices without triangles, names that are not UTF-8: each a
  /// sentence, without file.
  std::vector<std::string> warnings;
};

/// Splits the geometry. Takes time proportional to its size, but for sorting.
ObjObjects split_objects(const ObjGeometry& geometry);

}  // namespace tocsin::io
