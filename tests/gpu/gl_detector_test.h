// Tests of whole detectors on an OpenGL device, beside the CPU's.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "gpu/gl/device_thread.h"
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

/// Everything but the work done.
inline void expect_same(const StepReport& got, const StepReport& want) {
  EXPECT_EQ(got.step, want.step);
  EXPECT_EQ(got.frames, want.frames);
  EXPECT_EQ(got.safe_until, want.safe_until);
  EXPECT_EQ(got.contacts, want.contacts);
  EXPECT_EQ(got.clearances, want.clearances);
  ASSERT_EQ(got.error.has_value(), want.error.has_value());
  if (!want.error) return;
  EXPECT_EQ(got.error->code, want.error->code);
  EXPECT_EQ(got.error->message, want.error->message);
}

/// The reports of a run, which must succeed.
inline std::vector<StepReport> reports_of_run(const Detector& detector, const Avatar& avatar,
                                              std::span<const Step> steps,
                                              const RunOptions& options = {}) {
  std::vector<StepReport> out;
  const Status status = detector.run(avatar, steps, options, [&](const StepReport& report) {
    out.push_back(report);
    return true;
  });
  EXPECT_TRUE(status.ok()) << status.error().message;
  return out;
}

inline void expect_same(const std::vector<StepReport>& got, const std::vector<StepReport>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    SCOPED_TRACE("step " + std::to_string(i));
    expect_same(got[i], want[i]);
  }
}

/// Of all reports.
inline std::size_t contacts_of(const std::vector<StepReport>& reports) {
  std::size_t out = 0;
  for (const StepReport& report : reports) out += report.contacts.size();
  return out;
}

}  // namespace tocsin::test
