// A detector on OpenGL answers as one on the CPU does, bit for bit, however it is asked.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "gpu/gl/gl_detector_test.h"
#include "support/scenes/random_scene.h"
#include "tocsin/detector.h"

namespace tocsin::detector_gl_test {
namespace {

using test::contacts_of;
using test::expect_same;
using test::RandomLinks;
using test::RandomTake;
using test::reports_of_run;

class GlDetector : public test::GlDetectorTest {};

/// A device costs some tenths of a second to open on a processor: few detectors, many steps each.
constexpr int kFrames = 16;

DetectorOptions on_gl(DetectorOptions options) {
  options.backend = Backend::kGl;
  return options;
}
DetectorOptions on_cpu(DetectorOptions options) {
  options.backend = Backend::kCpu;
  return options;
}

/// Some of everything: near and far, slow and fast.
RandomTake take_of(RandomLinks& random, int i, int frames = kFrames) {
  return test::random_take(random, 6, frames, i % 2 == 0 ? 0.2 : 2.0, i % 3 == 0 ? 0.1 : 0.4);
}

std::vector<Step> steps_of(const RandomTake& take, int i) {
  const StepList list =
      take.motion
          .steps({.stride = 1 + i % 2,
                  .in_between = i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate,
                  .still = i % 7 == 6})
          .value();
  return {list.begin(), list.end()};
}

/// Asks both in every way there is; how many contacts there are.
std::size_t compare(const Environment& room, const RandomTake& take, std::span<const Step> steps,
                    const DetectorOptions& options, const ActivePairs& active = {}) {
  const Detector cpu = Detector::make(room, on_cpu(options)).value();
  const Detector gl = Detector::make(room, on_gl(options)).value();
  EXPECT_EQ(gl.backend_name(), "gl");
  EXPECT_EQ(gl.fallback(), "");
  std::vector<StepReport> want;
  for (const Step& step : steps) want.push_back(cpu.check({take.avatar, active}, step));
  for (const int threads : {1, 2}) {
    SCOPED_TRACE("run on " + std::to_string(threads) + " threads");
    expect_same(reports_of_run(gl, {take.avatar, active}, steps, {.threads = threads}), want);
  }
  Stream stream(gl, {take.avatar, active});
  for (std::size_t i = 0; i < steps.size(); i += 5) {
    SCOPED_TRACE("single step " + std::to_string(i));
    expect_same(gl.check({take.avatar, active}, steps[i]), want[i]);
    expect_same(stream.check(steps[i]), want[i]);
  }
  return contacts_of(want);
}

TEST_F(GlDetector, ContactsAreTheCpus) {
  RandomLinks random(501);
  std::size_t contacts = 0;
  std::size_t steps = 0;
  for (int i = 0; i < 7; ++i) {
    SCOPED_TRACE(i);
    const RandomTake take = take_of(random, i);
    const Environment room = test::random_room(random, 4, i == 3 ? 300 : 40, 1.5);
    const std::vector<Step> these = steps_of(take, i);
    contacts += compare(room, take, these,
                        {.contacts = i % 2 == 0 ? Contacts::kPairs : Contacts::kFirst,
                         .margin = i % 4 < 2 ? 0.0 : 0.02,
                         .tolerance = i == 5 ? 0.01 : 1e-9});
    steps += these.size();
  }
  EXPECT_GT(contacts, steps / 4);
}

TEST_F(GlDetector, ClearancesAreTheCpus) {
  RandomLinks random(502);
  const RandomTake take = take_of(random, 0, 10);
  const Environment room = test::random_room(random, 4, 60, 3.0);
  compare(room, take, steps_of(take, 0), {.margin = 0.01, .clearance = true});
}

TEST_F(GlDetector, InactivePairsAreLeftOut) {
  RandomLinks random(503);
  const RandomTake take = take_of(random, 1);
  const Environment room = test::random_room(random, 5, 60, 1.0);
  const std::array<std::string, 2> patterns{"link[12]:*", "*:object[03]"};
  const ActivePairs active = ActivePairs::ignoring(take.avatar, room, patterns).value();
  const std::vector<Step> steps = steps_of(take, 0);
  const std::size_t some = compare(room, take, steps, {}, active);
  EXPECT_GT(some, 10U);
  std::size_t all = 0;
  const Detector cpu = Detector::make(room, {.backend = Backend::kCpu}).value();
  for (const Step& step : steps) all += cpu.check(take.avatar, step).contacts.size();
  EXPECT_LT(some, all);
}

TEST_F(GlDetector, MethodsAndSizesChangeNothing) {
  RandomLinks random(504);
  const RandomTake take = take_of(random, 3, 5);
  const Environment room = test::random_room(random, 4, 60, 1.5);
  const std::vector<Step> steps = steps_of(take, 0);
  std::size_t contacts = 0;
  for (const GlMethod method : {GlMethod::kFlags, GlMethod::kQuery}) {
    for (const auto& [width, height] : {std::pair(8, 8), std::pair(200, 16), std::pair(128, 128)}) {
      SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height) +
                   (method == GlMethod::kQuery ? ", query" : ", flags"));
      DetectorOptions options;
      options.gl.width = width;
      options.gl.height = height;
      options.gl.method = method;
      contacts += compare(room, take, steps, options);
    }
  }
  EXPECT_GT(contacts, 30U);
}

