// Two axes: closest points against minimisation, and what directed advancement proves of both.
#include "core/query/axis_pair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/long_distance.h"
#include "support/scenes/one_joint_link.h"
#include "support/scenes/random_link.h"

namespace tocsin::core::axis_pair_test {
namespace {

using test::LongAxis;
using test::LongVec;
using test::RandomLink;
using test::RandomLinks;
using test::wide;

LongAxis long_axis(const AxisState& s) { return {wide(s.a), wide(s.b)}; }

/// Two axes of one of ten classes; what is closest differs.
void make_axes(RandomLinks& random, int i, AxisState& a, AxisState& b) {
  const double size = std::exp2(random.uniform(-10, 3));
  const auto point = [&] { return random.vector(0, size); };
  a = {point(), point(), {}, {}};
  b = {point(), point(), {}, {}};
  const Vec3 d = a.b - a.a;
  switch (i % 10) {
    case 0:  // parallel
      b.b = b.a + random.uniform(-2, 2) * d;
      break;
    case 1:  // on one line
      b.a = a.a + random.uniform(-2, 2) * d;
      b.b = a.a + random.uniform(-2, 2) * d;
      break;
    case 2: {  // crossing
      const Vec3 e = b.b - b.a;
      b.a = (a.a + random.uniform(0, 1) * d) - random.uniform(0, 1) * e;
      b.b = b.a + e;
      break;
    }
    case 3:  // a point and a segment
      b.b = b.a;
      break;
    case 4:  // the same, the other way round
      a.b = a.a;
      break;
    case 5:  // two points
      a.b = a.a;
      b.b = b.a;
      break;
    case 6:  // nearly parallel
      b.b = (b.a + random.uniform(-2, 2) * d) + std::exp2(random.uniform(-50, -3)) * point();
      break;
    case 7:  // short beside long
      b.b = b.a + std::exp2(random.uniform(-40, -5)) * point();
      break;
    case 8:  // an end in common
      b.a = a.b;
      break;
    default:
      break;
  }
}

/// The least distance by search: over s it is convex, and for a given s the nearest point of the
/// other is known.
long double searched_distance(const LongAxis& p, const LongAxis& q) {
  long double low = 0;
  long double high = 1;
  const auto at = [&](long double s) -> long double {
    return distance_to(p.a + s * (p.b - p.a), q);
  };
  for (int k = 0; k < 120; ++k) {
    const long double third = (high - low) / 3;
    if (at(low + third) < at(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  return std::min({at(low), at(0), at(1)});
}

TEST(AxisPair, ClosestPointsAreClosest) {
  RandomLinks random(71);
  int inside = 0;
  for (int i = 0; i < 20000; ++i) {
    AxisState a;
    AxisState b;
    make_axes(random, i, a, b);
    const ClosestPair c = closest_points(a, b);
    const double size = norm(a.a) + norm(a.b) + norm(b.a) + norm(b.b);
    // Feasible: both lie where their parameters say, and that is on the axes.
    ASSERT_TRUE(c.s >= 0 && c.s <= 1 && c.q >= 0 && c.q <= 1) << i;
    EXPECT_EQ(c.y, a.a + c.s * (a.b - a.a));
    EXPECT_EQ(c.x, b.a + c.q * (b.b - b.a));
    EXPECT_NEAR(std::sqrt(c.squared), norm(c.y - c.x), 1e-15 * size);
    const auto least = static_cast<double>(searched_distance(long_axis(a), long_axis(b)));
    EXPECT_NEAR(std::sqrt(c.squared), least, 1e-14 * size) << "class " << i % 10;
    EXPECT_NEAR(static_cast<double>(long_distance(long_axis(a), long_axis(b))), least, 1e-15 * size)
        << "the tests' own distance, class " << i % 10;
    if (c.s > 0 && c.s < 1 && c.q > 0 && c.q < 1) ++inside;
  }
  EXPECT_GT(inside, 2000);
}

TEST(AxisPair, ANaNIsNotClose) {
  const AxisState a{{std::nan(""), 0, 0}, {1, 0, 0}, {}, {}};
  const AxisState b{{0, 1, 0}, {1, 1, 0}, {}, {}};
  EXPECT_FALSE(closest_points(a, b).squared < HUGE_VAL);
  EXPECT_FALSE(closest_points(b, a).squared < HUGE_VAL);
}

PartPair parts_of(const RandomLink& a, const RandomLink& b, double t) {
  AxisState s = evaluate(b.link, t);
  const Vec3 shift = b.link.ref - a.link.ref;
  s.a = s.a + shift;
  s.b = s.b + shift;
  return {whole_axis(a.link, evaluate(a.link, t)), whole_axis(b.link, s),
          a.link.radius + b.link.radius + 1e-11};
}

/// For any direction and point, however wrong, the time that is proved clear must be clear.
TEST(AxisPair, HoldsForAnyDirection) {
  RandomLinks random(72);
  int proved = 0;
  for (int i = 0; i < 12000; ++i) {
    RandomLink a;
    RandomLink b;
    const double turn = i % 3 == 0 ? 3.1 : 0.4;
    random.make(a, 1 + i % 4, i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate, 0.5,
                turn, 0.5, 0.7);
    random.make(b, 1 + i % 3, i % 5 == 0 ? InBetween::kTranslateRotate : InBetween::kScrew, 0.5,
                turn, 0.5, 0.7);
    const double start = random.uniform(0, 0.9);
    const PartPair p = parts_of(a, b, start);
    const ClosestPair c = closest_points(p.a.ends, p.b.ends);
    Vec3 n = i % 4 == 0 ? random.direction() : (c.y - c.x) + 0.1 * random.direction();
    if (!(norm(n) > 0)) continue;
    n = (1.0 / norm(n)) * n;
    const Vec3 x = i % 7 == 0 ? random.direction() : c.x;
    const double left = 1 - start;
    const double h =
        i % 2 == 0 ? clear_time_split(p, c, n, kToEnd, left) : clear_time_along(p, n, x, left);
    if (!(h > 0)) continue;
    ++proved;
    const double end = std::min(1.0, start + h);
    for (int k = 0; k <= 12; ++k) {
      const double t = start + (end - start) * k / 12;
      EXPECT_GT(static_cast<double>(test::long_distance(a.link, b.link, t)),
                a.link.radius + b.link.radius);
    }
  }
  EXPECT_GT(proved, 3000);
}

/// Four parabolas are as good as the two bounds of both axes allow: just after the proved time the
/// least of one's bound and the greatest of the other's have met.
TEST(AxisPair, ClearTimeAlongIsTheRootOfBothBounds) {
  RandomLinks random(73);
  int met = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto vector = [&] { return random.vector(0, 1); };
    PartPair p;
    p.a = {{vector() + Vec3{0, 2, 0}, vector() + Vec3{0, 2, 0}, 9 * vector(), 9 * vector()},
           random.uniform(0, 20),
           random.uniform(0, 20)};
    p.b = {{vector() - Vec3{0, 2, 0}, vector() - Vec3{0, 2, 0}, 9 * vector(), 9 * vector()},
           random.uniform(0, 20),
           random.uniform(0, 20)};
    p.reach = 0.5;
    const LongVec n{0, 1, 0};
    const double h = clear_time_along(p, {0, 1, 0}, {}, 1.0);
    const auto apart = [&](long double t) -> long double {
      const auto moved = [&](const Vec3& at, const Vec3& v, long double bend) -> long double {
        return n.dot(wide(at) + t * wide(v)) + bend * t * t / 2;
      };
      const AxisState& a = p.a.ends;
      const AxisState& b = p.b.ends;
      return std::min(moved(a.a, a.va, -p.a.acceleration_a),
                      moved(a.b, a.vb, -p.a.acceleration_b)) -
             std::max(moved(b.a, b.va, p.b.acceleration_a), moved(b.b, b.vb, p.b.acceleration_b)) -
             p.reach;
    };
    if (h >= kToEnd) {
      for (int k = 0; k <= 20; ++k) EXPECT_GT(apart(k / 20.0L), 0);
      continue;
    }
    ++met;
    EXPECT_GT(apart(h * (1 - 1e-12L)), 0);
    EXPECT_LE(apart(h * (1 + 1e-12L)), 0);
  }
  EXPECT_GT(met, 5000);
}

/// Two bars that cross near each other, both turning about where they do.
TEST(AxisPair, SplittingHelpsWhatPivots) {
  for (const bool both : {false, true}) {
    RandomLink a;
    RandomLink b;
    const Quat turned{std::cos(0.3), 0, 0, -std::sin(0.3)};
    test::make_link(a, {{}, {0, 0.101, 0}}, {turned, {0, 0.101, 0}}, {-0.5, 0, 0}, {0.5, 0, 0},
                    0.05);
    const Quat other{std::cos(0.3), both ? std::sin(0.3) : 0, 0, both ? 0 : std::sin(0.3)};
    test::make_link(b, {}, {other, {}}, {0, 0, -0.5}, {0, 0, 0.5}, 0.05);
    const PartPair p = parts_of(a, b, 0);
    const ClosestPair c = closest_points(p.a.ends, p.b.ends);
    const double whole = clear_time_at(p, c, kToEnd, 1.0);
    EXPECT_GT(clear_time_split(p, c, {0, 1, 0}, kToEnd, 1.0), 2.0 * whole) << both;
  }
}

TEST(AxisPair, CutsCoverTheAxis) {
  for (const double s : {0.0, 1e-9, 0.3, 1.0}) {
    for (const double half : {0.0, 1e-300, 0.2, 0.8, HUGE_VAL, std::nan("")}) {
      const detail::Cuts c = detail::cuts_around(s, half);
      ASSERT_GE(c.parts, 1);
      ASSERT_LE(c.parts, 3);
      EXPECT_EQ(c.at[0], 0.0);
      EXPECT_EQ(c.at[c.parts], 1.0);
      for (int i = 0; i < c.parts; ++i) EXPECT_LE(c.at[i], c.at[i + 1]);
      EXPECT_LE(c.at[c.middle], s);
      EXPECT_GE(c.at[c.middle + 1], s);
    }
  }
}

}  // namespace
}  // namespace tocsin::core::axis_pair_test
