// Directed advancement: what it proves must be true, and it must prove enough.
#include "core/query/advance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/scenes/random_link.h"

namespace tocsin::core::advance_test {
namespace {

using test::RandomLink;
using test::RandomLinks;

TEST(Advance, ClearTimeIsTheRootOfItsParabola) {
  RandomLinks random(41);
  for (int i = 0; i < 100000; ++i) {
    const double g = std::exp2(random.uniform(-40, 3));
    const double v = random.uniform(-1, 1) * std::exp2(random.uniform(-20, 4));
    const double a = i % 10 == 0 ? 0.0 : std::exp2(random.uniform(-20, 6));
    const double left = random.uniform(0.01, 1);
    const double h = clear_time(g, v, a, left);
    const auto gap = [&](long double t) { return g + t * (v - 0.5L * a * t); };
    if (h >= kToEnd) {
      EXPECT_GT(gap(left), 0);
      continue;
    }
    ASSERT_GT(h, 0.0);
    EXPECT_GT(gap(static_cast<long double>(h) * (1 - 0x1p-44L)), 0);
    EXPECT_LE(gap(static_cast<long double>(h) * (1 + 0x1p-44L)), 0);
  }
}

TEST(Advance, NothingIsProvedWithoutAGap) {
  EXPECT_EQ(clear_time(0.0, 1.0, 0.0, 1.0), 0.0);
  EXPECT_EQ(clear_time(-1.0, 5.0, 0.0, 1.0), 0.0);
  EXPECT_EQ(clear_time(std::nan(""), 1.0, 1.0, 1.0), 0.0);
  EXPECT_EQ(clear_time(1.0, 1.0, 0.0, 1.0), kToEnd);
}

/// For any direction and point, however wrong, the time that is proved clear must be clear.
TEST(Advance, HoldsForAnyDirection) {
  RandomLinks random(42);
  int proved = 0;
  for (int i = 0; i < 20000; ++i) {
    RandomLink r;
    random.make(r, 1 + i % 4, i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate, 0.5,
                i % 3 == 0 ? 3.1 : 0.4, 0.5, 1.0);
    const auto point = [&] { return random.vector(0, 2); };
    const Triangle t{{point(), point(), point()}};
    const Encounter e{t, r.link.radius, rounding_margin(r.link, 2.0)};
    const double start = random.uniform(0, 0.9);
    const AxisState s = evaluate(r.link, start);
    const Closest c = closest_points(s.a, s.b, t);
    Vec3 n = i % 4 == 0 ? random.direction() : (c.y - c.x) + 0.1 * random.direction();
    if (!(norm(n) > 0)) continue;
    n = (1.0 / norm(n)) * n;
    const Vec3 x = i % 5 == 0 ? point() : c.x;
    double h = clear_time_along(whole_axis(r.link, s), e, n, x, 1 - start);
    if (i % 2 == 0) h = clear_time_split(whole_axis(r.link, s), e, c, kToEnd, 1 - start);
    if (!(h > 0)) continue;
    ++proved;
    const double end = std::min(1.0, start + h);
    for (int k = 0; k <= 16; ++k) {
      const AxisState at = evaluate(r.link, start + (end - start) * k / 16);
      EXPECT_GT(std::sqrt(closest_points(at.a, at.b, t).squared), r.link.radius);
    }
  }
  EXPECT_GT(proved, 4000);
}

TEST(Advance, SplittingHelpsALinkThatPivots) {
  // A bar above an edge that crosses it at s = 0.1, turning in the plane of both: its far end moves
  // fastest and is nowhere near the edge.
  RandomLink r;
  Transform p0;
  Transform p1;
  p0.translation = p1.translation = {0.0, 0.2, 0.0};
  p1.rotation = {std::cos(0.3), 0.0, 0.0, -std::sin(0.3)};
  r.joints.push_back(joint_motion(p0, p1, InBetween::kScrew));
  r.chain.push_back(0);
  r.link.joints = r.joints.data();
  r.link.chain = r.chain.data();
  r.link.chain_length = 1;
  r.link.a = {-0.1, 0, 0};
  r.link.b = {0.9, 0, 0};
  r.link.radius = 0.05;
  ChainBounds bounds = extend({}, r.joints[0], InBetween::kScrew, {});
  set_bounds(r.link, bounds);
  const Triangle t{{{0.0, 0.149, -1}, {0.0, 0.149, 1}, {0.0, -1, 0}}};
  const Encounter e{t, 0.05, 1e-12};
  const AxisState s = evaluate(r.link, 0);
  const Closest c = closest_points(s.a, s.b, t);
  const double whole = clear_time_at(whole_axis(r.link, s), e, c, kToEnd, 1.0);
  const double split = clear_time_split(whole_axis(r.link, s), e, c, kToEnd, 1.0);
  EXPECT_GT(split, 2.0 * whole);
}

TEST(Advance, SplittingLeavesNoPartOut) {
  // A long bar turns downward about a point near one end, just above the ridge of a slope. Close to
  // the ridge it has time; its far end is the first to touch. Either end may be the far one.
  const double slope = 0.05;  // radians; the bar turns by 0.6
  Transform p0;
  Transform p1;
  p1.rotation = {std::cos(0.3), 0.0, 0.0, -std::sin(0.3)};
  const double foot = -0.1 - 20.0 * std::tan(slope);
  const Triangle t{{{0, -0.1, -1}, {0, -0.1, 1}, {20, foot, 0}}};
  const Encounter e{t, 0.05, 1e-12};
  for (const bool swapped : {false, true}) {
    RandomLink r;
    r.joints.push_back(joint_motion(p0, p1, InBetween::kScrew));
    r.chain.push_back(0);
    r.link.joints = r.joints.data();
    r.link.chain = r.chain.data();
    r.link.chain_length = 1;
    r.link.a = {swapped ? 9.0 : -1.0, 0, 0};
    r.link.b = {swapped ? -1.0 : 9.0, 0, 0};
    r.link.radius = 0.05;
    set_bounds(r.link, extend({}, r.joints[0], InBetween::kScrew, {}));
    const AxisState s = evaluate(r.link, 0);
    const Closest c = closest_points(s.a, s.b, t);
    ASSERT_NEAR(c.s, swapped ? 0.9 : 0.1, 0.02);
    const double h = clear_time_split(whole_axis(r.link, s), e, c, kToEnd, 1.0);
    EXPECT_GT(h, 0.01);
    for (int k = 0; k <= 64; ++k) {
      const AxisState at = evaluate(r.link, std::min(h, 1.0) * k / 64);
      EXPECT_GT(std::sqrt(closest_points(at.a, at.b, t).squared), 0.05) << swapped << ' ' << k;
    }
  }
}

}  // namespace
}  // namespace tocsin::core::advance_test
