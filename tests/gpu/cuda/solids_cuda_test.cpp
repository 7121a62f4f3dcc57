// Links inside of solids: a detector on CUDA gives the CPU's reports, bit for bit.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "gpu/cuda/cuda_detector_test.h"
#include "support/scenes/grid_solids.h"
#include "support/scenes/random_scene.h"

namespace tocsin::solids_cuda_test {
namespace {

class CudaSolids : public test::CudaDetectorTest {};

/// Triangles without an inside, and two closed boxes around the middle.
Environment room_with_boxes(test::RandomLinks& random) {
  const std::vector<Environment> parts{
      test::random_room(random, 3, 40, 1.5),
      Environment::create({test::box_mesh("box", {-0.7F, -0.9F, -0.8F}, {0.8F, 0.7F, 0.9F}),
                           test::box_mesh("block", {0.3F, -2.0F, -0.5F}, {1.9F, 0.4F, 2.0F})})
          .value()};
  return Environment::merge(parts).value();
}

TEST_P(CudaSolids, GiveTheReportsOfTheCpu) {
  test::RandomLinks random(2118);
  std::size_t inside = 0;
  std::size_t hits = 0;
  std::size_t measured = 0;  // clearances above 0 beside links that are inside
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE("question " + std::to_string(i));
    const test::RandomTake take = test::random_take(random, 3 + i % 6, 12, 0.3, 0.2);
    const Environment room = room_with_boxes(random);
    DetectorOptions asked;
    asked.clearance = i % 2 == 0;
    asked.contacts = i % 3 == 1 ? Contacts::kFirst : Contacts::kPairs;
    if (i % 4 == 3) asked.surfaces = {"block"};
    const std::vector<std::string> ignored{"link1:box"};
    const Member member{take.avatar, ActivePairs::ignoring(take.avatar, room, ignored).value(),
                        LinkPairs()};
    const StepList steps = take.motion.steps().value();
    const std::vector<StepReport> want = test::reports_of_run(cpu(room, asked), member, steps);
    const Detector by_cuda = cuda(room, asked);
    test::expect_same(test::reports_of_run(by_cuda, member, steps), want);
    EXPECT_EQ(by_cuda.fallback(), "");
    for (const StepReport& report : want) {
      std::size_t here = 0;
      for (const Contact& c : report.contacts) {
        here += c.inside ? 1 : 0;
        hits += c.status == ContactStatus::kHit ? 1 : 0;
      }
      inside += here;
      if (here == 0) continue;
      EXPECT_EQ(report.safe_until, 0.0);
      for (const double clearance : report.clearances) measured += clearance > 0.0 ? 1 : 0;
    }
  }
  EXPECT_GT(inside, 100U);
  EXPECT_GT(hits, 100U);
  EXPECT_GT(measured, 20U);
}

TOCSIN_ON_CUDA_DETECTORS(CudaSolids);

}  // namespace
}  // namespace tocsin::solids_cuda_test
