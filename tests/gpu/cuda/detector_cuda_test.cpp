// A detector on CUDA gives the CPU's reports, bit for bit.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gpu/cuda/cuda_detector_test.h"
#include "support/data.h"
#include "support/scenes/graze_scene.h"
#include "support/scenes/random_scene.h"
#include "tocsin/io.h"
#include "tocsin/stream.h"

namespace tocsin::detector_cuda_test {
namespace {

using test::contacts_of;
using test::expect_same;
using test::RandomLinks;
using test::RandomTake;
using test::reports_of_run;

class CudaDetector : public test::CudaDetectorTest {};

StepList steps_of(const RandomTake& take, int i) {
  StepRange range;
  range.in_between = i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate;
  range.still = i % 7 == 6;
  return take.motion.steps(range).value();
}

/// Options that differ from question to question.
DetectorOptions options_of(RandomLinks& random, int i) {
  DetectorOptions out;
  out.contacts = i % 3 == 1 ? Contacts::kFirst : Contacts::kPairs;
  out.margin = i % 4 == 0 ? random.uniform(0, 0.1) : 0.0;
  out.tolerance = i % 5 == 0 ? 1e-3 : 1e-9;
  out.clearance = i % 4 == 2;
  return out;
}

ActivePairs some_pairs(const Avatar& avatar, const Environment& room, int i) {
  const std::vector<std::string> all;
  const std::vector<std::string> some{"*1:object1", "link2:*", "*:object2"};
  const std::vector<std::string> none{"*:*"};
  return ActivePairs::ignoring(avatar, room, i % 11 == 10 ? none : i % 2 == 0 ? all : some).value();
}

TEST_P(CudaDetector, GivesTheReportsOfTheCpuWhateverIsAsked) {
  RandomLinks random(801);
  std::size_t contacts = 0;
  std::size_t of_links = 0;
  for (int i = 0; i < 150; ++i) {
    SCOPED_TRACE("question " + std::to_string(i));
    const RandomTake take =
        test::random_take(random, 3 + i % 9, 12, i % 2 == 0 ? 0.05 : 0.7, i % 5 == 4 ? 1.0 : 0.1);
    const Environment room = test::random_room(random, 1 + i % 5, i % 6 == 5 ? 3 : 60, 1.5);
    const DetectorOptions asked = options_of(random, i);
    const Member member{take.avatar, some_pairs(take.avatar, room, i),
                        i % 3 == 0 ? LinkPairs::of(take.avatar) : LinkPairs()};
    const Detector by_cpu = cpu(room, asked);
    const Detector by_cuda = cuda(room, asked);
    const StepList steps = steps_of(take, i);
    const RunOptions run{.threads = i % 3};
    const std::vector<StepReport> want = reports_of_run(by_cpu, member, steps, run);
    expect_same(reports_of_run(by_cuda, member, steps, run), want);
    Stream stream(by_cuda, member);
    for (const std::size_t k : {std::size_t{0}, steps.size() / 2}) {
      expect_same(by_cuda.check(member, steps[k]), want[k]);
      expect_same(stream.check(steps[k]), want[k]);
    }
    EXPECT_EQ(by_cuda.fallback(), "");
    contacts += contacts_of(want);
    for (const StepReport& report : want) {
      for (const Contact& c : report.contacts) of_links += c.other() ? 1 : 0;
    }
  }
  EXPECT_GT(contacts, 2000U);
  EXPECT_GT(of_links, 100U);
}

TEST_P(CudaDetector, AGrazeBeforeATouchIsTheCpus) {
  for (const bool one_object : {true, false}) {
    const Environment room = test::floors({0.0F, 0.625F}, one_object);
    for (const test::Bar& bar : {test::deep_bar(), test::rising_ball()}) {
      const StepReport want = cpu(room).check(bar.avatar, bar.motion.steps()->front());
      const StepReport got = cuda(room).check(bar.avatar, bar.motion.steps()->front());
      EXPECT_FALSE(want.contacts.empty());
      EXPECT_EQ(got.contacts, want.contacts);
      EXPECT_EQ(got.safe_until, want.safe_until);
    }
  }
}

TEST_P(CudaDetector, ThreadsDoNotShow) {
  RandomLinks random(802);
  const RandomTake take = test::random_take(random, 8, 60, 0.4, 0.1);
  const Environment room = test::random_room(random, 4, 80, 1.5);
  const Detector by_cuda = cuda(room, {.clearance = true});
  const StepList steps = steps_of(take, 0);
  const auto want = reports_of_run(cpu(room, {.clearance = true}), take.avatar, steps);
  EXPECT_GT(contacts_of(want), 100U);
  std::vector<StepReport> first;
  for (const int threads : {1, 2, 8}) {
    const auto got = reports_of_run(by_cuda, take.avatar, steps, {.threads = threads});
    expect_same(got, want);
    if (first.empty()) first = got;
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].counters.candidates, first[i].counters.candidates);
      EXPECT_EQ(got[i].counters.evaluations, first[i].counters.evaluations);
      EXPECT_EQ(got[i].counters.volume_tests, first[i].counters.volume_tests);
    }
  }
}

