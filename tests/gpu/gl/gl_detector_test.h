// Tests of whole detectors on an OpenGL device, beside the CPU's.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "gpu/gl/context/device_thread.h"
#include "support/same_reports.h"
#include "tocsin/detector.h"
#include "tocsin/stream.h"

namespace tocsin::test {

/// Skips each test where no device opens. TOCSIN_NEEDS_GL=1 (set where GL must be there) makes that
/// a failure.
class GlDetectorTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto started = gl::DeviceThread::start({});
    if (started) return;
    if (std::getenv("TOCSIN_NEEDS_GL") != nullptr) FAIL() << started.error().message;
    GTEST_SKIP() << started.error().message;
  }
};

}  // namespace tocsin::test
