// A crowd that remembers gives the reports of one that does not.
#include "tocsin/crowd.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "support/scenes/random_crowd.h"

namespace tocsin::crowd_test {
namespace {

using test::RandomCrowd;
using test::RandomLinks;

struct CrowdTotals {
  std::size_t contacts = 0;
  std::size_t meetings = 0;
  std::uint64_t asked_crowd = 0;  ///< questions asked of the tree
  std::uint64_t asked_batch = 0;
};

void expect_same_crowd(const std::vector<StepReport>& got, const std::vector<StepReport>& want,
                       CrowdTotals& totals) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_FALSE(want[i].error);
    ASSERT_FALSE(got[i].error);
    EXPECT_EQ(got[i].avatar, want[i].avatar);
    EXPECT_EQ(got[i].frames, want[i].frames);
    EXPECT_EQ(got[i].safe_until, want[i].safe_until);
    EXPECT_EQ(got[i].clearances, want[i].clearances);
    EXPECT_EQ(got[i].contacts, want[i].contacts);
    totals.contacts += want[i].contacts.size();
    for (const Contact& c : want[i].contacts) {
      if (c.other() && c.other()->avatar != want[i].avatar) ++totals.meetings;
    }
    totals.asked_crowd += got[i].counters.tree_queries;
    totals.asked_batch += want[i].counters.tree_queries;
  }
}

TEST(Crowd, GivesTheReportsOfTheBatchWhateverCameBefore) {
  RandomLinks random(811);
  CrowdTotals totals;
  for (int i = 0; i < 10; ++i) {
    constexpr int kFrames = 9;
    const RandomCrowd crowd = test::random_crowd(random, 2 + 2 * i, kFrames, 1.5, i % 2 == 0);
    const Detector detector =
        Detector::make(test::random_room(random, 3, 20, 2.0),
                       {.contacts = i % 4 == 3 ? Contacts::kFirst : Contacts::kPairs,
                        .margin = i % 3 == 0 ? 0.02 : 0.0,
                        .clearance = i % 5 == 1})
            .value();
    Crowd remembering(detector, crowd.members);
    EXPECT_EQ(remembering.members().size(), crowd.members.size());
    // In order, then back and forth, now and then without meeting.
    const std::vector<std::size_t> instants{0, 1, 2, 3, 4, 5, 6, 7, 2, 7, 0, 3};
    for (std::size_t k = 0; k < instants.size(); ++k) {
      const std::vector<Step> steps = crowd.at(instants[k]);
      const RunOptions how{.meet = k % 5 != 4, .threads = k % 3 == 0 ? 2 : 1};
      expect_same_crowd(remembering.check(steps, how),
                        detector.check_batch(crowd.members, steps, how), totals);
    }
  }
  EXPECT_GT(totals.contacts, 2000U);
  EXPECT_GT(totals.meetings, 500U);
}

/// Avatars in a row, all far from each other and from the room but for the first.
TEST(Crowd, AsksTheTreeLessThanTheBatchDoes) {
  RandomLinks random(812);
  const test::RandomTake take = test::random_take(random, 8, 40, 0.002, 0.1);
  std::vector<Member> members;
  std::vector<StepList> steps;
  for (int i = 0; i < 12; ++i) {
    const auto placed = take.motion.placed({{3.0 * i, 0.0, 0.0}, 0.0});
    ASSERT_TRUE(placed.ok());
    steps.push_back(placed->steps().value());
    members.push_back({take.avatar});
  }
  const Detector detector = Detector::make(test::random_room(random, 3, 30, 4.0)).value();
  Crowd crowd(detector, members);
  CrowdTotals totals;
  for (std::size_t t = 0; t < steps.front().size(); ++t) {
    std::vector<Step> now;
    for (const StepList& list : steps) now.push_back(list[t]);
    const RunOptions how{.meet = true, .threads = 1};
    expect_same_crowd(crowd.check(now, how), detector.check_batch(members, now, how), totals);
  }
  EXPECT_GT(totals.asked_batch, 400U);
  EXPECT_LT(2 * totals.asked_crowd, totals.asked_batch);
}

TEST(Crowd, GoesOnAfterAnErrorAndAfterAStop) {
  RandomLinks random(813);
  const RandomCrowd crowd = test::random_crowd(random, 5, 4, 0.2, false);
  const Detector detector = Detector::make(Environment{}).value();
  Crowd remembering(detector, crowd.members);
  const RunOptions meet{.meet = true};
  CrowdTotals totals;
  expect_same_crowd(remembering.check(crowd.at(0), meet),
                    detector.check_batch(crowd.members, crowd.at(0), meet), totals);

  std::vector<Step> wrong = crowd.at(1);
  wrong[2] = Step{};  // of no skeleton: an error of its own, the others meet
  const std::vector<StepReport> spoilt = remembering.check(wrong, meet);
  const std::vector<StepReport> want = detector.check_batch(crowd.members, wrong, meet);
  ASSERT_EQ(spoilt.size(), 5U);
  for (std::size_t i = 0; i < spoilt.size(); ++i) {
    EXPECT_EQ(spoilt[i].error.has_value(), i == 2);
    EXPECT_EQ(spoilt[i].contacts, want[i].contacts);
  }

  const std::vector<StepReport> few = remembering.check(std::vector<Step>(3), meet);
  ASSERT_EQ(few.size(), 5U);
  for (const StepReport& report : few) {
    ASSERT_TRUE(report.error);
    EXPECT_EQ(report.error->code, ErrorCode::kUsage);
  }

  std::stop_source stop;
  stop.request_stop();
  for (const StepReport& report :
       remembering.check(crowd.at(1), {.meet = true, .stop = stop.get_token()})) {
    ASSERT_TRUE(report.error);
    EXPECT_EQ(report.error->code, ErrorCode::kCancelled);
  }

  Crowd moved = std::move(remembering);
  expect_same_crowd(moved.check(crowd.at(2), meet),
                    detector.check_batch(crowd.members, crowd.at(2), meet), totals);
  EXPECT_GT(totals.meetings, 0U);
}

}  // namespace
}  // namespace tocsin::crowd_test
