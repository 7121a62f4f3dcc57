// Reports of a Track stream, held against the detector.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "service/rpc/live_server.h"

namespace tocsin::test {

/// The frames that a session covered, from its reports, which must follow each other.
inline std::vector<std::int64_t> covered_frames(const std::vector<v1::StepReport>& reports) {
  std::vector<std::int64_t> out;
  for (const v1::StepReport& report : reports) {
    const auto from = static_cast<std::int64_t>(report.from().id());
    if (out.empty()) out.push_back(from);
    EXPECT_EQ(out.back(), from) << "a hole before step " << report.step();
    EXPECT_EQ(report.step() + 1, out.size());
    out.push_back(static_cast<std::int64_t>(report.to().id()));
  }
  return out;
}

/// All reports are what the detector itself says of the covered frames; gives the contacts.
inline std::size_t expect_checked(const std::vector<v1::StepReport>& reports, const Walk& walk,
                                  const LiveServer& live) {
  const auto expected = walk.expected(live.hall(), covered_frames(reports));
  EXPECT_EQ(expected.size(), reports.size());
  std::size_t contacts = 0;
  for (std::size_t i = 0; i < std::min(expected.size(), reports.size()); ++i) {
    expect_same(reports[i], expected[i], walk.codec);
    contacts += expected[i].contacts.size();
  }
  return contacts;
}

}  // namespace tocsin::test
