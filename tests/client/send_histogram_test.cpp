#include "app/send/send_histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <thread>
#include <vector>

#include "make/random.h"

namespace tocsin::app::send_histogram_test {
namespace {

constexpr double kShares[] = {0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1.0};

TEST(SendHistogram, EmptyIsZero) {
  const auto none = std::make_unique<SendHistogram>();
  EXPECT_EQ(none->count(), 0U);
  EXPECT_EQ(none->percentile(0.99), 0.0);
  EXPECT_EQ(none->most(), 0.0);
}

TEST(SendHistogram, OneTimeIsEveryPercentile) {
  for (const double time : {0.001, 0.063, 0.064, 0.065, 1.0, 127.0, 1e3, 12345.678, 1e9}) {
    const auto one = std::make_unique<SendHistogram>();
    one->add(time);
    for (const double share : kShares) {
      EXPECT_NEAR(one->percentile(share), time, 0.0011) << time;  // whole nanoseconds
    }
  }
}

TEST(SendHistogram, WithinTwoPercentOfTheSortedTimes) {
  // Times over nine decades, as a loop over sorted values would rank them.
  make::Random random(7);
  const auto histogram = std::make_unique<SendHistogram>();
  std::vector<double> times;
  for (int i = 0; i < 20'000; ++i) {
    const double time = std::pow(10.0, random.uniform(-1.0, 8.0));
    times.push_back(time);
    histogram->add(time);
  }
  std::sort(times.begin(), times.end());
  for (const double share : kShares) {
    const auto rank = static_cast<std::size_t>(std::ceil(share * 20'000.0));
    const double exact = times[rank - 1];
    const double shown = histogram->percentile(share);
    EXPECT_GE(shown, exact - 0.001) << share;
    EXPECT_LE(shown, exact * 1.016 + 0.001) << share;
  }
  EXPECT_NEAR(histogram->most(), times.back(), 0.001);
  EXPECT_EQ(histogram->count(), 20'000U);
}

TEST(SendHistogram, OddTimes) {
  const auto odd = std::make_unique<SendHistogram>();
  odd->add(-5.0);
  odd->add(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(odd->percentile(1.0), 0.0);
  odd->add(std::numeric_limits<double>::infinity());
  odd->add(1e300);
  EXPECT_EQ(odd->count(), 4U);
  EXPECT_NEAR(odd->most(), 4.398e9, 1e6);
}

TEST(SendHistogram, ManyThreads) {
  const auto shared = std::make_unique<SendHistogram>();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&shared, t] {
      for (int i = 1; i <= 5000; ++i) shared->add(i * 4 + t);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(shared->count(), 20'000U);
  EXPECT_EQ(shared->most(), 20'003.0);
}

}  // namespace
}  // namespace tocsin::app::send_histogram_test
