// Positions, velocities and the bounds L, A and X of a link, against chains multiplied out by Eigen
// and dense sampling.
#include "core/motion/link_motion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/long_position.h"
#include "support/scenes/random_link.h"

namespace tocsin::core::link_motion_test {
namespace {

using test::long_position;
using test::RandomLink;
using test::RandomLinks;
using test::wide;
using Vec = test::LongVec;

using test::kind_of;

TEST(LinkMotion, ErrorsStayFarBelowTheMargin) {
  RandomLinks random(21);
  double worst_position = 0;
  double worst_velocity = 0;
  for (int i = 0; i < 6000; ++i) {
    RandomLink r;
    const int joints = 1 + i % 25;
    const double turn = i % 3 == 0 ? 3.14159 : i % 3 == 1 ? 0.3 : 1e-3;
    random.make(r, joints, kind_of(i), 0.5, turn, 1.0, i % 5 == 0 ? 1e4 : 10.0);
    for (const double t : {0.0, random.uniform(0, 1), 1.0}) {
      const AxisState s = evaluate(r.link, t);
      const double x = r.link.reach;
      const Vec exact = long_position(r.link, r.link.a, t);
      worst_position = std::max(
          worst_position, static_cast<double>((wide(s.a) - exact).norm()) / (joints * x * 0x1p-53));
      // The derivative of the exact position by central differences in long double, steps of 2^-12:
      // exact to 2^-24 of the third derivative, so compare only where that is below rounding.
      if (r.joints.size() <= 4 && turn < 0.01) {
        const long double d = 0x1p-12L;
        const Vec v =
            (long_position(r.link, r.link.a, t + d) - long_position(r.link, r.link.a, t - d)) /
            (2 * d);
        EXPECT_LT(static_cast<double>((wide(s.va) - v).norm()), 1e-13 * std::max(1.0, x));
      }
      // Any motion: against differences of the double positions, loosely.
      const double h = 1e-6;
      const AxisState ahead = evaluate(r.link, std::min(1.0, t + h));
      const AxisState behind = evaluate(r.link, std::max(0.0, t - h));
      const double span = std::min(1.0, t + h) - std::max(0.0, t - h);
      const Vec3 difference = (1.0 / span) * (ahead.b - behind.b) - s.vb;
      EXPECT_LT(norm(difference), acceleration_of(r.link) * h + 1e-8 * (1 + x));
      worst_velocity = std::max(worst_velocity, norm(s.vb) / r.link.speed);
    }
  }
  // docs/exact.md proves (39 K + 66) u X.
  EXPECT_LT(worst_position, 39.0);
  EXPECT_GT(worst_position, 0.1) << "the test must see rounding at all";
  EXPECT_LE(worst_velocity, 1.0);
  EXPECT_GT(worst_velocity, 0.2) << "L must not be absurdly loose";
  RecordProperty("worst_position_error_per_joint_in_uX", std::to_string(worst_position));
}

TEST(LinkMotion, BoundsHoldAndAreAttained) {
  RandomLinks random(22);
  double tightest_speed = 0;
  double tightest_acceleration = 0;
  for (int i = 0; i < 4000; ++i) {
    RandomLink r;
    random.make(r, 1 + i % 10, kind_of(i), 0.6, i % 3 == 0 ? 3.14159 : 0.5, 1.0, 5.0);
    const LinkMotion& m = r.link;
    for (int j = 0; j < 5; ++j) {
      const long double t = random.uniform(0.01, 0.99);
      const long double d = 1e-4L;
      const Vec p = long_position(m, m.a, t);
      const Vec before = long_position(m, m.a, t - d);
      const Vec after = long_position(m, m.a, t + d);
      const auto speed = static_cast<double>(((after - before) / (2 * d)).norm());
      const auto acceleration = static_cast<double>(((after - p - (p - before)) / (d * d)).norm());
      EXPECT_LE(speed, m.speed * (1 + 1e-6));
      EXPECT_LE(acceleration, acceleration_of(m) * (1 + 1e-6) + 1e-9);
      EXPECT_LE(static_cast<double>(p.norm()), m.reach * (1 + 1e-12));
      if (m.speed > 0) tightest_speed = std::max(tightest_speed, speed / m.speed);
      if (acceleration_of(m) > 0) {
        tightest_acceleration = std::max(tightest_acceleration, acceleration / acceleration_of(m));
      }
    }
  }
  EXPECT_GT(tightest_speed, 0.9);
  EXPECT_GT(tightest_acceleration, 0.9);
}

TEST(LinkMotion, AStraightArmAttainsItsBoundsExactly) {
  // Aligned joints that all turn the same way about z, links along x: everything adds up.
  const int joints = 5;
  RandomLink r;
  for (int k = 0; k < joints; ++k) {
    Transform p0;
    if (k > 0) p0.translation = {1.0, 0.0, 0.0};
    Transform p1 = p0;
    p1.rotation = {std::cos(0.05), 0.0, 0.0, std::sin(0.05)};
    r.joints.push_back(joint_motion(p0, p1, InBetween::kTranslateRotate));
    r.chain.push_back(k);
  }
  r.link.joints = r.joints.data();
  r.link.chain = r.chain.data();
  r.link.chain_length = joints;
  r.link.kind = InBetween::kTranslateRotate;
  r.link.a = r.link.b = {1.0, 0.0, 0.0};
  ChainBounds bounds;
  for (const JointMotion& m : r.joints) bounds = extend(bounds, m, r.link.kind, {});
  set_bounds(r.link, bounds);
  // |p'| = 0.1 (1 + 2 + 3 + 4 + 5) at t = 0.
  EXPECT_NEAR(r.link.speed, 1.5, 1e-9);
  EXPECT_NEAR(norm(evaluate(r.link, 0).va), 1.5, 1e-14);
}

TEST(LinkMotion, SuccessiveStepsMeetWithinTheMargin) {
  RandomLinks random(23);
  double worst = 0;
  for (int i = 0; i < 4000; ++i) {
    RandomLink r;
    random.make(r, 1 + i % 20, kind_of(i), 0.5, i % 2 == 0 ? 3.14159 : 0.2, 1.0, 10.0);
    RandomLink next;  // starts where r ends
    next.chain = r.chain;
    for (const Transform& p : r.pose1) next.joints.push_back(joint_motion(p, p, r.link.kind));
    next.link = r.link;
    next.link.joints = next.joints.data();
    next.link.chain = next.chain.data();
    const Vec end = long_position(r.link, r.link.a, 1);
    const Vec start = long_position(next.link, r.link.a, 0);
    worst =
        std::max(worst, static_cast<double>((end - start).norm()) / rounding_margin(r.link, 0.0));
  }
  EXPECT_LT(worst, 0.25);
}

}  // namespace
}  // namespace tocsin::core::link_motion_test
