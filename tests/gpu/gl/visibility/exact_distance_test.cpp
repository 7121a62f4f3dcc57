// Distances of polytopes and triangles against what they are by construction.
#include "gpu/gl/visibility/exact_distance.h"

#include <gtest/gtest.h>

#include "support/scenes/random_link.h"

namespace tocsin::test::exact_distance_test {
namespace {

/// The cube [-1, 1]^3, its normals of any length.
struct Cube {
  std::vector<HalfSpace> solid;
  std::vector<std::array<Vec3f, 3>> surface;

  Cube() {
    for (int axis = 0; axis < 3; ++axis) {
      for (const double side : {-1.0, 1.0}) {
        const auto turned = [&](double along, double i, double j) {
          return axis == 0 ? Vec3{along, i, j} : axis == 1 ? Vec3{j, along, i} : Vec3{i, j, along};
        };
        const auto corner = [&](double i, double j) {
          const Vec3 p = turned(side, i, j);
          return Vec3f{static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
        };
        const double length = 0.5 + axis;
        solid.push_back({turned(side * length, 0, 0), length});
        surface.push_back({corner(-1, -1), corner(1, -1), corner(1, 1)});
        surface.push_back({corner(-1, -1), corner(1, 1), corner(-1, 1)});
      }
    }
  }
};

void expect_distance(const core::Triangle& t, double distance) {
  const Cube cube;
  EXPECT_FALSE(meets(cube.solid, t, 0));
  EXPECT_TRUE(meets(cube.solid, t, distance * 1.0001L));
  EXPECT_LE(separation(cube.solid, t), distance * (1 + 1e-12));
  EXPECT_TRUE(farther(cube.solid, cube.surface, t, distance * (1 - 1e-6)));
  EXPECT_FALSE(farther(cube.solid, cube.surface, t, distance * (1 + 1e-6)));
}

TEST(ExactDistance, KnowsFacesEdgesAndCornersOfACube) {
  expect_distance({{{1.25, 0, 0}, {2, 3, 0}, {2, -3, 1}}}, 0.25);  // a corner and a face
  expect_distance({{{1.5, 1.5, -9}, {1.5, 1.5, 9}, {7, 7, 0}}}, std::sqrt(0.5));  // parallel edges
  expect_distance({{{3, 0, 0.1}, {0, 3, 0.1}, {9, 9, 0.2}}}, std::sqrt(0.5));     // crossing edges
  expect_distance({{{4, 0, 0}, {0, 4, 0}, {0, 0, 4}}}, 1 / std::sqrt(3.0));  // a face and a corner
  expect_distance({{{1.5, 1.5, 1.5}, {1.5, 1.5, 1.5}, {1.5, 1.5, 1.5}}}, std::sqrt(0.75));
}

TEST(ExactDistance, KnowsWhatMeetsACube) {
  const Cube cube;
  const core::Triangle inside{{{0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}};
  const core::Triangle around{{{-9, -9, 0}, {9, -9, 0}, {0, 99, 0}}};
  const core::Triangle through{{{0, 0, -9}, {0, 0, 9}, {0, 1e-9, 9}}};
  const core::Triangle point{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}};
  for (const core::Triangle& t : {inside, around, through, point}) {
    EXPECT_TRUE(meets(cube.solid, t, 0));
    EXPECT_FALSE(farther(cube.solid, cube.surface, t, 1e-3));
  }
  EXPECT_FALSE(meets(cube.solid, point, -1e-15L));
  EXPECT_FALSE(meets(cube.solid, {{{1.0 + 0x1p-40, 0, 0}, {2, 0, 0}, {2, 1, 0}}}, 0));
}

TEST(ExactDistance, MeetsWhatHoldsAPointOfBoth) {
  const Cube cube;
  RandomLinks random(151);
  int missed = 0;
  for (int i = 0; i < 2000; ++i) {
    // A triangle through a point of the cube; and moved until its nearest corner is out of reach.
    const Vec3 at{random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    const Vec3 e = random.vector(0, 3);
    const Vec3 f = random.vector(0, 3);
    const core::Triangle t{{at + e, at + f, at - (e + f)}};
    EXPECT_TRUE(meets(cube.solid, t, 1e-15L));
    const Vec3 n = random.direction();
    const double least = std::min({core::dot(n, e), core::dot(n, f), core::dot(n, -(e + f))});
    const double most = std::fabs(n.x) + std::fabs(n.y) + std::fabs(n.z);
    const double gap = random.uniform(0.01, 1);
    const Vec3 by = (most - core::dot(n, at) - least + gap) * n;
    const core::Triangle moved{{t.v[0] + by, t.v[1] + by, t.v[2] + by}};
    EXPECT_FALSE(meets(cube.solid, moved, 0));
    EXPECT_TRUE(farther(cube.solid, cube.surface, moved, 0.999 * gap));
    if (separation(cube.solid, moved) < 0.0) ++missed;
  }
  EXPECT_GT(missed, 50);  // or clipping was never needed
}

}  // namespace
}  // namespace tocsin::test::exact_distance_test
