// Two detectors' answers about the same steps, beside each other.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tocsin/detector.h"

namespace tocsin::test {

/// Everything but the work done.
inline void expect_same(const StepReport& got, const StepReport& want) {
  EXPECT_EQ(got.step, want.step);
  EXPECT_EQ(got.frames, want.frames);
  EXPECT_EQ(got.avatar, want.avatar);
  EXPECT_EQ(got.safe_until, want.safe_until);
  EXPECT_EQ(got.contacts, want.contacts);
  EXPECT_EQ(got.clearances, want.clearances);
  ASSERT_EQ(got.error.has_value(), want.error.has_value());
  if (!want.error) return;
  EXPECT_EQ(got.error->code, want.error->code);
  EXPECT_EQ(got.error->message, want.error->message);
}

inline void expect_same(const std::vector<StepReport>& got, const std::vector<StepReport>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    SCOPED_TRACE("report " + std::to_string(i));
    expect_same(got[i], want[i]);
  }
}

/// The reports of a run, which must succeed.
inline std::vector<StepReport> reports_of_run(const Detector& detector, const Member& member,
                                              std::span<const Step> steps,
                                              const RunOptions& options = {}) {
  std::vector<StepReport> out;
  const Status status = detector.run(member, steps, options, [&](const StepReport& report) {
    out.push_back(report);
    return true;
  });
  EXPECT_TRUE(status.ok()) << status.error().message;
  return out;
}

/// The same of several avatars.
inline std::vector<StepReport> reports_of_run(const Detector& detector,
                                              std::span<const Member> members,
                                              std::span<const StepList> steps,
                                              const RunOptions& options = {}) {
  std::vector<StepReport> out;
  const Status status = detector.run(members, steps, options, [&](const StepReport& report) {
    out.push_back(report);
    return true;
  });
  EXPECT_TRUE(status.ok()) << status.error().message;
  return out;
}

/// Of all reports.
inline std::size_t contacts_of(const std::vector<StepReport>& reports) {
  std::size_t out = 0;
  for (const StepReport& report : reports) out += report.contacts.size();
  return out;
}

}  // namespace tocsin::test
