// The oracle's numbers: x87 long double, and small vectors and matrices over any number type.
//
// Nothing here is shared with core: the oracle's arithmetic is a second implementation.
#pragma once

#include <cmath>
#include <limits>

#include "tocsin/types.h"

namespace tocsin::oracle {

/// The number type of every verdict. The slack of bounds.h is a multiple of its unit roundoff.
using Real = long double;
static_assert(std::numeric_limits<Real>::digits == 64,
              "the oracle needs the 64-bit mantissa of x87 long double");

/// Unit roundoff of Real.
inline constexpr Real kUnit = 0x1p-64L;

/// A vector over a number type: long double, double (for drafts), or an interval (in the tests).
template <class T>
struct Vec {
  T x{};
  T y{};
  T z{};
};

template <class T>
Vec<T> operator+(const Vec<T>& a, const Vec<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Vec<T> operator-(const Vec<T>& a, const Vec<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Vec<T> operator*(const T& s, const Vec<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
T inner(const Vec<T>& a, const Vec<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Vec<T> outer(const Vec<T>& a, const Vec<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T length(const Vec<T>& a) {
  using std::sqrt;
  return sqrt(inner(a, a));
}

using RealVec = Vec<Real>;

/// A stored vector in another number type, exactly.
template <class T>
Vec<T> widen(const Vec3& a) {
  return {T(a.x), T(a.y), T(a.z)};
}

/// A 3x3 matrix, row by column.
template <class T>
struct Matrix {
  T at[3][3] = {};
};

template <class T>
Vec<T> operator*(const Matrix<T>& m, const Vec<T>& a) {
  return {m.at[0][0] * a.x + m.at[0][1] * a.y + m.at[0][2] * a.z,
          m.at[1][0] * a.x + m.at[1][1] * a.y + m.at[1][2] * a.z,
          m.at[2][0] * a.x + m.at[2][1] * a.y + m.at[2][2] * a.z};
}

template <class T>
Matrix<T> operator*(const Matrix<T>& a, const Matrix<T>& b) {
  Matrix<T> out;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      out.at[i][j] = a.at[i][0] * b.at[0][j] + a.at[i][1] * b.at[1][j] + a.at[i][2] * b.at[2][j];
    }
  }
  return out;
}

/// The matrix of x -> u x x.
template <class T>
Matrix<T> cross_matrix(const Vec<T>& u) {
  const T zero(0.0);
  return {{{zero, zero - u.z, u.y}, {u.z, zero, zero - u.x}, {zero - u.y, u.x, zero}}};
}

}  // namespace tocsin::oracle
