// certify_pair on motions whose answers are known by hand. Random pairs: link_pair_random_test.cpp;
// all classes against the oracle: tests/oracle.
#include "core/query/link_pair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/query/early_out_pair.h"
#include "support/scenes/one_joint_link.h"
#include "support/scenes/random_link.h"

namespace tocsin::core::link_pair_test {
namespace {

using test::make_link;
using test::RandomLink;
using test::RandomLinks;

constexpr double kPairTolerance = 1e-9;

Certificate ask(const RandomLink& a, const RandomLink& b, double stop_after = kToEnd) {
  return certify_pair(a.link, evaluate(a.link, 0), b.link, evaluate(b.link, 0), kPairTolerance,
                      stop_after);
}

/// Both ways round; what is proved must not depend on it.
Certificate ask_both(const RandomLink& a, const RandomLink& b) {
  const Certificate there = ask(a, b);
  const Certificate back = ask(b, a);
  EXPECT_EQ(there.outcome, back.outcome);
  EXPECT_LE(std::max(there.lo, back.lo), std::min(there.hi, back.hi));
  return there;
}

Quat about(const Vec3& axis, double angle) {
  const double s = std::sin(angle / 2);
  return {std::cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

void expect_hit(const Certificate& c, double toc, double room = 1e-12) {
  EXPECT_EQ(c.outcome, Outcome::kHit);
  EXPECT_LE(c.lo, toc + room);
  EXPECT_GE(c.hi, toc - room);
  EXPECT_LE(c.hi - c.lo, kPairTolerance);
}

TEST(LinkPair, TwoBallsMeetHalfWay) {
  RandomLink a;
  RandomLink b;
  make_link(a, {{}, {-2, 0, 0}}, {{}, {1, 0, 0}}, {}, {}, 0.25);
  make_link(b, {{}, {2, 0, 0}}, {{}, {-3, 0, 0}}, {}, {}, 0.75);
  // 4 m apart, 8 m a step towards each other: 1 m apart at 3/8.
  expect_hit(ask_both(a, b), 0.375);
}

TEST(LinkPair, BallsThatStopShortAreFreeAndALittleFurtherHit) {
  for (const double short_of : {1e-9, -1e-9}) {
    RandomLink a;
    RandomLink b;
    make_link(a, {{}, {-2, 0, 0}}, {{}, {-0.5 - short_of, 0, 0}}, {}, {}, 0.25);
    make_link(b, {{}, {2, 0, 0}}, {{}, {0.5, 0, 0}}, {}, {}, 0.75);
    const Certificate c = ask_both(a, b);
    EXPECT_EQ(c.outcome, short_of > 0 ? Outcome::kFree : Outcome::kHit);
    if (c.outcome == Outcome::kHit) {
      EXPECT_NEAR(c.lo, 1.0, 1e-8);
    }
  }
}

TEST(LinkPair, TouchingAtTheStartIsAnOverlap) {
  RandomLink a;
  RandomLink b;
  make_link(a, {{}, {0, 0.4, 0}}, {{}, {0, 9, 0}}, {-1, 0, 0}, {1, 0, 0}, 0.25);
  make_link(b, {}, {}, {0, 0, -1}, {0, 0, 1}, 0.25);
  const Certificate c = ask_both(a, b);
  EXPECT_EQ(c.outcome, Outcome::kOverlap);
  EXPECT_EQ(c.lo, 0.0);
  EXPECT_EQ(c.hi, 0.0);
}

TEST(LinkPair, AxesThatCrossOverlapHoweverThin) {
  RandomLink a;
  RandomLink b;
  make_link(a, {}, {}, {-1, 0, 0}, {1, 0, 0}, 1e-6);
  make_link(b, {}, {}, {0.3, 0, -1}, {0.3, 0, 1}, 1e-6);
  EXPECT_EQ(ask_both(a, b).outcome, Outcome::kOverlap);
}

TEST(LinkPair, ScissorsCloseAtTheirAngle) {
  // Two blades on one hinge, 90 degrees apart, turn towards each other by 60 degrees each: their
  // ends, 1 m from the hinge, touch at 2 asin(0.1) of angle between them. The hinge's own ends stay
  // 0.3 m away.
  RandomLink a;
  RandomLink b;
  const Quat up = about({0, 0, 1}, kPi / 4);
  const Quat down = about({0, 0, 1}, -kPi / 4);
  const Quat fall = about({0, 0, 1}, -kPi / 3);
  const Quat rise = about({0, 0, 1}, kPi / 3);
  make_link(a, {up, {}}, {fall * up, {}}, {1, 0, 0}, {1, 0, 0}, 0.1);
  make_link(b, {down, {}}, {rise * down, {}}, {1, 0, 0}, {1, 0, 0}, 0.1);
  const double toc = (kPi / 2 - 2 * std::asin(0.1)) / (2 * kPi / 3);
  expect_hit(ask_both(a, b), toc);
}

TEST(LinkPair, ASwordMeetsARisingStaff) {
  // A bar along x swings down about its left end; a bar along z, 0.6 m from there, rises.
  RandomLink a;
  RandomLink b;
  make_link(a, {{}, {0, 1, 0}}, {about({0, 0, 1}, -1.0), {0, 1, 0}}, {}, {0.9, 0, 0}, 0.03);
  make_link(b, {{}, {0.6, 0, 0}}, {{}, {0.6, 1, 0}}, {0, 0, -1}, {0, 0, 1}, 0.02);
  // Axis a at angle w t goes through (0, 1); axis b is at (0.6, t): their distance is
  // |0.6 sin t + (t - 1) cos t| = 0.05.
  double low = 0;
  double high = 1;
  for (int i = 0; i < 80; ++i) {
    const double t = 0.5 * (low + high);
    (-(0.6 * std::sin(t) + (t - 1) * std::cos(t)) > 0.05 ? low : high) = t;
  }
  expect_hit(ask_both(a, b), low);
}

TEST(LinkPair, ParallelBarsAndBarsOnOneLine) {
  RandomLink a;
  RandomLink beside;
  RandomLink ahead;
  make_link(a, {}, {{}, {0, 1, 0}}, {-1, 0, 0}, {1, 0, 0}, 0.1);
  make_link(beside, {{}, {0.7, 1, 0}}, {{}, {0.7, 0.5, 0}}, {-1, 0, 0}, {1, 0, 0}, 0.1);
  expect_hit(ask_both(a, beside), 0.8 / 1.5);
  RandomLink along;
  make_link(along, {}, {{}, {1, 0, 0}}, {-1, 0, 0}, {1, 0, 0}, 0.1);
  make_link(ahead, {{}, {3, 0, 0}}, {{}, {2.5, 0, 0}}, {-1, 0, 0}, {1, 0, 0}, 0.1);
  expect_hit(ask_both(along, ahead), 0.8 / 1.5);
}

TEST(LinkPair, NothingThinIsJumpedOver) {
  // 3 m past each other in one step, 2 mm thick together.
  RandomLink a;
  RandomLink b;
  make_link(a, {{}, {-1.5, 0, 0}}, {{}, {1.5, 0, 0}}, {0, -0.2, 0}, {0, 0.2, 0}, 0.001);
  make_link(b, {{}, {0, 0.1, -0.5}}, {{}, {0, 0.1, 0.5}}, {0, 0, -0.3}, {0, 0, 0.3}, 0.001);
  expect_hit(ask_both(a, b), (1.5 - 0.002) / 3.0);
}

TEST(LinkPair, RestingExactlyInTouchIsAGrazeAndEnds) {
  RandomLink a;
  RandomLink b;
  make_link(a, {}, {}, {-1, 0, 0}, {1, 0, 0}, 0.25);
  make_link(b, {{}, {0, 0.5, 0}}, {{}, {0, 0.5, 0}}, {0, 0, -1}, {0, 0, 1}, 0.25);
  const Certificate still = ask_both(a, b);
  EXPECT_EQ(still.outcome, Outcome::kGraze);
  EXPECT_EQ(still.lo, 0.0);
  EXPECT_EQ(still.hi, 1.0);
  EXPECT_FALSE(still.limited);
  RandomLink sliding;
  make_link(sliding, {{}, {0, 0.5, 0}}, {{}, {3, 0.5, 0}}, {0, 0, -1}, {0, 0, 1}, 0.25);
  RandomLink other;
  make_link(other, {}, {{}, {-3, 0, 0}}, {-9, 0, 0}, {9, 0, 0}, 0.25);
  const Certificate s = ask_both(sliding, other);
  EXPECT_EQ(s.outcome, Outcome::kGraze);
  EXPECT_LT(s.evaluations, 200);
  EXPECT_FALSE(s.limited);
}

TEST(LinkPair, StillAndApartTakesOneLook) {
  RandomLink a;
  RandomLink b;
  make_link(a, {}, {}, {-1, 0, 0}, {1, 0, 0}, 0.25);
  make_link(b, {{}, {0, 0.5 + 1e-9, 0}}, {{}, {0, 0.5 + 1e-9, 0}}, {0, 0, -1}, {0, 0, 1}, 0.25);
  const Certificate c = ask_both(a, b);
  EXPECT_EQ(c.outcome, Outcome::kFree);
  EXPECT_EQ(c.evaluations, 1);
}

/// Two links of one joint: whatever it does, their distance stays.
TEST(LinkPair, LinksThatMoveAsOneKeepTheirDistance) {
  RandomLinks random(81);
  int apart = 0;
  int worst = 0;
  for (int i = 0; i < 300; ++i) {
    RandomLink r;
    random.make(r, 1 + i % 5, InBetween::kScrew, 0.5, 0.5, 1.0, 3.0);
    LinkMotion a = r.link;
    LinkMotion b = r.link;
    b.a = random.vector(0, 0.5);
    b.b = random.vector(0, 0.5);
    ChainBounds bounds;
    for (const JointMotion& m : r.joints) bounds = extend(bounds, m, b.kind, b.ref);
    set_bounds(b, bounds);
    const AxisState a0 = evaluate(a, 0);
    const AxisState b0 = evaluate(b, 0);
    const double distance = std::sqrt(closest_points(a0, b0).squared);
    const auto with_radii = [&](double sum) {
      a.radius = 0.25 * sum;
      b.radius = 0.75 * sum;
      return certify_pair(a, a0, b, b0, kPairTolerance, kToEnd);
    };
    if (distance < 0.02) continue;
    ++apart;
    const Certificate near = with_radii(distance - 0.001);
    EXPECT_EQ(near.outcome, Outcome::kFree);
    worst = std::max(worst, near.evaluations);
    EXPECT_EQ(with_radii(distance + 1e-9).outcome, Outcome::kOverlap);
    const Certificate exactly = with_radii(distance);
    EXPECT_EQ(exactly.outcome, Outcome::kGraze);
    EXPECT_EQ(exactly.lo, 0.0);
    EXPECT_FALSE(exactly.limited);
  }
  EXPECT_GT(apart, 200);
  EXPECT_EQ(worst, 1);
}

/// 10 km from the origin, refs 5 mm and 10 km from each other.
TEST(LinkPair, FarFromTheOriginNothingIsLost) {
  const Vec3 far{10000, 0.5, -7000};
  for (const double refs : {0.0, 1.0}) {
    RandomLink a;
    RandomLink b;
    const auto at = [&](double x) { return far + Vec3{x, 0, 0}; };
    const Vec3 ref_b = refs * far;
    make_link(a, {{}, at(0)}, {{}, at(1)}, {0, -1, 0}, {0, 1, 0}, 0.125, InBetween::kScrew, far);
    make_link(b, {{}, at(3)}, {{}, at(0)}, {0, 0, -1}, {0, 0, 1}, 0.125, InBetween::kScrew, ref_b);
    const Certificate c = ask_both(a, b);
    // From 3 m to 0.25 m apart at 4 m a step; all these numbers are exact.
    EXPECT_EQ(c.outcome, Outcome::kHit);
    EXPECT_LE(c.lo, 2.75 / 4);
    EXPECT_GE(c.hi, 2.75 / 4);
    EXPECT_LE(c.hi - c.lo, refs > 0 ? kPairTolerance : 3 * rounding_margin(a.link, b.link));
  }
}

TEST(LinkPair, RadiiFromAMicrometreToTenMetres) {
  for (const double radius : {1e-6, 1e-3, 1.0, 10.0}) {
    RandomLink a;
    RandomLink b;
    make_link(a, {{}, {0, 2 * radius + 1, 0}}, {{}, {0, 2 * radius - 1, 0}}, {-0.5, 0, 0},
              {0.5, 0, 0}, radius);
    make_link(b, {}, {}, {0, 0, -0.5}, {0, 0, 0.5}, radius);
    expect_hit(ask_both(a, b), 0.5);
    RandomLink grain;
    make_link(grain, {{}, {0, radius + 1, 0}}, {{}, {0, radius - 1, 0}}, {}, {}, 1e-6);
    expect_hit(ask_both(grain, b), 0.5 * (1 - 1e-6), 1e-11);
  }
}

/// The connecting direction of axes this near each other has lost digits; the features' own has
/// not.
TEST(LinkPair, ThinAndNearlyTouchingIsStillFree) {
  RandomLinks random(82);
  for (int i = 0; i < 200; ++i) {
    const double radius = std::exp2(random.uniform(-19, -16));
    const Quat q = normalized(random.rotation(random.uniform(0, 3)));
    const Vec3 n = rotate(q, {0, 1, 0});
    const Vec3 along = rotate(q, {1, 0, 0});
    const Vec3 other = i % 2 == 0 ? along : rotate(q, {0.3, 0, 0.8});
    const Vec3 where = 3.0 * random.direction();
    RandomLink a;
    RandomLink b;
    const double gap = 2 * radius + 2e-11;
    make_link(a, {{}, where + gap * n}, {{}, (where + gap * n) + 0.5 * along}, -1.0 * along, along,
              radius);
    make_link(b, {{}, where}, {{}, where - 0.5 * other}, -1.0 * other, other, radius);
    EXPECT_EQ(ask_both(a, b).outcome, Outcome::kFree) << i << " " << radius;
  }
}

TEST(LinkPair, NonsenseProvesNothing) {
  const double nan = std::nan("");
  RandomLink a;
  RandomLink fine;
  make_link(fine, {{}, {0, 9, 0}}, {{}, {0, 8, 0}}, {}, {1, 0, 0}, 0.5);
  const auto expect_nothing = [](const Certificate& c) {
    EXPECT_EQ(c.outcome, Outcome::kGraze);
    EXPECT_EQ(c.lo, 0.0);
    EXPECT_EQ(c.hi, 1.0);
  };
  for (int i = 0; i < 7; ++i) {
    for (const double bad : {nan, HUGE_VAL, -HUGE_VAL}) {
      RandomLink b;
      make_link(b, {{}, {0, 1, 0}}, {{}, {0, 1, 1}}, {}, {1, 0, 0}, 0.5);
      LinkMotion& m = b.link;
      double* const fields[7] = {&m.radius,         &m.ref.x, &m.speed, &m.acceleration_a,
                                 &m.acceleration_b, &m.reach, &m.a.y};
      *fields[i] = bad;
      if (i == 6) m.reach = bad;  // what set_bounds() would make of it
      expect_nothing(ask(b, fine));
      expect_nothing(ask(fine, b));
      EXPECT_EQ(early_out(seen_pair(b.link, fine.link)), EarlyOut::Kind::kSuspect);
      EXPECT_EQ(early_out(seen_pair(fine.link, b.link)), EarlyOut::Kind::kSuspect);
      EXPECT_TRUE(may_graze(b.link, fine.link));
      EXPECT_TRUE(may_graze(fine.link, b.link));
    }
  }
  // Even if only the states are not finite.
  AxisState lost = evaluate(fine.link, 0);
  lost.va.y = nan;
  RandomLink far;
  make_link(far, {{}, {0, 5, 0}}, {{}, {0, 4, 0}}, {}, {1, 0, 0}, 0.5);
  EXPECT_EQ(ask(fine, far).outcome, Outcome::kFree);
  const AxisState found = evaluate(far.link, 0);
  const auto one_way = certify_pair(fine.link, lost, far.link, found, kPairTolerance, kToEnd);
  EXPECT_EQ(one_way.outcome, Outcome::kGraze);
  EXPECT_EQ(one_way.lo, 0.0);
}

TEST(LinkPair, AHostileMotionIsLimitedAndStaysProved) {
  // An acceleration bound of 10^16 lets it advance by some 10^-9 at a time.
  RandomLink a;
  RandomLink b;
  make_link(a, {{}, {0, 1, 0}}, {{}, {0, 0, 0}}, {}, {}, 0.1);
  make_link(b, {}, {}, {}, {}, 0.1);
  b.link.acceleration_a = b.link.acceleration_b = 1e16;
  const Certificate c = ask(a, b);
  EXPECT_EQ(c.outcome, Outcome::kGraze);
  EXPECT_TRUE(c.limited);
  EXPECT_EQ(c.evaluations, kMaxEvaluations);
  EXPECT_GT(c.lo, 0.0);
  EXPECT_LT(c.lo, 0.8);
  EXPECT_EQ(c.hi, 1.0);
  EXPECT_TRUE(may_graze(a.link, b.link));
}

TEST(LinkPair, ALinkTooShortForADirectionIsNoTrap) {
  for (const double length : {1e-150, 1.35e-162, 1e-165, 1e-300}) {
    RandomLink a;
    RandomLink b;
    make_link(a, {{}, {0, 0, 0.5}}, {{}, {0, 0, -0.5}}, {}, {0, length, 0}, 0.06);
    make_link(b, {}, {{}, {0, 0, 0.1}}, {-1, 0, 0}, {1, length, 0}, 0.03);
    EXPECT_EQ(ask_both(a, b).outcome, Outcome::kHit) << length;
  }
}

TEST(LinkPair, BoxesOfAnArcHoldItsBulge) {
  // An end is highest at t = 9/16, half way between two of the times at which its boxes know it,
  // and touches the ball only there.
  RandomLink ball;
  RandomLink above;
  make_link(ball, {{}, {0, 1.0015, 0}}, {{}, {0, 1.0015, 0}}, {}, {}, 0.001);
  make_link(above, {{}, {0, 1.1, 0}}, {{}, {0, 1.1, 0}}, {}, {}, 0.001);
  const double turn = (kPi / 2) / (9.0 / 16);
  const Vec3 tip{1, 0, 0};
  for (const Vec3& a : {tip, Vec3{0.5, 0, 0}}) {
    for (const Vec3& b : {tip, Vec3{0.5, 0, 0}}) {
      if (a != tip && b != tip) continue;
      RandomLink bar;
      make_link(bar, {}, {about({0, 0, 1}, turn), {}}, a, b, 0.001);
      ASSERT_EQ(swept_pieces(bar.link), 8);
      const Certificate c = ask_both(bar, ball);
      EXPECT_EQ(c.outcome, Outcome::kHit);
      EXPECT_NEAR(c.lo, 9.0 / 16, 0.02);
      EXPECT_TRUE(may_graze(bar.link, ball.link));
      EXPECT_TRUE(may_graze(ball.link, bar.link));
      EXPECT_FALSE(may_graze(bar.link, above.link));
    }
  }
}

/// Two bars that cross near each other, both turning about where they do: linear convergence, that
/// is hundreds of evaluations, without the cuts.
TEST(LinkPair, PivotingConvergesFast) {
  RandomLinks random(83);
  int worst = 0;
  int hits = 0;
  double sum = 0;
  constexpr int kPairs = 3000;
  for (int i = 0; i < kPairs; ++i) {
    RandomLink a;
    RandomLink b;
    const double ra = std::exp2(random.uniform(-8, -3));
    const double rb = std::exp2(random.uniform(-8, -3));
    const double height = ra + rb + random.uniform(0.0005, 0.3);
    const double cross = i % 3 == 0 ? std::exp2(random.uniform(-12, 0)) : random.uniform(0.05, 1.5);
    const Vec3 along{std::cos(cross), 0, std::sin(cross)};
    const Vec3 beside{-std::sin(cross), 0, std::cos(cross)};
    const double s = random.uniform(0.02, 0.98);
    const double q = random.uniform(0.02, 0.98);
    make_link(
        a, {{}, {0, height, 0}},
        {about({0, 0, 1}, random.uniform(0.05, 1.5)), {0, height - random.uniform(0, 0.3), 0}},
        {-s, 0, 0}, {1 - s, 0, 0}, ra);
    const double turn = i % 2 == 0 ? 0.0 : random.uniform(-1.5, 1.5);
    make_link(b, {}, {about(beside, turn), {}}, -q * along, (1 - q) * along, rb);
    const Certificate c = ask(a, b);
    worst = std::max(worst, c.evaluations);
    sum += c.evaluations;
    if (c.outcome == Outcome::kHit) ++hits;
    EXPECT_FALSE(c.limited);
  }
  EXPECT_GT(hits, kPairs / 2);
  EXPECT_LT(worst, 150);
  EXPECT_LT(sum / kPairs, 15);
}

}  // namespace
}  // namespace tocsin::core::link_pair_test
