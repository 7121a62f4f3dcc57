// What costs a search of two trees the most: it is answered, or given up where that is asked for;
// nothing is dropped.
//
// TOCSIN_SOUP_TRIANGLES sets the size of the soups.
#include "selftest/scenes/hard_meshes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <functional>
#include <stop_token>
#include <thread>
#include <vector>

#include "detect/shapes/feature_distance.h"
#include "detect/shapes/link_features.h"
#include "detect/shapes/shape_clearance.h"
#include "detect/shapes/shape_contacts.h"
#include "tocsin/detector.h"

namespace tocsin::hard_meshes_test {
namespace {

using selftest::MeshScene;

Detector empty_room() { return Detector::make(Environment(), {.threads = 1}).value(); }

StepReport check(const MeshScene& scene, const std::stop_token& stop = {}) {
  return empty_room().check_batch(scene.members, scene.steps[0],
                                  {.meet = true, .threads = 1, .stop = stop})[0];
}

std::size_t soup_size() {
  const char* const asked = std::getenv("TOCSIN_SOUP_TRIANGLES");
  return asked != nullptr ? static_cast<std::size_t>(std::atoll(asked)) : 20'000U;
}

TEST(HardMeshes, CombsInEachOtherAreProvedFree) {
  const StepReport report = check(selftest::two_combs({10'000, 0.99 * selftest::gap_of_combs()}));
  ASSERT_FALSE(report.error);
  EXPECT_TRUE(report.contacts.empty());
  EXPECT_EQ(report.safe_until, 1.0);
  // Every tooth has two neighbours, and is asked about.
  EXPECT_GE(report.counters.volume_tests, 20'000U);
}

TEST(HardMeshes, CombsTouchWithAllTeethAtOnce) {
  const StepReport report = check(selftest::two_combs({10'000, 2.0 * selftest::gap_of_combs()}));
  ASSERT_FALSE(report.error);
  ASSERT_EQ(report.contacts.size(), 1U);
  const Contact& c = report.contacts[0];
  EXPECT_EQ(c.status, ContactStatus::kHit);
  EXPECT_LE(c.toc[0], 0.5);
  EXPECT_GE(c.toc[1], 0.5);
  EXPECT_NEAR(c.toc[1], 0.5, 1e-6);
  // Tooth i of the second comes upon tooth i + 1 of the first.
  ASSERT_TRUE(c.link_feature && c.other_feature);
  EXPECT_EQ(*c.link_feature, *c.other_feature + 1);
}

/// Nothing is proved of sheets that slide in one plane, and that is said.
TEST(HardMeshes, SheetsInOnePlaneAreUndecided) {
  const StepReport report = check(selftest::two_sheets(5));
  ASSERT_FALSE(report.error);
  ASSERT_EQ(report.contacts.size(), 1U);
  EXPECT_EQ(report.contacts[0].status, ContactStatus::kGraze);
  EXPECT_EQ(report.contacts[0].toc[0], 0.0);
  EXPECT_EQ(report.contacts[0].toc[1], 1.0);
  EXPECT_EQ(report.safe_until, 0.0);
}

TEST(HardMeshes, SoupsAreAnswered) {
  const StepReport apart = check(selftest::two_soups({soup_size(), 0.01}));
  ASSERT_FALSE(apart.error);
  for (const Contact& c : apart.contacts) EXPECT_NE(c.status, ContactStatus::kOverlap);
  const StepReport within = check(selftest::two_soups({soup_size(), 1.0}));
  ASSERT_FALSE(within.error);
  ASSERT_EQ(within.contacts.size(), 1U);
  EXPECT_EQ(within.contacts[0].status, ContactStatus::kOverlap);
}

std::vector<MeshScene> hard_scenes() {
  std::vector<MeshScene> out;
  out.push_back(selftest::two_combs({2'000, 0.99 * selftest::gap_of_combs()}));
  out.push_back(selftest::two_combs({2'000, 2.0 * selftest::gap_of_combs()}));
  out.push_back(selftest::two_sheets(5));
  out.push_back(selftest::two_soups({20'000, 0.01}));
  return out;
}

/// Both links of a scene.
struct TwoLinks {
  explicit TwoLinks(const MeshScene& scene) {
    first.begin(scene.members[0].avatar, scene.steps[0][0], 0.0, {});
    second.begin(scene.members[1].avatar, scene.steps[0][1], 0.0, {});
  }
  detect::MovingLinks first;
  detect::MovingLinks second;
};

TEST(HardMeshes, AStopGivesTheSearchUp) {
  std::stop_source source;
  const std::stop_token stop = source.get_token();
  source.request_stop();
  for (const MeshScene& scene : hard_scenes()) {
    TwoLinks links(scene);
    detect::ShapeContacts contacts;
    StepCounters counters;
    EXPECT_THROW(contacts.with_link(links.first, links.second, {0, 0}, {1, 0},
                                    {1e-9, core::kToEnd, &stop}, counters),
                 detect::Stopped);
    // Hardly anything was done.
    EXPECT_LE(counters.volume_tests, 16U * detect::kStopEvery);
    EXPECT_THROW(detect::shape_clearance(links.first, 0, links.second, 0, &stop), detect::Stopped);
    detect::FeatureDistance measure(&stop);
    detect::FeatureStore first;
    detect::FeatureStore second;
    const core::FrameState still = detect::still_state();
    EXPECT_THROW(measure.least({still, still, {}}, first.of_link(links.first, 0),
                               second.of_link(links.second, 0), HUGE_VAL),
                 detect::Stopped);
  }
}

TEST(HardMeshes, AStopGivesTheClearanceInARoomUp) {
  std::stop_source source;
  const std::stop_token stop = source.get_token();
  const MeshScene scene = selftest::two_combs({100, 0.0});
  ObjectMesh floor{"Floor", {{-9, -1, -9}, {9, -1, -9}, {0, -1, 9}}, {{0, 1, 2}}};
  const Detector detector =
      Detector::make(Environment::create({floor}).value(), {.clearance = true}).value();
  const auto clearance = [&](const std::stop_token& token) {
    const auto reports = detector.check_batch(scene.members, scene.steps[0],
                                              {.meet = true, .threads = 1, .stop = token});
    return reports[0].error ? -1.0 : reports[0].clearances[0];
  };
  // Half the combs' pitch is what the second's teeth leave, less what each leans over.
  EXPECT_NEAR(clearance(stop), selftest::gap_of_combs(), 1e-3);
  source.request_stop();
  EXPECT_EQ(clearance(stop), -1.0);
}

/// Whenever it comes, a stop leaves a whole answer, or one that is marked.
TEST(HardMeshes, AnAnswerThatWasStoppedIsMarked) {
  for (const MeshScene& scene : hard_scenes()) {
    const StepReport whole = check(scene);
    ASSERT_FALSE(whole.error);
    for (const int microseconds : {0, 200, 1'000, 3'000}) {
      std::stop_source source;
      const std::jthread asks([&] {
        std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
        source.request_stop();
      });
      const StepReport report = check(scene, source.get_token());
      if (report.error) {
        EXPECT_EQ(report.error->code, ErrorCode::kCancelled);
      } else {
        EXPECT_EQ(report.contacts, whole.contacts);
        EXPECT_EQ(report.safe_until, whole.safe_until);
      }
    }
  }
}

}  // namespace
}  // namespace tocsin::hard_meshes_test
