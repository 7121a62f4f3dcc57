// The oracle's distance: against values worked out by hand, brute-force sampling, and a numerical
// minimiser.
#include "oracle/separation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "query_generator.h"
#include "random.h"

namespace tocsin::oracle::test::separation_test {
namespace {

using Corners = std::array<Vec3f, 3>;

RealVec real(double x, double y, double z) { return {x, y, z}; }

RealVec real(const Vec3& v) { return {v.x, v.y, v.z}; }

Vec3f narrow(const Vec3& v) {
  return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
}

void expect_distance(const Corners& corners, const RealVec& a, const RealVec& b, double expected) {
  const Separation s = separation({a, b}, TriangleFrame(corners, {}));
  EXPECT_NEAR(static_cast<double>(s.upper), expected, 1e-15);
  EXPECT_NEAR(static_cast<double>(s.lower), expected, 1e-15);
}

constexpr Corners kUnitTriangle{{{0.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}, {0.0F, 1.0F, 0.0F}}};

TEST(OracleSeparation, ByHand) {
  expect_distance(kUnitTriangle, real(0.25, 0.25, 2.0), real(0.25, 0.25, 5.0), 2.0);   // end, face
  expect_distance(kUnitTriangle, real(0.25, 0.25, 5.0), real(0.25, 0.25, -2.0), 0.0);  // pierced
  expect_distance(kUnitTriangle, real(0.5, -3.0, -1.0), real(0.5, -3.0, 1.0), 3.0);  // inside, edge
  expect_distance(kUnitTriangle, real(4.0, -5.0, 4.0), real(4.0, 5.0, 4.0), 5.0);  // inside, corner
  expect_distance(kUnitTriangle, real(-3.0, -4.0, 0.0), real(-9.0, -8.0, 0.0), 5.0);  // end, corner
  expect_distance(kUnitTriangle, real(0.0, 0.5, 1.5), real(0.9, 0.5, 1.5), 1.5);      // parallel
  expect_distance(kUnitTriangle, real(0.25, 0.25, 0.0), real(0.5, 0.25, 0.0), 0.0);  // in the plane
  expect_distance(kUnitTriangle, real(1.0, 1.0, 0.0), real(1.0, 1.0, 0.0),
                  std::sqrt(0.5));  // a point
}

TEST(OracleSeparation, DegenerateTriangles) {
  constexpr Corners kPoint{{{1.0F, 2.0F, 2.0F}, {1.0F, 2.0F, 2.0F}, {1.0F, 2.0F, 2.0F}}};
  expect_distance(kPoint, real(0.0, 0.0, 0.0), real(0.0, 0.0, 0.0), 3.0);
  expect_distance(kPoint, real(1.0, 0.0, 0.0), real(1.0, 0.0, 9.0), 2.0);
  expect_distance(kPoint, real(1.0, 2.0, 2.0), real(1.0, 0.0, 9.0), 0.0);
  constexpr Corners kSegment{{{-1.0F, 0.0F, 0.0F}, {0.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}}};
  expect_distance(kSegment, real(0.5, -1.0, 1.5), real(0.5, 1.0, 1.5), 1.5);
  expect_distance(kSegment, real(4.0, 4.0, 0.0), real(4.0, 4.0, 0.0), 5.0);
  expect_distance(kSegment, real(-5.0, 0.0, 0.0), real(5.0, 0.0, 0.0), 0.0);
  constexpr Corners kTwice{{{-1.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}, {1.0F, 0.0F, 0.0F}}};
  expect_distance(kTwice, real(0.5, -1.0, 1.5), real(0.5, 1.0, 1.5), 1.5);
}

// Axes and triangles of sizes that differ by up to 10^6.
struct Case {
  Axis<Real> axis;
  Corners corners;
};

Case random_case(std::uint64_t i) {
  Random random(31, 0, i);
  const double size = random.magnitude(1e-3, 10.0);
  const Vec3 at = random.vector(0.0, 1.0);
  Case out;
  Vec3 v[3];
  for (Vec3& p : v) p = random.vector(0.0, size);
  if (i % 4 == 1) {  // a sliver
    const Vec3 off = random.vector(0.0, 1e-5);
    v[2] = {0.5 * (v[0].x + v[1].x) + off.x, 0.5 * (v[0].y + v[1].y) + off.y,
            0.5 * (v[0].z + v[1].z) + off.z};
  }
  if (i % 16 == 2) v[2] = v[1];
  for (std::size_t k = 0; k < 3; ++k) {
    out.corners[k] = narrow({at.x + v[k].x, at.y + v[k].y, at.z + v[k].z});
  }
  const RealVec a = real(random.vector(0.0, 2.0));
  RealVec d = real(random.log_vector(1e-3, 2.0));
  if (i % 8 == 3) {  // parallel to an edge, nearly
    d = real(v[0]) - real(v[1]) + 1e-9L * d;
  }
  out.axis = {a, a + d};
  return out;
}

// Point to triangle by Ericson, Real-Time Collision Detection, 5.1.5: regions of the barycentric
// coordinates.
Real point_triangle(const RealVec& p, const RealVec& a, const RealVec& b, const RealVec& c) {
  const RealVec ab = b - a;
  const RealVec ac = c - a;
  const RealVec ap = p - a;
  const Real d1 = inner(ab, ap);
  const Real d2 = inner(ac, ap);
  if (d1 <= 0.0L && d2 <= 0.0L) return length(ap);
  const RealVec bp = p - b;
  const Real d3 = inner(ab, bp);
  const Real d4 = inner(ac, bp);
  if (d3 >= 0.0L && d4 <= d3) return length(bp);
  const Real vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0L && d1 >= 0.0L && d3 <= 0.0L) return length(ap - (d1 / (d1 - d3)) * ab);
  const RealVec cp = p - c;
  const Real d5 = inner(ab, cp);
  const Real d6 = inner(ac, cp);
  if (d6 >= 0.0L && d5 <= d6) return length(cp);
  const Real vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0L && d2 >= 0.0L && d6 <= 0.0L) return length(ap - (d2 / (d2 - d6)) * ac);
  const Real va = d3 * d6 - d5 * d4;
  if (va <= 0.0L && d4 - d3 >= 0.0L && d5 - d6 >= 0.0L) {
    return length(bp - ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b));
  }
  const Real all = va + vb + vc;
  return length(ap - (vb / all) * ab - (vc / all) * ac);
}

