// The search for the deepest frame, without a room.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "app/check/distance/deepest.h"

namespace tocsin::app::greatest_test {
namespace {

TEST(Greatest, IsTheGreatestAndAsksForFew) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> part(0.0, 1.0);
  std::size_t asked = 0;
  std::size_t all = 0;
  for (int round = 0; round < 400; ++round) {
    const std::size_t count = 1 + random() % 300;
    const bool rough = round % 4 == 0;
    std::vector<double> at(count);
    double x = 0.0;
    double speed = 0.0;
    for (double& value : at) {
      speed = rough ? part(random) - 0.5 : 0.95 * speed + 0.02 * (part(random) - 0.5);
      value = x += speed;
    }
    std::vector<bool> seen(count, false);
    CostlyValues values;
    values.count = count;
    values.value = [&](std::size_t i) {
      EXPECT_FALSE(seen[i]) << "asked twice";
      seen[i] = true;
      return at[i];
    };
    // Bounds that are some way off, and caps at every third.
    values.most_change = [&](std::size_t i, std::size_t j) {
      return 1.2 * std::fabs(at[i] - at[j]) + 1e-4 * std::fabs(double(i) - double(j));
    };
    values.most = [&](std::size_t i) { return i % 3 == 0 ? at[i] + 0.01 : HUGE_VAL; };
    const double slack = round % 2 == 0 ? 0.0 : 0.003;
    const std::size_t found = greatest(values, slack);
    ASSERT_LT(found, count);
    EXPECT_TRUE(seen[found]);
    EXPECT_GE(at[found], *std::max_element(at.begin(), at.end()) - slack);
    if (rough) continue;
    asked += static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true));
    all += count;
  }
  EXPECT_LT(asked * 5, all) << asked << " of " << all;
}

TEST(Greatest, OfEqualsAFewAreLookedAt) {
  std::size_t asked = 0;
  CostlyValues values{10000, [&](std::size_t) { return static_cast<double>(0 * ++asked); },
                      [](std::size_t) { return HUGE_VAL; },
                      [](std::size_t, std::size_t) { return 0.0; }};
  EXPECT_EQ(greatest(values, 1e-4), 0U);
  EXPECT_EQ(asked, 2U);
}

}  // namespace
}  // namespace tocsin::app::greatest_test