TEST_P(CudaDetector, ARoomThatMoves) {
  RandomLinks random(803);
  std::size_t contacts = 0;
  const RandomTake take = test::random_take(random, 8, 10, 0.4, 0.1);
  const StepList steps = steps_of(take, 0);
  Environment room = test::random_room(random, 4, 80, 1.2);
  Detector by_cuda = cuda(room);
  const Detector before = by_cuda;
  const auto at_first = reports_of_run(cpu(room), take.avatar, steps);
  for (int i = 0; i < 5; ++i) {
    std::vector<Vec3f> vertices(room.vertices().begin(), room.vertices().end());
    const double reach = i == 4 ? 3.0 : 0.1;  // the last is hardly the same room
    for (Vec3f& v : vertices) {
      const Vec3 to = core::to_double(v) + random.vector(0, reach);
      v = {static_cast<float>(to.x), static_cast<float>(to.y), static_cast<float>(to.z)};
    }
    room = room.with_vertices(std::move(vertices)).value();
    by_cuda = by_cuda.with_environment(room).value();
    EXPECT_EQ(by_cuda.backend_name(), "cuda");
    const auto want = reports_of_run(cpu(room), take.avatar, steps);
    expect_same(reports_of_run(by_cuda, take.avatar, steps), want);
    EXPECT_EQ(by_cuda.fallback(), "");
    contacts += contacts_of(want);
  }
  expect_same(reports_of_run(before, take.avatar, steps), at_first);
  EXPECT_GT(contacts, 100U);
  const auto other = by_cuda.with_environment(test::random_room(random, 2, 5, 1.0));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kUsage);
}

TEST_P(CudaDetector, ARoomAskedOtherwise) {
  RandomLinks random(804);
  const RandomTake take = test::random_take(random, 7, 8, 0.4, 0.1);
  const Environment room = test::random_room(random, 3, 60, 1.2);
  const StepList steps = steps_of(take, 1);
  const Detector built = cuda(room);
  for (int i = 0; i < 8; ++i) {
    const DetectorOptions asked = options_of(random, i);
    const Detector otherwise = built.with_options(asked).value();
    EXPECT_EQ(otherwise.device_name(), built.device_name());
    expect_same(reports_of_run(otherwise, take.avatar, steps),
                reports_of_run(cpu(room, asked), take.avatar, steps));
  }
  expect_same(reports_of_run(built, take.avatar, steps),
              reports_of_run(cpu(room), take.avatar, steps));
}

