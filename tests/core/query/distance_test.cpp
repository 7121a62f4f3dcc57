// Segment-triangle distance against a minimiser that knows no cases: projected alternation from
// many starts, and against dense sampling from below.
#include "core/query/distance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/scenes/random_link.h"

namespace tocsin::core::distance_test {
namespace {

using test::RandomLinks;

/// Distance from p to a triangle by ternary search over both barycentric coordinates: slow and
/// sure.
double point_triangle(const Vec3& p, const Triangle& t) {
  const auto on_row = [&](double b) {
    double lo = 0;
    double hi = 1 - b;
    const auto f = [&](double c) {
      return norm(p - (t.v[0] + b * (t.v[1] - t.v[0]) + c * (t.v[2] - t.v[0])));
    };
    for (int i = 0; i < 70; ++i) {
      const double m = lo + (hi - lo) / 3;
      const double n = hi - (hi - lo) / 3;
      (f(m) < f(n) ? hi : lo) = f(m) < f(n) ? n : m;
    }
    return f(0.5 * (lo + hi));
  };
  double lo = 0;
  double hi = 1;
  for (int i = 0; i < 70; ++i) {
    const double m = lo + (hi - lo) / 3;
    const double n = hi - (hi - lo) / 3;
    (on_row(m) < on_row(n) ? hi : lo) = on_row(m) < on_row(n) ? n : m;
  }
  return on_row(0.5 * (lo + hi));
}

/// The distance is convex along the segment: ternary search again.
double slow_distance(const Vec3& a, const Vec3& b, const Triangle& t) {
  double lo = 0;
  double hi = 1;
  for (int i = 0; i < 60; ++i) {
    const double m = lo + (hi - lo) / 3;
    const double n = hi - (hi - lo) / 3;
    const bool left = point_triangle(a + m * (b - a), t) < point_triangle(a + n * (b - a), t);
    (left ? hi : lo) = left ? n : m;
  }
  return point_triangle(a + 0.5 * (lo + hi) * (b - a), t);
}

TEST(Distance, MatchesASearchThatKnowsNoCases) {
  RandomLinks random(31);
  for (int i = 0; i < 40; ++i) {
    const auto point = [&](double size) { return random.vector(0, size); };
    const Vec3 a = point(2);
    const Vec3 b = i % 5 == 0 ? a : point(2);
    Triangle t{{point(2), point(2), point(2)}};
    if (i % 7 == 0) t.v[2] = t.v[0] + 0.3 * (t.v[1] - t.v[0]);  // zero area
    if (i % 11 == 0) t.v[1] = t.v[2] = t.v[0];                  // a point
    const double got = std::sqrt(closest_points(a, b, t).squared);
    EXPECT_NEAR(got, slow_distance(a, b, t), 1e-7) << i;
  }
}

TEST(Distance, PointsAreFeasibleAndNoNearerPairIsFoundBySampling) {
  RandomLinks random(32);
  int pierced = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto point = [&] { return random.vector(0, 1); };
    const Vec3 a = point();
    const Vec3 b = point();
    const Triangle t{{point(), point(), point()}};
    const Closest c = closest_points(a, b, t);
    EXPECT_LT(norm(c.y - (a + c.s * (b - a))), 1e-15);
    EXPECT_GE(c.s, 0.0);
    EXPECT_LE(c.s, 1.0);
    EXPECT_NEAR(c.squared, dot(c.y - c.x, c.y - c.x), 1e-15);
    // x lies in the triangle's plane and on the inner side of all its edges.
    const Vec3 n = cross(t.v[1] - t.v[0], t.v[2] - t.v[0]);
    EXPECT_LT(std::fabs(dot(n, c.x - t.v[0])), 1e-14);
    for (int k = 0; k < 3; ++k) {
      const Vec3 e = t.v[(k + 1) % 3] - t.v[k];
      EXPECT_GT(dot(cross(e, c.x - t.v[k]), n), -1e-14);
    }
    if (c.squared < 1e-28) ++pierced;
    for (int k = 0; k < 8; ++k) {
      double p = random.uniform(0, 1);
      double q = random.uniform(0, 1);
      if (p + q > 1) {
        p = 1 - p;
        q = 1 - q;
      }
      const Vec3 x = t.v[0] + p * (t.v[1] - t.v[0]) + q * (t.v[2] - t.v[0]);
      const Vec3 y = a + random.uniform(0, 1) * (b - a);
      EXPECT_GE(norm(y - x), std::sqrt(c.squared) - 1e-14);
    }
  }
  EXPECT_GT(pierced, 200);
}

TEST(Distance, NearlyParallelLinesKeepTheirDigits) {
  // An edge along x and an axis 0.05 above it that crosses it at angle 1e-7, ten metres long.
  const double d = 0.05;
  const Vec3 a{-5.0, d, -5e-7};
  const Vec3 b{5.0, d, 5e-7};
  const Triangle t{{{-5, 0, 0}, {5, 0, 0}, {0, -3, 0}}};
  EXPECT_NEAR(std::sqrt(closest_points(a, b, t).squared), d, 1e-15);
}

TEST(Distance, AnAxisThroughASliverIsAtNoDistance) {
  const Triangle t{{{0, 0, -1e-9}, {0, 0, 1e-9}, {10, 0, 0}}};
  const Closest c = closest_points({5, -1, 0}, {5, 1, 0}, t);
  EXPECT_LT(std::sqrt(c.squared), 1e-15);
}

}  // namespace
}  // namespace tocsin::core::distance_test
