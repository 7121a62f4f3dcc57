// Detector::nearest against the oracle's distance of every pair of features and its solid angles,
// against Detector::depth, and against itself on other trees.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "detect/shapes/feature_oracle.h"
#include "support/scenes/grid_solids.h"
#include "support/scenes/random_crowd.h"
#include "tocsin/scene.h"

namespace tocsin::link_distances_test {
namespace {

using oracle::MovingShape;
using oracle::Real;
using test::RandomLinks;

constexpr double kAllowed = 1e-11;  // metres; rooms are some metres wide

using Distances = std::vector<LinkDistance>;
using Pair = std::pair<std::int32_t, std::uint32_t>;

Pair pair_of(const LinkDistance& one) { return {one.link, one.nearest.object}; }

Vec3 minus(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }

/// The distance of a point of the world from a feature of a shape at a time.
double point_distance(const Vec3& p, const MovingShape& shape, std::size_t feature, Real t) {
  const Vec3& origin = shape.frame().origin();
  oracle::Corners point;
  point.at[0] = oracle::widen<Real>(p) - oracle::widen<Real>(origin);
  point.count = 1;
  return static_cast<double>(
      oracle::separation(point, test::at(shape, feature, t, origin), 0.0L).apart.upper);
}

struct Seen {
  int told = 0;
  int left_out = 0;  ///< farther than was asked for
  int inside = 0;
  int meeting = 0;
  int shaped = 0;
};

/// What is true of one link and one object.
struct Truth {
  double radius = 0.0;
  test::Apart all;
  test::Inside inside;
  bool shaped = false;

