// Sort, sum and select of a device, against plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"
#include "gpu/cuda/device/device_test_bodies.h"
#include "support/cuda_devices.h"

namespace tocsin::cuda::primitives_test {
namespace {

constexpr std::size_t kSizes[] = {0, 1, 2, 31, 32, 33, 1000, 100'001};

using Keys = std::vector<std::uint64_t>;
using Key = std::function<std::uint64_t(std::size_t i)>;

/// Keys of every kind that a sort may stumble over.
std::vector<std::pair<std::string, Key>> key_kinds(std::mt19937_64& random) {
  return {{"random", [&](std::size_t) { return random(); }},
          {"few", [&](std::size_t) { return random() % 5; }},
          {"equal", [](std::size_t) { return 7U; }},
          {"ascending", [](std::size_t i) { return 3 * i; }},
          {"descending", [](std::size_t i) { return ~std::uint64_t{i}; }},
          {"top byte", [&](std::size_t) { return random() % 256 << 56; }},
          {"one bit", [&](std::size_t) { return random() % 2 << 31; }}};
}

class CudaPrimitives : public test::OnCudaDevice {
 protected:
  std::mt19937_64 random_{11};
};

TEST_P(CudaPrimitives, Sorts) {
  for (const auto& [name, key] : key_kinds(random_)) {
    for (const std::size_t n : kSizes) {
      SCOPED_TRACE(name + " " + std::to_string(n));
      Keys keys(n);
      for (std::size_t i = 0; i < n; ++i) keys[i] = key(i);
      Array<std::uint64_t> on_device(device());
      on_device.upload(keys);
      device()->sort(on_device.data(), n);
      std::sort(keys.begin(), keys.end());
      EXPECT_EQ(on_device.download(), keys);
    }
  }
}

TEST_P(CudaPrimitives, SortsByTheBitsThatMatter) {
  for (const auto& [high, low] : {std::pair<std::uint64_t, std::uint64_t>(1, 1),
                                  {1, 1000},
                                  {1000, 1},
                                  {3, 156'080},
                                  {50'000, 156'080},
                                  {1ULL << 32U, 7},
                                  {7, 1ULL << 32U},
                                  {1ULL << 32U, 1ULL << 32U}}) {
    for (const std::size_t n : kSizes) {
      SCOPED_TRACE(std::to_string(high) + " " + std::to_string(low) + " " + std::to_string(n));
      Keys keys(n);
      for (std::uint64_t& key : keys) key = random_() % high << 32U | random_() % low;
      std::vector<std::uint32_t> values(n);
      std::iota(values.begin(), values.end(), 0U);
      Array<std::uint64_t> device_keys(device());
      device_keys.upload(keys);
      Array<std::uint32_t> device_values(device());
      device_values.upload(values);
      device()->sort_pairs(device_keys.data(), device_values.data(), n, KeyBits::below(high, low));
      std::stable_sort(values.begin(), values.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
      std::sort(keys.begin(), keys.end());
      EXPECT_EQ(device_keys.download(), keys);
      EXPECT_EQ(device_values.download(), values);
    }
  }
}

TEST(CudaKeyBits, AreThoseOfTheCounts) {
  EXPECT_EQ(KeyBits::below(1, 1).low, 0);
  EXPECT_EQ(KeyBits::below(1, 2).low, 1);
  EXPECT_EQ(KeyBits::below(1, 256).low, 8);
  EXPECT_EQ(KeyBits::below(257, 1).high, 9);
  EXPECT_EQ(KeyBits::below(1ULL << 32U, 1).high, 32);
  EXPECT_TRUE(KeyBits::below(3, 5).holds(2ULL << 32U | 4U));
  EXPECT_FALSE(KeyBits::below(3, 5).holds(4ULL << 32U));
  EXPECT_FALSE(KeyBits::below(3, 5).holds(8));
  EXPECT_TRUE(KeyBits().holds(~std::uint64_t{0}));
}

// Emulated, so that tests see what a device would silently leave in disorder.
TEST(CudaKeyBits, AKeyWithOtherBitsIsAFailureWhereItCanBeSeen) {
  const auto device = test::open_cuda({.emulate = true, .threads = 1});
  Array<std::uint64_t> keys(device);
  keys.upload(Keys{1, 2, 8});
  EXPECT_THROW(device->sort(keys.data(), 3, KeyBits::below(1, 8)), Failure);
}

TEST_P(CudaPrimitives, SortsPairsAndKeepsTheOrderOfEqualKeys) {
  for (const auto& [name, key] : key_kinds(random_)) {
    for (const std::size_t n : kSizes) {
      SCOPED_TRACE(name + " " + std::to_string(n));
      Keys keys(n);
      for (std::size_t i = 0; i < n; ++i) keys[i] = key(i);
      std::vector<std::uint32_t> values(n);
      std::iota(values.begin(), values.end(), 0U);
      Array<std::uint64_t> device_keys(device());
      device_keys.upload(keys);
      Array<std::uint32_t> device_values(device());
      device_values.upload(values);
      device()->sort_pairs(device_keys.data(), device_values.data(), n);
      std::stable_sort(values.begin(), values.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
      std::sort(keys.begin(), keys.end());
      EXPECT_EQ(device_keys.download(), keys);
      EXPECT_EQ(device_values.download(), values);
    }
  }
}

TEST_P(CudaPrimitives, Sums) {
  for (const std::size_t n : kSizes) {
    SCOPED_TRACE(n);
    std::vector<std::uint32_t> from(n);
    for (auto& f : from) f = static_cast<std::uint32_t>(random_());  // the sum exceeds 32 bits
    Array<std::uint32_t> on_device(device());
    on_device.upload(from);
    Array<std::uint64_t> to(device());
    to.resize(n + 1);
    std::vector<std::uint64_t> expected(n + 1);
    for (std::size_t i = 0; i < n; ++i) expected[i + 1] = expected[i] + from[i];
    EXPECT_EQ(device()->exclusive_sum(on_device.data(), to.data(), n), expected[n]);
    EXPECT_EQ(to.download(), expected);
    to.fill(0xFF);
    device()->sum_there(on_device.data(), to.data(), n);
    EXPECT_EQ(to.download(), expected);
  }
}

TEST_P(CudaPrimitives, Selects) {
  for (const int of_sixteen : {0, 1, 8, 16}) {
    for (const std::size_t n : kSizes) {
      SCOPED_TRACE(std::to_string(of_sixteen) + " of 16 of " + std::to_string(n));
      std::vector<std::uint8_t> flags(n);
      std::vector<std::uint32_t> expected;
      for (std::size_t i = 0; i < n; ++i) {
        if (static_cast<int>(random_() % 16) >= of_sixteen) continue;
        flags[i] = static_cast<std::uint8_t>(1 + random_() % 255);  // any bit says yes
        expected.push_back(static_cast<std::uint32_t>(i));
      }
      Array<std::uint8_t> on_device(device());
      on_device.upload(flags);
      Array<std::uint32_t> to(device());
      to.resize(n);
      const std::size_t count = device()->select(on_device.data(), to.data(), n);
      ASSERT_EQ(count, expected.size());
      auto found = to.download();
      found.resize(count);
      EXPECT_EQ(found, expected);

      // Nobody waits: what follows takes as many as the device has counted.
      Array<std::uint64_t> counted(device());
      counted.resize(1);
      counted.fill(0xFF);
      to.fill(0xFF);
      Array<std::uint32_t> tripled(device());
      tripled.resize(n);
      tripled.fill(0);
      const std::uint64_t waits = device()->waits_for_work();
      device()->select_there(on_device.data(), to.data(), n, counted.data());
      device()->launch_up_to(counted.data(), n, test::TripleAndOne{tripled.data()});
      EXPECT_EQ(device()->waits_for_work(), waits);
      EXPECT_EQ(counted.download(), std::vector<std::uint64_t>{count});
      EXPECT_GT(device()->waits_for_work(), waits);
      found = to.download();
      found.resize(count);
      EXPECT_EQ(found, expected);
      std::vector<std::uint32_t> ones(n, 0);
      std::fill_n(ones.begin(), count, 1U);
      EXPECT_EQ(tripled.download(), ones);
    }
  }
}

TOCSIN_ON_CUDA_DEVICES(CudaPrimitives);

}  // namespace
}  // namespace tocsin::cuda::primitives_test
