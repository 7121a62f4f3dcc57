// Links with shapes on every backend: the same reports, bit for bit, whatever the number of
// threads.
#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>
#include <vector>

#include "core/query/hull_walk.h"
#include "detect/shapes/random_shape.h"
#include "selftest/scenes/hard_meshes.h"
#include "support/same_reports.h"
#include "support/scenes/random_crowd.h"
#include "tocsin/crowd.h"
#include "tocsin/detector.h"

namespace tocsin::shapes_backends_test {
namespace {

using test::RandomLinks;

/// Some of whose links have shapes; of the last member none has.
struct Scene {
  Environment room;
  test::RandomCrowd crowd;
};

Scene make_scene() {
  RandomLinks random(2201);
  Scene out{test::random_room(random, 30, 40, 1.5), test::random_crowd(random, 4, 12, 0.8, true)};
  for (std::size_t k = 0; k + 1 < out.crowd.members.size(); ++k) {
    Member& member = out.crowd.members[k];
    std::vector<Link> links(member.avatar.links().begin(), member.avatar.links().end());
    for (std::size_t i = k % 2; i < links.size(); i += 2) {
      Shape shape = test::random_shape(random, static_cast<int>(i + k), 0.2);
      links[i] = link_of_shape(links[i].name, links[i].joint, std::move(shape));
    }
    member.avatar = Avatar::create("shaped", member.avatar.skeleton(), std::move(links)).value();
    member.self = LinkPairs::of(member.avatar);
  }
  return out;
}

struct Answers {
  std::vector<std::vector<StepReport>> reports;  ///< per instant
  std::size_t contacts = 0;
  std::size_t of_shapes = 0;
  std::size_t between_links = 0;
};

Answers ask(const Detector& detector, const Scene& scene, int threads) {
  Answers out;
  Crowd crowd(detector, scene.crowd.members);
  for (std::size_t i = 0; i < scene.crowd.steps.front().size(); ++i) {
    const std::vector<Step> steps = scene.crowd.at(i);
    out.reports.push_back(
        detector.check_batch(scene.crowd.members, steps, {.meet = true, .threads = threads}));
    test::expect_same(crowd.check(steps, {.meet = true, .threads = threads}), out.reports.back());
    for (const StepReport& r : out.reports.back()) {
      for (const Contact& c : r.contacts) {
        ++out.contacts;
        if (c.link_feature || c.other_feature) ++out.of_shapes;
        if (c.other() != nullptr) ++out.between_links;
      }
    }
  }
  return out;
}

void expect_same(const Answers& got, const Answers& want) {
  ASSERT_EQ(got.reports.size(), want.reports.size());
  for (std::size_t i = 0; i < want.reports.size(); ++i) {
    SCOPED_TRACE("instant " + std::to_string(i));
    test::expect_same(got.reports[i], want.reports[i]);
  }
}

Answers of_cpu(const Scene& scene, Contacts contacts) {
  const auto cpu = Detector::make(
      scene.room, {.backend = Backend::kCpu, .contacts = contacts, .clearance = true});
  return ask(cpu.value(), scene, 1);
}

class ShapesOnBackends : public testing::TestWithParam<Contacts> {};

TEST_P(ShapesOnBackends, ThreadsChangeNothing) {
  const Scene scene = make_scene();
  const Answers one = of_cpu(scene, GetParam());
  if (GetParam() == Contacts::kPairs) {
    EXPECT_GE(one.of_shapes, 100U);
    EXPECT_GE(one.contacts - one.of_shapes, 20U);
    EXPECT_GE(one.between_links, 20U);
  }
  const auto cpu = Detector::make(
      scene.room, {.backend = Backend::kCpu, .contacts = GetParam(), .clearance = true});
  expect_same(ask(cpu.value(), scene, 3), one);
}

TEST_P(ShapesOnBackends, CudaGivesTheSame) {
  const Scene scene = make_scene();
  DetectorOptions options;
  options.backend = Backend::kCuda;
  options.contacts = GetParam();
  options.clearance = true;
  options.experiments.emulate = true;
  const auto cuda = Detector::make(scene.room, options);
  ASSERT_TRUE(cuda) << cuda.error().message;
  expect_same(ask(*cuda, scene, 2), of_cpu(scene, GetParam()));
  EXPECT_EQ(cuda->fallback(), "");  // it has left nothing to the CPU
}

TEST_P(ShapesOnBackends, OpenGlGivesTheSame) {
  const Scene scene = make_scene();
  const auto gl = Detector::make(
      scene.room, {.backend = Backend::kGl, .contacts = GetParam(), .clearance = true});
  if (!gl) {
    if (std::getenv("TOCSIN_NEEDS_GL") != nullptr) FAIL() << gl.error().message;
    GTEST_SKIP() << gl.error().message;
  }
  expect_same(ask(*gl, scene, 2), of_cpu(scene, GetParam()));
}

/// Sheets that slide in one plane: nothing is proved of them before all pairs have been looked at.
TEST(LongSearches, CudaLeavesThemToTheCpuAndSaysSo) {
  const selftest::MeshScene scene = selftest::two_sheets(24);
  const auto ask_of = [&](const Detector& detector) {
    return detector.check_batch(scene.members, scene.steps[0], {.meet = true, .threads = 1});
  };
  const auto cpu = Detector::make(Environment(), {.backend = Backend::kCpu});
  DetectorOptions options;
  options.backend = Backend::kCuda;
  options.experiments.emulate = true;
  const auto cuda = Detector::make(Environment(), options);
  ASSERT_TRUE(cuda) << cuda.error().message;
  const std::vector<StepReport> want = ask_of(cpu.value());
  // More than a device's thread may do, or this shows nothing.
  ASSERT_GE(want[0].counters.volume_tests + want[0].counters.evaluations, core::kMostWalk);
  test::expect_same(ask_of(*cuda), want);
  EXPECT_EQ(
      cuda->fallback(),
      "the CPU checked 1 of the steps: a device gave up a search of shapes after 131072 tests");
}

INSTANTIATE_TEST_SUITE_P(Contacts, ShapesOnBackends,
                         testing::Values(Contacts::kPairs, Contacts::kFirst));

}  // namespace
}  // namespace tocsin::shapes_backends_test
