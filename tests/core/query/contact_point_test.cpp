// Where contacts are, by hand.
#include "core/query/contact_point.h"

#include <gtest/gtest.h>

#include "support/scenes/one_joint_link.h"

namespace tocsin::core::contact_point_test {
namespace {

using test::make_link;
using test::RandomLink;

/// A link at rest along x, 2 m long, whose middle is at `at`.
void make_still(RandomLink& out, const Vec3& at, const Vec3& along, double radius) {
  const Transform pose{{}, at};
  make_link(out, pose, pose, -along, along, radius, InBetween::kScrew, at);
}

TEST(ContactPoint, IsOnTheTriangleBelowTheAxis) {
  RandomLink link;
  make_still(link, {1, 0.25, 2}, {1, 0, 0}, 0.25);
  const Triangle triangle = triangle_seen_from(link.link.ref, {1, 0, 1}, {1, 0, 3}, {-9, 0, 2});
  EXPECT_EQ(triangle.v[1], (Vec3{0, -0.25, 1}));
  // Only (1, 0, z) and what lies before it is below the axis; all of it is equally near.
  const ContactPoint at = contact_point(link.link, evaluate(link.link, 0.0), triangle);
  EXPECT_EQ(at.point.y, 0.0);
  EXPECT_LE(at.point.x, 1.0);
  EXPECT_GE(at.point.x, 0.0);
  EXPECT_TRUE(at.has_normal);
  EXPECT_EQ(at.normal, (Vec3{0, 1, 0}));
}

TEST(ContactPoint, HasNoNormalWhereTheAxisMeetsTheTriangle) {
  RandomLink link;
  make_still(link, {0, 0, 0}, {0, 1, 0}, 0.25);
  const Triangle triangle = triangle_seen_from({}, {-1, 0.5, -1}, {1, 0.5, -1}, {0, 0.5, 2});
  const ContactPoint at = contact_point(link.link, evaluate(link.link, 0.0), triangle);
  EXPECT_EQ(at.point, (Vec3{0, 0.5, 0}));
  EXPECT_FALSE(at.has_normal);
  EXPECT_EQ(at.normal, (Vec3{}));
}

TEST(ContactPoint, HasNoNormalWhereTheDistanceIsRounding) {
  RandomLink link;
  make_still(link, {0, 0, 0}, {1, 0, 0}, 0.25);
  const double eta = rounding_margin(link.link, 3.0);
  for (const double etas : {0.5, 2.0}) {
    const double y = -etas * eta;
    const Triangle triangle{{{-2, y, -2}, {2, y, -2}, {0, y, 3}}};
    const ContactPoint at = contact_point(link.link, evaluate(link.link, 0.0), triangle);
    EXPECT_EQ(at.has_normal, etas > 1.0);
  }
}

TEST(ContactPoint, OfTwoLinksIsOnTheOthersSurface) {
  RandomLink a;
  RandomLink b;
  make_still(a, {0, 1, 0}, {1, 0, 0}, 0.25);
  make_still(b, {0.5, 0, 0}, {0, 0, 1}, 0.5);
  const ContactPoint at =
      contact_point(a.link, evaluate(a.link, 0.0), b.link, evaluate(b.link, 0.0));
  EXPECT_EQ(at.point, (Vec3{0.5, 0.5, 0}));
  EXPECT_TRUE(at.has_normal);
  EXPECT_EQ(at.normal, (Vec3{0, 1, 0}));
}

TEST(ContactPoint, OfTwoLinksThatCrossIsOnBothAxes) {
  RandomLink a;
  RandomLink b;
  make_still(a, {0, 1, 0}, {1, 0, 0}, 0.25);
  make_still(b, {0.5, 1, 0}, {0, 0, 1}, 0.5);
  const ContactPoint at =
      contact_point(a.link, evaluate(a.link, 0.0), b.link, evaluate(b.link, 0.0));
  EXPECT_EQ(at.point, (Vec3{0.5, 1, 0}));
  EXPECT_FALSE(at.has_normal);
}

}  // namespace
}  // namespace tocsin::core::contact_point_test
