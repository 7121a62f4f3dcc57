// nearest() of meshes, hulls and round shapes against all pairs of features in long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "detect/nearest/dice.h"
#include "detect/shapes/random_shape.h"
#include "support/convex_oracle.h"
#include "tocsin/nearest.h"

namespace tocsin::shape_pair_test {
namespace {

using test::Long;

std::vector<ConvexBody> features_of(const Shape& shape) {
  std::vector<ConvexBody> out;
  for (const auto& [i, j, k] : shape.features()) {
    const auto& c = shape.corners();
    const auto one = i == j && j == k ? Shape::sphere(c[i], 1.0)
                     : j == k         ? Shape::capsule(c[i], c[j], 1.0)
                                      : Shape::mesh({c[i], c[j], c[k]}, {{0, 1, 2}});
    out.push_back(ConvexBody::make(*one).value());
  }
  return out;
}

/// Of two features, without radii; 0 where they cross.
Long distance_of(const test::PlacedBody& f, const test::PlacedBody& g) {
  const Long gap = test::greatest_gap(f, g);
  return gap < 0 && std::isfinite(gap) ? 0 : test::least_of_features(f, g);
}

Long distance_of(const Shape& first, const Transform& at, const Shape& second,
                 const Transform& other) {
  Long least = HUGE_VALL;
  std::vector<test::PlacedBody> others;
  const std::vector<ConvexBody> g = features_of(second);
  for (const ConvexBody& one : g) others.push_back(test::placed_body(one, other, at.translation));
  for (const ConvexBody& one : features_of(first)) {
    const test::PlacedBody f = test::placed_body(one, at, at.translation);
    for (const test::PlacedBody& h : others) least = std::min(least, distance_of(f, h));
  }
  return least;
}

Long length_between(const Vec3& a, const Vec3& b) {
  return test::length(test::widened(a) - test::widened(b));
}

TEST(ShapePair, MeshesAreAsFarApartAsTheirNearestFeatures) {
  test::RandomLinks random(21);
  test::Dice dice(22);
  std::vector<Shape> shapes;
  for (int i = 0; i < 6; ++i) shapes.push_back(test::random_soup(random, 10, 0.3, 0.02 * (i % 2)));
  shapes.push_back(test::bumpy_ball(random, 3, 5, 0.3, 0.0));
  shapes.push_back(Shape::box({0.2, 0.1, 0.3}).value());
  shapes.push_back(Shape::sphere({0.1, 0, 0}, 0.1).value());
  shapes.push_back(Shape::capsule({-0.2, 0, 0}, {0.2, 0, 0}, 0.1).value());
  int apart = 0;
  int crossing = 0;
  for (int i = 0; i < 1500; ++i) {
    const Shape& first = shapes[dice.index(shapes.size())];
    const Shape& second = shapes[dice.index(shapes.size())];
    const Transform at{dice.turn(), dice.vector(0.4)};
    const Transform other{dice.turn(), dice.vector(0.4)};
    const ShapeNearest answer = nearest(first, at, second, other).value();
    const Long truth = distance_of(first, at, second, other);
    const double radii = first.radius() + second.radius();
    EXPECT_NEAR(static_cast<double>(truth - radii), answer.distance, 1e-12) << i;
    ASSERT_LT(answer.first_feature, first.features().size());
    ASSERT_LT(answer.second_feature, second.features().size());
    if (truth < 1e-9L) {
      ++crossing;
      continue;
    }
    apart += answer.distance > 0 ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(length_between(answer.first, answer.second)),
                std::fabs(answer.distance), 1e-12);
    // Each point is on the feature that is named.
    const ConvexBody one = features_of(first)[answer.first_feature];
    const ConvexBody two = features_of(second)[answer.second_feature];
    const test::PlacedBody f = test::placed_body(one, at, at.translation);
    const test::PlacedBody g = test::placed_body(two, other, at.translation);
    EXPECT_NEAR(static_cast<double>(distance_of(f, g)), answer.distance + radii, 1e-12);
  }
  EXPECT_GT(apart, 400);
  EXPECT_GT(crossing, 100);
}

TEST(ShapePair, BadInputIsRefused) {
  const Shape box = Shape::box({1, 1, 1}).value();
  EXPECT_FALSE(nearest({}, {}, box, {}).ok());
  EXPECT_FALSE(nearest(box, {{2, 0, 0, 0}, {}}, box, {}).ok());
  EXPECT_FALSE(nearest(box, {}, box, {{1, 0, 0, 0}, {HUGE_VAL, 0, 0}}).ok());
}

}  // namespace
}  // namespace tocsin::shape_pair_test
