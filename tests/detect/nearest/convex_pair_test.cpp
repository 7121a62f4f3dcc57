// ConvexPair against long double: every answer is proved by its own normal and witness points, many
// are compared with all pairs of features; and none depends on what was asked before.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "detect/nearest/dice.h"
#include "support/convex_oracle.h"
#include "tocsin/nearest.h"

namespace tocsin::convex_pair_test {
namespace {

using test::Long;

using test::Dice;

ConvexBody body_of(const Shape& shape) { return ConvexBody::make(shape).value(); }

ConvexBody hull_of(Dice& dice, int corners, const Vec3& size, double radius) {
  for (;;) {
    std::vector<Vec3> points;
    for (int i = 0; i < corners; ++i) {
      const Vec3 p = dice.vector(1.0);
      points.push_back({p.x * size.x, p.y * size.y, p.z * size.z});
    }
    const auto shape = Shape::convex(points, radius);
    if (shape) return body_of(*shape);
  }
}

/// Bodies of all kinds: hulls, plates and needles of them, boxes, prisms, balls, capsules,
/// triangles.
std::vector<ConvexBody> all_kinds(Dice& dice) {
  std::vector<ConvexBody> out;
  for (int i = 0; i < 24; ++i) out.push_back(hull_of(dice, 4 + i % 9, {0.5, 0.5, 0.5}, 0.0));
  for (int i = 0; i < 4; ++i) out.push_back(hull_of(dice, 8, {0.5, 0.5, 1e-4}, 0.0));
  for (int i = 0; i < 4; ++i) out.push_back(hull_of(dice, 8, {0.5, 1e-3, 1e-3}, 0.0));
  for (int i = 0; i < 4; ++i) out.push_back(hull_of(dice, 10, {0.3, 0.5, 0.2}, 0.05));
  for (int i = 0; i < 4; ++i) {
    out.push_back(body_of(Shape::box({0.1 * (1 + i), 0.3, 0.5 - 0.1 * i}).value()));
  }
  out.push_back(body_of(Shape::cylinder(0.3, 0.6, 0.02).value()));
  out.push_back(body_of(Shape::cone(0.3, 0.6, 0.02).value()));
  out.push_back(body_of(Shape::sphere({0.1, 0.2, 0.3}, 0.2).value()));
  out.push_back(body_of(Shape::capsule({0, -0.3, 0}, {0, 0.3, 0}, 0.1).value()));
  out.push_back(body_of(Shape::mesh({{0, 0, 0}, {0.5, 0, 0}, {0, 0.7, 0}}, {{0, 1, 2}}).value()));
  out.push_back(
      body_of(Shape::mesh({{0, 0, 0}, {0.5, 0, 1e-6}, {1.0, 0, 0}}, {{0, 1, 2}}).value()));
  // A flat side of many corners, most of them on its edges.
  std::vector<Vec3> points;
  for (int i = 0; i <= 4; ++i) {
    for (int j = 0; j <= 4; ++j) points.push_back({0.1 * i, 0.0, 0.1 * j});
  }
  points.push_back({0.2, 0.4, 0.2});
  out.push_back(body_of(Shape::convex(points).value()));
  return out;
}

bool same(const ConvexNearest& a, const ConvexNearest& b) {
  return a.status == b.status && a.distance == b.distance && a.error == b.error &&
         a.first == b.first && a.second == b.second && a.normal == b.normal &&
         a.first_feature == b.first_feature && a.second_feature == b.second_feature;
}

struct Case {
  ConvexBody first;
  ConvexBody second;
  Transform at;
  Transform other;
};

/// What is wrong with an answer, by its own points and normal alone; empty: it is proved, but for
/// the lower bound of a depth.
std::string fault_of(const Case& c, const ConvexNearest& a, const test::PlacedBody& f,
                     const test::PlacedBody& g) {
  const Long off = 1e-15L * (std::abs(c.at.translation.x) + std::abs(c.at.translation.y) +
                             std::abs(c.at.translation.z));
  const Long room = a.error + off;  // of points: world coordinates round as well
  const test::Wide n = test::widened(a.normal);
  if (std::abs(test::length(n) - 1) > 1e-14L) return "no unit vector";
  const Long gap = test::gap_along(f, g, n) - f.radius - g.radius;
  if (std::abs(gap - a.distance) > a.error) return "the normal does not have the distance";
  const test::Wide y = test::widened(a.first) - test::widened(c.at.translation);
  const test::Wide x = test::widened(a.second) - test::widened(c.at.translation);
  if (!test::is_feature(f, a.first_feature) || !test::is_feature(g, a.second_feature)) {
    return "no feature";
  }
  // Slivers of a shallow overlap's polytope hide which points are nearest.
  const Long points = a.distance < 0 ? 4 * room + 1e-8L : 4 * room;
  if (std::abs(test::length(y - x) - std::abs(Long{a.distance})) > points) {
    return "the points do not have the distance";
  }
  if (test::distance_to_feature(f, a.first_feature, y) > 4 * room) return "first point is off";
  if (test::distance_to_feature(g, a.second_feature, x) > 4 * room) return "second point is off";
  const bool right = a.status == Proximity::kApart     ? a.distance > 0
                     : a.status == Proximity::kOverlap ? a.distance < 0
                                                       : std::abs(a.distance) <= a.error;
  return right ? "" : "status";
}

class Judge {
 public:
  /// Asks a pair with a history and a new one, and proves the answer.
  ConvexNearest ask(ConvexPair& pair, const Case& c, bool all_features) {
    const ConvexNearest answer = pair.nearest(c.at, c.other).value();
    ConvexPair fresh(c.first, c.second);
    EXPECT_TRUE(same(answer, fresh.nearest(c.at, c.other).value())) << asked;
    const test::PlacedBody f = test::placed_body(c.first, c.at, c.at.translation);
    const test::PlacedBody g = test::placed_body(c.second, c.other, c.at.translation);
    const std::string fault = fault_of(c, answer, f, g);
    EXPECT_EQ(fault, "") << asked << ", distance " << answer.distance << ", error " << answer.error;
    faults += fault.empty() ? 0 : 1;
    ++asked;
    ++counts[static_cast<std::size_t>(answer.status)];
    ++kinds[static_cast<std::size_t>(3 * answer.first_feature.corners +
                                     answer.second_feature.corners - 4)];
    if (all_features) compare(answer, f, g);
    greatest_error = std::max(greatest_error, answer.error);
    return answer;
  }

