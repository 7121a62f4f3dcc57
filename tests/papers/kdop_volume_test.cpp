// Volumes and surfaces of k-DOPs against solids that are known by hand, and against random points.
#include "papers/kdop_volume.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

#include "support/scenes/random_link.h"

namespace tocsin::papers::kdop_volume_test {
namespace {

using core::Kdop;
using core::KdopDirection;
using core::kKdopDirections;
using test::RandomLinks;

/// All that lies within `axis` of `centre` along the axes, and within `two` and `three` of its
/// projection along directions of two and three coordinates. Exact where the numbers are.
template <int K>
Kdop<K> symmetric(const Vec3f& centre, float axis, float two, float three) {
  Kdop<K> out;
  for (std::size_t i = 0; i < K / 2; ++i) {
    const KdopDirection& d = kKdopDirections<K>[i];
    const int terms = d.x * d.x + d.y * d.y + d.z * d.z;
    const float at = static_cast<float>(d.x) * centre.x + static_cast<float>(d.y) * centre.y +
                     static_cast<float>(d.z) * centre.z;
    const float reach = terms == 1 ? axis : terms == 2 ? two : three;
    out.lo[i] = at - reach;
    out.hi[i] = at + reach;
  }
  return out;
}

template <int K>
void expect_measure(const Kdop<K>& kdop, double volume, double surface) {
  const KdopMeasure m = measure(kdop);
  EXPECT_NEAR(m.volume, volume, 1e-13 * volume) << K;
  EXPECT_NEAR(m.surface, surface, 1e-13 * surface) << K;
}

constexpr float kLoose = 64.0F;  // a plane that touches nothing

TEST(KdopVolume, Boxes) {
  for (const Vec3f& c : {Vec3f{0, 0, 0}, Vec3f{1024, -512, 256}}) {
    expect_measure(symmetric<6>(c, 1, kLoose, kLoose), 8.0, 24.0);
    expect_measure(symmetric<14>(c, 1, kLoose, kLoose), 8.0, 24.0);
    expect_measure(symmetric<18>(c, 1, kLoose, kLoose), 8.0, 24.0);
    expect_measure(symmetric<26>(c, 1, kLoose, kLoose), 8.0, 24.0);
    expect_measure(symmetric<26>(c, 1, 2, 3), 8.0, 24.0);  // planes that just touch
  }
  Kdop<6> brick;
  brick.lo = {-1, 2, 0.5F};
  brick.hi = {2, 4, 0.75F};
  expect_measure(brick, 3 * 2 * 0.25, 2 * (3 * 2 + 3 * 0.25 + 2 * 0.25));
}

TEST(KdopVolume, SolidsWithCornersAndEdgesCutOff) {
  const double r2 = std::sqrt(2.0);
  const double r3 = std::sqrt(3.0);
  for (const Vec3f& c : {Vec3f{0, 0, 0}, Vec3f{1024, -512, 256}}) {
    // Octahedron |x| + |y| + |z| <= 1; its box just touches.
    expect_measure(symmetric<14>(c, 1, 0, 1), 4.0 / 3.0, 4 * r3);
    expect_measure(symmetric<26>(c, 1, 1, 1), 4.0 / 3.0, 4 * r3);
    // Cuboctahedron: a cube less eight corners of 1/6.
    expect_measure(symmetric<14>(c, 1, 0, 2), 20.0 / 3.0, 12 + 4 * r3);
    expect_measure(symmetric<26>(c, 1, 2, 2), 20.0 / 3.0, 12 + 4 * r3);
    // Rhombic dodecahedron with corners (1, 0, 0) and (1/2, 1/2, 1/2).
    expect_measure(symmetric<18>(c, 1, 1, 0), 2.0, 6 * r2);
    expect_measure(symmetric<26>(c, 1, 1, 1.5F), 2.0, 6 * r2);
  }
}

TEST(KdopVolume, CubeCutAlongADiagonal) {
  // [0, 1]^3 with x + y <= 1: half a cube. With x + y + z <= 1: a sixth.
  Kdop<26> cube;
  for (std::size_t i = 0; i < 13; ++i) {
    cube.lo[i] = -4;
    cube.hi[i] = 4;
    if (i < 3) cube.lo[i] = 0;
    if (i < 3) cube.hi[i] = 1;
  }
  expect_measure(cube, 1.0, 6.0);
  Kdop<26> wedge = cube;
  wedge.hi[7] = 1;
  expect_measure(wedge, 0.5, 2 * 0.5 + 2 * 1 + std::sqrt(2.0));
  Kdop<26> corner = cube;
  corner.hi[3] = 1;
  expect_measure(corner, 1.0 / 6.0, 3 * 0.5 + std::sqrt(3.0) / 2);
  Kdop<26> nothing = cube;  // each interval holds something, all of them together do not
  nothing.lo[7] = 3;
  expect_measure(nothing, 0.0, 0.0);
}

TEST(KdopVolume, FlatOnesHaveNone) {
  const Kdop<18> wall = core::kdop_of<18>({0, 2, 0}, {3, 2, 0}, {0, 2, 3});
  EXPECT_EQ(measure(wall).volume, 0.0);
  // Both sides of a right triangle: its third side is a direction of the 18-DOP.
  EXPECT_NEAR(measure(wall).surface, 9.0, 1e-5);
  EXPECT_EQ(measure(core::kdop_of<26>({1, 2, 3}, {4, 2, 3}, {8, 2, 3})).volume, 0.0);
  EXPECT_EQ(measure(core::kdop_of<14>(Vec3f{1, 2, 3})).volume, 0.0);
  EXPECT_EQ(measure(Kdop<18>{}).volume, 0.0);
  EXPECT_EQ(measure(Kdop<18>{}).surface, 0.0);
}

/// The k-DOP of a few random points in a flat or a round cloud.
template <int K>
Kdop<K> random_kdop(RandomLinks& random, double depth) {
  Kdop<K> out;
  for (int i = 0; i < 6; ++i) {
    const Vec3 p = random.vector(0, 1);
    out = join(out, core::kdop_of<K>({static_cast<float>(7.0 + p.x), static_cast<float>(p.y),
                                      static_cast<float>(depth * p.z)}));
  }
  return out;
}

template <int K>
void expect_as_random_points(std::uint64_t seed) {
  RandomLinks random(seed);
  for (int n = 0; n < 20; ++n) {
    const Kdop<K> kdop = random_kdop<K>(random, n % 2 == 0 ? 1.0 : 1e-3);
    double box = 1.0;
    for (std::size_t i = 0; i < 3; ++i) {
      box *= static_cast<double>(kdop.hi[i]) - static_cast<double>(kdop.lo[i]);
    }
    constexpr int kPoints = 20000;
    int inside = 0;
    for (int k = 0; k < kPoints; ++k) {
      const Vec3 p{random.uniform(kdop.lo[0], kdop.hi[0]), random.uniform(kdop.lo[1], kdop.hi[1]),
                   random.uniform(kdop.lo[2], kdop.hi[2])};
      bool in = true;
      for (std::size_t i = 3; i < K / 2; ++i) {
        const KdopDirection& d = kKdopDirections<K>[i];
        const double at = d.x * p.x + d.y * p.y + d.z * p.z;
        in = in && kdop.lo[i] <= at && at <= kdop.hi[i];
      }
      if (in) ++inside;
    }
    const double share = static_cast<double>(inside) / kPoints;
    const double sigma = std::sqrt(share * (1.0 - share) / kPoints) + 1.0 / kPoints;
    EXPECT_NEAR(measure(kdop).volume / box, share, 5.0 * sigma) << K << " " << n;
  }
}

TEST(KdopVolume, IsTheShareOfRandomPoints) {
  expect_as_random_points<14>(311);
  expect_as_random_points<18>(312);
  expect_as_random_points<26>(313);
}

TEST(KdopVolume, MoreDirectionsNeverMakeItLarger) {
  for (int n = 0; n < 500; ++n) {
    const auto volume = [n]<int K>(std::integral_constant<int, K>) {
      RandomLinks random(static_cast<std::uint64_t>(400 + n));
      return measure(random_kdop<K>(random, n % 3 == 0 ? 1e-4 : 1.0)).volume;
    };
    const double v6 = volume(std::integral_constant<int, 6>{});
    const double v14 = volume(std::integral_constant<int, 14>{});
    const double v18 = volume(std::integral_constant<int, 18>{});
    const double v26 = volume(std::integral_constant<int, 26>{});
    const double room = 1e-12 * v6;
    EXPECT_LE(v14, v6 + room);
    EXPECT_LE(v18, v6 + room);
    EXPECT_LE(v26, v14 + room);
    EXPECT_LE(v26, v18 + room);
    EXPECT_GT(v26, 0.0);
  }
}

}  // namespace
}  // namespace tocsin::papers::kdop_volume_test
