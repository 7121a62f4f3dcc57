// The oracle's only culling: a sphere around every triangle.
#pragma once

#include <cstdint>
#include <vector>

#include "oracle/link_path.h"
#include "tocsin/environment.h"

namespace tocsin::oracle {

/// A sphere that holds a triangle, world frame, metres.
struct Sphere {
  Vec3 centre;
  double radius = 0.0;
};

/// A sphere around every triangle of an environment, in order.
std::vector<Sphere> spheres_of(const Environment& environment);

/// Indices of all triangles that the link, `radius` metres thick, may come near to over the step,
/// in order. A triangle that is left out is free by the Lipschitz bound, with room to spare for
/// double arithmetic.
std::vector<std::uint32_t> nearby(const LinkPath& path, double radius,
                                  const std::vector<Sphere>& spheres);

}  // namespace tocsin::oracle
