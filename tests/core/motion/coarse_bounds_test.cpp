// The coarse bounds are never below the exact ones, and not far above them.
#include "core/motion/coarse_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/scenes/random_link.h"

namespace tocsin::core::coarse_bounds_test {
namespace {

using test::RandomLink;
using test::RandomLinks;

TEST(CoarseBounds, AngleIsNeverBelowThatOfTheMotion) {
  RandomLinks random(71);
  double worst = 0.0;
  for (int i = 0; i < 200000; ++i) {
    // All sizes down to rounding, up to pi and just below.
    const double w = i % 4 == 0   ? kPi - random.uniform(0, 1e-6)
                     : i % 4 == 1 ? std::exp2(-random.uniform(0, 60))
                                  : random.uniform(0, kPi);
    Transform p0;
    p0.rotation = normalized(random.rotation(random.uniform(0, 6)));
    Transform p1;
    p1.rotation = normalized(random.rotation(w) * p0.rotation);
    if (i % 3 == 0) p1.rotation = {-p1.rotation.w, -p1.rotation.x, -p1.rotation.y, -p1.rotation.z};
    const double exact = joint_motion(p0, p1, InBetween::kScrew).w;
    const double coarse = angle_above(p0.rotation, p1.rotation);
    ASSERT_GE(coarse, exact) << i;
    if (exact > 1e-4) worst = std::max(worst, coarse / exact);
  }
  EXPECT_LT(worst, 1.01);
}

TEST(CoarseBounds, ChainIsNeverBelowTheExactOne) {
  RandomLinks random(72);
  int far_above = 0;
  for (int i = 0; i < 20000; ++i) {
    RandomLink r;
    const int joints = 1 + i % 20;
    const InBetween kind = i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate;
    random.make(r, joints, kind, 0.5,
                i % 5 == 0   ? kPi
                : i % 5 == 1 ? 1e-9
                             : 0.3,
                i % 7 == 0 ? 30.0 : 0.1, 10.0);
    if (i % 3 == 0) {  // bones of fixed length, as in recorded takes
      for (std::size_t k = 1; k < r.pose0.size(); ++k) {
        r.pose1[k].translation = r.pose0[k].translation;
        r.joints[k] = joint_motion(r.pose0[k], r.pose1[k], kind);
      }
    }
    ChainBounds exact;
    ChainBounds coarse;
    for (std::size_t k = 0; k < r.joints.size(); ++k) {
      exact = extend(exact, r.joints[k], kind, r.link.ref);
      coarse = extend_coarsely(coarse, r.pose0[k], r.pose1[k], r.link.ref);
    }
    LinkMotion link = r.link;
    set_bounds(link, exact);
    const CoarsePoint a = coarse_point(coarse, norm(link.a));
    const CoarsePoint b = coarse_point(coarse, norm(link.b));
    ASSERT_EQ(coarse.joints, exact.joints);
    ASSERT_GE(std::max(a.speed, b.speed), link.speed) << i;
    ASSERT_GE(a.acceleration, link.acceleration_a) << i;
    ASSERT_GE(b.acceleration, link.acceleration_b) << i;
    ASSERT_GE(std::max(a.reach, b.reach), link.reach) << i;
    // Turns of 1e-9 radians are below what the coarse angle can tell from none.
    if (i % 5 != 1 && a.acceleration > 3.0 * link.acceleration_a) ++far_above;
  }
  // A screw may need far less than its bound; small turns with fixed bones hardly do.
  EXPECT_LT(far_above, 2000);
}

}  // namespace
}  // namespace tocsin::core::coarse_bounds_test
