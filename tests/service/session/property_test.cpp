// The gapless promise: whatever a network, a slow server, a slow reader and a stream that breaks do
// to the frames of a take, reports join without a hole, and are those of a check of the very poses
// that were covered.
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <vector>

#include "service/session/gapless_life.h"

namespace tocsin::test::gapless::property_test {
namespace {

TEST(Gapless, WhateverHappensToFramesAndStreams) {
  const std::vector<Stage> all = stages();
  constexpr std::uint64_t kSessions = 4000;
  Totals t;
  for (std::uint64_t seed = 1; seed <= kSessions && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Life(seed, all[seed % all.size()], t).run();
  }
  std::cout << t << "\n";
  EXPECT_EQ(t.sessions, kSessions);
  EXPECT_GT(t.coalescing_sessions, kSessions / 3);
  EXPECT_GT(t.steps, 50'000U);
  EXPECT_GT(t.contacts, 20'000U);
  EXPECT_GT(t.own_contacts, kSessions / 2);
  EXPECT_GT(t.stop_poses, 1000U);
  EXPECT_GT(t.lost, t.sent / 20);
  EXPECT_GT(t.stale, kSessions);
  EXPECT_GT(t.duplicate, kSessions / 2);
  EXPECT_GT(t.refused, kSessions / 10);
  EXPECT_GT(t.bad, 2 * kSessions);
  EXPECT_GT(t.named_bad, kSessions);
  EXPECT_GT(t.resumes + t.take_overs, kSessions);
  EXPECT_GT(t.sent_again, kSessions / 4);
  EXPECT_GT(t.out_of_range, kSessions / 100);
  EXPECT_EQ(t.batched, 0U);
  EXPECT_GT(t.parted, 2 * kSessions);
  EXPECT_GT(t.partials, 4 * kSessions);
  EXPECT_GT(t.told_early, kSessions);
  EXPECT_GT(t.put_off, kSessions);
}

}  // namespace
}  // namespace tocsin::test::gapless::property_test
