// Several CUDA devices share the steps: the CPU's contacts, also where some of them, or all, fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "devices/cuda/cuda_devices.h"
#include "gpu/cuda/cuda_detector_test.h"
#include "support/contains.h"
#include "support/environment_variable.h"
#include "support/scenes/random_crowd.h"

namespace tocsin::several_devices_cuda_test {
namespace {

using test::contacts_of;
using test::contains;
using test::EnvironmentVariable;
using test::expect_same;
using test::RandomCrowd;
using test::RandomLinks;
using test::RandomTake;
using test::reports_of_run;

constexpr const char* kWhichFails = "TOCSIN_CUDA_FAIL_AT";

DetectorOptions on_devices(int count, std::size_t memory = 0) {
  DetectorOptions out{.backend = Backend::kCuda,
                      .clearance = true,
                      .threads = 2,
                      .cuda = {.memory = memory},
                      .experiments = {.emulate = true}};
  out.cuda.devices.resize(static_cast<std::size_t>(count));
  std::iota(out.cuda.devices.begin(), out.cuda.devices.end(), 0);
  return out;
}

/// One detector asked in every way.
class SeveralDevices : public testing::Test {
 protected:
  struct Answers {
    std::vector<StepReport> take;   ///< one avatar, many steps
    std::vector<StepReport> crowd;  ///< avatars that meet, at several instants
    std::vector<StepReport> alone;  ///< the same, each alone
    std::vector<StepReport> batch;  ///< one instant
  };

  SeveralDevices() {
    RandomLinks random(2841);
    room_ = test::random_room(random, 3, 30, 1.2);
    take_ = test::random_take(random, 6, 12, 0.5, 0.1);
    crowd_ = test::random_crowd(random, 5, 7, 0.6, true);
    const DetectorOptions cpu{.backend = Backend::kCpu, .clearance = true};
    want_ = answers(Detector::make(room_, cpu).value());
    EXPECT_GT(contacts_of(want_.take), 20U);
    EXPECT_GT(contacts_of(want_.crowd), contacts_of(want_.alone));
  }

  [[nodiscard]] Answers answers(const Detector& detector) const {
    Answers out;
    out.take = reports_of_run(detector, take_.avatar, take_.motion.steps().value());
    out.crowd = reports_of_run(detector, crowd_.members, crowd_.steps, {.meet = true});
    out.alone = reports_of_run(detector, crowd_.members, crowd_.steps);
    out.batch = detector.check_batch(crowd_.members, crowd_.at(0), {.meet = true});
    return out;
  }
  void expect_right(const Answers& got) const {
    expect_same(got.take, want_.take);
    expect_same(got.crowd, want_.crowd);
    expect_same(got.alone, want_.alone);
    expect_same(got.batch, want_.batch);
  }
  /// Steps of the take that the CPU has checked: it asks a tree of its own.
  static int cpus(const Answers& got) {
    int out = 0;
    for (const StepReport& report : got.take) out += report.counters.tree_queries == 0 ? 0 : 1;
    return out;
  }

  Environment room_;
  RandomTake take_;
  RandomCrowd crowd_;
  Answers want_;
};

/// Emulated, and on all real devices of the machine where it has one.
class SeveralDevicesOn : public SeveralDevices, public testing::WithParamInterface<std::string> {
 protected:
  [[nodiscard]] static bool emulated() { return GetParam() == "Emulated"; }
  [[nodiscard]] static DetectorOptions on(int count) {
    DetectorOptions out = on_devices(count);
    out.experiments.emulate = emulated();
    return out;
  }
  /// As many as there are, 3 at most.
  [[nodiscard]] static int most() { return emulated() ? 3 : std::min(real_devices(), 3); }

