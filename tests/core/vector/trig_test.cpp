// Our trigonometry against the C library's in 64-bit mantissa long double.
#include "core/vector/trig.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tocsin::core::trig_test {
namespace {

constexpr long double kU = 0x1p-53L;
constexpr long double kPiLong = 3.14159265358979323846264338327950288L;

TEST(Trig, SincosQuadrantIsWithinTwoRoundings) {
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  long double worst = 0;
  for (int i = 0; i < 400000; ++i) {
    // Half of them uniform, half spread over all scales.
    const double x =
        i % 2 == 0 ? kHalfPi * uniform(engine) : kHalfPi * std::exp2(-60.0 * uniform(engine));
    const SinCos sc = sincos_quadrant(x);
    const long double s = std::sin(static_cast<long double>(x));
    const long double c = std::cos(static_cast<long double>(x));
    worst = std::max(worst, std::fabs(sc.sin - s) / (s * kU));
    if (c > 0x1p-40L) worst = std::max(worst, std::fabs(sc.cos - c) / (c * kU));
  }
  EXPECT_LT(worst, 2.0L);
  RecordProperty("worst_error_in_u", std::to_string(static_cast<double>(worst)));
}

TEST(Trig, SincosQuadrantAtItsEnds) {
  EXPECT_EQ(sincos_quadrant(0.0).sin, 0.0);
  EXPECT_EQ(sincos_quadrant(0.0).cos, 1.0);
  EXPECT_EQ(sincos_quadrant(kHalfPi).sin, 1.0);
  EXPECT_NEAR(sincos_quadrant(kHalfPi).cos, static_cast<double>(kHalfPiLow), 1e-32);
}

TEST(Trig, DegreesAreExactAtRightAngles) {
  for (int k = -2000; k <= 2000; ++k) {
    const SinCos sc = sincos_degrees(90.0 * k);
    const int quadrant = ((k % 4) + 4) % 4;
    EXPECT_EQ(sc.sin, quadrant == 1 ? 1.0 : quadrant == 3 ? -1.0 : 0.0) << k;
    EXPECT_EQ(sc.cos, quadrant == 0 ? 1.0 : quadrant == 2 ? -1.0 : 0.0) << k;
  }
}

TEST(Trig, DegreesMatchTheLibraryWithinTwoRoundings) {
  std::mt19937_64 engine(2);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int i = 0; i < 200000; ++i) {
    const double degrees = uniform(engine) * (i % 3 == 0 ? 1e-3 : i % 3 == 1 ? 720.0 : 1e9);
    const SinCos sc = sincos_degrees(degrees);
    // Reduced exactly first: the library would lose digits of a large angle in radians.
    const long double x = std::fmod(static_cast<long double>(degrees), 360.0L) * kPiLong / 180.0L;
    EXPECT_LE(std::fabs(sc.sin - std::sin(x)), 2 * kU) << degrees;
    EXPECT_LE(std::fabs(sc.cos - std::cos(x)), 2 * kU) << degrees;
  }
}

TEST(Trig, Atan2QuadrantIsWithinSixRoundings) {
  std::mt19937_64 engine(3);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  long double worst = 0;
  for (int i = 0; i < 400000; ++i) {
    const double angle = i % 2 == 0 ? kHalfPi * uniform(engine) : std::exp2(-50 * uniform(engine));
    const double r = std::exp2(20 * uniform(engine) - 10);
    const double y = r * std::sin(angle);
    const double x = r * std::cos(angle);
    const double got = atan2_quadrant(y, x);
    const long double want = std::atan2(static_cast<long double>(y), static_cast<long double>(x));
    const long double scale = y <= x / 16 ? want : 1.0L;
    worst = std::max(worst, std::fabs(got - want) / (scale * kU));
  }
  EXPECT_LT(worst, 6.0L);
  EXPECT_EQ(atan2_quadrant(0.0, 1.0), 0.0);
  EXPECT_EQ(atan2_quadrant(1.0, 0.0), kHalfPi);
  EXPECT_EQ(atan2_quadrant(1.0, 1.0), 0.5 * kHalfPi);
}

TEST(Trig, IsUsableAtCompileTime) {
  static_assert(sincos_quadrant(0.5).sin > 0.479 && sincos_quadrant(0.5).sin < 0.480);
  static_assert(atan2_quadrant(1.0, 2.0) > 0.463 && atan2_quadrant(1.0, 2.0) < 0.464);
}

}  // namespace
}  // namespace tocsin::core::trig_test
