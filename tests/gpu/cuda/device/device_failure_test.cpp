// Devices that are not there, run out of memory, or fail.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"
#include "gpu/cuda/device/device_test_bodies.h"
#include "gpu/cuda/device/event.h"
#include "support/cuda_devices.h"
#include "support/environment_variable.h"

namespace tocsin::cuda::device_failure_test {
namespace {

using test::open_cuda;

/// Every kind of call once or more; the sum that it comes to.
std::uint64_t small_program(const std::shared_ptr<Device>& device) {
  constexpr std::size_t kSize = 100;
  (void)device->free_memory();
  Array<std::uint32_t> v(device);
  v.upload(std::vector<std::uint32_t>(kSize, 1));
  device->launch(kSize, test::TripleAndOne{v.data()});
  Array<std::uint32_t> copied(device);
  copied.resize(kSize);
  copied.fill(0);
  device->copy(copied.data(), v.data(), kSize * sizeof(std::uint32_t));
  Array<std::uint64_t> sums(device);
  sums.resize(kSize + 1);
  (void)device->exclusive_sum(copied.data(), sums.data(), kSize);
  device->sort(sums.data(), kSize + 1);
  device->sort_pairs(sums.data(), copied.data(), kSize);
  Array<std::uint8_t> flags(device);
  flags.resize(kSize);
  flags.fill(1);
  (void)device->select(flags.data(), copied.data(), kSize);
  Array<std::uint64_t> there_sums(device);
  there_sums.resize(kSize + 1);
  device->select_there(flags.data(), copied.data(), kSize, there_sums.data());
  device->sum_there(copied.data(), there_sums.data(), kSize);
  struct Pinned {  // gives back also where something fails
    explicit Pinned(std::shared_ptr<Device> on)
        : device(std::move(on)), memory(device->allocate_pinned(8)) {}
    ~Pinned() { device->release_pinned(memory, 8); }
    std::shared_ptr<Device> device;
    void* memory;
  };
  const Pinned pinned(device);
  Event summed(device);
  summed.record(Stream::kWork);
  summed.wait_in(Stream::kDown);
  device->download(Stream::kDown, pinned.memory, sums.data() + kSize, 8);
  Event there(device);
  there.record(Stream::kDown);
  there.wait();
  device->download(pinned.memory, sums.data() + kSize, 8);
  device->synchronize();
  return *static_cast<const std::uint64_t*>(pinned.memory);
}

class CudaFailure : public test::OnCudaDevice {};

TEST_P(CudaFailure, EveryCallMayFail) {
  ASSERT_EQ(small_program(device()), 400U);
  std::uint64_t failed = 0;
  for (std::uint64_t at = 1;; ++at) {
    SCOPED_TRACE(at);
    auto options = GetParam().options;
    options.fail_at = at;
    const auto device = open_cuda(options);
    std::string said;
    std::string where;
    try {
      EXPECT_EQ(small_program(device), 400U);
      break;  // the program is shorter
    } catch (const Failure& failure) {
      ++failed;
      said = failure.what();
      where = failure.where();
      EXPECT_EQ(failure.kind(), FailureKind::kDevice);
      EXPECT_EQ(failure.error().code, ErrorCode::kResource);
    }
    EXPECT_NE(said.find("fails on demand"), std::string::npos) << said;
    EXPECT_EQ(said.find(".cpp"), std::string::npos) << said;
    EXPECT_EQ(where.rfind("device_failure_test.cpp:", 0), 0U) << where;
    try {
      small_program(device);
      ADD_FAILURE() << "a device that has failed works again";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.what(), said);
      EXPECT_EQ(failure.where(), where);
    }
  }
  EXPECT_GE(failed, 25U);
}

TEST_P(CudaFailure, AFailureNamesCallAndSizeAndKnowsFileAndLine) {
  auto options = GetParam().options;
  options.fail_at = 2;
  const auto device = open_cuda(options);
  (void)device->free_memory();
  const int line = __LINE__ + 2;
  try {
    (void)device->allocate(1234);
    ADD_FAILURE() << "it should fail";
  } catch (const Failure& failure) {
    EXPECT_EQ(std::string(failure.what()),
              "the CUDA device failed: allocate (1234 bytes): call 2 fails on demand");
    EXPECT_EQ(failure.where(), "device_failure_test.cpp:" + std::to_string(line));
  }
}

TEST_P(CudaFailure, MemoryThatDoesNotSufficeIsNoFailedDevice) {
  auto options = GetParam().options;
  options.memory = 100'000;
  const auto device = open_cuda(options);
  EXPECT_EQ(device->free_memory(), 100'000U);
  Array<std::uint8_t> a(device);
  a.resize(60'000);
  EXPECT_EQ(device->free_memory(), 40'000U);
  Array<std::uint8_t> b(device);
  try {
    b.resize(40'001);
    ADD_FAILURE() << "it should fail";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), FailureKind::kMemory);
    EXPECT_NE(std::string(failure.what()).find("60000 of 100000 bytes are in use"),
              std::string::npos)
        << failure.what();
  }
  EXPECT_TRUE(b.empty());
  b.resize(40'000);
  EXPECT_EQ(device->free_memory(), 0U);
  a.clear();
  b.clear();
  EXPECT_EQ(device->free_memory(), 100'000U);
}

TEST_P(CudaFailure, WhatASortNeedsCountsToo) {
  auto options = GetParam().options;
  options.memory = 100'000;
  const auto device = open_cuda(options);
  Array<std::uint64_t> keys(device);
  keys.resize(10'000);
  keys.fill(0);
  EXPECT_THROW(device->sort(keys.data(), keys.size()), Failure);
  keys.resize(100);
  device->sort(keys.data(), keys.size());
}

TEST_P(CudaFailure, MoreMemoryThanThereCanBe) {
  const std::size_t too_much = std::size_t{1} << 60;
  try {
    (void)device()->allocate(too_much);
    ADD_FAILURE() << "it should fail";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.kind(), FailureKind::kMemory);
  }
  EXPECT_EQ(small_program(device()), 400U);
}

TOCSIN_ON_CUDA_DEVICES(CudaFailure);

TEST(CudaOpen, WithoutADeviceTheErrorNamesEmulation) {
  const auto device = Device::open({.index = 4711});
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(device.error().message.find("--emulate"), std::string::npos) << device.error().message;
}

TEST(CudaOpen, SaysOnHowManyThreadsItEmulates) {
  EXPECT_EQ(open_cuda({.emulate = true, .threads = 1})->name(), "emulated on 1 thread");
  EXPECT_EQ(open_cuda({.emulate = true, .threads = 3})->name(), "emulated on 3 threads");
  EXPECT_TRUE(open_cuda({.emulate = true})->emulated());
}

TEST(CudaOpen, VariablesAreReadWithCare) {
  const std::string number =
      "TOCSIN_CUDA_FAIL_AT: expected the number of a call, from 1 on, or DEVICE:CALL, found ";
  const std::string index =
      "TOCSIN_CUDA_DEVICE: expected indices of devices, such as 0 or 0,1 (tocsin devices lists "
      "them), found ";
  struct Case {
    const char* name;
    const char* value;
    bool emulate;
    std::string message;
  };
  for (const Case& c : {Case{"TOCSIN_CUDA_FAIL_AT", "0", true, number + "\"0\""},
                        Case{"TOCSIN_CUDA_FAIL_AT", "-1", true, number + "\"-1\""},
                        Case{"TOCSIN_CUDA_FAIL_AT", "3x", true, number + "\"3x\""},
                        Case{"TOCSIN_CUDA_FAIL_AT", "99999999999999999999", false,
                             number + "\"99999999999999999999\""},
                        Case{"TOCSIN_CUDA_DEVICE", "-1", false, index + "\"-1\""},
                        Case{"TOCSIN_CUDA_DEVICE", "one\n", false, index + "\"one\\n\""}}) {
    const test::EnvironmentVariable set(c.name, c.value);
    const auto device = Device::open({.emulate = c.emulate});
    EXPECT_EQ(device.error().code, ErrorCode::kUsage) << c.value;
    EXPECT_EQ(device.error().message, c.message);
  }
  for (const char* name : {"TOCSIN_CUDA_FAIL_AT", "TOCSIN_CUDA_DEVICE"}) {
    const test::EnvironmentVariable empty(name, "");
    EXPECT_TRUE(Device::open({.emulate = true}).ok());
  }
}

TEST(CudaOpen, AVariableMakesACallFail) {
  const test::EnvironmentVariable set("TOCSIN_CUDA_FAIL_AT", "2");
  const auto device = open_cuda({.emulate = true});
  (void)device->free_memory();
  EXPECT_THROW((void)device->free_memory(), Failure);
}

TEST(CudaOpen, AVariableNamesTheDevice) {
  const test::EnvironmentVariable set("TOCSIN_CUDA_DEVICE", "4711");
  const auto device = Device::open({});
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().message.rfind("TOCSIN_CUDA_DEVICE: ", 0), 0U) << device.error().message;
}

}  // namespace
}  // namespace tocsin::cuda::device_failure_test
