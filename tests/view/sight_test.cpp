// Rays through rooms, against every triangle in turn.
#include "view/sight.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "core/vector/vec.h"
#include "view/rooms.h"

namespace tocsin::view::sight_test {
namespace {

TEST(Sight, TheNearerOfTwoBoxesIsHit) {
  const Environment room = test::room_of(
      {test::box("Far", {4, -1, -1}, {5, 1, 1}), test::box("Near", {1, -1, -1}, {2, 1, 1})});
  const Sight sight(room);
  const auto hit = sight.first_hit({0, 0.1, 0.2}, {10, 0.1, 0.2});
  ASSERT_TRUE(hit.has_value());
  EXPECT_NEAR(hit->at, 0.1, 1e-9);
  EXPECT_EQ(room.object_of(hit->triangle), 1U);
  EXPECT_NEAR(sight.first_hit({10, 0.1, 0.2}, {0, 0.1, 0.2})->at, 0.5, 1e-9);
  EXPECT_FALSE(sight.first_hit({0, 0.1, 0.2}, {0.9, 0.1, 0.2}).has_value());
  EXPECT_FALSE(sight.first_hit({0, 3, 0}, {10, 3, 0}).has_value());
}

double determinant(const Vec3& a, const Vec3& b, const Vec3& c) {
  return a.x * (b.y * c.z - b.z * c.y) - b.x * (a.y * c.z - a.z * c.y) +
         c.x * (a.y * b.z - a.z * b.y);
}

/// Where a segment meets a triangle, by Cramer's rule; 2 for nowhere.
double solved(const Vec3& from, const Vec3& to, const std::array<Vec3f, 3>& v) {
  const Vec3 v0 = core::to_double(v[0]);
  const Vec3 e1 = core::to_double(v[1]) - v0;
  const Vec3 e2 = core::to_double(v[2]) - v0;
  const Vec3 back = from - to;
  const Vec3 right = from - v0;
  const double det = determinant(e1, e2, back);
  const double x = determinant(right, e2, back) / det;
  const double y = determinant(e1, right, back) / det;
  const double t = determinant(e1, e2, right) / det;
  return x >= 0 && y >= 0 && x + y <= 1 && t >= 0 && t <= 1 ? t : 2.0;
}

TEST(Sight, AgreesWithEveryTriangleInTurn) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<float> place(-2.0F, 2.0F);
  const auto point = [&] { return Vec3f{place(random), place(random), place(random)}; };
  ObjectMesh soup{"Soup", {}, {}};
  for (std::uint32_t i = 0; i < 300; ++i) {
    const Vec3f corner = point();
    for (int j = 0; j < 3; ++j) {
      const Vec3f d = point();
      soup.vertices.push_back(
          {corner.x + 0.2F * d.x, corner.y + 0.2F * d.y, corner.z + 0.2F * d.z});
    }
    soup.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  const Environment room = test::room_of({soup});
  const Sight sight(room);
  int hits = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec3 from = core::to_double(point());
    const Vec3 to = core::to_double(point());
    double expected = 2.0;
    for (std::uint32_t t = 0; t < 300; ++t) {
      expected = std::min(expected, solved(from, to, room.corners(t)));
    }
    const auto hit = sight.first_hit(from, to);
    ASSERT_EQ(hit.has_value(), expected <= 1.0) << i;
    if (!hit) continue;
    ++hits;
    EXPECT_NEAR(hit->at, expected, 1e-9);
  }
  EXPECT_GT(hits, 100);
}

TEST(Sight, AnEmptyRoomHidesNothing) {
  EXPECT_FALSE(Sight(Environment{}).first_hit({}, {1, 1, 1}).has_value());
}

}  // namespace
}  // namespace tocsin::view::sight_test
