// Translucent surfaces, coloured by time.
#pragma once

#include <vector>

#include "tocsin/environment.h"
#include "tocsin/types.h"

namespace tocsin::view {

/// A vertex of something translucent, coloured by time.
struct GlassVertex {
  Vec3f position;         ///< world, metres
  Vec3f normal;           ///< unit
  float time = 0.0F;      ///< 0 to 1 on the picture's scale of times
  float strength = 1.0F;  ///< 0 to 1: opacity
};

struct Glass {
  std::vector<GlassVertex> vertices;
  std::vector<TriangleIndices> triangles;
};

}  // namespace tocsin::view