  [[nodiscard]] double distance() const {
    if (!inside.any) return all.distance - radius;
    return -(radius + (shaped ? inside.depth : all.distance));
  }
};

void expect_true(const LinkDistance& one, const Truth& truth, const MovingShape& shape,
                 const MovingShape& object, Real t, Seen& seen) {
  EXPECT_NEAR(one.distance, truth.distance(), kAllowed);
  EXPECT_EQ(one.inside, truth.inside.any);
  ASSERT_LT(one.nearest.triangle, truth.all.least.size());
  EXPECT_EQ(one.link_feature.has_value(), truth.shaped && !one.inside);
  EXPECT_LE(point_distance(one.point, object, one.nearest.triangle, t), kAllowed);
  if (one.inside) ++seen.inside;
  if (truth.shaped && one.inside) return;
  EXPECT_LE(truth.all.least[one.nearest.triangle], truth.all.distance + kAllowed);
  if (truth.all.distance < 1e-9) {
    ++seen.meeting;
    return;
  }
  EXPECT_NEAR(core::norm(minus(one.own, one.point)), std::fabs(one.distance), kAllowed);
  const std::size_t feature = one.link_feature.value_or(0);
  ASSERT_LT(feature, shape.features().size());
  // Of a link inside it is the deepest point of a ball, which the rest of the link may hold.
  const double beyond = point_distance(one.own, shape, feature, t);
  EXPECT_LE(beyond, truth.radius + kAllowed);
  if (!one.inside) {
    EXPECT_GE(beyond, truth.radius - kAllowed);
  }
  EXPECT_NEAR(point_distance(one.point, shape, feature, t), truth.all.distance, kAllowed);
}

TEST(LinkDistances, AreWhatTheOracleSaysOfAllFeatures) {
  RandomLinks random(2701);
  Seen seen;
  for (int i = 0; i < 40; ++i) {
    const Environment room = test::room_with_balls(random);
    const oracle::SolidClaims solids(room, {});
    const test::RandomTake take = test::random_take(random, 5, 2, i % 3 == 0 ? 1.5 : 0.4, 0.3);
    const Avatar avatar = test::with_shapes(random, take.avatar, i, i % 2 == 0 ? 0.06 : 0.3);
    DetectorOptions options;
    options.margin = i % 4 == 0 ? 0.01 : 0.0;
    const Detector detector = Detector::make(room, options).value();
    const Step step = take.motion.steps().value()[0];
    const double t = i % 4 == 0 ? 0.0 : i % 4 == 1 ? 1.0 : random.uniform(0, 1);
    const double within = i % 5 == 0 ? 0.0 : i % 5 == 1 ? 1000.0 : random.uniform(0.0, 0.5);
    const Distances got = detector.nearest(avatar, step, t, within).value();
    EXPECT_TRUE(std::is_sorted(got.begin(), got.end(), [](const auto& p, const auto& q) {
      return std::tuple(p.distance, pair_of(p)) < std::tuple(q.distance, pair_of(q));
    }));
    std::map<Pair, LinkDistance> told;
    for (const LinkDistance& one : got) EXPECT_TRUE(told.emplace(pair_of(one), one).second);
    for (std::size_t l = 0; l < avatar.links().size(); ++l) {
      const Link& link = avatar.links()[l];
      const MovingShape shape = test::moving(avatar, l, step);
      for (std::uint32_t o = 0; o < room.objects().size(); ++o) {
        std::vector<std::uint32_t> triangles;
        for (std::uint32_t k = 0; k < room.objects()[o].triangle_count; ++k) {
          triangles.push_back(room.objects()[o].first_triangle + k);
        }
        const MovingShape other = oracle::room_shape(room, triangles, shape.frame().origin());
        Truth truth;
        truth.shaped = !link.shape.empty();
        truth.radius = (truth.shaped ? link.shape.radius() : link.radius) + options.margin;
        truth.all = test::apart(shape, other, static_cast<Real>(t));
        truth.inside = test::inside_of(solids, o, shape, other, static_cast<Real>(t));
        if (truth.inside.unclear || std::fabs(truth.distance() - within) < kAllowed) continue;
        const auto found = told.find({static_cast<std::int32_t>(l), o});
        ASSERT_EQ(found != told.end(), truth.distance() <= within) << i << " " << l << " " << o;
        if (found == told.end()) {
          ++seen.left_out;
          continue;
        }
        ++seen.told;
        if (truth.shaped) ++seen.shaped;
        expect_true(found->second, truth, shape, other, static_cast<Real>(t), seen);
      }
    }
  }
  EXPECT_GE(seen.told, 200);
  EXPECT_GE(seen.left_out, 50);
  EXPECT_GE(seen.inside, 20);
  EXPECT_GE(seen.meeting, 40);
  EXPECT_GE(seen.shaped, 100);
}

/// Boxes without a radius that surely cut a wall: rounding must not put them beside it.
TEST(LinkDistances, OfAShapeThatCutsASurfaceAreNotAboveZero) {
  RandomLinks random(2703);
  const Environment room =
      Environment::create({{"wall", {{-9, -9, 0.5F}, {9, -9, 0.5F}, {0, 9, 0.5F}}, {{0, 1, 2}}}})
          .value();
  const Detector detector = Detector::make(room).value();
  const Skeleton skeleton = Skeleton::create({{"body", -1, {}}}).value();
  const Avatar avatar =
      Avatar::create("body", skeleton,
                     {link_of_shape("box", 0, Shape::box({0.4, 0.3, 0.2}).value())})
          .value();
  for (int i = 0; i < 1000; ++i) {
    const Vec3 at = random.vector(0, 1.0);
    const Transform pose{core::normalized(random.rotation(random.uniform(0, 3.0))),
                         {at.x, at.y, 0.5 + random.uniform(-0.15, 0.15)}};
    const Motion motion = Motion::create(skeleton, 1.0, {pose}).value();
    StepRange range;
    range.still = true;
    const StepList steps = motion.steps(range).value();
    const Distances told = detector.nearest(avatar, steps.front(), 0.0, 0.0).value();
    ASSERT_EQ(told.size(), 1U) << i;
    EXPECT_LE(told[0].distance, 0.0) << i;
    EXPECT_EQ(detector.depth(avatar, steps.front(), 0.0, 0, 0).value().depth, 0.0);
  }
}

/// Also where a step moves far, and in bits.
TEST(LinkDistances, AreDepthsOfTheSameSteps) {
  RandomLinks random(2702);
  int same = 0;
  for (int i = 0; i < 30; ++i) {
    const Environment room = test::room_with_balls(random);
    const test::RandomTake take = test::random_take(random, 5, 2, 0.8, 0.4);
    const Avatar avatar = test::with_shapes(random, take.avatar, i, 0.2);
    const Detector detector = Detector::make(room).value();
    const Step step = take.motion.steps().value()[0];
    const double t = random.uniform(0, 1);
    for (const LinkDistance& one : detector.nearest(avatar, step, t, 0.4).value()) {
      const Depth depth = detector.depth(avatar, step, t, one.link, one.nearest.object).value();
      EXPECT_EQ(one.distance, -depth.depth);
      EXPECT_EQ(one.nearest.triangle, depth.triangle);
      EXPECT_EQ(one.point, depth.point);
      EXPECT_EQ(one.inside, depth.inside);
      ++same;
    }
  }
  EXPECT_GE(same, 200);
}

/// Strips of equal triangles: several are as near, or are met.
Environment strips(bool turned) {
  std::vector<ObjectMesh> meshes(2);
  for (std::size_t m = 0; m < 2; ++m) {
    meshes[m].name = "strip" + std::to_string(m);
    for (int i = 0; i < 40; ++i) {
      const auto x = static_cast<float>(turned ? 39 - i : i);
      const auto y = static_cast<float>(m);
      const auto first = static_cast<std::uint32_t>(meshes[m].vertices.size());
      meshes[m].vertices.insert(meshes[m].vertices.end(),
                                {{x, y, 0}, {x, y, 1}, {x + 0.25F, y, 0.5F}});
      meshes[m].triangles.push_back({first, first + 1, first + 2});
    }
  }
  return Environment::create(meshes).value();
}

struct Still {
  Avatar avatar;
  Step step;
};

Still still(std::vector<Link> links) {
  const Skeleton skeleton = Skeleton::create({{"body", -1, {}}}).value();
  const Motion motion = Motion::create(skeleton, 1.0, {{}}).value();
  StepRange range;
  range.still = true;
  return {Avatar::create("body", skeleton, std::move(links)).value(),
          motion.steps(range).value().front()};
}

Shape plate(double y) {
  return Shape::mesh({{-1, y, 0.5}, {41, y, 0.5}, {20, y + 3, 0.5}}, {{0, 1, 2}}).value();
}

Shape wall() {
  return Shape::mesh({{-1, -0.5, 0.5}, {41, -0.5, 0.5}, {41, 2, 0.5}, {-1, 2, 0.5}},
                     {{2, 3, 0}, {0, 1, 2}})
      .value();
}

TEST(LinkDistances, OfTrianglesAsNearTheFirstCounts) {
  const Detector detector = Detector::make(strips(false)).value();
  const Still rods = still({{"rod", 0, {-1, 0.5, 0.5}, {41, 0.5, 0.5}, 0.1},
                            link_of_shape("above", 0, plate(1.5)),
                            link_of_shape("through", 0, wall())});
  const Distances got = detector.nearest(rods.avatar, rods.step, 0.0, 1.0).value();
  ASSERT_EQ(got.size(), 5U);
  // By hand: the last goes through both; the second is 0.5 above strip 1 and 1.5 above strip 0; the
  // first is 0.4 from both.
  const std::vector<std::tuple<std::int32_t, std::uint32_t, double>> want{
      {2, 0, 0.0}, {2, 1, 0.0}, {0, 0, 0.4}, {0, 1, 0.4}, {1, 1, 0.5}};
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(got[i].link, std::get<0>(want[i]));
    EXPECT_EQ(got[i].nearest.object, std::get<1>(want[i]));
    EXPECT_NEAR(got[i].distance, std::get<2>(want[i]), 1e-12);
    EXPECT_EQ(got[i].nearest.triangle, 0U) << i;
    EXPECT_FALSE(got[i].inside);
  }
}

/// The same room by a tree that was built for another one and fitted, and as a scene.
TEST(LinkDistances, DoNotDependOnTheTree) {
  RandomLinks random(2703);
  std::size_t told = 0;
  for (int i = 0; i < 20; ++i) {
    const Environment room = i < 2 ? strips(i == 1) : test::room_with_balls(random);
    std::vector<Vec3f> elsewhere(room.vertices().begin(), room.vertices().end());
    for (Vec3f& v : elsewhere) v.x += static_cast<float>(random.uniform(-3, 3));
    const Detector built = Detector::make(room).value();
    const Detector fitted = Detector::make(room.with_vertices(elsewhere).value())
                                .value()
                                .with_environment(room)
                                .value();
    Scene scene = Scene::make().value();
    ASSERT_TRUE(scene.add(room).ok());
    const Detector snapshot = scene.snapshot().value();
    const test::RandomTake take = test::random_take(random, 5, 2, 0.8, 0.4);
    const Avatar avatar = test::with_shapes(random, take.avatar, i, i < 2 ? 1.0 : 0.3);
    const Step step = take.motion.steps().value()[0];
    for (const double within : {0.05, 0.5}) {
      const double t = random.uniform(0, 1);
      const Distances want = built.nearest(avatar, step, t, within).value();
      EXPECT_EQ(fitted.nearest(avatar, step, t, within).value(), want);
      EXPECT_EQ(snapshot.nearest(avatar, step, t, within).value(), want);
      told += want.size();
    }
  }
  EXPECT_GE(told, 200U);
}

TEST(LinkDistances, HeedPairsSurfacesAndStops) {
  const Environment room = Environment::create({test::box_mesh("box", {0, 0, 0}, {2, 2, 2}),
                                                test::box_mesh("crate", {3, 0, 0}, {4, 2, 2})})
                               .value();
  const Still rod = still({{"rod", 0, {0.7, 1, 1.25}, {0.9, 1, 1.25}, 0.05}});
  const Detector detector = Detector::make(room).value();
  const Distances all = detector.nearest(rod.avatar, rod.step, 0.0, 2.1).value();
  ASSERT_EQ(all.size(), 2U);
  // By hand: 0.7 m from x = 0 and 0.75 m from z = 2; then from x = 0.9 to x = 3.
  EXPECT_NEAR(all[0].distance, -(0.05 + 0.7), 1e-12);
  EXPECT_TRUE(all[0].inside);
  EXPECT_NEAR(all[0].point.x, 0.0, 1e-12);
  EXPECT_NEAR(all[0].own.x, 0.75, 1e-12);  // deepest
  EXPECT_NEAR(all[1].distance, 2.1 - 0.05, 1e-12);
  EXPECT_NEAR(all[1].own.x, 0.95, 1e-12);
  // The surfaces are nearer than that, the axis is not.
  EXPECT_EQ(detector.nearest(rod.avatar, rod.step, 0.0, 2.06).value().size(), 2U);
  EXPECT_EQ(detector.nearest(rod.avatar, rod.step, 0.0, 2.04).value().size(), 1U);
  EXPECT_NEAR(all[1].point.x, 3.0, 1e-12);
  const Detector surfaces = Detector::make(room, {.surfaces = {"box"}}).value();
  const Distances of_surfaces = surfaces.nearest(rod.avatar, rod.step, 0.0, 1.0).value();
  ASSERT_EQ(of_surfaces.size(), 1U);
  EXPECT_NEAR(of_surfaces[0].distance, 0.7 - 0.05, 1e-12);
  const std::array<std::string, 1> patterns{"rod:box"};
  const Member without{rod.avatar, ActivePairs::ignoring(rod.avatar, room, patterns).value()};
  EXPECT_TRUE(detector.nearest(without, rod.step, 0.0, 2.0).value().empty());
  const Detector wide = Detector::make(room, {.margin = 0.1}).value();
  EXPECT_NEAR(wide.nearest(without, rod.step, 0.0, 2.0).value().at(0).distance, 2.1 - 0.15, 1e-12);

  const auto code = [&](const Member& member, double time, double within) {
    return detector.nearest(member, rod.step, time, within).error().code;
  };
  EXPECT_EQ(code(rod.avatar, -0.1, 1.0), ErrorCode::kUsage);
  EXPECT_EQ(code(rod.avatar, std::nan(""), 1.0), ErrorCode::kUsage);
  EXPECT_EQ(code(rod.avatar, 0.0, -1.0), ErrorCode::kUsage);
  EXPECT_EQ(code(rod.avatar, 0.0, 1e7), ErrorCode::kUsage);
  const Skeleton two = Skeleton::create({{"root", -1, {}}, {"arm", 0, {}}}).value();
  EXPECT_EQ(code(Avatar::create("two", two, {{"arm", 1, {}, {1, 0, 0}, 0.1}}).value(), 0.0, 1.0),
            ErrorCode::kInput);
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(detector.nearest(rod.avatar, rod.step, 0.0, 1.0, source.get_token()).error().code,
            ErrorCode::kCancelled);
  const Detector nothing = Detector::make(Environment()).value();
  EXPECT_TRUE(nothing.nearest(rod.avatar, rod.step, 0.0, 1e6).value().empty());
}

}  // namespace
}  // namespace tocsin::link_distances_test