TEST_P(CudaDetector, RefusesWhatTheCpuRefuses) {
  RandomLinks random(805);
  const RandomTake take = test::random_take(random, 6, 4, 0.3, 0.1);
  const RandomTake other = test::random_take(random, 4, 4, 0.3, 0.1);
  const Environment room = test::random_room(random, 3, 30, 1.0);
  const Environment fewer = test::random_room(random, 2, 30, 1.0);
  const std::vector<std::string> patterns{"*:*"};
  const ActivePairs strange = ActivePairs::ignoring(take.avatar, fewer, patterns).value();
  const LinkPairs not_its = LinkPairs::of(other.avatar);
  const Detector by_cpu = cpu(room);
  const Detector by_cuda = cuda(room);
  const StepList steps = steps_of(take, 0);
  const StepList other_steps = steps_of(other, 0);
  const std::vector<Step> none(1);
  struct Case {
    const char* what;
    Member member;
    const std::vector<Step>* steps;
  };
  for (const Case& c :
       {Case{"no links", Avatar(), &steps}, Case{"another skeleton", other.avatar, &steps},
        Case{"steps of another skeleton", take.avatar, &other_steps},
        Case{"no step", take.avatar, &none},
        Case{"pairs of another room", {take.avatar, strange}, &steps},
        Case{"pairs of another's links", {take.avatar, {}, not_its}, &steps}}) {
    SCOPED_TRACE(c.what);
    const StepReport want = by_cpu.check(c.member, c.steps->front());
    EXPECT_TRUE(want.error);
    expect_same(by_cuda.check(c.member, c.steps->front()), want);
    const auto ignore = [](const StepReport&) { return true; };
    EXPECT_EQ(by_cuda.run(c.member, *c.steps, {.threads = 2}, ignore).error().message,
              want.error->message);
  }
  EXPECT_EQ(by_cuda.fallback(), "");
  expect_same(by_cuda.check(take.avatar, steps[0]), by_cpu.check(take.avatar, steps[0]));
}

TEST_P(CudaDetector, AStepWithAProblemLeavesItsNeighboursAlone) {
  RandomLinks random(806);
  const RandomTake take = test::random_take(random, 5, 12, 0.4, 0.1);
  const RandomTake other = test::random_take(random, 7, 3, 0.3, 0.3);
  const Environment room = test::random_room(random, 4, 60, 1.0);
  StepList steps = steps_of(take, 0);
  const std::size_t bad = steps.size() / 2;
  steps[bad] = steps_of(other, 0)[0];
  const auto run = [&](const Detector& detector) {
    std::vector<StepReport> out;
    const Status status = detector.run(take.avatar, steps, {}, [&](const StepReport& report) {
      out.push_back(report);
      return true;
    });
    EXPECT_FALSE(status.ok());
    return out;
  };
  const std::vector<StepReport> want = run(cpu(room));
  EXPECT_EQ(want.size(), bad);
  expect_same(run(cuda(room)), want);
}

TEST_P(CudaDetector, RoomsOfAlmostNothing) {
  RandomLinks random(807);
  const RandomTake take = test::random_take(random, 5, 6, 0.4, 0.1);
  const StepList steps = steps_of(take, 0);
  ObjectMesh empty{"empty", {{1, 2, 3}}, {}};
  // A triangle, one that is a segment, one that is a point, one that is huge.
  ObjectMesh mesh{"few",
                  {{-1, 0, -1}, {1, 0, -1}, {0, 0.1F, 1}, {0, 0, 0}, {9e5F, 1, 2}, {-9e5F, 3, 1}},
                  {{0, 1, 2}, {0, 1, 1}, {3, 3, 3}, {4, 5, 2}}};
  const Environment few = Environment::create({empty, mesh, empty}).value();
  for (const Environment& room : {Environment(), Environment::create({empty}).value(), few}) {
    for (const bool clearance : {false, true}) {
      const auto want = reports_of_run(cpu(room, {.clearance = clearance}), take.avatar, steps);
      expect_same(reports_of_run(cuda(room, {.clearance = clearance}), take.avatar, steps), want);
      if (!room.triangles().empty()) {
        EXPECT_GT(contacts_of(want), 0U);
      }
    }
  }
  EXPECT_TRUE(reports_of_run(cuda(few), take.avatar, std::vector<Step>()).empty());
}

