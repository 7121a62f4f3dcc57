// The fast paths for binary PLY files: read elements that all have the same layout, without a test
// of every property.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "io/ply/ply_roles.h"
#include "tocsin/environment.h"
#include "tocsin/io.h"

namespace tocsin::io {

/// A vertex in metres, Y up: scaled and turned in double, rounded once. None if it is not finite or
/// too far away.
std::optional<Vec3f> ply_vertex(const Vec3& raw, const EnvironmentOptions& options);

/// What was read: elements, and the bytes that they took.
struct PlyRun {
  std::size_t items = 0;
  std::size_t bytes = 0;
};

/// Appends vertices from the start of `bytes`: all of them, or those before the first that the slow
/// path must read (ply_vertex() refuses it, or the bytes end). Does nothing if there are lists or
/// x, y, z differ in type.
PlyRun read_fixed_vertices(const PlyRole& role, std::string_view bytes, bool reversed,
                           const EnvironmentOptions& options, std::vector<Vec3f>& vertices);

/// Appends the triangles of faces from the start of `bytes`: those before the first that has
/// another number of corners than the first face, or an index that is not below `vertex_count`.
/// Does nothing if there is another list than the indices'.
PlyRun read_uniform_faces(const PlyRole& role, std::string_view bytes, bool reversed,
                          std::uint64_t vertex_count, std::vector<TriangleIndices>& triangles);

}  // namespace tocsin::io
