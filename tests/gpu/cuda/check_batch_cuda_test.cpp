// Several avatars on CUDA: the CPU's reports, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gpu/cuda/cuda_detector_test.h"
#include "support/scenes/random_crowd.h"
#include "tocsin/crowd.h"

namespace tocsin::check_batch_cuda_test {
namespace {

using test::contacts_of;
using test::expect_same;
using test::RandomCrowd;
using test::RandomLinks;
using test::reports_of_run;

class CudaBatch : public test::CudaDetectorTest {};

std::size_t meetings_of(const std::vector<StepReport>& reports) {
  std::size_t out = 0;
  for (const StepReport& report : reports) {
    for (const Contact& c : report.contacts) {
      out += c.other() && c.other()->avatar != report.avatar ? 1 : 0;
    }
  }
  return out;
}

DetectorOptions options_of(int i) {
  return {.contacts = i % 3 == 2 ? Contacts::kFirst : Contacts::kPairs,
          .margin = i % 4 == 1 ? 0.02 : 0.0,
          .tolerance = i % 5 == 0 ? 1e-4 : 1e-9,
          .clearance = i % 3 != 1};
}

TEST_P(CudaBatch, GivesTheReportsOfTheCpu) {
  RandomLinks random(821);
  std::size_t contacts = 0;
  std::size_t meetings = 0;
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE("crowd " + std::to_string(i));
    const RandomCrowd crowd =
        test::random_crowd(random, 1 + i % 14, 3, i % 3 == 0 ? 0.4 : 1.2, i % 2 == 0);
    const Environment room = i % 5 == 4 ? Environment{} : test::random_room(random, 3, 20, 1.5);
    const Detector by_cpu = cpu(room, options_of(i));
    const Detector by_cuda = cuda(room, options_of(i));
    Crowd remembering(by_cuda, crowd.members);
    for (const bool meet : {true, false}) {
      const std::vector<Step> steps = crowd.at(meet ? 0 : 1);
      const RunOptions how{.meet = meet, .threads = i % 3};
      const auto want = by_cpu.check_batch(crowd.members, steps, how);
      expect_same(by_cuda.check_batch(crowd.members, steps, how), want);
      expect_same(remembering.check(steps, how), want);
      contacts += contacts_of(want);
      meetings += meetings_of(want);
    }
    EXPECT_EQ(by_cuda.fallback(), "");
  }
  EXPECT_GT(contacts, 300U);
  EXPECT_GT(meetings, 100U);
}

// Everyone with a table of inactive pairs of one's own: all alike, or of several sorts.
TEST_P(CudaBatch, EveryMembersOwnInactivePairs) {
  RandomLinks random(824);
  const Environment room = test::random_room(random, 4, 200, 1.0);
  RandomCrowd crowd = test::random_crowd(random, 24, 3, 1.2, true);
  const std::size_t all = contacts_of(cpu(room).check_batch(crowd.members, crowd.at(0)));
  const auto check = [&](int sorts) {
    for (std::size_t i = 0; i < crowd.members.size(); ++i) {
      const std::vector<std::string> patterns{"*:object" +
                                              std::to_string(i % static_cast<std::size_t>(sorts))};
      crowd.members[i].active =
          ActivePairs::ignoring(crowd.members[i].avatar, room, patterns).value();
    }
    const auto want = cpu(room).check_batch(crowd.members, crowd.at(0));
    expect_same(cuda(room).check_batch(crowd.members, crowd.at(0)), want);
    return contacts_of(want);
  };
  const std::size_t alike = check(1);
  const std::size_t different = check(3);
  EXPECT_GT(alike, 20U);
  EXPECT_LT(alike, all);
  EXPECT_GT(different, 20U);
  EXPECT_LT(different, all);
}

TEST_P(CudaBatch, AMemberWithAProblemMeetsNobody) {
  RandomLinks random(822);
  const RandomCrowd crowd = test::random_crowd(random, 6, 2, 0.5, true);
  const Environment room = test::random_room(random, 2, 20, 1.0);
  std::vector<Step> steps = crowd.at(0);
  steps[2] = Step();
  std::vector<Member> members = crowd.members;
  members[4].self = LinkPairs::of(crowd.members[3].avatar);
  const auto want = cpu(room).check_batch(members, steps, {.meet = true});
  EXPECT_TRUE(want[2].error);
  EXPECT_GT(meetings_of(want), 0U);
  expect_same(cuda(room).check_batch(members, steps, {.meet = true}), want);
}

TEST_P(CudaBatch, OrderAndThreadsDoNotShow) {
  RandomLinks random(823);
  const RandomCrowd crowd = test::random_crowd(random, 12, 2, 1.0, true);
  const Environment room = test::random_room(random, 3, 20, 1.2);
  const Detector by_cuda = cuda(room, {.clearance = true});
  std::vector<Step> steps = crowd.at(0);
  const auto want = by_cuda.check_batch(crowd.members, steps);
  for (const int threads : {1, 2, 8}) {
    expect_same(by_cuda.check_batch(crowd.members, steps, {.threads = threads}), want);
  }
  std::vector<Member> reversed(crowd.members.rbegin(), crowd.members.rend());
  std::reverse(steps.begin(), steps.end());
  auto got = by_cuda.check_batch(reversed, steps);
  std::reverse(got.begin(), got.end());
  for (std::size_t i = 0; i < got.size(); ++i) {
    got[i].avatar = want[i].avatar;
    for (Contact& c : got[i].contacts) {
      if (c.other()) c.other()->avatar = want[i].avatar;
    }
    // As it is alone, too.
    StepReport alone = by_cuda.check(crowd.members[i], crowd.at(0)[i]);
    alone.avatar = want[i].avatar;
    for (Contact& c : alone.contacts) {
      if (c.other()) c.other()->avatar = want[i].avatar;
    }
    expect_same(alone, want[i]);
  }
  expect_same(got, want);
}

TEST_P(CudaBatch, WholeMotionsOnOneTimeLine) {
  RandomLinks random(824);
  std::size_t meetings = 0;
  for (int i = 0; i < 6; ++i) {
    const RandomCrowd crowd = test::random_crowd(random, 3 + i, 14, 0.8, i % 2 == 0);
    const Environment room = test::random_room(random, 3, 20, 1.5);
    // Not all are there all the time.
    std::vector<StepList> steps;
    for (std::size_t m = 0; m < crowd.steps.size(); ++m) {
      const auto first = static_cast<std::ptrdiff_t>(m % 4);
      const auto last = static_cast<std::ptrdiff_t>(m % 3);
      steps.emplace_back(crowd.steps[m].begin() + first, crowd.steps[m].end() - last);
    }
    const Detector by_cpu = cpu(room, options_of(i));
    const Detector by_cuda = cuda(room, options_of(i));
    for (const bool meet : {true, false}) {
      const RunOptions how{.meet = meet, .threads = i % 3};
      const auto want = reports_of_run(by_cpu, crowd.members, steps, how);
      expect_same(reports_of_run(by_cuda, crowd.members, steps, how), want);
      meetings += meetings_of(want);
    }
  }
  EXPECT_GT(meetings, 100U);
}

TEST_P(CudaBatch, Nobody) {
  const Detector by_cuda = cuda(Environment{});
  EXPECT_TRUE(by_cuda.check_batch({}, {}, {.meet = true}).empty());
  EXPECT_TRUE(reports_of_run(by_cuda, std::span<const Member>(), {}, {.meet = true}).empty());
}

TOCSIN_ON_CUDA_DETECTORS(CudaBatch);

}  // namespace
}  // namespace tocsin::check_batch_cuda_test
