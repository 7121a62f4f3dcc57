// Rotations from angles in degrees, bases and directions, with core/vector/trig.h's arithmetic
// only.
#pragma once

#include <cmath>

#include "core/vector/rotation.h"
#include "core/vector/vec.h"

namespace tocsin::make {

using core::about_x;
using core::about_y;
using core::about_z;

inline double sine(double degrees) { return core::sincos_degrees(degrees).sin; }
inline double cosine(double degrees) { return core::sincos_degrees(degrees).cos; }

/// The same rotation with w >= 0. Continuous for rotations of less than half a turn.
inline Quat canonical(const Quat& q) { return q.w < 0.0 ? Quat{-q.w, -q.x, -q.y, -q.z} : q; }

/// The angle of (x, y), degrees in (-180, 180]; 0 for (0, 0).
inline double atan2_degrees(double y, double x) {
  const double ay = std::fabs(y);
  const double ax = std::fabs(x);
  if (core::max_of(ax, ay) < 1e-100) return 0.0;
  const double quadrant = core::atan2_quadrant(ay, ax) * core::kDegreesPerRadian;
  const double upper = x < 0.0 ? 180.0 - quadrant : quadrant;
  return y < 0.0 ? -upper : upper;
}

/// v scaled to length 1. Precondition: it is not near zero.
inline Vec3 unit(const Vec3& v) { return (1.0 / core::norm(v)) * v; }

/// v less its part along the unit vector e, scaled to length 1. Precondition: they are not
/// parallel.
inline Vec3 unit_across(const Vec3& v, const Vec3& e) { return unit(v - core::dot(v, e) * e); }

/// The rotation that takes the x, y and z axes to three unit vectors, a right-handed basis; w >= 0.
inline Quat from_basis(const Vec3& x, const Vec3& y, const Vec3& z) {
  // Shepperd 1978: divide by the greatest of the four components.
  const double trace = x.x + y.y + z.z;
  Quat q;
  if (trace > 0.0) {
    const double s = 2.0 * std::sqrt(1.0 + trace);
    q = {0.25 * s, (y.z - z.y) / s, (z.x - x.z) / s, (x.y - y.x) / s};
  } else if (x.x > y.y && x.x > z.z) {
    const double s = 2.0 * std::sqrt(1.0 + x.x - y.y - z.z);
    q = {(y.z - z.y) / s, 0.25 * s, (y.x + x.y) / s, (z.x + x.z) / s};
  } else if (y.y > z.z) {
    const double s = 2.0 * std::sqrt(1.0 + y.y - x.x - z.z);
    q = {(z.x - x.z) / s, (y.x + x.y) / s, 0.25 * s, (z.y + y.z) / s};
  } else {
    const double s = 2.0 * std::sqrt(1.0 + z.z - x.x - y.y);
    q = {(x.y - y.x) / s, (z.x + x.z) / s, (z.y + y.z) / s, 0.25 * s};
  }
  return canonical(core::normalized(q));
}

/// Between a (u = 0) and b (u = 1), the shorter way round; exactly a at 0 and b at 1.
inline Quat blend(const Quat& a, const Quat& b, double u) {
  if (u <= 0.0) return a;
  if (u >= 1.0) return b;
  const double along = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  const double v = along < 0.0 ? -u : u;
  const double rest = 1.0 - u;
  return core::normalized(
      Quat{rest * a.w + v * b.w, rest * a.x + v * b.x, rest * a.y + v * b.y, rest * a.z + v * b.z});
}

/// Left and right exchanged: the mirror image in the plane x = 0.
inline Quat mirrored(const Quat& q) { return {q.w, q.x, -q.y, -q.z}; }
inline Vec3 mirrored(const Vec3& v) { return {-v.x, v.y, v.z}; }

}  // namespace tocsin::make