TEST_F(GlDetector, IsARealCuller) {
  RandomLinks random(505);
  const RandomTake take = take_of(random, 0, 60);
  const Environment room = test::random_room(random, 6, 400, 3.0);
  const Detector gl = Detector::make(room, {.backend = Backend::kGl}).value();
  StepCounters sum;
  for (const StepReport& report : reports_of_run(gl, take.avatar, steps_of(take, 0))) {
    sum.box_pairs += report.counters.box_pairs;
    sum.seen_pairs += report.counters.seen_pairs;
    sum.candidates += report.counters.candidates;
  }
  EXPECT_GT(sum.box_pairs, 100U);
  EXPECT_LT(sum.seen_pairs, sum.box_pairs);
  EXPECT_GT(sum.seen_pairs, 0U);
  EXPECT_GT(sum.candidates, 0U);
}

// docs/gl.md, "The image-space answer": nothing is missed, and what is said to be free is.
TEST_F(GlDetector, WithoutCertifyNothingIsMissedAndNothingIsLate) {
  RandomLinks random(506);
  std::size_t touching = 0;
  std::size_t extra = 0;
  for (int i = 0; i < 4; ++i) {
    SCOPED_TRACE(i);
    const RandomTake take = take_of(random, i, 7);
    const Environment room = test::random_room(random, 4, 50, 1.5);
    const std::vector<Step> steps = steps_of(take, i);
    const double margin = i % 2 == 0 ? 0.0 : 0.01;
    const Detector cpu = Detector::make(room, {.backend = Backend::kCpu, .margin = margin}).value();
    const Detector gl =
        Detector::make(
            room, {.backend = Backend::kGl, .margin = margin, .experiments = {.certify = false}})
            .value();
    const std::vector<StepReport> image = reports_of_run(gl, take.avatar, steps);
    ASSERT_EQ(image.size(), steps.size());
    for (std::size_t s = 0; s < steps.size(); ++s) {
      SCOPED_TRACE("step " + std::to_string(s));
      const StepReport exact = cpu.check(take.avatar, steps[s]);
      EXPECT_LE(image[s].safe_until, exact.safe_until);
      for (const Contact& want : exact.contacts) {
        ++touching;
        const auto found =
            std::find_if(image[s].contacts.begin(), image[s].contacts.end(), [&](const Contact& c) {
              return c.link == want.link && c.room()->object == want.room()->object;
            });
        ASSERT_NE(found, image[s].contacts.end()) << "link " << want.link;
        EXPECT_EQ(found->status, ContactStatus::kGraze);
        EXPECT_LE(found->toc[0], want.toc[0]);
      }
      extra += image[s].contacts.size() - exact.contacts.size();
      for (const Contact& c : image[s].contacts) {
        EXPECT_LT(c.room()->triangle, room.objects()[c.room()->object].triangle_count);
        EXPECT_LE(0.0, c.toc[0]);
        EXPECT_LT(c.toc[0], c.toc[1]);
        EXPECT_LE(c.toc[1], 1.0);
      }
    }
  }
  EXPECT_GT(touching, 30U);
  RecordProperty("pairs_that_are_none", static_cast<int>(extra));
}

TEST_F(GlDetector, ErrorsAreTheCpus) {
  RandomLinks random(507);
  const RandomTake take = take_of(random, 0, 4);
  const RandomTake other = test::random_take(random, 7, 4, 0.3, 0.3);
  const Environment room = test::random_room(random, 4, 20, 1.5);
  const Environment fewer = test::random_room(random, 2, 20, 1.5);
  const std::vector<std::string> patterns{"*:*"};
  const ActivePairs strange = ActivePairs::ignoring(take.avatar, fewer, patterns).value();
  const Detector cpu = Detector::make(room, {.backend = Backend::kCpu}).value();
  const Detector gl = Detector::make(room, {.backend = Backend::kGl}).value();
  const std::vector<Step> steps = steps_of(take, 0);
  const std::vector<Step> other_steps = steps_of(other, 0);
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
        Case{"pairs of another room", {take.avatar, strange}, &steps}}) {
    SCOPED_TRACE(c.what);
    const StepReport want = cpu.check(c.member, c.steps->front());
    EXPECT_TRUE(want.error);
    expect_same(gl.check(c.member, c.steps->front()), want);
    Stream stream(gl, c.member);
    expect_same(stream.check(c.steps->front()), want);
    const auto ignore = [](const StepReport&) { return true; };
    const Status by_cpu = cpu.run(c.member, *c.steps, {.threads = 2}, ignore);
    const Status by_gl = gl.run(c.member, *c.steps, {.threads = 2}, ignore);
    ASSERT_FALSE(by_gl.ok());
    EXPECT_EQ(by_gl.error().code, by_cpu.error().code);
    EXPECT_EQ(by_gl.error().message, by_cpu.error().message);
  }
  // What was wrong with those leaves the device as it was.
  EXPECT_EQ(gl.fallback(), "");
  expect_same(gl.check(take.avatar, steps[0]), cpu.check(take.avatar, steps[0]));
}

