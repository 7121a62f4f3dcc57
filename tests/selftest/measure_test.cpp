// What `tocsin selftest` measures: how much fits into a time, by counts; shares of ceilings that
// are given; a crowd of which no two avatars are alike.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/selftest/selftest_text.h"
#include "selftest/compare/case_list.h"
#include "selftest/measure/budget.h"
#include "selftest/measure/carry.h"
#include "selftest/measure/counted_number.h"
#include "selftest/scenes/standing_crowd.h"

namespace tocsin::test::measure_test {
namespace {

using selftest::Budget;
using selftest::Extent;

/// Microseconds an avatar-step, by avatars: as emulated here, and as is hoped for on a GPU.
using Cost = std::map<std::size_t, double>;
const Cost kEmulated{{1, 158}, {10, 50}, {100, 74}, {1'000, 85}, {10'000, 120}, {50'000, 140}};
const Cost kDevice{{1, 300}, {10, 40}, {100, 4}, {1'000, 0.8}, {10'000, 0.25}, {50'000, 0.2}};

struct Spent {
  std::vector<Extent> rows;
  double seconds = 0.0;
};

/// Runs all rows by a clock that only they move, after `before` seconds.
Spent spend(double seconds, const Cost& cost, double before = 0.0) {
  double clock = 0.0;
  Budget budget(seconds, [&] { return clock; });
  clock += 1e6 * before;
  Spent out;
  std::size_t left = cost.size();
  for (const auto& [avatars, us] : cost) {
    const auto extent = budget.plan(avatars, left--);
    if (!extent) continue;
    budget.begin_row();
    clock += us * extent->steps(avatars);
    budget.end_row(extent->steps(avatars));
    out.rows.push_back(*extent);
  }
  out.seconds = 1e-6 * clock;
  return out;
}

TEST(Budget, RowsStayWithinAFifthOfTheTime) {
  for (const Cost& cost : {kEmulated, kDevice}) {
    std::size_t rows = 0;
    for (const double seconds : {0.5, 1.0, 2.0, 4.0, 10.0, 24.0, 100.0, 1000.0}) {
      const Spent spent = spend(seconds, cost, 0.1);
      EXPECT_LE(spent.seconds, 1.2 * seconds);
      EXPECT_GE(spent.rows.size(), rows) << seconds;  // more time measures no less
      rows = spent.rows.size();
    }
    EXPECT_EQ(rows, cost.size());
  }
  // What was made before leaves nothing: the least there is.
  const Spent late = spend(1.0, kEmulated, 2.0);
  ASSERT_EQ(late.rows.size(), 1U);
  EXPECT_EQ(late.rows[0].batches, 1U);
  EXPECT_EQ(late.rows[0].passes, 1U);
}

TEST(Budget, AGpuIsMeasuredInFull) {
  const Spent spent = spend(24.0, kDevice);
  ASSERT_EQ(spent.rows.size(), 6U);
  for (const Extent& row : spent.rows) EXPECT_EQ(row.passes, 3U);
  EXPECT_EQ(spent.rows[3].batches, 20U);
  EXPECT_EQ(spent.rows[4].batches, 2U);
}

TEST(CaseCosts, WhatCannotBeStoppedIsForeseen) {
  const std::size_t kinds = selftest::kinds_of_cases();
  selftest::CaseCosts costs;
  EXPECT_TRUE(costs.fits(kinds - 1, 0.001));  // nothing is known
  constexpr double kSlow = 0.01;              // seconds of a unit
  // By a clock that only cases move: each costs what it should, and as much again for the answers.
  const auto run = [&](double seconds) {
    selftest::CaseCosts known;
    double clock = 0.0;
    std::size_t asked = 0;
    for (std::size_t number = 0; number < kinds && clock < seconds; ++number) {
      if (!known.fits(number, seconds - clock)) continue;
      const double least = kSlow * selftest::least_of_case(number);
      known.add(number, least);
      clock += least;
      ++asked;
    }
    EXPECT_LE(clock, std::max(1.0001 * seconds, kSlow * selftest::least_of_case(0)));
    return asked;
  };
  EXPECT_EQ(run(0.001), 1U);
  EXPECT_LT(run(1.0), kinds - 1);
  EXPECT_EQ(run(100.0), kinds);
  for (std::size_t i = 0; i + 1 < kinds; ++i) {
    EXPECT_LT(selftest::least_of_case(i), selftest::least_of_case(kinds - 1)) << i;
  }
  EXPECT_EQ(selftest::least_of_case(kinds + 100), selftest::least_of_case(0));
}

/// Figures of a device, as if measured: 4 steps, of which each stage takes 8 us.
selftest::CarriedCuda given() {
  selftest::CarriedCuda out;
  out.device = "NVIDIA Given";
  out.ceilings = {.bytes = 2e12, .operations = 1e12, .fused = 4e12, .up = 5e10, .down = 2.5e10};
  selftest::CudaRow row;
  row.avatars = 2;
  row.batches = 2;
  row.equal = true;
  row.hash = row.cpu_hash = "0123456789abcdef";
  row.cuda_us.median = 40.0;
  row.cpu_us.median = 80.0;
  row.part_us.fill(8.0);
  row.part_us[selftest::kLinkPairsPart] = 0.0;
  row.uploaded = 4 * 100'000;   // 2 us a step at the ceiling
  row.downloaded = 4 * 25'000;  // 1 us
  out.rows.push_back(row);
  // By its bytes 4 us, without those of the room, which a cache holds; by its operations 1 us.
  out.work.push_back({selftest::kTraversalPart, "bytes", 8e6, 1e9, 1e6, 0.0, 0.0});
  // By its operations: 1 us, of which divisions and roots are ten each; by its bytes less.
  out.work.push_back({selftest::kCertifyPart, "operations", 1e5, 0.0, 4e5, 4e4, 2e4});
  out.work.push_back({selftest::kCertifyPart, "more", 2e6, 0.0, 1e5, 0.0, 0.0});  // 1 us
  return out;
}

TEST(ShareOfCeiling, IsTheLeastTimeByTheTime) {
  const selftest::CarriedCuda carried = given();
  const auto share = [&](selftest::CudaPart part) {
    return selftest::share_of_ceiling(carried, part);
  };
  EXPECT_DOUBLE_EQ(share(selftest::kUploadPart), 2.0 / 8.0);
  EXPECT_DOUBLE_EQ(share(selftest::kDownloadPart), 1.0 / 8.0);
  EXPECT_DOUBLE_EQ(share(selftest::kTraversalPart), 4.0 / 8.0);
  EXPECT_DOUBLE_EQ(share(selftest::kCertifyPart), (1.0 + 1.0) / 8.0);
  EXPECT_EQ(share(selftest::kPack), 0.0);           // the CPU's: no ceiling
  EXPECT_EQ(share(selftest::kBoundsPart), 0.0);     // nothing was counted
  EXPECT_EQ(share(selftest::kLinkPairsPart), 0.0);  // took no time
  // Not in a cache, the room's bytes count too.
  EXPECT_DOUBLE_EQ(carried.work[0].least_us(carried.ceilings, false), 1e6 * (8e6 + 1e9) / 2e12);
}

TEST(ShareOfCeiling, IsShownOfADeviceAndOfNoEmulation) {
  app::SelftestReport report;
  report.cases.emplace_back();
  report.cuda = given();
  const std::string text = app::selftest_text(report, false);
  EXPECT_NE(
      text.find(
          "of ceiling      -    25 %       -       50 %     25 %           -      12 %      -"),
      std::string::npos)
      << text;
  EXPECT_NE(
      text.find("ceilings: memory 2000.0 GB/s, up 50.0 GB/s, down 25.0 GB/s, FP64 1000.0 G/s, "
                "fused 4000.0 G/s"),
      std::string::npos)
      << text;
  const auto json = nlohmann::json::parse(app::selftest_json(report)).at("cuda");
  EXPECT_EQ(json.at("share_of_ceiling"),
            nlohmann::json(
                {{"upload", 0.25}, {"traversal", 0.5}, {"certify", 0.25}, {"download", 0.125}}));
  report.cuda->emulated = true;
  EXPECT_TRUE(
      nlohmann::json::parse(app::selftest_json(report)).at("cuda").at("share_of_ceiling").empty());
}

TEST(SelftestText, SaysWhatTheLeastCostsWhereItTookLonger) {
  app::SelftestReport report;
  report.cases.emplace_back();
  report.cases[0].seconds = 0.25;
  report.finished = true;
  report.seconds = 2.0;
  report.used = 2.4;
  EXPECT_EQ(app::selftest_text(report, false).find("Asked for"), std::string::npos);
  report.used = 2.5;
  const std::string text = app::selftest_text(report, false);
  EXPECT_NE(text.find("Asked for 2 s: less than the least that is always done, case 0"),
            std::string::npos)
      << text;
}

TEST(CountedNumber, CountsWhatADoubleDoesAndHasItsBits) {
  using N = selftest::CountedNumber;
  N::done() = {};
  const N a = 2.0;
  const N b = 3.0;
  const N c = a * b + b - 1;                     // 3
  const N d = std::sqrt(c / b) + -std::fabs(b);  // a division, a root, a sum; signs are a bit each
  const bool less = d < a;                       // 1
  const N e = std::floor(c) + std::fmod(c, b);   // 2, and a remainder
  const selftest::Operations counted = N::done();
  EXPECT_EQ(counted.simple, 3U + 1U + 1U + 2U);
  EXPECT_EQ(counted.divisions, 2U);
  EXPECT_EQ(counted.roots, 1U);
  EXPECT_EQ(d.value, std::sqrt(8.0 / 3.0) - 3.0);
  EXPECT_EQ(e.value, 10.0);
  EXPECT_TRUE(less);
}

using Works = std::vector<selftest::StageWork>;

const selftest::StageWork& work_of(const Works& works, const std::string& what) {
  return *std::ranges::find(works, what, &selftest::StageWork::what);
}

selftest::CudaBatches batch_of(const selftest::StandingCrowd& crowd, std::size_t avatars) {
  selftest::CudaBatches out;
  out.members.assign(avatars, Member(crowd.avatar()));
  out.steps.push_back(crowd.frame(avatars, 0));
  return out;
}

/// The joints that links hang on, and all between them and the root.
std::size_t moving_joints(const Avatar& avatar) {
  std::set<int> out;
  for (const Link& link : avatar.links()) {
    for (int j = link.joint; j >= 0;
         j = avatar.skeleton().joints()[static_cast<std::size_t>(j)].parent) {
      out.insert(j);
    }
  }
  return out.size();
}

/// What the checker's own tallies of the same batch say, at the sizes of what is read and written.
TEST(CountWork, AsksForWhatTheKernelsTally) {
  const auto crowd = selftest::StandingCrowd::make(10'000).value();
  const auto device = cuda::Device::open({.emulate = true}).value();
  const auto room = selftest::make_cuda_room("small", crowd.environment(), device, {}).value();
  const auto joints = static_cast<double>(moving_joints(crowd.avatar()));
  for (const std::size_t avatars : {60U, 350U}) {
    SCOPED_TRACE(avatars);
    const selftest::CudaBatches batches = batch_of(crowd, avatars);
    const selftest::CudaRow row = selftest::run_cuda(room, batches, 1).value();
    const Works works = selftest::count_work(crowd.environment(), batches, 10.0).value();
    ASSERT_EQ(works.size(), 7U);
    const double steps = row.steps();
    const auto candidates = static_cast<double>(row.work.candidates);
    const auto near = static_cast<double>(row.work.near_links);
    ASSERT_GT(candidates, steps);
    // A triangle's number, those of its corners, and these.
    constexpr double kTriangle = 4.0 + 3.0 * 4.0 + 3.0 * 12.0;
    EXPECT_DOUBLE_EQ(work_of(works, "early-out").room_bytes * steps, kTriangle * candidates);
    // In two passes: a node has two volumes and two numbers.
    constexpr double kNode = 2.0 * 6.0 * 4.0 + 2.0 * 4.0 + 8.0;
    EXPECT_DOUBLE_EQ(work_of(works, "candidates, counted and written").room_bytes * steps,
                     2.0 * (kNode * static_cast<double>(row.work.volume_tests) / 2.0 +
                            kTriangle * static_cast<double>(row.work.primitive_tests)));
    // Two poses of 7 numbers, a motion of 23, the joint's number.
    const double moved = joints * (2.0 * 56.0 + 184.0);
    EXPECT_DOUBLE_EQ(work_of(works, "motions of joints").bytes, moved + 4.0 * joints);
    // A box of six floats, and the answer.
    EXPECT_DOUBLE_EQ(work_of(works, "which links are near").bytes, 16.0 * (24.0 + 1.0));
    // docs/cuda.md, "Pieces overlap": 912 bytes a near link; and its number.
    EXPECT_DOUBLE_EQ(work_of(works, "swept links").bytes * steps, moved * steps + 916.0 * near);
    for (const char* what : {"motions of joints", "boxes of links", "swept links"}) {
      EXPECT_GT(work_of(works, what).simple, 100.0) << what;
    }
    EXPECT_GT(work_of(works, "early-out").divisions, 0.0);
  }
}

TEST(CountWork, CertifyTakesWhatItsEvaluationsTake) {
  const auto crowd = selftest::StandingCrowd::make(10'000).value();
  const auto certify = [&](double evaluations) {
    return work_of(
        selftest::count_work(crowd.environment(), batch_of(crowd, 350), evaluations).value(),
        "certify");
  };
  const selftest::StageWork once = certify(3.0);
  const selftest::StageWork twice = certify(6.0);
  ASSERT_GT(once.simple, 0.0);
  ASSERT_GT(once.roots, 0.0);
  EXPECT_DOUBLE_EQ(twice.simple, 2.0 * once.simple);
  EXPECT_DOUBLE_EQ(twice.divisions, 2.0 * once.divisions);
  EXPECT_DOUBLE_EQ(twice.roots, 2.0 * once.roots);
  EXPECT_EQ(twice.bytes, once.bytes);
  EXPECT_EQ(certify(0.0).operations(), 0.0);
  // A state of a link and a triangle: more than a distance of points, less than a thousandth of
  // what a device makes in a millisecond.
  EXPECT_GT(once.operations() / 3.0, 100.0);
  EXPECT_LT(once.operations() / 3.0, 1e4);
}

TEST(CountWork, NothingNearNeedsNothingMore) {
  const auto crowd = selftest::StandingCrowd::make(10'000).value();
  const Environment far =
      Environment::create({{"far", {{999, 0, 0}, {999, 1, 0}, {999, 0, 1}}, {{0, 1, 2}}}}).value();
  const Works works = selftest::count_work(far, batch_of(crowd, 10), 10.0).value();
  for (const char* what : {"candidates, counted and written", "early-out", "certify"}) {
    EXPECT_EQ(work_of(works, what).room_bytes, 0.0) << what;
    EXPECT_EQ(work_of(works, what).operations(), 0.0) << what;
  }
  EXPECT_GT(work_of(works, "boxes of links").operations(), 0.0);
}

TEST(Ceilings, AreMeasuredInTheMemoryThatThereIs) {
  const auto measured = [](std::size_t memory) {
    return selftest::measure_ceilings(
        cuda::Device::open({.emulate = true, .memory = memory}).value(), false);
  };
  const auto little = measured(6'000'000);  // the arrays of an emulation take 16 MB in all
  ASSERT_TRUE(little) << little.error().message;
  for (const double rate :
       {little->bytes, little->operations, little->fused, little->up, little->down}) {
    EXPECT_GT(rate, 0.0);
  }
  const auto none = measured(100'000);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("bytes are in use"), std::string::npos)
      << none.error().message;
}

TEST(Carry, RowsBeforeAFailureStand) {
  // Twice as many calls each time: the first try that has rows fails on its way through the others.
  std::uint64_t fail_at = 500;
  const auto carried = [&] {
    return selftest::carry_on_cuda(
        cuda::Device::open({.emulate = true, .fail_at = fail_at}).value(), 1000.0, {});
  };
  auto some = carried();
  for (; !some; some = carried()) {
    EXPECT_NE(some.error().message.find("fails on demand"), std::string::npos);
    fail_at *= 2;
    ASSERT_LT(fail_at, 1U << 20U);
  }
  ASSERT_TRUE(some->ended);
  EXPECT_NE(some->ended->message.find("fails on demand"), std::string::npos);
  ASSERT_FALSE(some->rows.empty());
  EXPECT_LT(some->rows.size(), selftest::carried_sizes().size());
  for (const selftest::CudaRow& row : some->rows) {
    EXPECT_TRUE(row.equal);
    EXPECT_GT(row.cuda_us.median, 0.0);
  }
}

TEST(StandingCrowd, NoTwoAvatarsShareAPose) {
  const auto crowd = selftest::StandingCrowd::make(10'000).value();
  constexpr std::size_t kAvatars = 10'500;  // takes and their moments come again after 9,560
  const auto bytes = [](std::span<const Transform> pose) {
    return std::string(reinterpret_cast<const char*>(pose.data()), pose.size_bytes());
  };
  const std::vector<Step> now = crowd.frame(kAvatars, 3);
  ASSERT_EQ(now.size(), kAvatars);
  const auto [lo, hi] = crowd.environment().bounds();
  std::map<std::string, std::size_t> owner;
  for (std::size_t i = 0; i < kAvatars; ++i) {
    for (const std::span<const Transform> pose : {now[i].pose0(), now[i].pose1()}) {
      EXPECT_EQ(owner.try_emplace(bytes(pose), i).first->second, i) << "and " << i;
    }
    const Vec3 root = now[i].pose0().front().translation;
    ASSERT_TRUE(root.x > lo.x - 2.0 && root.x < hi.x + 2.0 && root.z > lo.z - 2.0 &&
                root.z < hi.z + 2.0)
        << i;
  }
  // They go on where they were.
  const std::vector<Step> next = crowd.frame(200, 4);
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (next[i].index() != now[i].index() + 1) continue;  // its take begins anew
    EXPECT_EQ(bytes(next[i].pose0()), bytes(now[i].pose1())) << i;
    EXPECT_EQ(next[i].seconds(0.0), now[i].seconds(1.0)) << i;
  }
}

}  // namespace
}  // namespace tocsin::test::measure_test
