// Curves from 0 to 1 with which movements begin and end. All are twice continuously differentiable
// over the whole line, so that movements along them have no jump in acceleration.
#pragma once

#include <cmath>

#include "core/vector/vec.h"

namespace tocsin::make {

/// x within [0, 1].
inline double unit_clamp(double x) { return core::clamp_to(x, 0.0, 1.0); }

/// From 0 at x <= 0 to 1 at x >= 1: the path of least jerk (Flash and Hogan 1985). Its steepest
/// slope is 1.875, its greatest curvature 5.8.
inline double ease(double x) {
  const double u = unit_clamp(x);
  return u * u * u * (10.0 + u * (6.0 * u - 15.0));
}

/// From 0 at x <= a to 1 at x >= b.
inline double ease_between(double x, double a, double b) { return ease((x - a) / (b - a)); }

/// 0 before a, 1 between b and c, 0 after d.
inline double plateau(double x, double a, double b, double c, double d) {
  return ease_between(x, a, b) * (1.0 - ease_between(x, c, d));
}

/// As ease(), but at an even speed in the middle: the speed rises over the first third and falls
/// over the last one. Its steepest slope is 1.5.
inline double glide(double x) {
  const double u = 3.0 * unit_clamp(x);
  // The integral of 3 s^2 - 2 s^3 is s^3 - s^4 / 2: 1/2 over a whole third; the total is 2.
  const auto ramp = [](double s) { return s * s * s * (1.0 - 0.5 * s); };
  if (u < 1.0) return 0.5 * ramp(u);
  if (u <= 2.0) return 0.5 * (u - 0.5);
  return 1.0 - 0.5 * ramp(3.0 - u);
}

/// a at u = 0, b at u = 1.
inline double mix(double a, double b, double u) { return a + (b - a) * u; }
inline Vec3 mix(const Vec3& a, const Vec3& b, double u) { return a + u * (b - a); }

}  // namespace tocsin::make