TEST_F(GlDetector, AStepWithAProblemLeavesItsNeighboursAlone) {
  RandomLinks random(508);
  const RandomTake take = take_of(random, 1, 12);
  const RandomTake other = test::random_take(random, 7, 3, 0.3, 0.3);
  const Environment room = test::random_room(random, 4, 60, 1.0);
  std::vector<Step> steps = steps_of(take, 0);
  const std::size_t bad = steps.size() / 2;
  steps[bad] = other.motion.steps().value()[0];
  const auto run = [&](Backend backend) {
    const Detector detector = Detector::make(room, {.backend = backend}).value();
    std::vector<StepReport> out;
    const Status status = detector.run(take.avatar, steps, {}, [&](const StepReport& report) {
      out.push_back(report);
      return true;
    });
    EXPECT_FALSE(status.ok());
    return out;
  };
  const std::vector<StepReport> want = run(Backend::kCpu);
  EXPECT_EQ(want.size(), bad);
  expect_same(run(Backend::kGl), want);
}

TEST_F(GlDetector, RoomsOfAlmostNothing) {
  RandomLinks random(509);
  const RandomTake take = take_of(random, 1, 6);
  const std::vector<Step> steps = steps_of(take, 0);
  compare(Environment(), take, steps, {});
  ObjectMesh empty{"empty", {{1, 2, 3}}, {}};
  // A triangle, one that is a segment, one that is a point, one that is huge.
  ObjectMesh mesh{"few",
                  {{-1, 0, -1}, {1, 0, -1}, {0, 0.1F, 1}, {0, 0, 0}, {9e5F, 1, 2}, {-9e5F, 3, 1}},
                  {{0, 1, 2}, {0, 1, 1}, {3, 3, 3}, {4, 5, 2}}};
  const Environment few = Environment::create({empty, mesh, empty}).value();
  EXPECT_GT(compare(few, take, steps, {}), 0U);
}

TEST_F(GlDetector, MayBeAskedByManyThreadsAtOnce) {
  RandomLinks random(510);
  const RandomTake take = take_of(random, 0, 40);
  const Environment room = test::random_room(random, 4, 80, 1.5);
  const std::vector<Step> steps = steps_of(take, 0);
  const Detector cpu = Detector::make(room, {.backend = Backend::kCpu}).value();
  const Detector gl = Detector::make(room, {.backend = Backend::kGl}).value();
  std::vector<StepReport> want;
  for (const Step& step : steps) want.push_back(cpu.check(take.avatar, step));
  std::array<std::vector<StepReport>, 3> got;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < got.size(); ++t) {
    threads.emplace_back([&, t] {
      if (t == 0) {
        got[t] = reports_of_run(gl, take.avatar, steps, {.threads = 2});
        return;
      }
      Stream stream(gl, take.avatar);
      for (const Step& step : steps) {
        got[t].push_back(t == 1 ? gl.check(take.avatar, step) : stream.check(step));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<StepReport>& reports : got) expect_same(reports, want);
}

TEST_F(GlDetector, StopsWhenTold) {
  RandomLinks random(511);
  const RandomTake take = take_of(random, 0, 50);
  const Detector gl =
      Detector::make(test::random_room(random, 2, 10, 1.0), {.backend = Backend::kGl}).value();
  const std::vector<Step> steps = steps_of(take, 0);
  std::stop_source stop;
  stop.request_stop();
  const Status status = gl.run(take.avatar, steps, {.stop = stop.get_token()},
                               [](const StepReport&) { return true; });
  EXPECT_EQ(status.error().code, ErrorCode::kCancelled);
  int taken = 0;
  const Status by_sink =
      gl.run(take.avatar, steps, {}, [&](const StepReport&) { return ++taken < 3; });
  EXPECT_EQ(by_sink.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(taken, 3);
  EXPECT_EQ(gl.fallback(), "");
}

}  // namespace
}  // namespace tocsin::detector_gl_test
