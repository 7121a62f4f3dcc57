#include "app/send/send_coverage.h"

#include <gtest/gtest.h>

#include <vector>

namespace tocsin::app::send_coverage_test {
namespace {

TrackReport report(std::int64_t step, std::uint64_t from, std::uint64_t to,
                   std::vector<IdRange> skipped = {}) {
  TrackReport out;
  out.result.step = step;
  out.from = {from, static_cast<double>(from)};
  out.to = {to, static_cast<double>(to)};
  out.skipped = std::move(skipped);
  return out;
}

TEST(SendCoverage, WithoutAGap) {
  SendCoverage coverage;
  EXPECT_TRUE(coverage.take(report(0, 3, 4)));
  EXPECT_TRUE(coverage.take(report(1, 4, 9, {{5, 5}, {7, 8}})));
  EXPECT_TRUE(coverage.take(report(2, 9, 10)));
  coverage.end(3);
  EXPECT_EQ(coverage.gaps(), 0U) << coverage.first_gap();
  EXPECT_EQ(coverage.next_step(), 3U);
  EXPECT_EQ(coverage.skipped_frames(), 3U);
}

TEST(SendCoverage, BadFramesLieInsideOfAStep) {
  SendCoverage coverage;
  TrackReport first = report(0, 3, 9, {{5, 5}});
  first.bad = {{4, 4}, {6, 8}};
  EXPECT_TRUE(coverage.take(first));
  EXPECT_EQ(coverage.gaps(), 0U) << coverage.first_gap();
  EXPECT_EQ(coverage.skipped_frames(), 1U);
  TrackReport second = report(1, 9, 12);
  second.bad = {{9, 10}};
  EXPECT_TRUE(coverage.take(second));
  EXPECT_EQ(coverage.gaps(), 1U);
  EXPECT_EQ(coverage.first_gap(),
            "step 1 passes over frames 9 to 10, which do not lie where they must");
}

// At a tick of a meeting without a new frame.
TEST(SendCoverage, StandingStillIsNoGap) {
  SendCoverage coverage;
  TrackReport still = report(1, 4, 4);
  still.tick = MeetingTick{8, 9, 2};
  EXPECT_TRUE(coverage.take(report(0, 3, 4)));
  EXPECT_TRUE(coverage.take(still));
  EXPECT_TRUE(coverage.take(report(2, 4, 5)));
  EXPECT_EQ(coverage.gaps(), 0U) << coverage.first_gap();
  EXPECT_TRUE(coverage.take(report(3, 5, 5)));
  EXPECT_EQ(coverage.gaps(), 1U);
}

TEST(SendCoverage, ReportsThatComeAgainCountOnce) {
  SendCoverage coverage;
  EXPECT_TRUE(coverage.take(report(0, 0, 1)));
  EXPECT_TRUE(coverage.take(report(1, 1, 2)));
  EXPECT_FALSE(coverage.take(report(0, 0, 1)));
  EXPECT_FALSE(coverage.take(report(1, 1, 2)));
  EXPECT_TRUE(coverage.take(report(2, 2, 3)));
  EXPECT_EQ(coverage.sent_again(), 2U);
  EXPECT_EQ(coverage.gaps(), 0U);
}

TEST(SendCoverage, EveryKindOfGap) {
  struct Case {
    std::vector<TrackReport> reports;
    std::uint64_t steps;
    const char* says;
  };
  TrackReport other_time = report(1, 1, 2);
  other_time.from.capture_time = 1.5;
  const std::vector<Case> cases{
      {{report(0, 0, 1), report(2, 2, 3)}, 3, "step 2 came after 1 steps"},
      {{report(0, 0, 1), report(1, 2, 3)},
       2,
       "begins at frame 2, and the one before ended at frame 1"},
      {{report(0, 0, 1), other_time}, 2, "begins at frame 1"},
      {{report(1, 0, 1)}, 2, "step 1 came after 0 steps"},
      {{report(0, 5, 5)}, 1, "goes from frame 5 to frame 5"},
      {{report(0, 0, 1)}, 2, "counted 2 steps, and 1 were reported"},
      {{report(0, 0, 4, {{4, 4}})}, 1, "skips frames 4 to 4"},
      {{report(0, 0, 4, {{0, 1}})}, 1, "skips frames 0 to 1"},
      {{report(0, 0, 9, {{5, 6}, {3, 3}})}, 1, "skips frames 3 to 3"},
      {{report(0, 0, 9, {{6, 5}})}, 1, "skips frames 6 to 5"},
  };
  for (const Case& c : cases) {
    SendCoverage coverage;
    for (const TrackReport& r : c.reports) coverage.take(r);
    coverage.end(c.steps);
    EXPECT_EQ(coverage.gaps(), 1U) << c.says;
    EXPECT_NE(coverage.first_gap().find(c.says), std::string::npos) << coverage.first_gap();
  }
}

TEST(SendCoverage, OneGapIsCountedOnce) {
  SendCoverage coverage;
  coverage.take(report(0, 0, 1));
  coverage.take(report(1, 3, 4));
  coverage.take(report(2, 4, 5));
  coverage.take(report(3, 5, 6));
  EXPECT_EQ(coverage.gaps(), 1U);
}

}  // namespace
}  // namespace tocsin::app::send_coverage_test
