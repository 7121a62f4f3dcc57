// The CUDA devices that a test body runs on: emulated ones, and a real one where there is one.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "gpu/cuda/device/device.h"

namespace tocsin::test {

struct CudaDeviceUnderTest {
  std::string name;  ///< as tests are named
  cuda::DeviceOptions options;
  /// Or the names of tests would hold the bytes of this, addresses included.
  friend void PrintTo(const CudaDeviceUnderTest& device, std::ostream* out) { *out << device.name; }
};

/// Emulated in order on one thread; emulated on four threads, shuffled, in poisoned memory, each
/// stream at its own pace; and the real one, if this build and machine have one.
inline std::vector<CudaDeviceUnderTest> cuda_devices() {
  std::vector<CudaDeviceUnderTest> out{{"InOrder", {.emulate = true, .threads = 1}},
                                       {"Shuffled",
                                        {.emulate = true,
                                         .threads = 4,
                                         .shuffle = true,
                                         .seed = 4711,
                                         .poison = true,
                                         .pace = cuda::Pace::kAnyTime}}};
  if (cuda::Device::open({})) out.push_back({"Real", {}});
  return out;
}

/// Opens one; throws what prevents it, so that the test fails.
inline std::shared_ptr<cuda::Device> open_cuda(const cuda::DeviceOptions& options) {
  auto device = cuda::Device::open(options);
  if (!device) throw cuda::Failure(cuda::FailureKind::kDevice, device.error().message);
  return std::move(device).value();
}

/// A test that runs on each of them: TEST_P(MyTest, Name) with `class MyTest : public OnCudaDevice`
/// and TOCSIN_ON_CUDA_DEVICES(MyTest).
class OnCudaDevice : public testing::TestWithParam<CudaDeviceUnderTest> {
 protected:
  void SetUp() override { device_ = open_cuda(GetParam().options); }
  [[nodiscard]] const std::shared_ptr<cuda::Device>& device() const { return device_; }

 private:
  std::shared_ptr<cuda::Device> device_;
};

#define TOCSIN_ON_CUDA_DEVICES(Test)                                                    \
  INSTANTIATE_TEST_SUITE_P(On, Test, testing::ValuesIn(::tocsin::test::cuda_devices()), \
                           [](const auto& instance) { return instance.param.name; })

}  // namespace tocsin::test