 public:
  static int real_devices() {
    const std::vector<DeviceInfo> all = devices::list_cuda_devices();
    return static_cast<int>(std::ranges::count(all, true, &DeviceInfo::usable));
  }
};

INSTANTIATE_TEST_SUITE_P(On, SeveralDevicesOn,
                         testing::ValuesIn(SeveralDevicesOn::real_devices() > 0
                                               ? std::vector<std::string>{"Emulated", "Real"}
                                               : std::vector<std::string>{"Emulated"}),
                         [](const auto& instance) { return instance.param; });

TEST_P(SeveralDevicesOn, FindTheCpusContacts) {
  for (int count = 1; count <= most(); ++count) {
    SCOPED_TRACE(count);
    const Detector detector = Detector::make(room_, on(count)).value();
    for (int again = 0; again < 2; ++again) {
      const Answers got = answers(detector);
      expect_right(got);
      EXPECT_EQ(cpus(got), 0);
    }
    EXPECT_EQ(detector.fallback(), "");
  }
}

TEST_F(SeveralDevices, AreAllNamedAndShareTheThreads) {
  EXPECT_EQ(Detector::make(room_, on_devices(1))->device_name(), "emulated on 2 threads");
  EXPECT_EQ(Detector::make(room_, on_devices(3))->device_name(),
            "0: emulated on 1 thread; 1: emulated on 1 thread; 2: emulated on 1 thread");
  DetectorOptions named = on_devices(2);
  named.cuda.devices = {7, 3};
  named.threads = 4;
  EXPECT_EQ(Detector::make(room_, named)->device_name(),
            "7: emulated on 2 threads; 3: emulated on 2 threads");
  const EnvironmentVariable variable("TOCSIN_CUDA_DEVICE", "1,0");
  named.cuda.devices.clear();
  EXPECT_EQ(Detector::make(room_, named)->device_name(),
            "1: emulated on 2 threads; 0: emulated on 2 threads");
}

/// Which device gets which piece is a matter of time: that one fails on the way is certain only for
/// what it does before there are pieces. The answer is certain.
std::vector<int> calls() {
  std::vector<int> out;
  for (int at = 1; at < 700; at += at < 100 ? 3 : 41) out.push_back(at);
  return out;
}
constexpr int kCertain = 4;  ///< of these calls, the first: while a device takes the room

TEST_P(SeveralDevicesOn, OneThatFailsLeavesItsShareToTheOther) {
  if (most() < 2) GTEST_SKIP() << "one device has nothing to share";
  int failed = 0;
  for (const int at : calls()) {
    const std::string which = std::to_string(at % 2);
    SCOPED_TRACE(which + ":" + std::to_string(at));
    const EnvironmentVariable fails(kWhichFails, which + ":" + std::to_string(at));
    const Detector detector = Detector::make(room_, on(2)).value();
    const Answers got = answers(detector);
    expect_right(got);
    EXPECT_EQ(cpus(got), 0);
    const std::string why = detector.fallback();
    if (why.empty()) continue;
    ++failed;
    EXPECT_EQ(why.rfind("CUDA device " + which + " failed: ", 0), 0U) << why;
    const std::string other = which == "0" ? "1" : "0";
    EXPECT_TRUE(why.ends_with("fails on demand; CUDA device " + other + " took over")) << why;
  }
  EXPECT_GE(failed, kCertain);
}

/// Avatars that meet are one piece, which the first device gets.
TEST_F(SeveralDevices, OneThatFailsInItsPieceLeavesItToTheOther) {
  int failed = 0;
  for (int at = 1;; ++at) {
    SCOPED_TRACE(at);
    const EnvironmentVariable fails(kWhichFails, "0:" + std::to_string(at));
    const Detector detector = Detector::make(room_, on_devices(2)).value();
    const auto got = detector.check_batch(crowd_.members, crowd_.at(0), {.meet = true});
    expect_same(got, want_.batch);
    for (const StepReport& report : got) EXPECT_EQ(report.counters.tree_queries, 0U);
    if (HasFailure()) return;
    const std::string why = detector.fallback();
    if (why.empty()) break;  // it is done before that call
    ++failed;
    EXPECT_TRUE(why.ends_with("; CUDA device 1 took over")) << why;
    ASSERT_LT(at, 5000);
  }
  EXPECT_GT(failed, 100);
}

TEST_F(SeveralDevices, WhereAllFailTheCpuTakesOver) {
  int failed = 0;
  for (const int at : calls()) {
    SCOPED_TRACE(at);
    const EnvironmentVariable fails(
        kWhichFails, "0:" + std::to_string(at) + ",1:" + std::to_string(at + at / 3 + 1));
    const Detector detector = Detector::make(room_, on_devices(2)).value();
    expect_right(answers(detector));
    const std::string why = detector.fallback();
    if (why.empty()) continue;
    const bool both =
        contains(why, "CUDA device 0 failed: ") && contains(why, "CUDA device 1 failed: ");
    EXPECT_EQ(why.ends_with("; the CPU took over"), both) << why;
    failed += both ? 1 : 0;
  }
  EXPECT_GE(failed, kCertain);
}

TEST_F(SeveralDevices, ThatFailInTheirPiecesLeaveThemToTheCpu) {
  const EnvironmentVariable fails(kWhichFails, "90");  // any
  const Detector detector = Detector::make(room_, on_devices(2)).value();
  // One piece each time: the first device gets it, and then the second.
  for (int again = 0; again < 10; ++again) {
    expect_same(detector.check_batch(crowd_.members, crowd_.at(0), {.meet = true}), want_.batch);
  }
  EXPECT_TRUE(detector.fallback().ends_with("; the CPU took over")) << detector.fallback();
}

TEST_F(SeveralDevices, OtherRoomsAndQuestionsGoOnWithThoseThatWork) {
  const EnvironmentVariable fails(kWhichFails, "1:5");  // while it takes the room
  const DetectorOptions options = on_devices(3);
  const Detector detector = Detector::make(room_, options).value();
  expect_right(answers(detector));
  EXPECT_TRUE(detector.fallback().ends_with("; CUDA device 0, CUDA device 2 took over"))
      << detector.fallback();
  for (const Detector& other :
       {detector.with_environment(room_).value(), detector.with_options(options).value()}) {
    EXPECT_EQ(other.device_name(), "0: emulated on 1 thread; 2: emulated on 1 thread");
    const Answers got = answers(other);
    expect_right(got);
    EXPECT_EQ(cpus(got), 0);
    EXPECT_EQ(other.fallback(), "");
  }
}

TEST_F(SeveralDevices, ARoomThatFitsNoneIsTheCpus) {
  const Detector detector = Detector::make(room_, on_devices(2, 600)).value();
  const Answers got = answers(detector);
  expect_right(got);
  EXPECT_GT(cpus(got), 0);
  EXPECT_TRUE(detector.fallback().ends_with("; the CPU took over")) << detector.fallback();
}

TEST_F(SeveralDevices, SeveralMayAsk) {
  const Detector detector = Detector::make(room_, on_devices(2)).value();
  std::array<std::thread, 3> threads;
  for (std::thread& thread : threads) {
    thread = std::thread([&] { expect_right(answers(detector)); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(detector.fallback(), "");
}

TEST_F(SeveralDevices, ListsThatMakeNoSenseAreRefused) {
  const auto refused = [&](std::vector<int> devices) {
    DetectorOptions options = on_devices(1);
    options.cuda.devices = std::move(devices);
    const auto detector = Detector::make(room_, options);
    EXPECT_EQ(detector.error().code, ErrorCode::kUsage);
    return detector.error().message;
  };
  EXPECT_EQ(refused({0, 1, 0}), "CUDA device 0 is named twice");
  EXPECT_EQ(refused({-1}), "no CUDA device has the index -1");
  for (const char* const text : {"0,", ",0", "0,x", "0 1", "1,1"}) {
    const EnvironmentVariable variable("TOCSIN_CUDA_DEVICE", text);
    const std::string said = refused({});
    EXPECT_EQ(said.rfind("TOCSIN_CUDA_DEVICE: ", 0), 0U) << said;
  }
  for (const char* const text : {"1:", ":1", "1:0", "x:1", "1:1,", "1:2:3"}) {
    const EnvironmentVariable variable(kWhichFails, text);
    const std::string said = refused({0});
    EXPECT_TRUE(contains(said, std::string("found \"") + text + "\"")) << said;
  }
}

}  // namespace
}  // namespace tocsin::several_devices_cuda_test
