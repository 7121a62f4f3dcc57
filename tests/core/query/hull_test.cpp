// Two hulls: frames, closest points, piercing, and what certify_hulls does where the answer is
// known. Random answers are judged in tests/oracle/hull_sweep_test.cpp.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/query/certify_hulls.h"
#include "core/query/link_pair.h"
#include "support/scenes/random_link.h"

namespace tocsin::core::hull_test {
namespace {

using test::kind_of;
using test::RandomLink;
using test::RandomLinks;

constexpr double kHullTolerance = 1e-9;

FrameMotion frame_of(const LinkMotion& link) {
  return frame_motion(link.joints, link.chain, link.chain_length, link.kind, link.ref);
}

Hull triangle(const Vec3& a, const Vec3& b, const Vec3& c, double radius = 0.0) {
  return {{a, b, c}, 3, radius};
}

/// A body of one joint.
struct Body {
  JointMotion joint;
  std::int32_t chain = 0;

  Body(const Transform& p0, const Transform& p1)
      : joint(joint_motion(p0, p1, InBetween::kTranslateRotate)) {}
  [[nodiscard]] FrameMotion frame() const {
    return frame_motion(&joint, &chain, 1, InBetween::kTranslateRotate, {});
  }
};

Certificate ask(const FramePair& frames, const Hull& f, const Hull& g, double stop = kToEnd) {
  return certify_hulls(frames, f, evaluate(frames.first, 0.0), g, evaluate(frames.second, 0.0),
                       kHullTolerance, stop);
}

Certificate ask(const Body& a, const Hull& f, const Body& b, const Hull& g) {
  return ask(frame_pair(a.frame(), b.frame()), f, g);
}

const Transform kStill{};

Transform at(double x, double y, double z) { return {{}, {x, y, z}}; }

HullPart part_of_points(std::vector<Vec3> points) {
  HullPart part;
  for (const Vec3& p : points) part.p[part.corners++] = p;
  return part;
}

TEST(FrameMotion, PlacesPointsWhereLinksAre) {
  RandomLinks random(11);
  for (int i = 0; i < 2000; ++i) {
    RandomLink r;
    random.make(r, 1 + i % 12, kind_of(i), 0.5, 3.1, 0.6, i % 3 == 0 ? 100.0 : 1.0);
    const double t = random.uniform(0, 1);
    const AxisState axis = evaluate(r.link, t);
    const FrameMotion frame = frame_of(r.link);
    const FrameState s = evaluate(frame, t);
    const double eta = rounding_margin(r.link, 0.0);
    EXPECT_LE(norm(position_of(s, r.link.a) - axis.a), eta);
    EXPECT_LE(norm(position_of(s, r.link.b) - axis.b), eta);
    EXPECT_LE(norm(velocity_of(s, r.link.b) - axis.vb), eta);
    EXPECT_GE(acceleration_at(frame, norm(r.link.a)), r.link.acceleration_a);
    EXPECT_LE(acceleration_at(frame, norm(r.link.a)), r.link.acceleration_a * (1.0 + 1e-9));
  }
}

TEST(HullDistance, IsThatOfTheWeightedCornersAndNoGreaterThanAnyOther) {
  RandomLinks random(12);
  for (int i = 0; i < 3000; ++i) {
    std::vector<Vec3> f(static_cast<std::size_t>(1 + i % 3));
    std::vector<Vec3> g(static_cast<std::size_t>(1 + i / 3 % 3));
    for (Vec3& p : f) p = random.vector(0, 1);
    for (Vec3& p : g) p = random.vector(0, 1) + Vec3{i % 2 == 0 ? 1.0 : 0.0, 0, 0};
    if (i % 7 == 0) f.back() = f.front();
    const HullPart a = part_of_points(f);
    const HullPart b = part_of_points(g);
    const ClosestHulls c = closest_points(a, b);
    Vec3 y;
    Vec3 x;
    for (int k = 0; k < a.corners; ++k) y = y + c.first[k] * a.p[k];
    for (int k = 0; k < b.corners; ++k) x = x + c.second[k] * b.p[k];
    EXPECT_LE(norm(y - c.y), 1e-14);
    EXPECT_LE(norm(x - c.x), 1e-14);
    const double distance = std::sqrt(c.squared);
    EXPECT_NEAR(distance, std::sqrt(closest_points(b, a).squared), 1e-14);
    for (int k = 0; k < 60; ++k) {
      const auto any = [&](const HullPart& part) {
        double w[3] = {random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1)};
        double sum = 0.0;
        for (int j = 0; j < part.corners; ++j) sum += w[j];
        Vec3 p;
        for (int j = 0; j < part.corners; ++j) p = p + (w[j] / sum) * part.p[j];
        return p;
      };
      ASSERT_LE(distance, norm(any(a) - any(b)) + 1e-14) << i;
    }
  }
}

TEST(HullPierce, IsSureOnlyBeyondTheError) {
  const HullPart face = part_of_points({{-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}});
  const auto needle = [](double depth) { return part_of_points({{0, 0, 1}, {0, 0, -depth}}); };
  const double error = 1e-9;
  EXPECT_TRUE(surely_pierce(needle(1e-6), face, error));
  EXPECT_TRUE(surely_pierce(face, needle(1e-6), error));
  EXPECT_FALSE(surely_pierce(needle(1e-9), face, error));
  EXPECT_FALSE(surely_pierce(needle(-1e-6), face, error));
  // Beside the triangle, and just at its edge.
  const HullPart beside = part_of_points({{-1 - 1e-6, 0, 1}, {-1 - 1e-6, 0, -1}});
  const HullPart edge = part_of_points({{-1 + 1e-10, 0, 1}, {-1 + 1e-10, 0, -1}});
  EXPECT_FALSE(surely_pierce(beside, face, error));
  EXPECT_FALSE(surely_pierce(edge, face, error));
  EXPECT_FALSE(surely_pierce(face, face, error));
  EXPECT_FALSE(surely_pierce(needle(1), needle(1), error));
  EXPECT_FALSE(surely_pierce(part_of_points({{0, 0, 0}}), face, error));
}

/// A surface falls on another: the first contact is where its corner reaches the plane.
TEST(CertifyHulls, SurfacesWithoutThicknessHitWhereOneGoesThroughTheOther) {
  const Body still(kStill, kStill);
  const Body falling(at(0, 0, 1), at(0, 0, -1));
  const Hull floor = triangle({-5, -5, 0}, {5, -5, 0}, {0, 5, 0});
  const Hull corner = triangle({0, 0, 0}, {0.3, 0, 0.5}, {-0.3, 0.1, 0.5});
  for (const bool swapped : {false, true}) {
    const Certificate c =
        swapped ? ask(still, floor, falling, corner) : ask(falling, corner, still, floor);
    ASSERT_EQ(c.outcome, Outcome::kHit);
    EXPECT_LE(c.lo, 0.5);
    EXPECT_GE(c.hi, 0.5);
    EXPECT_LE(c.hi - c.lo, 2e-9);
    EXPECT_LE(c.evaluations, 6);
  }
  // It starts below: they meet from the first moment.
  const Body low(at(0, 0, -0.1), at(0, 0, -0.1));
  EXPECT_EQ(ask(low, corner, still, floor).outcome, Outcome::kOverlap);
  const Body above(at(0, 0, 1e-6), at(0, 0, 1e-6));
  EXPECT_EQ(ask(above, corner, still, floor).outcome, Outcome::kFree);
}

/// Edges cross in the air between frames: no corner touches, no sampled pose does.
TEST(CertifyHulls, EdgesThatCrossBetweenFramesHit) {
  const Body still(kStill, kStill);
  const Body flying(at(0, 0, 3), at(0, 0, -3));
  const Hull one = triangle({-1, 0, 0}, {1, 0, 0}, {0, 2, 0.1});
  const Hull other = triangle({0.3, -1, 0}, {0.3, 1, 0}, {2, 0, -0.2});
  const Certificate c = ask(flying, one, still, other);
  ASSERT_EQ(c.outcome, Outcome::kHit);
  EXPECT_LE(c.hi - c.lo, 2e-9);
  // Flat triangles in one plane never surely pierce.
  const Body sliding(at(-9, 0, 0), at(9, 0, 0));
  const Hull flat = triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  EXPECT_EQ(ask(sliding, flat, still, flat).outcome, Outcome::kGraze);
}

/// Capsules asked as hulls and as links: both are proofs about one motion, so they cannot
/// contradict.
TEST(CertifyHulls, AgreesWithLinks) {
  RandomLinks random(13);
  int touching = 0;
  for (int i = 0; i < 4000; ++i) {
    RandomLink a;
    RandomLink b;
    random.make(a, 1 + i % 4, kind_of(i), 0.5, i % 5 == 0 ? 3.1 : 0.6, 0.6, 0.5);
    random.make(b, 1 + i % 3, kind_of(i / 2), 0.5, 0.6, 0.6, 0.5);
    const Certificate links = certify_pair(a.link, evaluate(a.link, 0), b.link, evaluate(b.link, 0),
                                           kHullTolerance, kToEnd);
    const Certificate hulls = ask(frame_pair(frame_of(a.link), frame_of(b.link)),
                                  {{a.link.a, a.link.b, {}}, 2, a.link.radius},
                                  {{b.link.a, b.link.b, {}}, 2, b.link.radius});
    ASSERT_EQ(links.outcome, hulls.outcome) << i;
    if (links.outcome != Outcome::kHit) continue;
    ++touching;
    EXPECT_LE(links.lo, hulls.hi);
    EXPECT_LE(hulls.lo, links.hi);
  }
  EXPECT_GE(touching, 300);
}

TEST(CertifyHulls, StopAfterOnlyPrunes) {
  RandomLinks random(14);
  int pruned = 0;
  int same = 0;
  for (int i = 0; i < 3000; ++i) {
    RandomLink a;
    RandomLink b;
    random.make(a, 1 + i % 4, kind_of(i), 0.5, 0.6, 0.6, 0.5);
    random.make(b, 1 + i % 3, kind_of(i / 2), 0.5, 0.6, 0.6, 0.5);
    const FramePair frames = frame_pair(frame_of(a.link), frame_of(b.link));
    const Hull f = triangle(a.link.a, a.link.b, random.vector(0, 0.5));
    const Hull g = triangle(b.link.a, b.link.b, random.vector(0, 0.5), i % 3 == 0 ? 0.05 : 0.0);
    const Certificate all = ask(frames, f, g);
    const double stop = random.uniform(0, 1);
    const Certificate some = ask(frames, f, g, stop);
    if (some.outcome == Outcome::kPruned) {
      ++pruned;
      EXPECT_GT(some.lo, stop);
      EXPECT_TRUE(all.outcome == Outcome::kFree || all.lo > stop);
    } else {
      ++same;
      EXPECT_EQ(some.outcome, all.outcome);
      EXPECT_EQ(some.lo, all.lo);
      EXPECT_EQ(some.hi, all.hi);
    }
  }
  EXPECT_GE(pruned, 100);
  EXPECT_GE(same, 1000);
}

/// What is said to be free is free wherever one looks. Hulls that turn far and fast, for which
/// directions turn along and hulls are cut.
TEST(CertifyHulls, NothingTouchesBeforeItIsSaid) {
  RandomLinks random(17);
  int free = 0;
  int touching = 0;
  for (int i = 0; i < 3000; ++i) {
    RandomLink a;
    RandomLink b;
    random.make(a, 1 + i % 2, kind_of(i), 0.3, 3.1, 0.3, 0.3);
    random.make(b, 1 + i % 3, kind_of(i / 2), 0.3, i % 5 == 0 ? 3.1 : 1.0, 0.3, 0.3);
    const FramePair frames = frame_pair(frame_of(a.link), frame_of(b.link));
    const Hull f = triangle(random.vector(0, 1), random.vector(0, 1), random.vector(0, 1));
    const Hull g = triangle(random.vector(0, 1), random.vector(0, 1), random.vector(0, 1),
                            i % 3 == 0 ? 0.02 : 0.0);
    const Certificate c = ask(frames, f, g);
    const double until = c.outcome == Outcome::kFree ? 1.0 : c.lo;
    ++(c.outcome == Outcome::kFree ? free : touching);
    for (int k = 0; k < 100 && until > 0.0; ++k) {
      const double t = until * (k + 0.5) / 100.0;
      const HullPart p = part_at(f, evaluate(frames.first, t), {}, {});
      const HullPart q = part_at(g, evaluate(frames.second, t), frames.shift, {});
      ASSERT_GT(std::sqrt(closest_points(p, q).squared), g.radius) << i << " at " << t;
    }
  }
  EXPECT_GE(free, 600);
  EXPECT_GE(touching, 600);
}

/// A lid that turns about a hinge far from the corner that it comes down on: with a direction that
/// turns along few looks are enough, where a fixed one needs one for each part of the way.
TEST(CertifyHulls, AFaceThatTurnsTakesFewLooks) {
  RandomLinks random(15);
  for (int i = 0; i < 200; ++i) {
    const double angle = random.uniform(0.2, 2.0);
    const Transform open{{std::cos(angle / 2), std::sin(angle / 2), 0, 0}, {}};
    const Transform shut{{std::cos(0.05), std::sin(-0.05), 0, 0}, {}};
    const Body lid(open, shut);
    const Body still(kStill, kStill);
    const Hull face = triangle({-9, 0, 0}, {9, 0, 0}, {0, 20, 0});
    const double y = random.uniform(0.01, 0.5);  // near the hinge, so that it is slow there
    const Hull spike = triangle({0, y, 0}, {0.01, y, -1}, {-0.01, y + 0.01, -1});
    const Certificate c = ask(lid, face, still, spike);
    ASSERT_EQ(c.outcome, Outcome::kHit);
    EXPECT_LE(c.hi - c.lo, 1e-7);
    EXPECT_LE(c.evaluations, 25) << angle << ' ' << y;
  }
}

/// Seen from its lower end, a rod still reaches up to its upper one.
TEST(ClearTimeTurning, CountsHowFarTheHullReaches) {
  const Body still(kStill, kStill);
  const FrameState state = evaluate(still.frame(), 0.0);
  const Hull rod{{{0, 0, 0}, {0, 0, 1}, {}}, 2, 0.0};
  const HullPart along = part_at(rod, state, {}, {});
  HullPart falling = part_of_points({{0, 0, 2}});
  falling.v[0] = {0, 0, -1.5};
  const HullPoint lower{along.p[0], {}, 0.0};
  const double time =
      clear_time_turning(along, lower, {state, 0.0, 0.0}, falling, 0.1, {0, 0, 1}, 1.0);
  EXPECT_NEAR(time, 0.6, 1e-9);
}

/// Two edges cross, and one hull turns about where they do: no direction is good for all of it, so
/// it is cut.
TEST(CertifyHulls, EdgesThatTurnWhereTheyCrossTakeFewLooks) {
  RandomLinks random(18);
  int most = 0;
  for (int i = 0; i < 200; ++i) {
    const double turn = random.uniform(0.5, 2.0);
    const Vec3 about = random.direction();
    const double s = std::sin(turn / 2);
    const Transform from = at(0, 0, 0.02);
    const Transform to{{std::cos(turn / 2), s * about.x, s * about.y, s * about.z}, {0, 0, -0.02}};
    const Body turning(from, to);
    const Body still(kStill, kStill);
    const Hull above = triangle({-1, 0, 0}, {1, 0.1, 0}, {0, 0.1, 3});
    const Hull below = triangle({0, -1, 0}, {0, 1, 0}, {0.1, 0, -3});
    const Certificate c = ask(turning, above, still, below);
    ASSERT_NE(c.outcome, Outcome::kOverlap);
    EXPECT_FALSE(c.limited);
    most = std::max(most, c.evaluations);
  }
  EXPECT_LE(most, 60);
}

TEST(CertifyHulls, WhatBothHangOnCostsNothing) {
  RandomLinks random(16);
  for (int i = 0; i < 300; ++i) {
    RandomLink r;
    random.make(r, 1 + i % 6, kind_of(i), 0.5, 3.1, 3.0, 1.0);
    const FrameMotion frame = frame_of(r.link);
    const Hull f = triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    const Hull g = triangle({0, 0, 1e-9}, {1, 0, 1e-9}, {0, 1, 1e-9});
    const Certificate c = ask(frame_pair(frame, frame), f, g);
    EXPECT_EQ(c.outcome, Outcome::kFree);
    EXPECT_EQ(c.evaluations, 1);
  }
}

TEST(CertifyHulls, NonsenseProvesNothing) {
  const Body still(kStill, kStill);
  const Hull good = triangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  const Hull far = triangle({50, 0, 0}, {51, 0, 0}, {50, 1, 0});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, inf, -inf}) {
    for (int corner = 0; corner < 3; ++corner) {
      Hull hull = far;
      hull.corner[corner].y = bad;
      for (const Certificate& c : {ask(still, good, still, hull), ask(still, hull, still, good)}) {
        EXPECT_EQ(c.outcome, Outcome::kGraze);
        EXPECT_EQ(c.lo, 0.0);
        EXPECT_EQ(c.hi, 1.0);
        EXPECT_TRUE(c.limited);
      }
    }
    Hull hull = far;
    hull.radius = bad;
    EXPECT_EQ(ask(still, good, still, hull).outcome, Outcome::kGraze);
  }
  EXPECT_EQ(ask(still, good, still, far).outcome, Outcome::kFree);
}

}  // namespace
}  // namespace tocsin::core::hull_test
