// Speed and acceleration bounds: never exceeded by differences of sampled positions, and reached by
// motions for which they can be worked out by hand.
#include "oracle/bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/motion/joint_motion.h"
#include "oracle/link_path.h"
#include "query_generator.h"
#include "random.h"

namespace tocsin::oracle::test::bounds_test {
namespace {

using std::numbers::pi;

TEST(OracleBounds, HoldForDifferencesOfPositions) {
  Real closest = 0.0L;
  for (int c = 0; c < kClassCount; ++c) {
    const QueryGenerator generator(static_cast<QueryClass>(c), 21);
    for (std::uint64_t i = 0; i < 200; ++i) {
      const LinkQuery q = generator.make(2 * i);
      const LinkPath path(q.chain, q.kind, q.a, q.b);
      const Real slack = 4.0L * rounding_slack(path.bounds(), 0.0L);
      Random random(21, static_cast<std::uint64_t>(c), i);
      for (int k = 0; k < 5; ++k) {
        const Real h = static_cast<Real>(random.magnitude(1e-4, 0.3));
        const Real t = h + (1.0L - 2.0L * h) * static_cast<Real>(random.unit());
        const RealVec before = path.at(t - h).a;
        const RealVec here = path.at(t).a;
        const RealVec after = path.at(t + h).a;
        // Mean value theorems: |p(t+h) - p(t)| <= L h, |p(t+h) - 2 p(t) + p(t-h)| <= A h^2.
        EXPECT_LE(length(after - here), path.bounds().speed * h + slack);
        EXPECT_LE(length((after - here) - (here - before)),
                  path.bounds().acceleration_a * h * h + slack);
        EXPECT_LE(length(here), path.bounds().reach + slack);
        if (path.bounds().speed > 0.0L) {
          closest = std::max(closest, length(after - here) / (path.bounds().speed * h));
        }
      }
    }
  }
  EXPECT_GT(closest, 0.9L) << "the bound is needlessly wide, or the test tests nothing";
}

TEST(OracleBounds, AreReachedByALinkThatPivots) {
  const Transform p0{};
  const Transform p1{{std::cos(0.6), 0.0, 0.0, std::sin(0.6)}, {}};
  for (const InBetween kind : {InBetween::kScrew, InBetween::kTranslateRotate}) {
    const core::JointMotion m = core::joint_motion(p0, p1, kind);
    const MotionBounds b = motion_bounds({&m, 1}, kind, {0.5, 0.0, 0.0}, {0.25, 0.0, 0.0}, {});
    EXPECT_NEAR(static_cast<double>(b.speed), 1.2 * 0.5, 1e-12);
    EXPECT_NEAR(static_cast<double>(b.acceleration_a), 1.44 * 0.5, 1e-12);
    EXPECT_NEAR(static_cast<double>(b.acceleration_b), 1.44 * 0.25, 1e-12);
  }
}

TEST(OracleBounds, AddUpAlongAStretchedArm) {
  // Two joints turn by 1 about z, one metre apart, and the link's end is half a metre further out:
  // stretched out at t = 0, the tip moves with 1 * 1 + 2 * 0.5, and is drawn in with 1^2 * 1 + 2^2
  // * 0.5.
  const Quat turn{std::cos(0.5), 0.0, 0.0, std::sin(0.5)};
  const Vec3 arm{1.0, 0.0, 0.0};
  const core::JointMotion chain[2] = {
      core::joint_motion({}, {turn, {}}, InBetween::kTranslateRotate),
      core::joint_motion({{}, arm}, {turn, arm}, InBetween::kTranslateRotate)};
  const MotionBounds b = motion_bounds(chain, InBetween::kTranslateRotate, {}, {0.5, 0.0, 0.0}, {});
  EXPECT_NEAR(static_cast<double>(b.speed), 2.0, 1e-12);
  EXPECT_NEAR(static_cast<double>(b.acceleration_b), 3.0, 1e-12);
}

TEST(OracleBounds, KnowAScrew) {
  // Half a turn about z with a rise of 3 carries (1, 0, 0) to (-1, 0, 3): speed sqrt(pi^2 + 9)
  // throughout.
  const core::JointMotion m = core::joint_motion(
      {{}, {1.0, 0.0, 0.0}}, {{0.0, 0.0, 0.0, 1.0}, {-1.0, 0.0, 3.0}}, InBetween::kScrew);
  const MotionBounds b = motion_bounds({&m, 1}, InBetween::kScrew, {}, {}, {});
  EXPECT_NEAR(static_cast<double>(b.speed), std::sqrt(pi * pi + 9.0), 1e-12);
  EXPECT_NEAR(static_cast<double>(b.acceleration_a), pi * pi, 1e-12);
}

}  // namespace
}  // namespace tocsin::oracle::test::bounds_test
