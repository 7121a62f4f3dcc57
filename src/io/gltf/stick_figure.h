// A skeleton as a mesh, to look at.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tocsin/skeleton.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// In the rest pose. Vertex i moves with joint joints[i] alone.
struct StickFigure {
  std::vector<Vec3f> vertices;  ///< metres
  std::vector<std::uint16_t> joints;
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< counter-clockwise seen from outside
};

/// `world`: each joint's place in the rest pose. An octahedron for every joint that is away from
/// its parent, from the parent to it, moving with the parent; if there is none, a small one at the
/// first joint.
StickFigure stick_figure(const Skeleton& skeleton, std::span<const Transform> world);

}  // namespace tocsin::io
