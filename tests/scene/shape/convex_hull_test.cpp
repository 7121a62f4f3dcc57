// Convex hulls, prisms and pyramids, against brute force in 113 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tocsin/shape.h"

namespace tocsin::convex_hull_test {
namespace {

__extension__ using Wide = __float128;
using Points = std::vector<Vec3>;

double size_of(const Points& points) {
  Vec3 lo = points.front();
  Vec3 hi = lo;
  for (const Vec3& p : points) {
    lo = {std::min(lo.x, p.x), std::min(lo.y, p.y), std::min(lo.z, p.z)};
    hi = {std::max(hi.x, p.x), std::max(hi.y, p.y), std::max(hi.z, p.z)};
  }
  return std::max({hi.x - lo.x, hi.y - lo.y, hi.z - lo.z});
}

/// How far p is above the plane of a triangle, metres; 113 bits, so that slivers have a normal,
/// too.
double height(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p) {
  const auto less = [&a](const Vec3& q) {
    return std::array<Wide, 3>{Wide(q.x) - Wide(a.x), Wide(q.y) - Wide(a.y), Wide(q.z) - Wide(a.z)};
  };
  const auto u = less(b);
  const auto v = less(c);
  const auto w = less(p);
  const std::array<Wide, 3> n{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                              u[0] * v[1] - u[1] * v[0]};
  const Wide dot = n[0] * w[0] + n[1] * w[1] + n[2] * w[2];
  const double length = std::sqrt(static_cast<double>(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
  return static_cast<double>(dot / Wide(length));
}

/// All points behind all faces but for `allowed` metres; every edge once in either direction; one
/// piece; Euler's formula; all corners are points.
void expect_hull(const Shape& shape, const Points& points, double allowed) {
  const auto corners = shape.corners();
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  double worst = 0.0;
  for (const auto& [a, b, c] : shape.features()) {
    for (const auto& edge : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
      EXPECT_TRUE(edges.insert(edge).second);
    }
    for (const Vec3& p : points) {
      worst = std::max(worst, height(corners[a], corners[b], corners[c], p));
    }
  }
  EXPECT_LE(worst, allowed);
  for (const auto& [a, b] : edges) EXPECT_TRUE(edges.contains({b, a}));
  EXPECT_EQ(corners.size() - edges.size() / 2 + shape.features().size(), 2U);
  for (const Vec3& corner : corners) {
    EXPECT_NE(std::find(points.begin(), points.end(), corner), points.end());
  }
}

void expect_hull_of(const Points& points) {
  const auto shape = Shape::convex(points);
  ASSERT_TRUE(shape.ok()) << shape.error().message;
  expect_hull(*shape, points, 1e-12 * size_of(points));
}

/// Turned by (1, 2, 3, 4) / sqrt(30), enlarged and moved: planes are no planes any more.
Points turned(Points points, double scale, const Vec3& by) {
  const double s = 1.0 / 30.0;
  for (Vec3& p : points) {
    const Vec3 q = p;
    p.x = scale * s * ((1 + 4 - 9 - 16) * q.x + 2 * (6 - 4) * q.y + 2 * (8 + 3) * q.z) + by.x;
    p.y = scale * s * (2 * (6 + 4) * q.x + (1 - 4 + 9 - 16) * q.y + 2 * (12 - 2) * q.z) + by.y;
    p.z = scale * s * (2 * (8 - 3) * q.x + 2 * (12 + 2) * q.y + (1 - 4 - 9 + 16) * q.z) + by.z;
  }
  return points;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double in(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11U) * 0x1p-53;
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(engine_() % n); }
  Vec3 in_box() { return {in(-1, 1), in(-1, 1), in(-1, 1)}; }
  Vec3 on_sphere() {
    while (true) {
      const Vec3 p = in_box();
      const double length = std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
      if (length > 0.1 && length < 1.0) return {p.x / length, p.y / length, p.z / length};
    }
  }

 private:
  std::mt19937_64 engine_;
};

TEST(ConvexHull, HoldsRandomPoints) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t count = 4 + random.below(60);
    Points points;
    for (std::size_t i = 0; i < count; ++i) {
      switch (round % 3) {
        case 0:
          points.push_back(random.in_box());
          break;
        case 1:
          points.push_back(random.on_sphere());
          break;
        default:  // a coarse grid: most are in one plane with others, many are the same
          points.push_back({std::floor(random.in(0, 4)), std::floor(random.in(0, 4)),
                            std::floor(random.in(0, 4))});
      }
    }
    const bool flat = size_of(points) == 0.0 || !Shape::convex(points).ok();
    if (flat) {
      EXPECT_EQ(round % 3, 2) << round;  // only few points of a grid may be in one plane
      continue;
    }
    expect_hull_of(points);
    const double scale = std::exp(random.in(-12, 10));
    expect_hull_of(turned(points, scale, {}));
    expect_hull_of(turned(points, scale, {0.3 * scale, -4.0 * scale, 7.0 * scale}));
  }
}

TEST(ConvexHull, OfManyPointsOnASphereHasThemAll) {
  Random random(2);
  Points points;
  for (int i = 0; i < 400; ++i) points.push_back(random.on_sphere());
  const auto shape = Shape::convex(points);
  ASSERT_TRUE(shape.ok());
  EXPECT_EQ(shape->corners().size(), 400U);
  EXPECT_EQ(shape->features().size(), 2U * 400U - 4U);
  expect_hull(*shape, points, 1e-12 * 2.0);
}

/// Points in the sides of a cube, whose roundings would make slivers.
TEST(ConvexHull, OfATurnedCubeWithPointsInItsSidesKeepsFewOfThem) {
  Random random(3);
  Points points;
  for (int i = 0; i < 8; ++i) {
    points.push_back(
        {(i & 1) != 0 ? 1.0 : -1.0, (i & 2) != 0 ? 1.0 : -1.0, (i & 4) != 0 ? 1.0 : -1.0});
  }
  for (int i = 0; i < 1500; ++i) {
    Vec3 p = random.in_box();
    (i % 3 == 0 ? p.x : i % 3 == 1 ? p.y : p.z) = i % 2 == 0 ? 1.0 : -1.0;
    points.push_back(p);
  }
  const Points moved = turned(points, 0.37, {0.1, 0.2, 0.3});
  expect_hull_of(moved);
  EXPECT_LT(Shape::convex(moved)->features().size(), 200U);
  EXPECT_EQ(Shape::convex(points)->features().size(), 12U);
}

TEST(ConvexHull, RefusesWhatHasNoVolume) {
  const Points corners{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  EXPECT_TRUE(Shape::convex(corners).ok());
  EXPECT_FALSE(Shape::convex({}).ok());
  EXPECT_FALSE(Shape::convex(std::span(corners).first(3)).ok());
  const auto message = [](const Points& points) {
    const auto shape = Shape::convex(points);
    EXPECT_FALSE(shape.ok());
    EXPECT_EQ(shape.error().code, ErrorCode::kInput);
    return shape.error().message;
  };
  EXPECT_NE(message(Points(9, {1, 2, 3})).find("one place"), std::string::npos);
  Random random(4);
  Points line;
  Points plane;
  for (int i = 0; i < 50; ++i) {
    line.push_back({random.in(-1, 1), 0, 0});
    plane.push_back({random.in(-1, 1), 0, random.in(-1, 1)});
  }
  EXPECT_NE(message(line).find("one line"), std::string::npos);
  EXPECT_NE(message(plane).find("one plane"), std::string::npos);
  EXPECT_NE(message(turned(line, 3.0, {1, 2, 3})).find("one line"), std::string::npos);
  EXPECT_NE(message(turned(plane, 3.0, {1, 2, 3})).find("one plane"), std::string::npos);
  Points bad = corners;
  bad[2].y = std::nan("");
  EXPECT_NE(message(bad).find("corner 2"), std::string::npos);
  bad[2].y = 2e6;
  EXPECT_NE(message(bad).find("corner 2"), std::string::npos);
}

/// The greatest distance of a corner from the axis.
double reach_of(const Shape& shape) {
  double out = 0.0;
  for (const Vec3& p : shape.corners()) out = std::max(out, std::hypot(p.x, p.z));
  return out;
}

/// Points on the circles at both ends of a cylinder.
Points circles(double radius, double height, bool top) {
  Points out;
  for (int i = 0; i < 100; ++i) {
    const double a = 0.062831853 * i;
    out.push_back({radius * std::cos(a), -0.5 * height, radius * std::sin(a)});
    if (top) out.push_back({radius * std::cos(a), 0.5 * height, radius * std::sin(a)});
  }
  return out;
}

double least_height(const Shape& shape, const Points& points) {
  double worst = -1.0;
  for (const auto& [a, b, c] : shape.features()) {
    for (const Vec3& p : points) {
      worst =
          std::max(worst, height(shape.corners()[a], shape.corners()[b], shape.corners()[c], p));
    }
  }
  return worst;
}

TEST(RoundShapes, HoldTheRoundBodyAndReachNoFartherThanTheTolerance) {
  for (const auto& [radius, tall, tolerance] :
       {std::array{0.5, 2.0, 0.01}, std::array{3.0, 0.1, 1e-3}, std::array{1e-3, 1.0, 1.0}}) {
    const Points round = circles(radius, tall, true);
    const auto cylinder = Shape::cylinder(radius, tall, tolerance);
    ASSERT_TRUE(cylinder.ok());
    EXPECT_LE(least_height(*cylinder, round), 1e-15 * radius);
    EXPECT_LE(reach_of(*cylinder), radius + tolerance * (1 + 1e-12));
    const auto hull = [](const Shape& shape) {
      const Points corners(shape.corners().begin(), shape.corners().end());
      expect_hull(shape, corners, 1e-15 * size_of(corners));
    };
    hull(*cylinder);
    Points below = circles(radius, tall, false);
    below.push_back({0, 0.5 * tall, 0});
    const auto cone = Shape::cone(radius, tall, tolerance);
    ASSERT_TRUE(cone.ok());
    EXPECT_LE(least_height(*cone, below), 1e-15 * radius);
    EXPECT_LE(reach_of(*cone), radius + tolerance * (1 + 1e-12));
    hull(*cone);
  }
  // As few sides as the tolerance allows: R / cos(pi/n) - R falls below it between 15 and 16.
  EXPECT_EQ(Shape::cylinder(0.5, 2.0, 0.01)->corners().size(), 32U);
  EXPECT_EQ(Shape::cone(0.5, 2.0, 0.01)->corners().size(), 17U);
}

TEST(RoundShapes, RefuseWhatMakesNoSense) {
  for (const double bad : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_FALSE(Shape::cylinder(bad, 1, 0.1).ok());
    EXPECT_FALSE(Shape::cylinder(1, bad, 0.1).ok());
    EXPECT_FALSE(Shape::cone(1, 1, bad).ok());
    EXPECT_FALSE(Shape::box({1, bad, 1}).ok());
  }
  EXPECT_TRUE(Shape::cone(1, 1, 3e-7).ok());
  EXPECT_FALSE(Shape::cone(1, 1, 2.9e-7).ok());  // 1/cos(pi/4096) - 1 = 2.94e-7
}

}  // namespace
}  // namespace tocsin::convex_hull_test
