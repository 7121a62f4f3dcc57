// How far from the origin a room may reach.
#pragma once

#include <cmath>

namespace tocsin::scene {

/// Metres, for each coordinate. A float resolves 6 cm there: a vertex beyond is a wrong unit or
/// noise. The rounding analysis (docs/exact.md) holds for any finite size, so a larger limit would
/// cost precision only.
inline constexpr double kMaxCoordinate = 1e6;

/// True if a point (Vec3 or Vec3f, metres) lies within it. False for a NaN.
template <class Point>
bool within_reach(const Point& p) {
  constexpr auto kMost = static_cast<decltype(Point::x)>(kMaxCoordinate);  // exact
  return std::fabs(p.x) <= kMost && std::fabs(p.y) <= kMost && std::fabs(p.z) <= kMost;
}

}  // namespace tocsin::scene
