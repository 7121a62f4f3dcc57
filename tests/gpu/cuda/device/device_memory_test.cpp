// Devices of one index share their memory, and keepers give theirs back.
#include "gpu/cuda/device/device_memory.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"
#include "support/cuda_devices.h"

namespace tocsin::cuda::device_memory_test {
namespace {

using test::open_cuda;

constexpr std::size_t kMemory = 100'000;  // bytes

DeviceOptions small(int index) {
  return {.index = index, .emulate = true, .threads = 1, .memory = kMemory};
}

/// Keeps an array for later.
class Keeper final : public MemoryKeeper {
 public:
  explicit Keeper(const std::shared_ptr<Device>& device) : device_(device), array_(device) {
    device_->memory().enter(*this);
  }
  ~Keeper() override { device_->memory().leave(*this); }
  void keep(std::size_t bytes) {
    const auto charge = device_->charge(bytes_);
    array_.resize(bytes);
  }
  void need(bool now) { needed_ = now; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

  [[nodiscard]] std::size_t kept() const override { return needed_ ? 0 : bytes_; }
  void give_back() noexcept override {
    if (needed_) return;
    const auto charge = device_->charge(bytes_);
    array_.clear();
  }

 private:
  std::shared_ptr<Device> device_;
  Array<std::uint8_t> array_;
  std::size_t bytes_ = 0;
  bool needed_ = false;
};

TEST(DeviceMemory, IsOnePerIndexAndSize) {
  const auto a = open_cuda(small(0));
  const auto same = open_cuda(small(0));
  const auto other = open_cuda(small(1));
  DeviceOptions larger = small(0);
  larger.memory = 2 * kMemory;
  const auto with_more = open_cuda(larger);
  Array<std::uint8_t> array(a);
  array.resize(60'000);
  EXPECT_EQ(same->free_memory(), 40'000U);
  EXPECT_EQ(other->free_memory(), kMemory);
  EXPECT_EQ(with_more->free_memory(), 2 * kMemory);
  EXPECT_EQ(&a->in_use(), &same->in_use());
  EXPECT_NE(&a->in_use(), &other->in_use());
  Array<std::uint8_t> second(same);
  EXPECT_THROW(second.resize(40'001), Failure);
  second.resize(40'000);
  EXPECT_EQ(a->free_memory(), 0U);
}

TEST(DeviceMemory, WhatIsKeptCountsAsFreeAndIsGivenBack) {
  const auto device = open_cuda(small(0));
  const auto same = open_cuda(small(0));
  Keeper first(device);
  Keeper second(same);
  first.keep(30'000);
  second.keep(50'000);
  EXPECT_EQ(first.bytes(), 30'000U);
  EXPECT_EQ(device->free_memory(), kMemory);
  Array<std::uint8_t> array(device);
  array.resize(20'000);  // fits beside both
  EXPECT_EQ(first.bytes() + second.bytes(), 80'000U);
  array.resize(45'000);  // the first must go
  EXPECT_EQ(first.bytes(), 0U);
  EXPECT_EQ(second.bytes(), 50'000U);
  second.need(true);
  EXPECT_EQ(same->free_memory(), 5'000U);
  EXPECT_THROW(array.resize(60'000), Failure);
  EXPECT_EQ(second.bytes(), 50'000U);
  second.need(false);
  array.resize(kMemory);
  EXPECT_EQ(second.bytes(), 0U);
  EXPECT_EQ(same->free_memory(), 0U);
}

TEST(DeviceMemory, ASortsMemoryIsGivenBack) {
  const auto device = open_cuda(small(0));
  const auto same = open_cuda(small(0));
  Array<std::uint64_t> keys(device);
  keys.upload(std::vector<std::uint64_t>(2'000, 7));
  device->sort(keys.data(), keys.size());
  EXPECT_LT(device->memory().allocated(), kMemory);
  EXPECT_GT(device->memory().allocated(), 16'000U);
  Array<std::uint8_t> rest(same);
  rest.resize(kMemory - 16'000);
  EXPECT_EQ(device->memory().allocated(), kMemory);
}

}  // namespace
}  // namespace tocsin::cuda::device_memory_test
