// How deep links with shapes are, against the oracle's distance of every pair of features and its
// solid angles.
#include "detect/shapes/shape_depth.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "detect/shapes/feature_oracle.h"
#include "support/scenes/random_crowd.h"
#include "tocsin/detector.h"

namespace tocsin::shape_depth_test {
namespace {

using oracle::MovingShape;
using oracle::Real;
using test::Apart;
using test::apart;
using test::Inside;
using test::inside_of;
using test::moving;
using test::RandomLinks;
using test::room_with_balls;
using test::with_shapes;

constexpr double kAllowed = 1e-11;  // metres; rooms are some metres wide

struct Counts {
  int all = 0;
  int meeting = 0;
  int inside = 0;
  int free = 0;
};

TEST(ShapeDepth, IsWhatTheOracleSaysOfAllFeatures) {
  RandomLinks random(2201);
  Counts seen;
  for (int i = 0; i < 60; ++i) {
    const Environment room = room_with_balls(random);
    const oracle::SolidClaims solids(room, {});
    const test::RandomTake take = test::random_take(random, 5, 2, i % 3 == 0 ? 1.5 : 0.4, 0.3);
    const Avatar avatar = with_shapes(random, take.avatar, i, i % 2 == 0 ? 0.06 : 0.3);
    DetectorOptions options;
    options.margin = i % 4 == 0 ? 0.01 : 0.0;
    const Detector detector = Detector::make(room, options).value();
    const Step step = take.motion.steps().value()[0];
    for (std::size_t l = 0; l < avatar.links().size(); ++l) {
      if (avatar.links()[l].shape.empty()) continue;
      const double radius = avatar.links()[l].shape.radius() + options.margin;
      const MovingShape shape = moving(avatar, l, step);
      for (std::uint32_t o = 0; o < room.objects().size(); ++o) {
        const Object& object = room.objects()[o];
        std::vector<std::uint32_t> triangles;
        for (std::uint32_t k = 0; k < object.triangle_count; ++k) {
          triangles.push_back(object.first_triangle + k);
        }
        const MovingShape other = oracle::room_shape(room, triangles, shape.frame().origin());
        for (const double t : {0.0, random.uniform(0, 1), 1.0}) {
          const Depth depth =
              detector.depth(avatar, step, t, static_cast<std::int32_t>(l), o).value();
          const Apart all = apart(shape, other, static_cast<Real>(t));
          const Inside inside = inside_of(solids, o, shape, other, static_cast<Real>(t));
          if (inside.unclear) continue;
          ++seen.all;
          EXPECT_NEAR(depth.distance, all.distance, kAllowed) << i << " " << l << " " << o;
          EXPECT_EQ(depth.inside, inside.any) << i << " " << l << " " << o;
          if (inside.any) {
            ++seen.inside;
            EXPECT_NEAR(depth.depth, radius + inside.depth, kAllowed);
            continue;
          }
          EXPECT_EQ(depth.depth, radius - depth.distance);
          EXPECT_LE(all.least[depth.triangle], all.distance + kAllowed);
          ++(all.distance < 1e-9 ? seen.meeting : seen.free);
        }
      }
    }
  }
  EXPECT_GE(seen.all, 1000);
  EXPECT_GE(seen.meeting * 10, seen.all);
  EXPECT_GE(seen.inside * 20, seen.all);
  EXPECT_GE(seen.free * 3, seen.all);
}

TEST(ShapeDepth, OfTwoLinksIsTheirDistance) {
  RandomLinks random(2202);
  Counts seen;
  for (int i = 0; i < 60; ++i) {
    test::RandomCrowd crowd = test::random_crowd(random, 2, 2, 0.12, false);
    for (Member& member : crowd.members) {
      member.avatar = with_shapes(random, member.avatar, i, 0.35);
    }
    const std::vector<Step> steps = crowd.at(0);
    const double t = i % 4 == 0 ? 0.0 : i % 4 == 1 ? 1.0 : random.uniform(0, 1);
    const auto count = [&](std::size_t k) { return crowd.members[k].avatar.links().size(); };
    for (std::size_t a = 0; a < count(0); ++a) {
      for (std::size_t b = 0; b < count(1); ++b) {
        const MovingShape f = moving(crowd.members[0].avatar, a, steps[0]);
        const MovingShape g = moving(crowd.members[1].avatar, b, steps[1]);
        const double want = apart(f, g, static_cast<Real>(t)).distance;
        const double got = detect::distance_of_links(
            {crowd.members[0].avatar, steps[0], static_cast<std::int32_t>(a), t},
            {crowd.members[1].avatar, steps[1], static_cast<std::int32_t>(b), t});
        EXPECT_NEAR(got, want, kAllowed) << i << " " << a << " " << b;
        ++seen.all;
        ++(want < 1e-9 ? seen.meeting : seen.free);
      }
    }
  }
  EXPECT_GE(seen.all, 120);
  EXPECT_GE(seen.meeting * 10, seen.all);
  EXPECT_GE(seen.free * 4, seen.all);
}

/// Both ends of a strip of equal triangles are as near: the first counts, and not where a walk
/// begins.
TEST(ShapeDepth, OfSeveralTrianglesAsNearTheFirstCounts) {
  ObjectMesh strip;
  strip.name = "strip";
  for (int i = 0; i < 8; ++i) {
    const auto x = static_cast<float>(i);
    const auto first = static_cast<std::uint32_t>(strip.vertices.size());
    strip.vertices.insert(strip.vertices.end(), {{x, 0, 0}, {x, 0, 1}, {x, -1, 0}});
    strip.triangles.push_back({first, first + 1, first + 2});
  }
  const Environment room = Environment::create({strip}).value();
  const Skeleton skeleton = Skeleton::create({{"body", -1, {}}}).value();
  const Shape bar = Shape::mesh({{-1, 1, 0.5}, {9, 1, 0.5}, {4, 3, 0.5}}, {{0, 1, 2}}).value();
  const Avatar avatar = Avatar::create("bar", skeleton, {link_of_shape("bar", 0, bar)}).value();
  const Motion motion = Motion::create(skeleton, 1.0, {{}, {}}).value();
  const Detector detector = Detector::make(room, {}).value();
  for (const double t : {0.0, 0.3, 1.0}) {
    const Depth depth = detector.depth(avatar, motion.steps().value()[0], t, 0, 0).value();
    EXPECT_EQ(depth.triangle, 0U);
    EXPECT_NEAR(depth.depth, -1.0, 1e-12);
    EXPECT_NEAR(depth.point.x, 0.0, 1e-12);
  }
}

/// At t = 0 a contact says the same depth, in bits.
TEST(ShapeDepth, IsThatOfAContactInside) {
  RandomLinks random(2203);
  int inside = 0;
  for (int i = 0; i < 60; ++i) {
    const Environment room = room_with_balls(random);
    const test::RandomTake take = test::random_take(random, 3, 2, 0.4, 0.3);
    const Avatar avatar = with_shapes(random, take.avatar, 5 * i + 1, 0.05);
    const Detector detector = Detector::make(room, {}).value();
    const Step step = take.motion.steps().value()[0];
    for (const Contact& c : detector.check({avatar, {}, {}}, step).contacts) {
      const Shape& shape = avatar.links()[static_cast<std::size_t>(c.link)].shape;
      if (!c.inside || shape.empty()) continue;
      const Depth depth = detector.depth(avatar, step, 0.0, c.link, c.room()->object).value();
      EXPECT_EQ(depth.depth, *c.depth);
      EXPECT_EQ(depth.triangle, c.room()->triangle);
      ++inside;
    }
  }
  EXPECT_GE(inside, 20);
}

}  // namespace
}  // namespace tocsin::shape_depth_test
