// A test on an OpenGL device, with debug output: whatever GL complains about fails it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>

#include "gpu/gl/context/device_thread.h"

namespace tocsin::test {

/// Skips the test that runs, because there is no OpenGL; fails it if TOCSIN_NEEDS_GL is set, as it
/// is where tests must not pass by being skipped. The caller returns.
inline void skip_without_gl(const Error& error) {
  if (std::getenv("TOCSIN_NEEDS_GL") != nullptr) FAIL() << error.message;
  GTEST_SKIP() << error.message;
}

/// Opens a device for each test; skips the test where there is none.
class GlTest : public testing::Test {
 protected:
  void SetUp() override {
    auto started = gl::DeviceThread::start({.debug = true});
    if (started) {
      device_ = std::move(started).value();
      return;
    }
    skip_without_gl(started.error());
  }

  void TearDown() override {
    if (device_ == nullptr) return;
    for (const std::string& complaint : device_->take_complaints()) {
      ADD_FAILURE() << "OpenGL complains: " << complaint;
    }
    device_.reset();
  }

  /// For tests that give GL a reason on purpose.
  void forget_complaints() { (void)device_->take_complaints(); }

  [[nodiscard]] const std::shared_ptr<gl::DeviceThread>& device() const { return device_; }

  /// Runs a job on the device's thread; what goes wrong there fails the test.
  void on_device(const std::function<void()>& job) {
    const Status status = device_->run([&]() -> Status {
      job();
      return Nothing{};
    });
    EXPECT_TRUE(status.ok()) << status.error().message;
  }

 private:
  std::shared_ptr<gl::DeviceThread> device_;
};

}  // namespace tocsin::test