// Distance to a convex set is convex along the axis: ternary search finds its minimum.
Real minimised(const Case& c) {
  RealVec v[3];
  for (std::size_t i = 0; i < 3; ++i) v[i] = real(c.corners[i].x, c.corners[i].y, c.corners[i].z);
  const auto at = [&](Real s) {
    return point_triangle(c.axis.a + s * (c.axis.b - c.axis.a), v[0], v[1], v[2]);
  };
  Real low = 0.0L;
  Real high = 1.0L;
  for (int i = 0; i < 120; ++i) {
    const Real m1 = low + (high - low) / 3.0L;
    const Real m2 = high - (high - low) / 3.0L;
    (at(m1) < at(m2) ? high : low) = at(m1) < at(m2) ? m2 : m1;
  }
  return std::min({at(low), at(0.0L), at(1.0L)});
}

TEST(OracleSeparation, AgreesWithAMinimiser) {
  Real widest = 0.0L;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const Case c = random_case(i);
    const Separation s = separation(c.axis, TriangleFrame(c.corners, {}));
    // In a sliver the minimiser's own regions lose digits; the oracle's bounds vouch for each
    // other.
    const double allowed = i % 4 == 1 ? 1e-7 : 1e-9;
    EXPECT_NEAR(static_cast<double>(s.upper), static_cast<double>(minimised(c)), allowed) << i;
    EXPECT_LE(s.lower, s.upper * (1.0L + 0x1p-55L));
    widest = std::max(widest, s.upper - s.lower);
  }
  EXPECT_LT(widest, 1e-13L) << "the two bounds should nearly meet";
}

TEST(OracleSeparation, IsNeverAboveASampleAndNeverBelowItself) {
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Case c = random_case(i);
    const TriangleFrame triangle(c.corners, {});
    const Separation s = separation(c.axis, triangle);
    constexpr int kGrid = 12;
    for (int j = 0; j <= kGrid; ++j) {
      const RealVec y = c.axis.a + (static_cast<Real>(j) / kGrid) * (c.axis.b - c.axis.a);
      for (int k = 0; k <= kGrid; ++k) {
        for (int l = 0; k + l <= kGrid; ++l) {
          const RealVec x = triangle.corner[0] + (static_cast<Real>(k) / kGrid) * triangle.edge[0] -
                            (static_cast<Real>(l) / kGrid) * triangle.edge[2];
          ASSERT_GE(length(y - x), s.upper - 1e-16L) << i;
          ASSERT_GE(length(y - x), s.lower - 1e-16L) << i;
        }
      }
    }
  }
}

// The two bounds are what every verdict stands on: on the queries of the sweep they must meet well
// within the slack of a verdict, or answers become undecided.
TEST(OracleSeparation, BoundsMeetOnTheQueriesOfTheSweep) {
  for (int c = 0; c < kClassCount; ++c) {
    const QueryGenerator generator(static_cast<QueryClass>(c), 32);
    for (std::uint64_t i = 0; i < 500; ++i) {
      const LinkQuery q = generator.make(i);
      const LinkPath path(q.chain, q.kind, q.a, q.b);
      const TriangleFrame triangle(q.triangle, path.origin());
      const Real slack = rounding_slack(path.bounds(), triangle.extent);
      for (const Real t : {0.0L, 0.37L, 1.0L}) {
        const Separation s = separation(path.at(t), triangle);
        if (s.upper < 1e-6L) continue;  // thinner than any link: a touch anyway
        EXPECT_LT(s.upper - s.lower, 1e4L * slack)
            << name_of(static_cast<QueryClass>(c)) << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace tocsin::oracle::test::separation_test
