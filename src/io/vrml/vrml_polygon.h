// Cutting polygons into triangles that cover exactly the polygon, concave ones too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tocsin/environment.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// Corners of a concave polygon. Ear clipping takes quadratic time: 4096 corners take some 50 ms.
inline constexpr std::size_t kMaxConcaveCorners = 4096;

/// Cuts a polygon into corners.size() - 2 triangles of the same winding and appends them.
/// `corners` are indices into `points`; there must be at least three.
///
/// A polygon that is convex (in its plane; that of greatest area if it is not planar) is fanned
/// from its first corner, any other is cut by clipping ears (Meisters 1975): every diagonal lies
/// inside. Corners may be repeated and may lie on a line, so holes can be cut in by a bridge;
/// triangles without area come out of that. False: the polygon crosses itself, so that no such cut
/// exists; the triangles then cover at least its corners and edges.
bool cut_polygon(std::span<const Vec3> points, std::span<const std::uint32_t> corners,
                 std::vector<TriangleIndices>& out);

}  // namespace tocsin::io
