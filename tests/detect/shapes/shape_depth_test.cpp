// How deep links with shapes are, against the oracle's distance of every pair of features and its
// solid angles.
#include "detect/shapes/shape_depth.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "detect/shapes/random_shape.h"
#include "oracle/hulls/hull_separation.h"
#include "oracle/shapes/moving_shape.h"
#include "oracle/solid_claims.h"
#include "support/scenes/random_crowd.h"
#include "tocsin/detector.h"

namespace tocsin {
namespace {

using oracle::MovingShape;
using oracle::Real;
using oracle::RealVec;
using test::RandomLinks;

constexpr double kAllowed = 1e-11;  // metres; rooms are some metres wide

MovingShape moving(const Avatar& avatar, std::size_t link, const Step& step) {
  const Link& l = avatar.links()[link];
  std::vector<core::JointMotion> chain;
  for (int j = l.joint; j >= 0;
       j = avatar.skeleton().joints()[static_cast<std::size_t>(j)].parent) {
    const auto k = static_cast<std::size_t>(j);
    chain.push_back(core::joint_motion(step.pose0()[k], step.pose1()[k], step.in_between()));
  }
  std::reverse(chain.begin(), chain.end());
  return {std::make_shared<const oracle::MovingFrame>(chain, step.in_between()),
          std::make_shared<const oracle::FeatureTree>(
              l.shape.empty() ? oracle::axis_feature(l.a, l.b) : oracle::FeatureTree(l.shape))};
}

oracle::Corners at(const MovingShape& shape, std::size_t feature, Real t, const Vec3& origin) {
  oracle::Corners out = shape.features().feature(feature);
  const RealVec shift = oracle::widen<Real>(shape.frame().origin()) - oracle::widen<Real>(origin);
  for (std::size_t i = 0; i < out.count; ++i) out.at[i] = shape.frame().at(t)(out.at[i]) + shift;
  return out;
}

/// What the oracle says of two sets of features: least[j] is the distance of feature j of the
/// second.
struct Apart {
  double distance = 1e9;
  std::vector<double> least;
};

Apart apart(const MovingShape& f, const MovingShape& g, Real t) {
  Apart out;
  const Vec3& origin = f.frame().origin();
  for (std::size_t j = 0; j < g.features().size(); ++j) {
    const oracle::Corners q = at(g, j, t, origin);
    double least = 1e9;
    for (std::size_t i = 0; i < f.features().size(); ++i) {
      least = std::min(
          least, static_cast<double>(oracle::separation(at(f, i, t, origin), q, 0.0L).apart.upper));
    }
    out.least.push_back(least);
    out.distance = std::min(out.distance, least);
  }
  return out;
}

/// The room's object with a closed ball in it, so that there is an inside.
Environment room_with_balls(RandomLinks& random) {
  std::vector<ObjectMesh> meshes;
  for (int i = 0; i < 3; ++i) {
    const Shape shape = i < 2 ? test::bumpy_ball(random, 4, 6, random.uniform(0.4, 0.8), 0.0)
                              : test::random_soup(random, 24, 0.5, 0.0);
    const Vec3 shift = random.vector(0, 0.6);
    ObjectMesh mesh;
    mesh.name = "object" + std::to_string(i);
    for (const Vec3& c : shape.corners()) {
      const Vec3 p = c + shift;
      mesh.vertices.push_back(
          {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    }
    mesh.triangles.assign(shape.features().begin(), shape.features().end());
    meshes.push_back(std::move(mesh));
  }
  return Environment::create(std::move(meshes)).value();
}

Avatar with_shapes(RandomLinks& random, const Avatar& avatar, int number, double size) {
  std::vector<Link> links(avatar.links().begin(), avatar.links().end());
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (i % 3 == 2) continue;
    Shape shape = test::random_shape(random, number + static_cast<int>(i), size);
    links[i] = link_of_shape(links[i].name, links[i].joint, std::move(shape));
  }
  return Avatar::create("shaped", avatar.skeleton(), std::move(links)).value();
}

struct Counts {
  int all = 0;
  int meeting = 0;
  int inside = 0;
  int free = 0;
};

/// The depth of the deepest corner that stands for a component, if any is inside.
struct Inside {
  bool any = false;
  bool unclear = false;
  double depth = 0.0;
};

Inside inside_of(const oracle::SolidClaims& solids, std::uint32_t object, const MovingShape& shape,
                 const MovingShape& room, Real t) {
  Inside out;
  for (const std::vector<std::uint32_t>& part : shape.features().components()) {
    // Not feature(), which drops corners that are given twice.
    const oracle::HullPath corner = shape.corner(part.front(), 0);
    const RealVec p = corner.at(t).at[0];
    const auto place = solids.place(object, p + oracle::widen<Real>(shape.frame().origin()));
    out.unclear = out.unclear || place == oracle::Place::kUnclear;
    if (place != oracle::Place::kInside) continue;
    oracle::Corners point;
    point.at[0] = p;
    point.count = 1;
    double least = 1e9;
    for (std::size_t i = 0; i < room.features().size(); ++i) {
      const auto q = at(room, i, t, shape.frame().origin());
      least = std::min(least, static_cast<double>(oracle::separation(point, q, 0.0L).apart.upper));
    }
    out.depth = std::max(out.depth, least);
    out.any = true;
  }
  return out;
}

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
}  // namespace tocsin
