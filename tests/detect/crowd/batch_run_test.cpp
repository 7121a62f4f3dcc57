// Whole motions of several avatars: instant by instant what check_batch answers.
#include <gtest/gtest.h>

#include <stop_token>
#include <utility>
#include <vector>

#include "support/scenes/random_crowd.h"
#include "tocsin/detector.h"

namespace tocsin::batch_run_test {
namespace {

using test::RandomCrowd;
using test::RandomLinks;

void expect_same_run(const std::vector<StepReport>& got, const std::vector<StepReport>& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(got[i].step, want[i].step);
    EXPECT_EQ(got[i].avatar, want[i].avatar);
    EXPECT_EQ(got[i].safe_until, want[i].safe_until);
    EXPECT_EQ(got[i].contacts, want[i].contacts);
  }
}

/// Takes of which not all are there all the time.
std::vector<StepList> parts(const RandomCrowd& crowd) {
  std::vector<StepList> out;
  for (std::size_t m = 0; m < crowd.steps.size(); ++m) {
    const auto count = static_cast<std::ptrdiff_t>(crowd.steps[m].size());
    const auto first = static_cast<std::ptrdiff_t>(m % 4) * count / 10;
    const auto last = count - static_cast<std::ptrdiff_t>(m % 3) * count / 10;
    out.emplace_back(crowd.steps[m].begin() + first, crowd.steps[m].begin() + last);
  }
  return out;
}

std::vector<StepReport> run(const Detector& detector, const RandomCrowd& crowd,
                            const RunOptions& options) {
  std::vector<StepReport> out;
  const Status status =
      detector.run(crowd.members, parts(crowd), options, [&](const StepReport& report) {
        out.push_back(report);
        return true;
      });
  EXPECT_TRUE(status.ok());
  return out;
}

/// The same, instant by instant.
std::vector<StepReport> by_instants(const Detector& detector, const RandomCrowd& crowd, bool meet) {
  const std::vector<StepList> steps = parts(crowd);
  std::vector<StepReport> out;
  for (std::int64_t now = 0; now < static_cast<std::int64_t>(crowd.steps[0].size()); ++now) {
    std::vector<Member> members;
    std::vector<Step> present;
    std::vector<std::int32_t> who;
    for (std::size_t m = 0; m < steps.size(); ++m) {
      for (const Step& step : steps[m]) {
        if (step.index() != now) continue;
        members.push_back(crowd.members[m]);
        present.push_back(step);
        who.push_back(static_cast<std::int32_t>(m));
      }
    }
    for (StepReport& report : detector.check_batch(members, present, {.meet = meet})) {
      report.avatar = who[static_cast<std::size_t>(report.avatar)];
      for (Contact& c : report.contacts) {
        if (c.other()) c.other()->avatar = who[static_cast<std::size_t>(c.other()->avatar)];
      }
      out.push_back(report);
    }
  }
  return out;
}

TEST(BatchRun, ARunIsItsInstants) {
  RandomLinks random(609);
  std::size_t contacts = 0;
  // Few avatars and many instants, and the other way round: threads share them differently.
  for (const auto& [count, frames] : {std::pair(2, 400), std::pair(4, 90), std::pair(60, 6)}) {
    const RandomCrowd crowd = test::random_crowd(random, count, frames, 1.0, true);
    const Detector detector = Detector::make(test::random_room(random, 3, 20, 1.5)).value();
    for (const bool meet : {false, true}) {
      const std::vector<StepReport> want = by_instants(detector, crowd, meet);
      for (const int threads : {1, 2, 8}) {
        expect_same_run(run(detector, crowd, {.meet = meet, .threads = threads}), want);
      }
      for (const StepReport& report : want) contacts += report.contacts.size();
    }
  }
  EXPECT_GT(contacts, 1000U);
}

TEST(BatchRun, ARunStopsWhenItIsTold) {
  RandomLinks random(610);
  const RandomCrowd crowd = test::random_crowd(random, 3, 20, 1.0, false);
  const Detector detector = Detector::make(Environment{}).value();
  int seen = 0;
  const auto sink = [&](const StepReport&) { return ++seen < 7; };
  const Status status = detector.run(crowd.members, crowd.steps, {.meet = true}, sink);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(seen, 7);
  std::stop_source stop;
  stop.request_stop();
  const auto all = [](const StepReport&) { return true; };
  const Status stopped = detector.run(crowd.members, crowd.steps, {.stop = stop.get_token()}, all);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().code, ErrorCode::kCancelled);
  const Status few = detector.run(crowd.members, std::span(crowd.steps).first(2), {}, all);
  ASSERT_FALSE(few.ok());
  EXPECT_EQ(few.error().code, ErrorCode::kUsage);
  std::vector<Member> members = crowd.members;
  members[1] = Member{};
  const Status broken = detector.run(members, crowd.steps, {}, all);
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().code, ErrorCode::kInput);
}

}  // namespace
}  // namespace tocsin::batch_run_test
