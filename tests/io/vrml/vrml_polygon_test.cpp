// Cutting polygons: every point of the plane must lie in exactly one triangle if it lies in the
// polygon (even-odd rule, worked out here), and in none otherwise.
#include "io/vrml/vrml_polygon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

namespace tocsin::io::vrml_polygon_test {
namespace {

using Points = std::vector<std::pair<double, double>>;

/// The plane z = 0, turned into some other plane.
Vec3 in_space(double x, double y, int plane) {
  switch (plane) {
    case 0:
      return {x, y, 0.0};
    case 1:
      return {x, 0.5 * x - 2.0 * y, -y};
    case 2:
      return {3.0 - x, y, 1.0};
    default:
      return {y, 7.0, x};
  }
}

double side(std::pair<double, double> a, std::pair<double, double> b, double x, double y) {
  return (b.first - a.first) * (y - a.second) - (x - a.first) * (b.second - a.second);
}

bool in_polygon(const Points& p, double x, double y) {
  bool inside = false;
  for (std::size_t i = 0, j = p.size() - 1; i < p.size(); j = i++) {
    if ((p[i].second > y) == (p[j].second > y)) continue;
    const double at =
        p[i].first + (y - p[i].second) / (p[j].second - p[i].second) * (p[j].first - p[i].first);
    if (x < at) inside = !inside;
  }
  return inside;
}

/// Cuts in several planes and both windings, and samples.
void expect_covered(const Points& polygon, int samples = 500) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> pick(-6.0, 6.0);
  for (const bool turned : {false, true}) {
    Points p = polygon;
    if (turned) std::reverse(p.begin(), p.end());
    for (int plane = 0; plane < 4; ++plane) {
      std::vector<Vec3> points;
      std::vector<std::uint32_t> corners;
      for (const auto& [x, y] : p) {
        corners.push_back(static_cast<std::uint32_t>(points.size()));
        points.push_back(in_space(x, y, plane));
      }
      std::vector<TriangleIndices> cut;
      EXPECT_TRUE(cut_polygon(points, corners, cut));
      ASSERT_EQ(cut.size(), p.size() - 2);
      for (int i = 0; i < samples; ++i) {
        const double x = pick(random);
        const double y = pick(random);
        int times = 0;
        for (const TriangleIndices& t : cut) {
          const double a = side(p[t[0]], p[t[1]], x, y);
          const double b = side(p[t[1]], p[t[2]], x, y);
          const double c = side(p[t[2]], p[t[0]], x, y);
          if (a > 0 && b > 0 && c > 0) ++times;
          if (a < 0 && b < 0 && c < 0) --times;
        }
        // Cut triangles wind as the polygon does, which here says the sign.
        const int winding = turned ? -1 : 1;
        EXPECT_EQ(times, in_polygon(p, x, y) ? winding : 0) << x << ' ' << y;
      }
    }
  }
}

TEST(VrmlPolygon, ConvexOnesAreFanned) {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0}};
  const std::vector<std::uint32_t> corners{0, 1, 2, 3, 4};
  std::vector<TriangleIndices> cut;
  EXPECT_TRUE(cut_polygon(points, corners, cut));
  EXPECT_EQ(cut, (std::vector<TriangleIndices>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
}

TEST(VrmlPolygon, ADartIsCutAtItsReflexCorner) {
  // Fanned from its first corner, this would cover (1.5, 1.5) too.
  const std::vector<Vec3> points{{2, 0, 0}, {0.5, 0.5, 0}, {0, 2, 0}, {0, 0, 0}};
  const std::vector<std::uint32_t> corners{0, 1, 2, 3};
  std::vector<TriangleIndices> cut;
  EXPECT_TRUE(cut_polygon(points, corners, cut));
  ASSERT_EQ(cut.size(), 2U);
  for (const TriangleIndices& t : cut) {
    EXPECT_TRUE(std::count(t.begin(), t.end(), 1U) == 1 && std::count(t.begin(), t.end(), 3U) == 1);
  }
}

TEST(VrmlPolygon, ConcaveOnesAreCoveredExactly) {
  expect_covered({{0, 0}, {4, 0}, {4, 4}, {2, 1}});                                  // dart
  expect_covered({{0, 0}, {5, 0}, {5, 1}, {1, 1}, {1, 4}, {5, 4}, {5, 5}, {0, 5}});  // C
  expect_covered({{0, 0}, {1, 0}, {2, 0}, {5, 0}, {5, 5}, {3, 5}, {3, 2}, {2, 2}, {2, 5}, {0, 5}});
  expect_covered({{-5, -5}, {5, -5},  {5, 5},  {-4, 5}, {-4, -3}, {3, -3}, {3, 3},  {-2, 3},
                  {-2, -1}, {1, -1},  {1, 1},  {0, 1},  {0, 0},   {-1, 0}, {-1, 2}, {2, 2},
                  {2, -2},  {-3, -2}, {-3, 4}, {4, 4},  {4, -4},  {-5, -4}});  // spiral
}

TEST(VrmlPolygon, HolesBehindABridge) {
  expect_covered(
      {{-5, -5}, {5, -5}, {5, 5}, {-5, 5}, {-5, -5}, {-2, -2}, {-2, 2}, {2, 2}, {2, -2}, {-2, -2}});
  // Two holes, the second one's bridge at a corner of the first.
  expect_covered({{-5, -5},
                  {5, -5},
                  {5, 5},
                  {-5, 5},
                  {-5, -5},
                  {-4, -4},
                  {-4, -1},
                  {-1, -1},
                  {1, 1},
                  {1, 4},
                  {4, 4},
                  {4, 1},
                  {1, 1},
                  {-1, -1},
                  {-1, -4},
                  {-4, -4}});
}

TEST(VrmlPolygon, RepeatedCornersAndStraightOnes) {
  expect_covered({{0, 0}, {0, 0}, {4, 0}, {4, 4}, {4, 4}, {4, 4}, {2, 1}, {2, 1}, {1, 0.5}});
}

TEST(VrmlPolygon, RandomStars) {
  std::mt19937 random(8);
  for (int k = 0; k < 60; ++k) {
    const int n = 4 + static_cast<int>(random() % 60);
    Points star;
    for (int i = 0; i < n; ++i) {
      const double r = 0.3 + static_cast<double>(random() % 1000) / 200.0;
      const double angle = 2.0 * std::numbers::pi * i / n;
      star.emplace_back(r * std::cos(angle), r * std::sin(angle));
    }
    expect_covered(star, 60);
  }
}

TEST(VrmlPolygon, OnesThatCrossThemselvesAreReported) {
  const std::vector<Vec3> points{{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 1, 0}};
  const std::vector<std::uint32_t> corners{0, 1, 2, 3};
  std::vector<TriangleIndices> cut;
  EXPECT_FALSE(cut_polygon(points, corners, cut));
  EXPECT_EQ(cut.size(), 2U);
  // Twice round.
  std::vector<Vec3> twice;
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < 10; ++i) {
    const double angle = 4.0 * std::numbers::pi * i / 10 + 0.1;
    twice.push_back({(1.0 + 0.1 * i) * std::cos(angle), (1.0 + 0.1 * i) * std::sin(angle), 0});
    order.push_back(i);
  }
  cut.clear();
  EXPECT_FALSE(cut_polygon(twice, order, cut));
  EXPECT_EQ(cut.size(), 8U);
}

TEST(VrmlPolygon, WithoutAreaItStaysWithoutCrash) {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 0, 0}};
  const std::vector<std::uint32_t> corners{0, 1, 2, 3};
  std::vector<TriangleIndices> cut;
  cut_polygon(points, corners, cut);
  EXPECT_EQ(cut.size(), 2U);
}

}  // namespace
}  // namespace tocsin::io::vrml_polygon_test
