// What a CUDA device does not live to answer the CPU answers: nothing is lost, nothing told twice,
// and it is said.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/cuda/cuda_detector_test.h"
#include "support/environment_variable.h"
#include "support/scenes/random_crowd.h"

namespace tocsin::fallback_cuda_test {
namespace {

using test::contacts_of;
using test::EnvironmentVariable;
using test::expect_same;
using test::RandomCrowd;
using test::RandomLinks;
using test::RandomTake;
using test::reports_of_run;

constexpr const char* kFailAt = "TOCSIN_CUDA_FAIL_AT";

DetectorOptions emulated(std::size_t memory = 0) {
  return {.backend = Backend::kCuda, .cuda = {.memory = memory}, .experiments = {.emulate = true}};
}

/// One detector asked in every way, and what it says.
class Fallback : public testing::Test {
 protected:
  struct Answers {
    std::vector<StepReport> take;
    std::vector<StepReport> crowd;
    std::vector<StepReport> batch;
    std::string fallback;
  };

  Fallback() {
    RandomLinks random(841);
    room_ = test::random_room(random, 3, 30, 1.2);
    take_ = test::random_take(random, 6, 9, 0.5, 0.1);
    crowd_ = test::random_crowd(random, 4, 4, 0.6, true);
    want_ = answers({.backend = Backend::kCpu});
  }

  [[nodiscard]] Answers answers(DetectorOptions options) const {
    options.clearance = true;
    const Detector detector = Detector::make(room_, options).value();
    Answers out;
    out.take = reports_of_run(detector, take_.avatar, take_.motion.steps().value());
    out.crowd = reports_of_run(detector, crowd_.members, crowd_.steps, {.meet = true});
    out.batch = detector.check_batch(crowd_.members, crowd_.at(0), {.meet = true});
    out.fallback = detector.fallback();
    return out;
  }

  void expect_right(const Answers& got) const {
    expect_same(got.take, want_.take);
    expect_same(got.crowd, want_.crowd);
    expect_same(got.batch, want_.batch);
  }

  Environment room_;
  RandomTake take_;
  RandomCrowd crowd_;
  Answers want_;
};

TEST_F(Fallback, ADeviceThatFailsAtAnyCallIsReplacedByTheCpu) {
  EXPECT_GT(contacts_of(want_.take), 20U);
  EXPECT_GT(contacts_of(want_.crowd), 20U);
  int failed = 0;
  for (int at = 1;; at += at < 200 ? 1 : 37) {
    SCOPED_TRACE("call " + std::to_string(at));
    const EnvironmentVariable fail_at(kFailAt, std::to_string(at));
    const Answers got = answers(emulated());
    expect_right(got);
    if (HasFailure()) return;
    if (got.fallback.empty()) break;  // it is done before that call
    ++failed;
    ASSERT_LT(at, 5000);
  }
  EXPECT_GT(failed, 200);
}

/// Of a take, steps that the device has checked and steps that the CPU has: it asks a tree of its
/// own, which the device's counters do not count.
std::pair<int, int> shares(const std::vector<StepReport>& reports) {
  std::pair<int, int> out;
  for (const StepReport& report : reports) {
    ++(report.counters.tree_queries == 0 ? out.first : out.second);
  }
  return out;
}

TEST_F(Fallback, WhatTheDeviceHasDoneIsKept) {
  std::size_t memory = 512;
  while (!answers(emulated(memory)).fallback.empty()) memory *= 2;
  int mixed = 0;
  for (int at = 50; at < 1000; at += 13) {
    SCOPED_TRACE("call " + std::to_string(at));
    const EnvironmentVariable fail_at(kFailAt, std::to_string(at));
    const Answers got = answers(emulated(memory));
    expect_right(got);
    const auto [device, cpu] = shares(got.take);
    if (device > 0 && cpu > 0) ++mixed;
  }
  EXPECT_GT(mixed, 1);
}

TEST_F(Fallback, OnceItHasFailedItIsAskedNoMore) {
  const EnvironmentVariable fail_at(kFailAt, "120");
  DetectorOptions options = emulated();
  options.clearance = true;
  const Detector detector = Detector::make(room_, options).value();
  EXPECT_EQ(detector.backend_name(), "cuda");
  for (int round = 0; round < 3; ++round) {
    expect_same(reports_of_run(detector, take_.avatar, take_.motion.steps().value()), want_.take);
  }
  const std::string why = detector.fallback();
  EXPECT_FALSE(why.empty());
  expect_same(detector.check_batch(crowd_.members, crowd_.at(0), {.meet = true}), want_.batch);
  EXPECT_EQ(detector.fallback(), why);
  // A moved room, and one asked otherwise, are the CPU's, too.
  for (const Detector& other :
       {detector.with_environment(room_).value(), detector.with_options(options).value()}) {
    EXPECT_FALSE(other.fallback().empty());
    expect_same(reports_of_run(other, take_.avatar, take_.motion.steps().value()), want_.take);
  }
}

TEST_F(Fallback, AMovedRoomThatTheDeviceDoesNotTakeIsTheCpus) {
  // The same calls up to the move, whichever it fails at.
  int failed = 0;
  for (int at = 1; at < 400; at += 7) {
    const EnvironmentVariable fail_at(kFailAt, std::to_string(at));
    DetectorOptions options = emulated();
    options.clearance = true;
    const Detector moved = Detector::make(room_, options)->with_environment(room_).value();
    expect_same(reports_of_run(moved, take_.avatar, take_.motion.steps().value()), want_.take);
    failed += moved.fallback().empty() ? 0 : 1;
  }
  EXPECT_GT(failed, 10);
}

TEST_F(Fallback, TooLittleMemoryMakesBatchesSmallerOrLeavesThemToTheCpu) {
  bool fitted = false;
  bool too_small = false;
  for (std::size_t memory = 512; memory <= std::size_t{1} << 24U; memory *= 2) {
    SCOPED_TRACE(std::to_string(memory) + " bytes");
    const Answers got = answers(emulated(memory));
    expect_right(got);
    (got.fallback.empty() ? fitted : too_small) = true;
    EXPECT_FALSE(fitted && !got.fallback.empty()) << got.fallback;
  }
  EXPECT_TRUE(fitted);
  EXPECT_TRUE(too_small);
}

TEST_F(Fallback, VariablesThatMakeNoSenseAreRefused) {
  for (const char* const text : {"0", "-1", "soon", "1.5", "99999999999999999999999"}) {
    const EnvironmentVariable fail_at(kFailAt, text);
    const auto detector = Detector::make(room_, emulated());
    ASSERT_FALSE(detector) << text;
    EXPECT_EQ(detector.error().code, ErrorCode::kUsage) << text;
    EXPECT_NE(detector.error().message.find(kFailAt), std::string::npos);
    EXPECT_NE(detector.error().message.find(text), std::string::npos);
  }
  const EnvironmentVariable device("TOCSIN_CUDA_DEVICE", "the fast one");
  const auto detector = Detector::make(room_, {.backend = Backend::kCuda});
  ASSERT_FALSE(detector);
  EXPECT_EQ(detector.error().code, ErrorCode::kUsage);
  EXPECT_NE(detector.error().message.find("TOCSIN_CUDA_DEVICE"), std::string::npos);
}

}  // namespace
}  // namespace tocsin::fallback_cuda_test
