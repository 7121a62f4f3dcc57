// Outer hulls of shapes: few corners, and nothing of the shape outside.
#include "scene/shape/outer_hull.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/vector/vec.h"
#include "detect/shapes/random_shape.h"
#include "scene/shape/convex_hull.h"
#include "scene/shape/shape_data.h"
#include "support/scenes/random_link.h"

namespace tocsin::scene::outer_hull_test {
namespace {

using test::RandomLinks;

/// Points in a box of these sizes, turned and moved.
std::vector<Vec3> cloud(RandomLinks& random, std::size_t count, const Vec3& half, double where) {
  const Quat turn = random.rotation(random.uniform(0, 3));
  const Vec3 at = random.vector(where, where);
  std::vector<Vec3> out;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 p{half.x * random.uniform(-1, 1), half.y * random.uniform(-1, 1),
                 half.z * random.uniform(-1, 1)};
    out.push_back(at + core::rotate(turn, p));
  }
  return out;
}

/// No point reaches farther than all corners do, along n and against it.
void expect_reach(const std::vector<Vec3>& corners, const std::vector<Vec3>& points,
                  const Vec3& n) {
  for (const Vec3& m : {n, -n}) {
    const auto lower = [&](const Vec3& p, const Vec3& q) {
      return core::dot(m, p) < core::dot(m, q);
    };
    const Vec3& farthest = *std::max_element(points.begin(), points.end(), lower);
    const Vec3& corner = *std::max_element(corners.begin(), corners.end(), lower);
    ASSERT_GE(core::dot(m, corner), core::dot(m, farthest));
  }
}

/// Along the normals of the faces of the corners' convex hull. A point that is before no face
/// is inside.
void expect_inside(const std::vector<Vec3>& corners, const std::vector<Vec3>& points) {
  const auto faces = convex_hull(corners);
  ASSERT_TRUE(faces.ok());
  for (const auto& [i, j, k] : faces.value()) {
    const Vec3 n = core::cross(corners[j] - corners[i], corners[k] - corners[i]);
    const double length = core::norm(n);
    if (length > 0.0) expect_reach(corners, points, (1.0 / length) * n);
  }
}

TEST(OuterHull, HoldsThePointsWithFewCorners) {
  RandomLinks random(21);
  for (int n = 0; n < 200; ++n) {
    const double where = n % 3 == 0 ? 0.0 : n % 3 == 1 ? 3.0 : 1'000.0;
    const Vec3 half{random.uniform(0.01, 1), random.uniform(0.01, 1), random.uniform(0.01, 1)};
    const std::vector<Vec3> points =
        cloud(random, n % 4 == 0 ? 30U : 49U + 10U * static_cast<unsigned>(n), half, where);
    const OuterHull hull = outer_hull(points, box_around(points));
    ASSERT_GE(hull.corners.size(), 4U);
    ASSERT_LE(hull.corners.size(), kMostHullCorners);
    expect_inside(hull.corners, points);
    for (const Vec3& axis : hull.axis) expect_reach(hull.corners, points, axis);
    for (int i = 0; i < 100; ++i) expect_reach(hull.corners, points, random.direction());
  }
}

TEST(OuterHull, OfFlatAndLonePointsToo) {
  RandomLinks random(22);
  for (const Vec3& half : {Vec3{1, 1, 0}, {1, 0, 0}, {0, 0, 0}}) {
    const std::vector<Vec3> points = cloud(random, 100, half, 2.0);
    const OuterHull hull = outer_hull(points, box_around(points));
    ASSERT_LE(hull.corners.size(), kMostHullCorners);
    for (const Vec3& axis : hull.axis) expect_reach(hull.corners, points, axis);
    for (int i = 0; i < 1'000; ++i) expect_reach(hull.corners, points, random.direction());
  }
}

TEST(OuterHull, IsTheShapeIfThatHasFewCorners) {
  const Shape box = Shape::box({0.1, 0.2, 0.3}).value();
  const OuterHull& hull = data_of(box).hull;
  ASSERT_EQ(hull.corners.size(), 8U);
  EXPECT_TRUE(std::equal(hull.corners.begin(), hull.corners.end(), box.corners().begin()));
}

}  // namespace
}  // namespace tocsin::scene::outer_hull_test
