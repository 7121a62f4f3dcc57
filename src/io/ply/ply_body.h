// The body of a PLY file: vertices, and the triangles of faces and strips.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/ply/ply_header.h"
#include "tocsin/environment.h"
#include "tocsin/io.h"

namespace tocsin::io {

/// What the elements hold, in file order.
struct PlyGeometry {
  std::vector<Vec3f> vertices;             ///< metres, Y up, finite, within 1e6 m
  std::vector<TriangleIndices> triangles;  ///< indices into `vertices`, in range
  std::uint64_t faces = 0;                 ///< of any number of corners; strips are none
  std::vector<std::string> warnings;       ///< what was left out, each a sentence without file
};

/// Reads the elements `vertex` (x, y, z of any type), `face` (vertex_indices or vertex_index,
/// fanned from the first corner) and `tristrips` (the same; -1 starts a new strip, every second
/// triangle turned round); edges, points and other elements are passed over and counted, other
/// properties passed over. Takes memory in proportion to the file. Errors (kInput), `line N: vertex
/// 3: cause`, without file, without line where binary; elements count from 0.
Result<PlyGeometry> read_ply_body(const PlyHeader& header, std::string_view file,
                                  const EnvironmentOptions& options);

}  // namespace tocsin::io
