// Whole detectors on CUDA devices, beside the CPU's.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "gpu/cuda/device/device.h"
#include "support/same_reports.h"
#include "tocsin/detector.h"

namespace tocsin::test {

/// Runs every test emulated, and on a real device where there is one.
class CudaDetectorTest : public testing::TestWithParam<std::string> {
 protected:
  /// A detector on the device, which must be there; `asked`: backend and device are set here.
  [[nodiscard]] static Detector cuda(const Environment& room, DetectorOptions asked = {}) {
    asked.backend = Backend::kCuda;
    asked.experiments.emulate = GetParam() == "Emulated";
    Detector out = Detector::make(room, asked).value();
    EXPECT_EQ(out.backend_name(), "cuda");
    return out;
  }
  [[nodiscard]] static Detector cpu(const Environment& room, DetectorOptions asked = {}) {
    asked.backend = Backend::kCpu;
    return Detector::make(room, asked).value();
  }
};

inline std::vector<std::string> cuda_detector_devices() {
  std::vector<std::string> out{"Emulated"};
  if (cuda::Device::open({})) out.emplace_back("Real");
  return out;
}

#define TOCSIN_ON_CUDA_DETECTORS(Test)                                                           \
  INSTANTIATE_TEST_SUITE_P(On, Test, testing::ValuesIn(::tocsin::test::cuda_detector_devices()), \
                           [](const auto& instance) { return instance.param; })

}  // namespace tocsin::test
