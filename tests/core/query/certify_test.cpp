// certify on motions whose answers are known by hand. Random classes against the oracle:
// tests/oracle.
#include "core/query/certify.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/bounds/expect_pruned.h"
#include "support/scenes/one_joint_link.h"
#include "support/scenes/random_link.h"

namespace tocsin::core::certify_test {
namespace {

using test::make_link;
using test::RandomLink;
using test::RandomLinks;

constexpr double kTolerance = 1e-9;

Certificate ask(const RandomLink& r, const Triangle& t, double stop_after = kToEnd) {
  return certify(r.link, evaluate(r.link, 0), t, kTolerance, stop_after);
}

const Triangle kFloor{{{-50, 0, -50}, {50, 0, -50}, {0, 0, 80}}};

TEST(Certify, AFallingBallHitsTheFloorWhenItShould) {
  RandomLink r;
  make_link(r, {{}, {0, 2, 0}}, {{}, {0, -1, 0}}, {}, {}, 0.5);
  const Certificate c = ask(r, kFloor);
  EXPECT_EQ(c.outcome, Outcome::kHit);
  EXPECT_LE(c.lo, 0.5);
  EXPECT_GE(c.hi, 0.5);
  EXPECT_LE(c.hi - c.lo, kTolerance);
}

TEST(Certify, ABallThatStopsShortIsFree) {
  RandomLink r;
  make_link(r, {{}, {0, 2, 0}}, {{}, {0, 0.5 + 1e-9, 0}}, {}, {}, 0.5);
  EXPECT_EQ(ask(r, kFloor).outcome, Outcome::kFree);
}

TEST(Certify, ABallThatStopsInsideIsHitAtTheEnd) {
  RandomLink r;
  make_link(r, {{}, {0, 2, 0}}, {{}, {0, 0.5 - 1e-9, 0}}, {}, {}, 0.5);
  const Certificate c = ask(r, kFloor);
  EXPECT_EQ(c.outcome, Outcome::kHit);
  EXPECT_NEAR(c.lo, 1.0, 1e-8);
}

TEST(Certify, ARodThatSwingsTouchesAtItsAngle) {
  // A rod along x at height 1 turns down about z by 90 degrees: its tip is at height 1 -
  // sin(angle).
  RandomLink r;
  make_link(r, {{}, {0, 1, 0}}, {{std::sqrt(0.5), 0, 0, -std::sqrt(0.5)}, {0, 1, 0}}, {},
            {0.9, 0, 0}, 0.2);
  const double angle = std::asin((1.0 - 0.2) / 0.9);
  const double toc = angle / (kPi / 2);
  const Certificate c = ask(r, kFloor);
  EXPECT_EQ(c.outcome, Outcome::kHit);
  EXPECT_LE(c.lo, toc + 1e-12);
  EXPECT_GE(c.hi, toc - 1e-12);
  EXPECT_LE(c.hi - c.lo, kTolerance);
  EXPECT_LT(c.evaluations, 20);
}

TEST(Certify, TheTwoMotionsDiffer) {
  // Half a turn about y while moving 2 m along x. Along the screw the joint goes round a half
  // circle and is 1 m aside half way; with constant velocities it goes straight.
  const Transform p1{{0, 0, 1, 0}, {2, 0, 0}};
  const auto wall = [](double z) { return Triangle{{{-5, -5, z}, {5, -5, z}, {0, 9, z}}}; };
  for (const double side : {-0.8, 0.8}) {
    RandomLink screw;
    RandomLink straight;
    make_link(screw, {}, p1, {}, {}, 0.1, InBetween::kScrew);
    make_link(straight, {}, p1, {}, {}, 0.1, InBetween::kTranslateRotate);
    EXPECT_EQ(ask(straight, wall(side)).outcome, Outcome::kFree);
    const double first = std::asin(0.7) / kPi;  // height sin(pi t) reaches 0.8 - 0.1
    const Certificate c = ask(screw, wall(side));
    if (c.outcome == Outcome::kFree) continue;
    EXPECT_LE(c.lo, first + 1e-12);
    EXPECT_GE(c.hi, first - 1e-12);
  }
  RandomLink screw;
  make_link(screw, {}, p1, {}, {}, 0.1, InBetween::kScrew);
  EXPECT_NE(ask(screw, wall(-0.8)).outcome, ask(screw, wall(0.8)).outcome) << "on one side only";
}

TEST(Certify, TouchingAtTheStartIsAnOverlap) {
  RandomLink r;
  make_link(r, {{}, {0, 0.4, 0}}, {{}, {0, 3, 0}}, {}, {}, 0.5);
  const Certificate c = ask(r, kFloor);
  EXPECT_EQ(c.outcome, Outcome::kOverlap);
  EXPECT_EQ(c.lo, 0.0);
  EXPECT_EQ(c.hi, 0.0);
}

TEST(Certify, AnAxisThroughTheTriangleIsAnOverlap) {
  RandomLink r;
  make_link(r, {{}, {0, 0, 0}}, {{}, {0, 0, 1}}, {0, -2, 0}, {0, 2, 0}, 1e-6);
  EXPECT_EQ(ask(r, kFloor).outcome, Outcome::kOverlap);
}

TEST(Certify, AThinThingCannotBeJumpedOver) {
  // The paper's figure 5: 3 m in one step past a needle 0.1 mm wide.
  RandomLink r;
  make_link(r, {{}, {-1.5, 1, 0}}, {{}, {1.5, 1, 0}}, {0, -0.2, 0}, {0, 0.2, 0}, 0.02);
  const Triangle needle{{{0, 0, 0}, {1e-4, 0, 0}, {0, 2, 0}}};
  const Certificate c = ask(r, needle);
  EXPECT_EQ(c.outcome, Outcome::kHit);
  EXPECT_NEAR(c.lo, (1.5 - 0.02) / 3.0, 1e-4);
}

TEST(Certify, RestingExactlyInTouchIsAGrazeAndEnds) {
  RandomLink still;
  make_link(still, {{}, {0, 0.5, 0}}, {{}, {0, 0.5, 0}}, {}, {}, 0.5);
  const Certificate c = ask(still, kFloor);
  EXPECT_EQ(c.outcome, Outcome::kGraze);
  EXPECT_EQ(c.lo, 0.0);
  EXPECT_EQ(c.hi, 1.0);
  EXPECT_FALSE(c.limited);
  RandomLink sliding;
  make_link(sliding, {{}, {0, 0.5, 0}}, {{}, {7, 0.5, 0}}, {}, {}, 0.5);
  const Certificate s = ask(sliding, kFloor);
  EXPECT_EQ(s.outcome, Outcome::kGraze);
  EXPECT_LT(s.evaluations, 200);
  // In a circle, so that nothing tells how long it stays where it is but looks that lie farther and
  // farther apart.
  RandomLink circling;
  make_link(circling, {{}, {0, 0.5, 0}}, {{std::cos(1.0), 0, std::sin(1.0), 0}, {0, 0.5, 0}},
            {1, 0, 0}, {1, 0, 0}, 0.5);
  const Certificate o = ask(circling, kFloor);
  EXPECT_EQ(o.outcome, Outcome::kGraze);
  EXPECT_LT(o.evaluations, 200);
}

TEST(Certify, WithinTheMarginNothingIsProved) {
  // Balls at rest whose surface is nearer to the triangle than rounding can tell, or farther. The
  // margin grows with the farthest corner.
  for (const double far : {10.0, 1e6}) {
    for (const double etas : {-3.0, -0.5, 0.5, 3.0}) {
      RandomLink r;
      make_link(r, {}, {}, {}, {}, 0.5);
      const double eta = rounding_margin(r.link, far);
      const double y = 0.5 + etas * eta;
      const Triangle below{{{-1, -y, -1}, {1, -y, -1}, {0, -y, far}}};
      const Outcome outcome = ask(r, below).outcome;
      EXPECT_EQ(outcome, etas < -1.0  ? Outcome::kOverlap
                         : etas > 1.0 ? Outcome::kFree
                                      : Outcome::kGraze)
          << etas << " of " << eta;
    }
  }
}

TEST(Certify, ABallThatStopsWithinTheMarginIsAGraze) {
  RandomLink r;
  make_link(r, {{}, {0, 2, 0}}, {{}, {0, 0.5, 0}}, {}, {}, 0.5);
  const double eta = rounding_margin(r.link, norm(Vec3{0, 0, 80}));
  make_link(r, {{}, {0, 2, 0}}, {{}, {0, 0.5 + 0.5 * eta, 0}}, {}, {}, 0.5);
  EXPECT_EQ(ask(r, kFloor).outcome, Outcome::kGraze) << "no touch is proved";
}

TEST(Certify, AnAdvanceIsNeverLongerThanProvedAndNeverGoesBack) {
  RandomLinks random(52);
  for (int i = 0; i < 10000; ++i) {
    const double t = i % 2 == 0 ? random.uniform(0, 1) : std::exp2(random.uniform(-60, 0));
    const double h = std::exp2(random.uniform(-70, 0));
    const double next = detail::advance_time(t, h);
    ASSERT_GE(next, t);
    if (next == t) continue;
    // What the roots of h may be wrong by, and the sum, is paid for.
    ASSERT_LE(static_cast<long double>(next), t + h * (1 - 0x1p-44L)) << t << " + " << h;
  }
}

TEST(Certify, AGrazeInPassingIsBracketed) {
  // A ball on an arc whose lowest point is at exactly its radius above the floor.
  RandomLink r;
  const double half = std::sqrt(0.5);
  make_link(r, {{half, 0, 0, half}, {0, 2.5, 0}}, {{half, 0, 0, -half}, {0, 2.5, 0}}, {0, -2, 0},
            {0, -2, 0}, 0.5);
  const Certificate c = ask(r, kFloor);
  ASSERT_NE(c.outcome, Outcome::kFree);
  EXPECT_LE(c.lo, 0.5);
  EXPECT_GE(c.hi, 0.5 - 1e-6);
  EXPECT_GT(c.lo, 0.5 - 1e-5);
  EXPECT_LT(c.outcome == Outcome::kGraze ? c.hi : 0.5, 0.5 + 1e-4);
}

TEST(Certify, PruningChangesNothingElse) {
  RandomLinks random(51);
  int pruned = 0;
  for (int i = 0; i < 3000; ++i) {
    RandomLink r;
    random.make(r, 1 + i % 4, InBetween::kScrew, 0.5, 1.0, 1.0, 0.0);
    const auto point = [&] { return random.vector(0, 1.2); };
    const Triangle t{{point(), point(), point()}};
    const Certificate all = ask(r, t);
    const double stop = random.uniform(0, 1);
    const Certificate some = ask(r, t, stop);
    if (!expect_pruned_soundly(all, some, stop)) continue;
    ++pruned;
    expect_pruned_soundly(all, ask(r, t, some.lo), some.lo);  // what lasts just until then is not
  }
  EXPECT_GT(pruned, 300);
}

TEST(Certify, NonsenseProvesNothing) {
  RandomLink r;
  make_link(r, {{}, {0, 2, 0}}, {{}, {0, 1, 0}}, {}, {}, 0.5);
  const auto expect_nothing = [](const Certificate& c) {
    EXPECT_EQ(c.outcome, Outcome::kGraze);
    EXPECT_EQ(c.lo, 0.0);
    EXPECT_EQ(c.hi, 1.0);
    EXPECT_EQ(c.evaluations, 0);
  };
  for (const double nonsense : {std::nan(""), HUGE_VAL}) {
    for (int corner = 0; corner < 3; ++corner) {
      Triangle t{{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}};
      t.v[corner].x = nonsense;
      expect_nothing(ask(r, t));
    }
    LinkMotion odd = r.link;
    odd.acceleration_b = nonsense;
    expect_nothing(certify(odd, evaluate(r.link, 0), kFloor, kTolerance, kToEnd));
  }
}

TEST(Certify, ALinkTooShortForADirectionIsNoTrap) {
  // |axis x edge|^2 underflows: a direction from it once had length 1.2 and "proved" this touch
  // away.
  for (const double length : {1e-150, 1.35e-162, 1e-165, 1e-300}) {
    RandomLink r;
    const double radius = 0.061157226561643865;
    make_link(r, {{}, {0, 0, 0}}, {{}, {0, 0, -0.00611572265625}}, {}, {0, length, 0}, radius,
              InBetween::kTranslateRotate);
    const Triangle edge{{{-1, 0, -0.0611572265625}, {1, 0, -0.0611572265625}, {0, 0, -3}}};
    EXPECT_NE(ask(r, edge).outcome, Outcome::kFree) << length;
  }
}

TEST(Certify, PivotingConvergesFast) {
  // exact.md: a link that pivots about an interior contact took 169 iterations without the split.
  RandomLinks random(52);
  int worst = 0;
  int hits = 0;
  for (int i = 0; i < 4000; ++i) {
    RandomLink r;
    const double s = random.uniform(0.02, 0.98);
    const double angle = random.uniform(0.05, 1.5);
    const double radius = random.uniform(0.01, 0.1);
    const Transform p0{{}, {0, 0.3, 0}};
    const Transform p1{{std::cos(angle / 2), 0, 0, -std::sin(angle / 2)},
                       {0, 0.3 - random.uniform(0, 0.3), 0}};
    make_link(r, p0, p1, {-s, 0, 0}, {1 - s, 0, 0}, radius);
    const double at = random.uniform(-0.5, 0.5) * s;
    const Certificate c = ask(r, {{{at, 0.1, -1}, {at, 0.1, 1}, {at, -1, 0}}});
    worst = std::max(worst, c.evaluations);
    if (c.outcome == Outcome::kHit) ++hits;
    EXPECT_FALSE(c.limited);
  }
  EXPECT_GT(hits, 800);
  EXPECT_LT(worst, 150);
}

}  // namespace
}  // namespace tocsin::core::certify_test
