// Rotations about the coordinate axes, by angles in degrees.
#pragma once

#include "core/vector/trig.h"
#include "tocsin/types.h"

namespace tocsin::core {

inline constexpr double kDegreesPerRadian = 0x1.ca5dc1a63c1f8p+5;  ///< 180/pi, rounded

/// Turn by an angle in degrees, right-handed.
inline Quat about_x(double degrees) {
  const SinCos half = sincos_degrees(0.5 * degrees);
  return {half.cos, half.sin, 0.0, 0.0};
}
inline Quat about_y(double degrees) {
  const SinCos half = sincos_degrees(0.5 * degrees);
  return {half.cos, 0.0, half.sin, 0.0};
}
inline Quat about_z(double degrees) {
  const SinCos half = sincos_degrees(0.5 * degrees);
  return {half.cos, 0.0, 0.0, half.sin};
}
/// About coordinate axis 0, 1 or 2.
inline Quat about_axis(int axis, double degrees) {
  return axis == 0 ? about_x(degrees) : axis == 1 ? about_y(degrees) : about_z(degrees);
}

}  // namespace tocsin::core