  void compare(const ConvexNearest& answer, const test::PlacedBody& f, const test::PlacedBody& g) {
    ++compared;
    const Long radii = f.radius + g.radius;
    const Long features = test::least_of_features(f, g);
    const Long gap = test::greatest_gap(f, g);
    // Flat differences (of two segments, say) have no depth, and no direction that tells of it.
    const Long truth = gap < 0 && std::isfinite(gap) ? gap : features;
    EXPECT_NEAR(static_cast<double>(truth - radii), answer.distance, answer.error) << asked;
    worst = std::max(worst, std::abs(truth - radii - answer.distance) / answer.error);
  }

  std::size_t asked = 0;
  std::size_t compared = 0;
  std::size_t faults = 0;
  std::array<std::size_t, 3> counts{};
  std::array<std::size_t, 9> kinds{};  ///< corners of the first's feature, then the second's
  double greatest_error = 0.0;
  Long worst = 0;
};

std::size_t pairs_wanted() {
  const char* const text = std::getenv("TOCSIN_CONVEX_PAIRS");
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr std::size_t kUsual = 100'000;  // instrumented, more of the same takes minutes
#else
  constexpr std::size_t kUsual = 1'000'000;
#endif
  return text == nullptr ? kUsual : std::strtoul(text, nullptr, 10);
}

/// Random places, any history. far: how far apart at most, metres, by axis.
void ask_random_places(Judge& judge, Dice& dice, const std::vector<ConvexBody>& bodies,
                       std::size_t wanted, double far) {
  while (judge.asked < wanted && judge.faults < 10) {
    Case c{bodies[dice.index(bodies.size())], bodies[dice.index(bodies.size())], {}, {}};
    ConvexPair pair(c.first, c.second);
    for (int i = 0; i < 100 && judge.faults < 10; ++i) {
      c.at = {dice.turn(), dice.vector(0.5 * far)};
      c.other = {dice.turn(), dice.vector(0.5 * far)};
      judge.ask(pair, c, judge.asked % 250 == 0);
    }
  }
}

// With the two tests after it 10^6 pairs (TOCSIN_CONVEX_PAIRS).
TEST(ConvexPair, EveryAnswerIsProved) {
  Dice dice(1);
  const std::vector<ConvexBody> bodies = all_kinds(dice);
  Judge judge;
  const std::size_t wanted = pairs_wanted() * 7 / 10;
  ask_random_places(judge, dice, bodies, wanted, 2.0);
  EXPECT_GT(judge.counts[0], wanted / 4);
  EXPECT_GT(judge.counts[2], wanted / 20);
  for (const std::size_t i : {0U, 1U, 2U, 3U, 4U, 6U}) {
    EXPECT_GT(judge.kinds[i], wanted / 100) << i;
  }
  EXPECT_GE(judge.compared, wanted / 300);
  EXPECT_LT(judge.worst, 0.1L);
  EXPECT_LT(judge.greatest_error, 4e-13);
}

TEST(ConvexPair, DeepOverlapIsMeasured) {
  Dice dice(2);
  const std::vector<ConvexBody> bodies = all_kinds(dice);
  Judge judge;
  const std::size_t wanted = pairs_wanted() / 10;
  ask_random_places(judge, dice, bodies, wanted, 0.3);
  EXPECT_GT(judge.counts[2], wanted / 2);
  EXPECT_GE(judge.compared, wanted / 300);
  EXPECT_LT(judge.greatest_error, 4e-13);
}

// Moved along the normal to where they are a little apart, touch, or overlap a little.
TEST(ConvexPair, MatchedPairsAreToldApart) {
  Dice dice(3);
  const std::vector<ConvexBody> bodies = all_kinds(dice);
  Judge judge;
  const std::array<double, 8> gaps{1e-2, 1e-6, 1e-9, 2e-12, 0.0, -2e-12, -1e-9, -1e-4};
  const std::size_t wanted = pairs_wanted() * 2 / 10;
  std::size_t wide = 0;  // answers that say of themselves that they are not so exact: needles
  while (judge.asked < wanted && judge.faults < 10) {
    Case c{bodies[dice.index(bodies.size())], bodies[dice.index(bodies.size())], {}, {}};
    ConvexPair pair(c.first, c.second);
    c.at = {dice.turn(), dice.vector(0.6)};
    c.other = {dice.turn(), dice.vector(0.6)};
    const ConvexNearest before = pair.nearest(c.at, c.other).value();
    const Vec3 from = c.at.translation;
    const Vec3& n = before.normal;
    for (const double gap : gaps) {
      const double way = gap - before.distance;
      c.at.translation = {from.x + way * n.x, from.y + way * n.y, from.z + way * n.z};
      const ConvexNearest after = judge.ask(pair, c, judge.asked % 400 == 0);
      // No direction is better than the one they were moved along, unless they overlap.
      EXPECT_GT(after.distance, gap - 2 * after.error);
      if (gap >= 0) {
        EXPECT_NEAR(after.distance, gap, 2 * after.error);
      }
      wide += after.error > 4e-13 ? 1 : 0;
      if (gap >= 2e-12 && after.error <= 4e-13) {
        EXPECT_EQ(after.status, Proximity::kApart);
      }
      if (gap == 0) {
        EXPECT_EQ(after.status, Proximity::kTouching);
      }
    }
  }
  EXPECT_LT(wide, 1 + wanted / 1000);
  EXPECT_GT(judge.counts[0], wanted / 3);
  EXPECT_GT(judge.counts[1], wanted / 10);
  EXPECT_GT(judge.counts[2], wanted / 5);
}

// Boxes along the axes: faces, edges and corners that are parallel, exactly; the distance by axis.
TEST(ConvexPair, ParallelSidesAreMeasured) {
  Dice dice(4);
  Judge judge;
  std::size_t faces = 0;
  struct Box {
    Vec3 half;
    ConvexBody body;
  };
  std::vector<Box> boxes;
  for (int i = 0; i < 27; ++i) {
    const Vec3 half{0.125 * (1 + i % 3), 0.125 * (1 + i / 3 % 3), 0.125 * (1 + i / 9)};
    boxes.push_back({half, body_of(Shape::box(half).value())});
  }
  for (int i = 0; i < 20000 && judge.faults < 10; ++i) {
    const Box& first = boxes[dice.index(boxes.size())];
    const Box& second = boxes[dice.index(boxes.size())];
    const Vec3& half = first.half;
    const Vec3& other = second.half;
    const auto step = [&dice] { return 0.125 * (static_cast<double>(dice.index(17)) - 8.0); };
    const Vec3 shift{step(), step(), step()};
    Case c{first.body, second.body, {}, {}};
    c.other.translation = shift;
    ConvexPair pair(c.first, c.second);
    const ConvexNearest answer = judge.ask(pair, c, i % 100 == 0);
    const std::array<double, 3> gap{std::fabs(shift.x) - half.x - other.x,
                                    std::fabs(shift.y) - half.y - other.y,
                                    std::fabs(shift.z) - half.z - other.z};
    const double most = *std::max_element(gap.begin(), gap.end());
    double squared = 0.0;
    for (const double g : gap) squared += g > 0 ? g * g : 0.0;
    EXPECT_NEAR(answer.distance, most > 0 ? std::sqrt(squared) : most, answer.error);
    faces += answer.first_feature.corners == 3 ? 1 : 0;
    c.at.rotation = dice.right_turn();
    c.other.rotation = dice.right_turn();
    judge.ask(pair, c, i % 100 == 0);
  }
  for (const std::size_t count : judge.counts) EXPECT_GT(count, 500U);
  EXPECT_GT(faces, 500U);
}

ConvexBody fine_hull(Dice& dice, int corners, const Vec3& size) {
  std::vector<Vec3> points;
  while (points.size() < static_cast<std::size_t>(corners)) {
    const Vec3 p = dice.vector(1.0);
    const double n = std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
    if (n > 0.1 && n < 1) points.push_back({size.x * p.x / n, size.y * p.y / n, size.z * p.z / n});
  }
  return body_of(Shape::convex(points).value());
}

// 2,000 faces each; a step turns them by a degree or two. Depth is a bracket: no direction shows a
// gap that is greater.
TEST(ConvexPair, BodiesOfManyFacesTumble) {
  Dice dice(5);
  Judge judge;
  Case c{fine_hull(dice, 1000, {0.5, 0.3, 0.4}), fine_hull(dice, 1000, {0.4, 0.4, 0.2}), {}, {}};
  ConvexPair pair(c.first, c.second);
  double widest = 0.0;
  for (int i = 0; i < 1000 && judge.faults < 10; ++i) {
    const double a = 0.015 * i;
    c.at.rotation = {std::cos(a), 0.6 * std::sin(a), 0.0, 0.8 * std::sin(a)};
    c.other.rotation = {std::cos(0.7 * a), 0.0, std::sin(0.7 * a), 0.0};
    c.other.translation = {0.8 + 0.5 * std::sin(0.4 * a), 0.1, 0.2 * std::cos(a)};
    const ConvexNearest answer = judge.ask(pair, c, false);
    widest = std::max(widest, answer.error);
    if (answer.status != Proximity::kOverlap) continue;
    const test::PlacedBody f = test::placed_body(c.first, c.at, c.at.translation);
    const test::PlacedBody g = test::placed_body(c.second, c.other, c.at.translation);
    for (int k = 0; k < 20; ++k) {
      const Vec3 p = dice.vector(0.3);
      const test::Wide n = test::widened(answer.normal) + test::widened(p);
      const Long gap = test::gap_along(f, g, (1 / test::length(n)) * n);
      EXPECT_LE(gap, answer.distance + answer.error);
    }
  }
  EXPECT_GT(judge.counts[0], 200U);
  EXPECT_GT(judge.counts[2], 200U);
  EXPECT_LT(widest, 0.01);
}

// One centre: the origin of the difference is as deep as can be, and normals are many.
TEST(ConvexPair, BodiesAtOnePlaceOverlap) {
  Dice dice(6);
  const std::vector<ConvexBody> bodies = all_kinds(dice);
  Judge judge;
  for (const ConvexBody& body : bodies) {
    Case c{body, body, {}, {}};
    ConvexPair pair(body, body);
    judge.ask(pair, c, true);
    c.other.rotation = {0, 1, 0, 0};
    judge.ask(pair, c, true);
  }
}

// Some 10^5 m from the origin, some 10^7 m apart, of 1e-9 m to 10^5 m.
TEST(ConvexPair, SizesAndPlacesOfAllMagnitudes) {
  Dice dice(7);
  Judge judge;
  for (int i = 0; i < 2000 && judge.faults < 10; ++i) {
    const double size = std::pow(10.0, dice.uniform(-6, 2));
    const double other = size * std::pow(10.0, dice.uniform(-3, 3));
    Case c{hull_of(dice, 8, {size, size, size}, 0.0),
           hull_of(dice, 8, {other, other, other}, 0.0),
           {},
           {}};
    ConvexPair pair(c.first, c.second);
    const Vec3 far = dice.vector(i % 3 == 0 ? 1e5 : 0.0);
    const double apart = i % 2 == 0 ? std::max(size, other) : 1e7;
    c.at = {dice.turn(), far};
    const Vec3 shift = dice.vector(1.5 * apart);
    c.other = {dice.turn(), {far.x + shift.x, far.y + shift.y, far.z + shift.z}};
    judge.ask(pair, c, i % 10 == 0);
  }
  EXPECT_GT(judge.counts[0], 500U);
  EXPECT_GT(judge.counts[2], 50U);
}

TEST(ConvexPair, BadInputIsRefused) {
  EXPECT_FALSE(ConvexBody::make(Shape()).ok());
  const auto flat =
      Shape::mesh({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}});
  EXPECT_FALSE(ConvexBody::make(*flat).ok());
  const ConvexBody box = body_of(Shape::box({1, 1, 1}).value());
  ConvexPair pair(box, box);
  EXPECT_FALSE(pair.nearest({{1, 0, 0, 0.1}, {}}, {}).ok());
  EXPECT_FALSE(pair.nearest({}, {{1, 0, 0, 0}, {0, std::nan(""), 0}}).ok());
  EXPECT_FALSE(pair.nearest({}, {{1, 0, 0, 0}, {0, 0, 2e9}}).ok());
  EXPECT_TRUE(pair.nearest({}, {{1, 0, 0, 0}, {0, 0, 3}}).ok());
}

}  // namespace
}  // namespace tocsin::convex_pair_test
