// Coordinates rounded to the floats that rooms are made of.
#pragma once

#include <cmath>
#include <limits>

#include "tocsin/types.h"

namespace tocsin::io {

/// Rounded once, -0 made 0. What no float can hold becomes infinite (the conversion itself would be
/// undefined); a NaN stays one.
inline float to_float(double x) {
  constexpr double kMax = std::numeric_limits<float>::max();
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (std::fabs(x) > kMax) return x > 0.0 ? kInfinity : -kInfinity;
  return static_cast<float>(x) + 0.0F;
}

inline Vec3f to_float(const Vec3& p) { return {to_float(p.x), to_float(p.y), to_float(p.z)}; }

}  // namespace tocsin::io
