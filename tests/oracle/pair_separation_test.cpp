// The oracle's distance of two segments: against values worked out by hand, brute-force sampling,
// and a numerical minimiser.
#include "oracle/pair_separation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracle/bounds.h"
#include "oracle/verify_bracket.h"
#include "pair_generator.h"
#include "random.h"

namespace tocsin::oracle::test::pair_separation_test {
namespace {

using Segment = Axis<Real>;

RealVec real(double x, double y, double z) { return {x, y, z}; }
RealVec real(const Vec3& v) { return {v.x, v.y, v.z}; }
RealVec between(const Segment& x, Real s) { return x.a + s * (x.b - x.a); }

void expect_distance(const Segment& a, const Segment& b, double expected) {
  for (const bool swapped : {false, true}) {
    const Separation s = swapped ? separation(b, a) : separation(a, b);
    EXPECT_NEAR(static_cast<double>(s.upper), expected, 1e-17);
    EXPECT_NEAR(static_cast<double>(s.lower), expected, 1e-17);
    const Segment& y = swapped ? b : a;
    const Segment& x = swapped ? a : b;
    EXPECT_NEAR(static_cast<double>(length(between(y, s.s) - between(x, s.other_s))), expected,
                1e-17);
    EXPECT_LT(length(between(x, s.other_s) - s.point), 1e-17L);
  }
}

TEST(OraclePairSeparation, ByHand) {
  const Segment x{real(-1.0, 0.0, 0.0), real(1.0, 0.0, 0.0)};
  expect_distance(x, {real(0.0, -1.0, 2.0), real(0.0, 1.0, 2.0)}, 2.0);  // inside of both
  expect_distance(x, {real(0.0, -1.0, 0.0), real(0.0, 1.0, 0.0)}, 0.0);  // they cross
  expect_distance(x, {real(0.5, 3.0, 0.0), real(0.5, 9.0, 0.0)}, 3.0);   // inside, end
  expect_distance(x, {real(4.0, 4.0, 0.0), real(9.0, 4.0, 0.0)}, 5.0);   // ends
  expect_distance(x, {real(-0.5, 0.0, 1.5), real(3.0, 0.0, 1.5)}, 1.5);  // parallel, beside
  expect_distance(x, {real(4.0, 0.0, 4.0), real(7.0, 0.0, 4.0)}, 5.0);   // parallel, past the end
  expect_distance(x, {real(-3.0, 0.0, 0.25), real(3.0, 0.0, 0.25)}, 0.25);     // wholly beside
  expect_distance(x, {real(3.0, 0.0, 0.0), real(9.0, 0.0, 0.0)}, 2.0);         // one line
  expect_distance(x, {real(0.5, 0.0, 0.0), real(9.0, 0.0, 0.0)}, 0.0);         // one over the other
  expect_distance(x, {real(0.0, 3.0, 4.0), real(0.0, 3.0, 4.0)}, 5.0);         // a point
  expect_distance({real(1.0, 2.0, 2.0), real(1.0, 2.0, 2.0)}, {{}, {}}, 3.0);  // two points
}

Segment random_segment(Random& random) {
  const RealVec a = real(random.vector(0.0, 1.0));
  if (random.chance(0.1)) return {a, a};
  return {a, a + real(random.log_vector(1e-4, 3.0))};
}

struct Case {
  Segment a;
  Segment b;
};

Case random_case(std::uint64_t i) {
  Random random(33, 0, i);
  Case c{random_segment(random), random_segment(random)};
  if (i % 4 == 1) {  // parallel, nearly
    const Real times = static_cast<Real>(random.between(-2.0, 2.0));
    c.b.b = c.b.a + times * (c.a.b - c.a.a) + real(random.log_vector(1e-20, 1e-3));
  }
  return c;
}

// Distance to a convex set is convex along the other: ternary searches, one inside the other.
Real minimised(const Case& c) {
  const auto least = [](const auto& f) {
    Real low = 0.0L;
    Real high = 1.0L;
    for (int i = 0; i < 110; ++i) {
      const Real m1 = low + (high - low) / 3.0L;
      const Real m2 = high - (high - low) / 3.0L;
      (f(m1) < f(m2) ? high : low) = f(m1) < f(m2) ? m2 : m1;
    }
    return std::min({f(low), f(0.0L), f(1.0L)});
  };
  return least([&](Real s) {
    const RealVec y = between(c.a, s);
    const RealVec e = c.b.b - c.b.a;
    const Real ee = inner(e, e);
    const Real f = ee > 0.0L ? std::clamp(inner(y - c.b.a, e) / ee, 0.0L, 1.0L) : 0.0L;
    return length(y - between(c.b, f));
  });
}

TEST(OraclePairSeparation, AgreesWithAMinimiser) {
  Real widest = 0.0L;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const Case c = random_case(i);
    const Separation s = separation(c.a, c.b);
    EXPECT_NEAR(static_cast<double>(s.upper), static_cast<double>(minimised(c)), 1e-9) << i;
    EXPECT_LE(s.lower, s.upper * (1.0L + 0x1p-55L));
    widest = std::max(widest, s.upper - s.lower);
  }
  EXPECT_LT(widest, 1e-16L) << "the two bounds should nearly meet";
}

TEST(OraclePairSeparation, IsNeverAboveASampleAndNeverBelowItself) {
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Case c = random_case(i);
    const Separation s = separation(c.a, c.b);
    constexpr int kGrid = 24;
    for (int j = 0; j <= kGrid; ++j) {
      for (int k = 0; k <= kGrid; ++k) {
        const Real apart = length(between(c.a, static_cast<Real>(j) / kGrid) -
                                  between(c.b, static_cast<Real>(k) / kGrid));
        ASSERT_GE(apart, s.upper - 1e-17L) << i;
        ASSERT_GE(apart, s.lower - 1e-17L) << i;
      }
    }
  }
}

// The two bounds are what every verdict stands on: on the queries of the sweep they must meet well
// within the slack of a verdict, or answers become undecided.
TEST(OraclePairSeparation, BoundsMeetOnTheQueriesOfTheSweep) {
  for (int c = 0; c < kPairClassCount; ++c) {
    for (std::uint64_t i = 0; i < 250; ++i) {
      for (const PairQuery& q : make_pair(static_cast<PairClass>(c), 34, i)) {
        const LinkPath first = path_of(q.first);
        const LinkPath second = path_of(q.second);
        const RealVec shift = widen<Real>(second.origin()) - widen<Real>(first.origin());
        const Real slack = rounding_slack(first.bounds(), length(shift)) +
                           rounding_slack(second.bounds(), length(shift));
        for (const Real t : {0.0L, 0.37L, 1.0L}) {
          const Segment other = second.at(t);
          const Separation s = separation(first.at(t), Segment{other.a + shift, other.b + shift});
          if (s.upper < 2e-6L) continue;  // thinner than any two links: a touch anyway
          EXPECT_LT(s.upper - s.lower, 16.0L * slack)
              << name_of(static_cast<PairClass>(c)) << " " << i;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tocsin::oracle::test::pair_separation_test
