// Both swept bounds of exact.md hold every sampled position: the interval matrices of paper 004,
// and the chord bound that StepMotion uses (tests/scene/swept_link_test.cpp).
#include <gtest/gtest.h>

#include <cmath>

#include "core/bounds/box.h"
#include "papers/interval_boxes.h"
#include "support/scenes/random_link.h"

namespace tocsin::core::swept_bound_test {
namespace {

using test::RandomLink;
using test::RandomLinks;

bool holds(const Interval& i, double x) { return i.lo <= x && x <= i.hi; }
bool holds(const IntervalVec& v, const Vec3& p) {
  return holds(v.x, p.x) && holds(v.y, p.y) && holds(v.z, p.z);
}

TEST(SweptBound, IntervalMatricesHoldTenThousandPositions) {
  RandomLinks random(61);
  for (int i = 0; i < 60; ++i) {
    RandomLink r;
    random.make(r, 1 + i % 8, i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate, 0.5,
                i % 3 == 0 ? 3.14159 : 0.3, 1.0, 10.0);
    const IntervalVec box = swept_aabb_interval(r.link);
    // certify's own positions carry rounding: allow it, as the cullers do.
    const double eta = rounding_margin(r.link, 0.0);
    const IntervalVec grown{{box.x.lo - eta, box.x.hi + eta},
                            {box.y.lo - eta, box.y.hi + eta},
                            {box.z.lo - eta, box.z.hi + eta}};
    for (int k = 0; k <= 5000; ++k) {
      const AxisState s = evaluate(r.link, k / 5000.0);
      ASSERT_TRUE(holds(grown, s.a) && holds(grown, s.b)) << i << " " << k;
    }
  }
}

TEST(SweptBound, IntervalMatricesAreTightForOneJoint) {
  // A quarter turn of a 1 m rod about z: the tip runs from (1, 0) to (0, 1).
  RandomLink r;
  Transform p1;
  p1.rotation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
  r.joints.push_back(joint_motion({}, p1, InBetween::kScrew));
  r.chain.push_back(0);
  r.link.joints = r.joints.data();
  r.link.chain = r.chain.data();
  r.link.chain_length = 1;
  r.link.b = {1, 0, 0};
  const IntervalVec box = swept_aabb_interval(r.link);
  EXPECT_NEAR(box.x.lo, 0.0, 1e-12);
  EXPECT_NEAR(box.x.hi, 1.0, 1e-12);
  EXPECT_NEAR(box.y.lo, 0.0, 1e-12);
  EXPECT_NEAR(box.y.hi, 1.0, 1e-12);
}

TEST(SweptBound, IntervalOperationsRoundOutward) {
  RandomLinks random(62);
  for (int i = 0; i < 20000; ++i) {
    const auto any = [&] { return random.uniform(-1, 1) * std::exp2(random.uniform(-30, 30)); };
    const double p = any();
    const double q = any();
    const Interval sum = Interval{p, p} + Interval{q, q};
    const Interval product = Interval{p, p} * Interval{q, q};
    const long double exact_sum = static_cast<long double>(p) + q;
    const long double exact_product = static_cast<long double>(p) * q;
    EXPECT_LT(sum.lo, exact_sum);
    EXPECT_GT(sum.hi, exact_sum);
    EXPECT_LT(product.lo, exact_product);
    EXPECT_GT(product.hi, exact_product);
  }
}

TEST(SweptBound, FloatsRoundOutward) {
  RandomLinks random(63);
  for (int i = 0; i < 100000; ++i) {
    const double x = random.uniform(-1, 1) * std::exp2(random.uniform(-60, 60));
    EXPECT_LE(static_cast<double>(float_below(x)), x);
    EXPECT_GE(static_cast<double>(float_above(x)), x);
    EXPECT_LE(float_above(x) - float_below(x), 2.0F * std::fabs(static_cast<float>(x)) * 0x1p-23F);
  }
  EXPECT_EQ(float_below(0.5), 0.5F);
  EXPECT_EQ(float_above(0.5), 0.5F);
}

}  // namespace
}  // namespace tocsin::core::swept_bound_test
