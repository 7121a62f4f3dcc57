// Devices: launches, memory, copies, shared numbers.
#include "gpu/cuda/device/device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device_test_bodies.h"
#include "support/cuda_devices.h"

namespace tocsin::cuda::device_test {
namespace {

using test::open_cuda;

class CudaDevice : public test::OnCudaDevice {
 protected:
  template <class T>
  Array<T> array(const std::vector<T>& values) {
    Array<T> out(device());
    out.upload(values);
    return out;
  }
  template <class T>
  Array<T> zeros(std::size_t size) {
    return array(std::vector<T>(size));
  }
  /// The order in which a launch of n elements took them; checks that each came once.
  std::vector<std::uint32_t> order_of(std::size_t n) {
    auto counts = zeros<std::uint32_t>(n);
    auto next = zeros<std::uint32_t>(1);
    auto order = zeros<std::uint32_t>(n);
    device()->launch(n, test::CountEach{counts.data(), next.data(), order.data()});
    EXPECT_EQ(counts.download(), std::vector<std::uint32_t>(n, 1));
    auto out = order.download();
    auto sorted = out;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(sorted, all);
    return out;
  }
};

TEST_P(CudaDevice, TakesEveryElementOnce) {
  for (const std::size_t n : {0U, 1U, 2U, 31U, 32U, 33U, 127U, 128U, 129U, 1000U, 100'001U}) {
    SCOPED_TRACE(n);
    order_of(n);
  }
}

TEST_P(CudaDevice, ShufflesEveryLaunchAnew) {
  const auto first = order_of(1000);
  const auto second = order_of(1000);
  if (GetParam().options.shuffle) {
    EXPECT_FALSE(std::is_sorted(first.begin(), first.end()));
    EXPECT_NE(first, second);
  } else if (device()->emulated()) {
    EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
  }
}

TEST_P(CudaDevice, ALaunchSeesWhatThoseBeforeItHaveWritten) {
  constexpr std::size_t kSize = 5000;
  auto v = zeros<std::uint32_t>(kSize);
  device()->fill(v.data(), 0x01, 2 * sizeof(std::uint32_t));
  for (int i = 0; i < 10; ++i) device()->launch(kSize, test::TripleAndOne{v.data()});
  std::vector<std::uint32_t> expected(kSize);
  expected[0] = expected[1] = 0x01010101;
  for (std::uint32_t& e : expected) {
    for (int i = 0; i < 10; ++i) e = 3 * e + 1;
  }
  EXPECT_EQ(v.download(), expected);
}

TEST_P(CudaDevice, ThreadsShareSumsAndLeastValues) {
  std::mt19937 random(5);
  std::vector<std::uint32_t> values(100'001);
  for (auto& value : values) value = static_cast<std::uint32_t>(random() | 0x80000000U);
  values[77'777] = 12;
  const auto from = array(values);
  auto least = array<std::uint32_t>({0xFFFFFFFFU});
  auto sum = zeros<std::uint64_t>(1);
  device()->launch(values.size(), test::ShareNumbers{from.data(), least.data(), sum.data()});
  EXPECT_EQ(least.download()[0], 12U);
  EXPECT_EQ(sum.download()[0], std::accumulate(values.begin(), values.end(), std::uint64_t{0}));
}

TEST_P(CudaDevice, WhatIsPublishedIsSeenByWhoComesSecond) {
  constexpr std::size_t kPairs = 20'000;
  for (int round = 0; round < 5; ++round) {
    auto parts = zeros<std::uint64_t>(2 * kPairs);
    auto arrived = zeros<std::uint32_t>(kPairs);
    auto sums = zeros<std::uint64_t>(kPairs);
    device()->launch(2 * kPairs, test::MeetInPairs{parts.data(), arrived.data(), sums.data()});
    const auto found = sums.download();
    for (std::size_t k = 0; k < kPairs; ++k) {
      ASSERT_EQ(found[k], 4 * k * k + 1 + (2 * k + 1) * (2 * k + 1) + 1) << k;
    }
  }
}

// A fused multiply-add, or a quick division or root, would show in the last bit.
TEST_P(CudaDevice, RoundsAsTheCpuDoes) {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> uniform(-10.0, 10.0);
  constexpr std::size_t kSize = 20'000;
  std::vector<double> a(kSize);
  std::vector<double> b(kSize);
  std::vector<double> c(kSize);
  for (std::size_t i = 0; i < kSize; ++i) {
    a[i] = uniform(random);
    b[i] = uniform(random);
    c[i] = i % 2 == 0 ? uniform(random) : -(a[i] * b[i]);  // all but cancels
  }
  const auto on_a = array(a);
  const auto on_b = array(b);
  const auto on_c = array(c);
  auto out = zeros<double>(4 * kSize);
  device()->launch(kSize, test::Arithmetic{on_a.data(), on_b.data(), on_c.data(), out.data()});
  const auto found = out.download();
  std::size_t fused_differs = 0;
  for (std::size_t i = 0; i < kSize; ++i) {
    const double ab = a[i] * b[i];
    const double ca = c[i] * a[i];
    const std::array<double, 4> expected{ab + c[i], ab - ca, a[i] / b[i],
                                         std::sqrt(std::fabs(a[i]))};
    for (std::size_t k = 0; k < expected.size(); ++k) {
      ASSERT_EQ(std::bit_cast<std::uint64_t>(found[4 * i + k]),
                std::bit_cast<std::uint64_t>(expected[k]))
          << i << " " << k;
    }
    if (std::fma(a[i], b[i], c[i]) != expected[0]) ++fused_differs;
  }
  EXPECT_GT(fused_differs, kSize / 4) << "the test would not notice";
}

TEST_P(CudaDevice, CopiesAndFills) {
  std::vector<std::uint8_t> bytes(100'003);
  std::mt19937 random(7);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  auto from = array(bytes);
  Array<std::uint8_t> to(device());
  to.resize(bytes.size());
  to.fill(0xAB);
  EXPECT_EQ(to.download(), std::vector<std::uint8_t>(bytes.size(), 0xAB));
  device()->copy(to.data() + 1, from.data(), bytes.size() - 1);
  bytes.insert(bytes.begin(), 0xAB);
  bytes.pop_back();
  EXPECT_EQ(to.download(), bytes);
}

TEST_P(CudaDevice, CopiesFromAndToPinnedMemory) {
  constexpr std::size_t kBytes = 4096;
  auto* const pinned = static_cast<unsigned char*>(device()->allocate_pinned(kBytes));
  ASSERT_NE(pinned, nullptr);
  std::memset(pinned, 0x5C, kBytes);
  auto array = zeros<std::uint8_t>(kBytes);
  device()->upload(array.data(), pinned, kBytes);
  device()->synchronize();
  std::memset(pinned, 0, kBytes);
  device()->download(pinned, array.data(), kBytes);
  EXPECT_EQ(std::count(pinned, pinned + kBytes, 0x5C), static_cast<std::ptrdiff_t>(kBytes));
  device()->release_pinned(pinned, kBytes);
  EXPECT_EQ(device()->allocate_pinned(0), nullptr);
}

/// An emulated device copies from pinned memory as late as a real one may, if it shall.
TEST(LateCudaDevice, CopiesFromPinnedMemoryLate) {
  const auto device = test::open_cuda({.emulate = true, .threads = 1, .pace = Pace::kLate});
  constexpr std::size_t kBytes = 512;
  auto* const pinned = static_cast<unsigned char*>(device->allocate_pinned(kBytes));
  cuda::Array<unsigned char> array(device);
  array.resize(kBytes);
  std::vector<unsigned char> pageable(kBytes, 7);
  const auto rewritten_after = [&](std::size_t first, auto&& call) {
    std::memset(pinned, 1, kBytes);
    device->upload(array.data() + first, pinned + first, kBytes - first);
    call();
    std::memset(pinned, 2, kBytes);
    return static_cast<int>(array.download().back());
  };
  cuda::Array<std::uint32_t> numbers(device);
  numbers.upload(std::vector<std::uint32_t>(1));
  for (const std::size_t first : {0U, 200U}) {  // also from its middle
    EXPECT_EQ(rewritten_after(first, [] {}), 2);
    EXPECT_EQ(rewritten_after(first, [&] { device->synchronize(); }), 1);
    EXPECT_EQ(rewritten_after(first, [&] { numbers.fill(0); }), 2);
    EXPECT_EQ(rewritten_after(first, [&] { (void)numbers.download(); }), 1);
    EXPECT_EQ(
        rewritten_after(first, [&] { device->launch(1, test::TripleAndOne{numbers.data()}); }), 2);
    // Pageable memory may be used again at once; uploads keep their order.
    EXPECT_EQ(rewritten_after(first,
                              [&] {
                                device->upload(array.data(), pageable.data(), kBytes);
                                pageable.assign(kBytes, 9);
                              }),
              7);
    pageable.assign(kBytes, 7);
  }
  device->release_pinned(pinned, kBytes);
}

TEST_P(CudaDevice, NothingIsNoWork) {
  EXPECT_EQ(device()->allocate(0), nullptr);
  device()->release(nullptr, 0);
  device()->upload(nullptr, nullptr, 0);
  device()->download(nullptr, nullptr, 0);
  device()->copy(nullptr, nullptr, 0);
  device()->fill(nullptr, 0, 0);
  device()->launch(0, test::TripleAndOne{nullptr});
}

TEST_P(CudaDevice, MeasuresWhatAStageCosts) {
  StageCost cost;
  device()->measure(&cost);
  auto v = zeros<std::uint32_t>(100);
  device()->launch(100, test::TripleAndOne{v.data()});
  device()->launch(0, test::TripleAndOne{v.data()});
  (void)v.download();
  device()->measure(nullptr);
  const double seconds = cost.seconds;
  (void)v.download();
  device()->launch(100, test::TripleAndOne{v.data()});
  EXPECT_EQ(cost.launches, 1U);
  EXPECT_EQ(cost.uploaded, 400U);
  EXPECT_EQ(cost.downloaded, 400U);
  EXPECT_GT(seconds, 0.0);
  EXPECT_EQ(cost.seconds, seconds);
}

TOCSIN_ON_CUDA_DEVICES(CudaDevice);

TEST(CudaEmulation, PoisonsWhatItAllocatesIfAsked) {
  const auto device = open_cuda({.emulate = true, .poison = true});
  Array<std::uint8_t> odd(device);
  odd.resize(1003);
  const auto bytes = odd.download();
  EXPECT_EQ(std::count(bytes.begin(), bytes.end(), 0), 0);
  Array<double> doubles(device);
  doubles.resize(10);
  for (const double d : doubles.download()) EXPECT_TRUE(std::isnan(d));
  Array<float> floats(device);
  floats.resize(10);
  for (const float f : floats.download()) EXPECT_TRUE(std::isnan(f));
}

}  // namespace
}  // namespace tocsin::cuda::device_test
