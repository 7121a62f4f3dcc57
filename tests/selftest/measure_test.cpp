// What `tocsin selftest` measures: how much fits into a time, by counts; shares of ceilings that
// are given; a crowd of which no two avatars are alike.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/selftest/selftest_text.h"
#include "selftest/compare/case_list.h"
#include "selftest/measure/budget.h"
#include "selftest/measure/carry.h"
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
