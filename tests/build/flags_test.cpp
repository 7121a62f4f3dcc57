// What the compiler flags promise (cmake/TocsinFlags.cmake): one rounding per operation, as
// written.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

#include "tocsin/types.h"

namespace tocsin::flags_test {
namespace {

[[gnu::noinline]] Vec3 through_float(const Vec3& p) {
  return {static_cast<double>(static_cast<float>(p.x)),
          static_cast<double>(static_cast<float>(p.y)),
          static_cast<double>(static_cast<float>(p.z))};
}

[[gnu::noinline]] double product_sum(double a, double b, double c) { return a * b + c; }

// g++ 12 leaves x and y unrounded where it vectorises this.
TEST(Flags, EveryCoordinateIsRoundedToFloat) {
  // 1 + 2^-30 lies between the floats 1 and 1 + 2^-23.
  volatile double between = 1.0 + 0x1p-30;
  const Vec3 p{between, -between, between};
  EXPECT_EQ(through_float(p), (Vec3{1.0, -1.0, 1.0}));
}

TEST(Flags, AProductIsRoundedBeforeItIsAdded) {
  // (1 + 2^-30)^2 = 1 + 2^-29 + 2^-60, whose last term a fused multiply-add would keep.
  volatile double factor = 1.0 + 0x1p-30;
  EXPECT_EQ(product_sum(factor, factor, -1.0 - 0x1p-29), 0.0);
}

// Flush-to-zero or -ffast-math's start-up code would make the difference 0.
TEST(Flags, SubnormalNumbersAreKept) {
  volatile double least = 0x1p-1022;
  const double half = least / 2.0;
  EXPECT_EQ(std::bit_cast<std::uint64_t>(half), std::uint64_t{1} << 51);
}

}  // namespace
}  // namespace tocsin::flags_test
