// Vectors, matrices and quaternions: the few operations that the core needs, each with a fixed
// order of roundings, so that every compiler and device computes the same bits.
#pragma once

#include <cmath>

#include "core/vector/hd.h"
#include "tocsin/types.h"

namespace tocsin {

TOCSIN_HD constexpr Vec3 operator+(const Vec3& a, const Vec3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
TOCSIN_HD constexpr Vec3 operator-(const Vec3& a, const Vec3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
TOCSIN_HD constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
TOCSIN_HD constexpr Vec3 operator*(double s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }

/// Hamilton product: apply b first, then a.
TOCSIN_HD constexpr Quat operator*(const Quat& a, const Quat& b) {
  return {((a.w * b.w - a.x * b.x) - a.y * b.y) - a.z * b.z,
          ((a.w * b.x + a.x * b.w) + a.y * b.z) - a.z * b.y,
          ((a.w * b.y - a.x * b.z) + a.y * b.w) + a.z * b.x,
          ((a.w * b.z + a.x * b.y) - a.y * b.x) + a.z * b.w};
}

namespace core {

TOCSIN_HD constexpr double dot(const Vec3& a, const Vec3& b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

TOCSIN_HD constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

TOCSIN_HD inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }

/// Below this length (its square nears underflow) norm() has lost its digits, and a vector divided
/// by it is no unit vector. Such a vector has no direction. Nothing in a room is 1e-144 m long.
inline constexpr double kLeastLength = 0x1p-480;

TOCSIN_HD constexpr Vec3 to_double(const Vec3f& a) {
  return {static_cast<double>(a.x), static_cast<double>(a.y), static_cast<double>(a.z)};
}

/// The greater of two numbers; b if a is NaN.
TOCSIN_HD constexpr double max_of(double a, double b) { return a > b ? a : b; }
/// The lesser of two numbers; b if a is NaN.
TOCSIN_HD constexpr double min_of(double a, double b) { return a < b ? a : b; }
TOCSIN_HD constexpr double clamp_to(double x, double low, double high) {
  return min_of(max_of(x, low), high);
}
TOCSIN_HD inline bool is_finite(const Vec3& a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// A 3x3 matrix, row-major.
struct Mat3 {
  Vec3 row[3];
};

TOCSIN_HD constexpr Vec3 operator*(const Mat3& m, const Vec3& a) {
  return {dot(m.row[0], a), dot(m.row[1], a), dot(m.row[2], a)};
}

TOCSIN_HD constexpr Vec3 column(const Mat3& m, int i) {
  return i == 0   ? Vec3{m.row[0].x, m.row[1].x, m.row[2].x}
         : i == 1 ? Vec3{m.row[0].y, m.row[1].y, m.row[2].y}
                  : Vec3{m.row[0].z, m.row[1].z, m.row[2].z};
}

TOCSIN_HD constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
  const Vec3 c0 = column(b, 0);
  const Vec3 c1 = column(b, 1);
  const Vec3 c2 = column(b, 2);
  Mat3 out{};
  for (int i = 0; i < 3; ++i) {
    out.row[i] = {dot(a.row[i], c0), dot(a.row[i], c1), dot(a.row[i], c2)};
  }
  return out;
}

TOCSIN_HD constexpr Quat conjugate(const Quat& q) { return {q.w, -q.x, -q.y, -q.z}; }

TOCSIN_HD inline double norm(const Quat& q) {
  return std::sqrt((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z));
}

/// q scaled to unit length. Precondition: q is finite and not near zero.
TOCSIN_HD inline Quat normalized(const Quat& q) {
  const double n = norm(q);
  return {q.w / n, q.x / n, q.y / n, q.z / n};
}

/// The rotation matrix of a unit quaternion.
TOCSIN_HD constexpr Mat3 to_matrix(const Quat& q) {
  const double xx = q.x * q.x;
  const double yy = q.y * q.y;
  const double zz = q.z * q.z;
  const double xy = q.x * q.y;
  const double xz = q.x * q.z;
  const double yz = q.y * q.z;
  const double wx = q.w * q.x;
  const double wy = q.w * q.y;
  const double wz = q.w * q.z;
  return {{{1.0 - 2.0 * (yy + zz), 2.0 * (xy - wz), 2.0 * (xz + wy)},
           {2.0 * (xy + wz), 1.0 - 2.0 * (xx + zz), 2.0 * (yz - wx)},
           {2.0 * (xz - wy), 2.0 * (yz + wx), 1.0 - 2.0 * (xx + yy)}}};
}

/// q applied to a vector.
TOCSIN_HD constexpr Vec3 rotate(const Quat& q, const Vec3& a) { return to_matrix(q) * a; }

}  // namespace core
}  // namespace tocsin