TEST_P(CudaDetector, MayBeAskedByManyThreadsAtOnce) {
  RandomLinks random(808);
  const RandomTake take = test::random_take(random, 7, 20, 0.4, 0.1);
  const Environment room = test::random_room(random, 4, 80, 1.5);
  const StepList steps = steps_of(take, 0);
  const Detector by_cuda = cuda(room);
  const auto want = reports_of_run(cpu(room), take.avatar, steps);
  std::array<std::vector<StepReport>, 3> got;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < got.size(); ++t) {
    threads.emplace_back([&, t] {
      if (t == 0) {
        got[t] = reports_of_run(by_cuda, take.avatar, steps);
        return;
      }
      const Detector mine = t == 1 ? by_cuda : by_cuda.with_options(by_cuda.options()).value();
      for (const Step& step : steps) got[t].push_back(mine.check(take.avatar, step));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<StepReport>& reports : got) expect_same(reports, want);
}

TEST_P(CudaDetector, StopsWhenTold) {
  RandomLinks random(809);
  const RandomTake take = test::random_take(random, 5, 50, 0.4, 0.1);
  const Detector by_cuda = cuda(test::random_room(random, 2, 10, 1.0));
  const StepList steps = steps_of(take, 0);
  std::stop_source stop;
  stop.request_stop();
  const Status status = by_cuda.run(take.avatar, steps, {.stop = stop.get_token()},
                                    [](const StepReport&) { return true; });
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
  int taken = 0;
  const Status by_sink =
      by_cuda.run(take.avatar, steps, {}, [&](const StepReport&) { return ++taken < 3; });
  EXPECT_EQ(by_sink.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(taken, 3);
  EXPECT_EQ(by_cuda.fallback(), "");
}

TEST_P(CudaDetector, NeedsCertify) {
  const auto image = Detector::make(
      {}, {.backend = Backend::kCuda, .experiments = {.certify = false, .emulate = true}});
  ASSERT_FALSE(image);
  EXPECT_EQ(image.error().code, ErrorCode::kUsage);
  EXPECT_NE(image.error().message.find("gl backend"), std::string::npos);
}

TEST_P(CudaDetector, ATakeInTheHouse) {
  TOCSIN_NEEDS_DATA("motions/cmu_bvh/01_01.bvh");
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  const Motion take = load_motion(test::data_path("motions/cmu_bvh/01_01.bvh")).value();
  const Motion placed = take.placed({{5.4, 0.03, -4.0}, 0.0}).value();
  const Avatar avatar = Avatar::bind(*load_avatar_model("humanoid16"), placed.skeleton()).value();
  const Environment house =
      load_environment(test::data_path("environments/small_house.obj")).value();
  const StepList steps = placed.steps({.first = 900, .last = 1500, .stride = 12}).value();
  const Member member{avatar, {}, LinkPairs::of(avatar)};
  const auto want = reports_of_run(cpu(house), member, steps);
  EXPECT_GT(contacts_of(want), 100U);
  expect_same(reports_of_run(cuda(house), member, steps), want);
}

TOCSIN_ON_CUDA_DETECTORS(CudaDetector);

TEST(CudaDetectorWithoutADevice, IsAnErrorThatNamesTheEmulation) {
  if (cuda::Device::open({})) GTEST_SKIP() << "there is one";
  const auto detector = Detector::make({}, {.backend = Backend::kCuda});
  ASSERT_FALSE(detector);
  EXPECT_EQ(detector.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(detector.error().message.find("--emulate"), std::string::npos)
      << detector.error().message;
}

TEST(CudaDetectorWithoutADevice, AutoIsTheCpu) {
  const Detector detector =
      Detector::make(Environment{}, {.experiments = {.emulate = true}}).value();
  EXPECT_EQ(detector.backend_name(), "cpu");
}

}  // namespace
}  // namespace tocsin::detector_cuda_test
