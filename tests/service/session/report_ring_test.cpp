// What a session's kept reports may take, and how many go at once.
#include "service/session/report_ring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "service/rooms/environments.h"

namespace tocsin::service::report_ring_test {
namespace {

const ReportRing::Time kNow{};
constexpr std::size_t kPlenty = std::size_t{1} << 40U;

TrackReport report_with(std::size_t contacts) {
  TrackReport out;
  out.result.contacts.resize(contacts);
  return out;
}

TEST(ReportRing, APullCountsTheNamesThatContactsGet) {
  ReportRing ring(512, kPlenty, 512);
  for (int i = 0; i < 10; ++i) ring.push(report_with(100), kNow);
  // A report alone may be larger than is asked for. Two of 100 contacts have names of at most
  // 2 x 100 x 2 x 256 bytes, which is more than 100,000: they do not go together.
  EXPECT_EQ(ring.pull(10, 1, kNow).size(), 1U);
  EXPECT_EQ(ring.pull(10, 100'000, kNow).size(), 1U);
  EXPECT_EQ(ring.pull(10, 10 * 100'000, kNow).size(), 8U);
  EXPECT_EQ(ring.sent(), 10U);
}

// Whom a report met is kept once, for as long as the report, and comes with it.
TEST(ReportRing, KeepsWhomAReportMet) {
  ReportRing ring(2, kPlenty, 512);
  auto card = std::make_shared<MemberCard>();
  card->number = 7;
  const std::weak_ptr<const MemberCard> kept = card;
  ring.push(report_with(3), kNow, {std::move(card)});
  for (int i = 0; i < 3; ++i) ring.push(report_with(1), kNow);
  std::vector<MemberCards> met;
  EXPECT_EQ(ring.pull(2, kPlenty, kNow, &met).size(), 2U);
  ASSERT_EQ(met.size(), 2U);
  ASSERT_EQ(met[0].size(), 1U);
  EXPECT_EQ(met[0][0]->number, 7U);
  EXPECT_TRUE(met[1].empty());
  met.clear();
  EXPECT_TRUE(kept.expired()) << "two reports are kept, and it was sent";
}

// What cards hold counts, once for all reports that have them, and for as long as one has.
TEST(ReportRing, CardsCount) {
  ReportRing ring(2, kPlenty, 512);
  auto card = std::make_shared<MemberCard>();
  card->links.assign(64, std::string(256, 'x'));
  ring.push(report_with(1), kNow, {card});
  EXPECT_GE(ring.bytes(), 64U * 256U);
  ring.push(report_with(1), kNow, {card});
  EXPECT_LT(ring.bytes(), 2U * 64U * 256U);
  for (int i = 0; i < 2; ++i) ring.push(report_with(1), kNow);
  EXPECT_EQ(ring.pull(3, kPlenty, kNow).size(), 3U);
  EXPECT_LT(ring.bytes(), 64U * 256U);

  ReportRing small(512, 10'000, 512);
  small.push(report_with(1), kNow, {card});
  EXPECT_FALSE(small.room());
  EXPECT_EQ(small.pull(1, kPlenty, kNow).size(), 1U);
  EXPECT_TRUE(small.room()) << "nothing waits";
}

TEST(ReportRing, NamesAreNotKept) {
  ReportRing ring(512, kPlenty, 512);
  for (int i = 0; i < 10; ++i) ring.push(report_with(100), kNow);
  EXPECT_LT(ring.bytes(), 10 * 100 * 2 * Environments::kMostObjectName);
  EXPECT_GE(ring.bytes(), 10 * 100 * sizeof(Contact));
}

TEST(ReportRing, MemoryOfContactsThatWereDroppedIsGivenBack) {
  ReportRing ring(512, kPlenty, 512);
  TrackReport report = report_with(10'000);
  report.result.contacts.resize(1);
  ring.push(std::move(report), kNow);
  EXPECT_LT(ring.bytes(), 10 * sizeof(Contact) + sizeof(TrackReport));
}

/// Too large for a row.
constexpr std::uint64_t kLarge = std::uint64_t{1} << 32U;

std::array<std::uint64_t, 10> numbers_of(const StepCounters& of) {
  return {of.near_links,   of.box_pairs,    of.seen_pairs,      of.candidates, of.evaluations,
          of.tree_queries, of.volume_tests, of.primitive_tests, of.updates,    of.link_pairs};
}

/// A free step's, all of whose numbers differ.
TrackReport free_report() {
  TrackReport out;
  out.from = {40, 4.0};
  out.to = {41, 4.5};
  out.result.step = 17;
  out.result.frames = {17, 18};
  out.result.safe_until = 1.0;
  out.result.counters = {21, 22, 23, 24, 25, 26, 27, 28, 29, kLarge - 1};
  out.safe_until_time = 4.5;
  out.stale_frames = 5;
  out.duplicate_frames = 6;
  out.bad_frames = 7;
  out.timing = {1.0, 2.0, 3.0, 4, 1};
  return out;
}

TEST(ReportRing, FreeStepsAreKeptInLittleMemoryAndLoseNothing) {
  ReportRing ring(512, kPlenty, 512);
  ring.push(free_report(), kNow);
  EXPECT_LT(ring.bytes(), sizeof(TrackReport) / 2);
  EXPECT_FALSE(ring.sent_to() == free_report().to);
  const TrackReport back = ring.pull(1, kPlenty, kNow).at(0);
  EXPECT_EQ(ring.sent_to(), free_report().to);
  const TrackReport want = free_report();
  EXPECT_EQ(back.from, want.from);
  EXPECT_EQ(back.to, want.to);
  EXPECT_EQ(back.result.step, want.result.step);
  EXPECT_EQ(back.result.frames, want.result.frames);
  EXPECT_EQ(back.result.safe_until, 1.0);
  EXPECT_TRUE(back.result.complete);
  EXPECT_EQ(numbers_of(back.result.counters), numbers_of(want.result.counters));
  EXPECT_EQ(back.safe_until_time, want.safe_until_time);
  EXPECT_EQ(back.stale_frames, 5U);
  EXPECT_EQ(back.duplicate_frames, 6U);
  EXPECT_EQ(back.bad_frames, 7U);
  EXPECT_EQ(back.timing.waited, 1.0);
  EXPECT_EQ(back.timing.checked, 2.0);
  EXPECT_EQ(back.timing.batch, 4U);
}

// Whatever else a report says is kept with it.
TEST(ReportRing, ReportsThatSayMoreAreKeptWhole) {
  const std::vector<std::function<void(TrackReport&)>> more = {
      [](TrackReport& r) {
        r.skipped.push_back({1, 2});
      },
      [](TrackReport& r) {
        r.bad.push_back({1, 2});
      },
      [](TrackReport& r) { r.held.push_back(3); },
      [](TrackReport& r) { r.stop_pose.resize(2); },
      [](TrackReport& r) { r.tick.emplace(); },
      [](TrackReport& r) { r.room.emplace(); },
      [](TrackReport& r) { r.ahead.emplace(); },
      [](TrackReport& r) { r.distances.resize(1); },
      [](TrackReport& r) { r.more_distances = 1; },
      [](TrackReport& r) { r.unrecorded = true; },
      [](TrackReport& r) { r.fallback = "x"; },
      [](TrackReport& r) { r.first_bad_frame = "x"; },
      [](TrackReport& r) { r.record_ended = "x"; },
      [](TrackReport& r) { r.result.clearances.resize(1); },
      [](TrackReport& r) { r.result.contacts.resize(1); },
      [](TrackReport& r) { r.result.safe_until = 0.5; },
      [](TrackReport& r) { r.result.complete = false; },
      [](TrackReport& r) { r.result.checked_until = 0.5; },
      [](TrackReport& r) { r.result.avatar = 2; },
      [](TrackReport& r) { r.result.frames[1] = 9; },
      [](TrackReport& r) { r.safe_until_time = 0.5; },
      [](TrackReport& r) { r.timing.parts = 2; },
      [](TrackReport& r) { r.stale_frames = kLarge; },
      [](TrackReport& r) { r.result.counters.link_pairs = kLarge; },
      [](TrackReport& r) {
        r.result.step = std::int64_t{kLarge};
        r.result.frames = {std::int64_t{kLarge}, std::int64_t{kLarge} + 1};
      }};
  const auto said = [](const TrackReport& r) {
    const StepReport& x = r.result;
    return std::tuple(
        r.skipped.size(), r.bad.size(), r.held.size(), r.stop_pose.size(), r.tick.has_value(),
        r.room.has_value(), r.ahead.has_value(), r.distances.size(), r.more_distances, r.unrecorded,
        r.fallback, r.first_bad_frame, r.record_ended, x.clearances.size(), x.contacts.size(),
        x.safe_until, x.complete, x.checked_until, x.avatar, x.frames[1], r.safe_until_time,
        r.timing.parts, r.stale_frames, x.counters.link_pairs, x.step);
  };
  for (std::size_t i = 0; i < more.size(); ++i) {
    ReportRing ring(512, kPlenty, 512);
    TrackReport report = free_report();
    more[i](report);
    const auto want = said(report);
    EXPECT_NE(want, said(free_report())) << i;
    ring.push(std::move(report), kNow);
    EXPECT_EQ(said(ring.pull(1, kPlenty, kNow).at(0)), want) << i;
  }
}

// The oldest goes before the next comes, and never one that is not sent.
TEST(ReportRing, KeepsTheLastThatWereSent) {
  ReportRing ring(3, kPlenty, 512);
  const auto push = [&](std::int64_t step) {
    TrackReport report = free_report();
    report.result.step = step;
    report.result.frames = {step, step + 1};
    ring.push(std::move(report), kNow);
  };
  for (std::int64_t i = 0; i < 5; ++i) push(i);
  EXPECT_EQ(ring.first(), 0U);
  EXPECT_EQ(ring.pull(4, kPlenty, kNow).back().result.step, 3);
  EXPECT_EQ(ring.first(), 2U);
  for (int i = 0; i < 3; ++i) {
    push(5 + i);
    EXPECT_EQ(ring.first(), std::min(3U + static_cast<unsigned>(i), 4U));
  }
  EXPECT_TRUE(ring.rewind(4));
  EXPECT_EQ(ring.pull(9, kPlenty, kNow).at(0).result.step, 4);
  for (std::int64_t i = 8; i < 40; ++i) {
    push(i);
    EXPECT_EQ(ring.pull(1, kPlenty, kNow).at(0).result.step, i);
    EXPECT_TRUE(ring.rewind(ring.next() - 3));
    const std::vector<TrackReport> last = ring.pull(3, kPlenty, kNow);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(last.at(k).result.step, i - 2 + static_cast<std::int64_t>(k));
    }
  }
}

TEST(ReportRing, FreeStepsThatWereNotRecordedSaySo) {
  ReportRing ring(512, kPlenty, 512);
  ring.hold();
  for (int i = 0; i < 2; ++i) ring.push(free_report(), kNow);
  EXPECT_EQ(ring.release_unrecorded("full"), 2U);
  const auto reports = ring.pull(2, kPlenty, kNow);
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_TRUE(reports[0].unrecorded && reports[1].unrecorded);
  EXPECT_EQ(reports[0].record_ended, "full");
  EXPECT_EQ(reports[1].record_ended, "");
  EXPECT_EQ(reports[1].to, free_report().to);
}

TEST(ReportRing, UnsentBytesAreThoseThatWait) {
  ReportRing ring(512, 10'000, 512);
  ring.push(report_with(1000), kNow);
  EXPECT_FALSE(ring.room());
  EXPECT_EQ(ring.pull(10, kPlenty, kNow).size(), 1U);
  EXPECT_TRUE(ring.room());
  EXPECT_TRUE(ring.rewind(0));
  EXPECT_FALSE(ring.room());
  EXPECT_EQ(ring.pull(10, kPlenty, kNow).size(), 1U);
  EXPECT_TRUE(ring.room());
}

}  // namespace
}  // namespace tocsin::service::report_ring_test
