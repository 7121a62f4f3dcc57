// The convex hull of points.
#pragma once

#include <span>
#include <vector>

#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin::scene {

/// The triangles of the convex hull's surface, as indices into `points`: counterclockwise seen from
/// outside, closed; some may lie in one plane. No point is outside by more than 2^-41 of the size
/// (the longest edge of the box around the points). The order is that of the construction, and the
/// same on every machine.
///
/// Quickhull (Barber, Dobkin, Huhdanpaa 1996) with exact signs (orientation.h), so that nothing is
/// mended by tolerances: n log n for most points. Points nearer to a triangle than 2^-43 of the
/// size are left out: they would make slivers of flat sides.
///
/// Precondition: finite coordinates within 1e6 m, fewer than 2^31 points. Errors (kInput): fewer
/// than 4 points; all of them within 2^-42 of the size of one point, line or plane.
Result<std::vector<TriangleIndices>> convex_hull(std::span<const Vec3> points);

}  // namespace tocsin::scene
