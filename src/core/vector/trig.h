// Our own sine, cosine and arc tangent, so that every compiler, C library and device computes the
// same bits. Only + - * / and comparisons, each rounded once; u = 2^-53 below.
//
// The series are Taylor's: on these short ranges the next term is below u/500, and their
// coefficients are simply 1/n! and 1/n, which a reader can check.
#pragma once

#include <cmath>

#include "core/vector/hd.h"

namespace tocsin::core {

struct SinCos {
  double sin = 0.0;
  double cos = 1.0;
};

inline constexpr double kPi = 0x1.921fb54442d18p+1;          ///< pi rounded to double (below pi)
inline constexpr double kHalfPi = 0x1.921fb54442d18p+0;      ///< pi/2 rounded to double
inline constexpr double kHalfPiLow = 0x1.1a62633145c07p-54;  ///< pi/2 - kHalfPi, rounded

/// Sine and cosine of x radians, |x| <= pi/4 (1 + 2^-20). Relative error of each below 2u.
TOCSIN_HD constexpr SinCos sincos_octant(double x) {
  const double z = x * x;
  // (sin x / x - 1) / z and (cos x - 1 + z/2) / z^2
  const double s =
      -1.0 / 6 +
      z * (1.0 / 120 + z * (-1.0 / 5040 +
                            z * (1.0 / 362880 + z * (-1.0 / 39916800 +
                                                     z * (1.0 / 6227020800.0 +
                                                          z * (-1.0 / 1307674368000.0 +
                                                               z * (1.0 / 355687428096000.0)))))));
  const double c =
      1.0 / 24 +
      z * (-1.0 / 720 +
           z * (1.0 / 40320 + z * (-1.0 / 3628800 +
                                   z * (1.0 / 479001600.0 + z * (-1.0 / 87178291200.0 +
                                                                 z * (1.0 / 20922789888000.0))))));
  return {x + x * (z * s), 1.0 - (0.5 * z - z * z * c)};
}

/// Sine and cosine of x radians, 0 <= x <= pi/2 rounded to double. Relative error of each below 2u.
TOCSIN_HD constexpr SinCos sincos_quadrant(double x) {
  if (x <= 0.5 * kHalfPi) return sincos_octant(x);
  // The difference is exact (Sterbenz), so the complement loses nothing.
  const SinCos c = sincos_octant((kHalfPi - x) + kHalfPiLow);
  return {c.cos, c.sin};
}

/// Sine and cosine of an angle in degrees, any finite value. Absolute error below 2u of the angle
/// as given; exact at multiples of 90.
inline SinCos sincos_degrees(double degrees) {
  constexpr double kRadiansPerDegree = 0x1.1df46a2529d39p-6;
  constexpr double kRadiansPerDegreeLow = 0x1.5c1d8becdd291p-62;
  const double turn = std::fmod(degrees, 360.0);  // exact
  const double quarters = std::floor(turn / 90.0 + 0.5);
  const double rest = turn - 90.0 * quarters;  // exact: a multiple of turn's last bit, and shorter
  const SinCos o = sincos_octant(rest * kRadiansPerDegree + rest * kRadiansPerDegreeLow);
  switch ((static_cast<int>(quarters) + 4) % 4) {
    case 0:
      return o;
    case 1:
      return {o.cos, -o.sin};
    case 2:
      return {-o.sin, -o.cos};
    default:
      return {-o.cos, o.sin};
  }
}

/// atan2(y, x) for y >= 0, x >= 0, not both 0 and both well above underflow: an angle in [0, pi/2].
/// Absolute error below 6u, and relative error below 6u for y <= x/16.
TOCSIN_HD constexpr double atan2_quadrant(double y, double x) {
  // atan(i/8), rounded.
  constexpr double kAtan[9] = {0.0,
                               0x1.fd5ba9aac2f6ep-4,
                               0x1.f5b75f92c80ddp-3,
                               0x1.6f61941e4def1p-2,
                               0x1.dac670561bb4fp-2,
                               0x1.1e00babdefeb4p-1,
                               0x1.4978fa3269ee1p-1,
                               0x1.700a7c5784634p-1,
                               0x1.921fb54442d18p-1};
  const bool steep = y > x;
  const double low = steep ? x : y;
  const double high = steep ? y : x;
  const int i = static_cast<int>(8.0 * (low / high) + 0.5);
  const double tangent = 0.125 * i;
  // atan(low/high) = atan(i/8) + atan(r), |r| <= 1/16.
  const double r = (low - tangent * high) / (high + tangent * low);
  const double z = r * r;
  const double series =
      z * (-1.0 / 3 +
           z * (1.0 / 5 + z * (-1.0 / 7 + z * (1.0 / 9 + z * (-1.0 / 11 + z * (1.0 / 13))))));
  const double angle = kAtan[i] + (r + r * series);
  return steep ? (kHalfPi - angle) + kHalfPiLow : angle;
}

}  // namespace tocsin::core
