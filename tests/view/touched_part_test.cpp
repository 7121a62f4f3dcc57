// What is tinted of a touched triangle, against areas worked out by hand.
#include "view/touched_part.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/vector/vec.h"
#include "view/rooms.h"

namespace tocsin::view::touched_part_test {
namespace {

double area_of(const TouchedPart& part) {
  Vec3 sum{};
  for (std::size_t i = 2; i < part.corners.size(); ++i) {
    sum =
        sum + core::cross(part.corners[i - 1] - part.corners[0], part.corners[i] - part.corners[0]);
  }
  return 0.5 * core::dot(sum, part.normal);
}

/// One triangle, the corner of its right angle at the origin, its legs `side` long along x and z.
Environment corner_of(float side) {
  return test::room_of({{"Floor", {{0, 0, 0}, {0, 0, side}, {side, 0, 0}}, {{0, 1, 2}}}});
}

/// Of a regular polygon of 32 corners within a circle.
double disc_area() {
  return 16.0 * kTouchedReach * kTouchedReach * std::sin(2.0 * std::numbers::pi / 32.0);
}

TEST(TouchedPart, OfALargeTriangleItIsADisc) {
  const TouchedPart part = touched_part(corner_of(10), {0, 0}, {2, 0, 3});
  EXPECT_NEAR(area_of(part), disc_area(), 1e-9);
  EXPECT_NEAR(part.normal.y, 1.0, 1e-12);
  for (const Vec3& corner : part.corners) {
    EXPECT_NEAR(core::norm(corner - Vec3{2, 0, 3}), kTouchedReach, 1e-9);
  }
}

TEST(TouchedPart, AtAnEdgeItIsHalfADiscAndAtTheCornerAQuarter) {
  EXPECT_NEAR(area_of(touched_part(corner_of(10), {0, 0}, {0, 0, 3})), 0.5 * disc_area(), 1e-6);
  EXPECT_NEAR(area_of(touched_part(corner_of(10), {0, 0}, {0, 0, 0})), 0.25 * disc_area(), 1e-6);
}

TEST(TouchedPart, ASmallTriangleIsItsOwn) {
  const TouchedPart part = touched_part(corner_of(0.05F), {0, 0}, {0.01, 0, 0.01});
  EXPECT_EQ(part.corners.size(), 3U);
  EXPECT_NEAR(area_of(part), 0.5 * 0.05 * 0.05, 1e-9);
}

TEST(TouchedPart, ASliverIsCutToItsLength) {
  const Environment room =
      test::room_of({{"Blade", {{-5, 0, 0}, {5, 0, 0}, {0, 0, 0.01F}}, {{0, 1, 2}}}});
  const TouchedPart part = touched_part(room, {0, 0}, {0, 0, 0.005});
  for (const Vec3& corner : part.corners) EXPECT_LE(std::fabs(corner.x), kTouchedReach + 1e-9);
  EXPECT_GT(std::fabs(area_of(part)), 0.5 * 0.01 * kTouchedReach);
  EXPECT_LT(std::fabs(area_of(part)), 2.0 * 0.01 * kTouchedReach);
}

TEST(TouchedPart, ATriangleWithoutAreaIsTakenWhole) {
  const Environment room =
      test::room_of({{"Wire", {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}}});
  EXPECT_EQ(touched_part(room, {0, 0}, {1, 0, 0}).corners.size(), 3U);
}

}  // namespace
}  // namespace tocsin::view::touched_part_test
