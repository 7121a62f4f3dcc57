// Detector::nearest of a scene's snapshots: as of the flat room, with what is switched off left
// out, and with objects that move and deform where they are at the time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "detect/scene/random_world.h"
#include "support/scenes/random_scene.h"
#include "tocsin/scene.h"

namespace tocsin::scene_distances_test {
namespace {

using test::RandomLinks;
using test::RandomTake;

using Distances = std::vector<LinkDistance>;

TEST(SceneDistances, AreThoseOfTheFlatRoom) {
  std::size_t told = 0;
  std::size_t inside = 0;
  std::size_t off = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    test::RandomWorld world(seed, {});
    for (int i = 0; i < 10; ++i) world.add();
    for (int version = 0; version < 6; ++version) {
      for (int i = 0; i < 5; ++i) world.change();
      const Detector detector = world.scene().snapshot().value();
      const test::FlatRoom flat = test::flat_room(world, detector.environment());
      const Detector other = Detector::make(flat.room).value();
      const RandomTake take = test::random_take(world.random(), 6, 2, 0.5, 0.3);
      const Step step = take.motion.steps().value().front();
      const double t = world.random().uniform(0, 1);
      Distances want = other.nearest(take.avatar, step, t, 0.3).value();
      for (LinkDistance& one : want) one.nearest.object = flat.index[one.nearest.object];
      EXPECT_EQ(detector.nearest(take.avatar, step, t, 0.3).value(), want);
      told += want.size();
      for (const LinkDistance& one : want) inside += one.inside ? 1 : 0;
      for (const auto& [name, object] : world.objects()) off += object.active ? 0 : 1;
    }
  }
  EXPECT_GT(told, 300U);
  EXPECT_GT(inside, 10U);
  EXPECT_GT(off, 20U);
}

/// Objects as a room of their own, with corners that are given in doubles: rounded to floats.
ObjectMesh mesh_of(const std::string& name, const std::vector<Vec3>& corners,
                   const std::vector<TriangleIndices>& triangles) {
  ObjectMesh out;
  out.name = name;
  out.triangles = triangles;
  for (const Vec3& p : corners) {
    out.vertices.push_back(
        {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
  }
  return out;
}

/// Where an object that moves is at a time.
std::vector<Vec3> moved(const test::WorldMesh& mesh, const ShapePlacement& from,
                        const Transform& to, InBetween kind, double t) {
  const std::vector<Transform> p0{{from.rotation, from.translation}};
  const std::vector<Transform> p1{to};
  const Transform at = pose_between(p0, p1, kind, t).front();
  std::vector<Vec3> out;
  for (const Vec3f& v : mesh.vertices) {
    const Vec3 scaled{from.scale.x * double{v.x}, from.scale.y * double{v.y},
                      from.scale.z * double{v.z}};
    out.push_back(at.translation + core::rotate(at.rotation, scaled));
  }
  return out;
}

/// Corners were rounded to floats on one side only.
constexpr double kRounded = 4e-6;

struct Compared {
  std::size_t pairs = 0;
  std::size_t inside = 0;
};

void expect_near(const Distances& got, const Distances& want, double within, Compared& totals) {
  std::map<std::pair<std::int32_t, std::uint32_t>, LinkDistance> known;
  for (const LinkDistance& one : want) known[{one.link, one.nearest.object}] = one;
  std::size_t both = 0;
  for (const LinkDistance& one : got) {
    const auto found = known.find({one.link, one.nearest.object});
    if (found == known.end()) {
      EXPECT_NEAR(one.distance, within, kRounded);
      continue;
    }
    ++both;
    const LinkDistance& truth = found->second;
    // What is within rounding of the surface may be on either side of it: nearly as near.
    EXPECT_NEAR(one.distance, truth.distance, kRounded);
    totals.inside += one.inside ? 1 : 0;
    ++totals.pairs;
  }
  for (const LinkDistance& one : want) {
    if (one.distance < within - kRounded) {
      EXPECT_TRUE(std::any_of(got.begin(), got.end(), [&](const LinkDistance& g) {
        return g.link == one.link && g.nearest.object == one.nearest.object;
      }));
    }
  }
  EXPECT_LE(want.size() - both, want.size() / 8 + 1);
}

TEST(SceneDistances, OfObjectsThatMoveAreThoseOfWhereTheyAre) {
  RandomLinks random(2801);
  std::vector<test::WorldMesh> meshes;
  meshes.push_back(test::box_mesh());
  meshes.push_back(test::cloud_mesh(random, 5));
  meshes.push_back(test::cloud_mesh(random, 60));
  Compared totals;
  for (int round = 0; round < 60; ++round) {
    const double t = round % 3 == 0 ? 0.0 : round % 3 == 1 ? 1.0 : random.uniform(0, 1);
    Scene scene = Scene::make().value();
    std::vector<ObjectMesh> then;
    for (std::size_t i = 0; i < 4; ++i) {
      const test::WorldMesh& mesh = meshes[i == 0 ? 0 : random.below(meshes.size())];
      ShapePlacement at;
      at.translation = random.vector(0, 0.5);
      at.rotation = random.rotation(random.uniform(0, 3.0));
      const double s = random.uniform(0.1, 0.5);
      at.scale = {s, s, s * random.uniform(0.5, 1.5)};
      const Transform to{core::normalized(random.rotation(random.uniform(0, 1.0)) * at.rotation),
                         at.translation + random.vector(0, 0.5)};
      const InBetween kind = i == 2 ? InBetween::kTranslateRotate : InBetween::kScrew;
      const std::string name = "body " + std::to_string(i);
      const ObjectId id = scene.add(name, mesh.mesh, at).value();
      if (i != 3) test::done(scene.move(id, to, kind));  // the last one stands
      if (i == 1 && round % 4 == 0) test::done(scene.deactivate(id));
      then.push_back(mesh_of(name, moved(mesh, at, to, kind, i == 3 ? 0.0 : t), mesh.triangles));
      if (i == 1 && round % 4 == 0) then.back().triangles.clear();
    }
    const Detector detector = scene.snapshot().value();
    const Detector flat = Detector::make(Environment::create(then).value()).value();
    const RandomTake take = test::random_take(random, 6, 2, 0.5, 0.3);
    const Step step = take.motion.steps().value().front();
    const double within = round % 2 == 0 ? 0.2 : 2.0;
    expect_near(detector.nearest(take.avatar, step, t, within).value(),
                flat.nearest(take.avatar, step, t, within).value(), within, totals);
  }
  EXPECT_GT(totals.pairs, 400U);
  EXPECT_GT(totals.inside, 20U);
}

TEST(SceneDistances, OfObjectsThatDeformAreThoseOfWhereTheyAre) {
  RandomLinks random(2802);
  Compared totals;
  for (int round = 0; round < 60; ++round) {
    const double t = round % 3 == 0 ? 0.0 : round % 3 == 1 ? 1.0 : random.uniform(0, 1);
    Scene scene = Scene::make().value();
    std::vector<ObjectMesh> then;
    for (int i = 0; i < 2; ++i) {
      const test::WorldMesh mesh = i == 0 ? test::box_mesh() : test::cloud_mesh(random, 20);
      ShapePlacement at;
      at.translation = random.vector(0, 0.5);
      at.rotation = random.rotation(random.uniform(0, 3.0));
      const double s = random.uniform(0.2, 0.5);
      at.scale = {round % 2 == 0 ? s : -s, s, s};
      std::vector<Vec3f> to = mesh.vertices;
      std::vector<Vec3> corners;
      for (Vec3f& v : to) {
        const auto from = test::placed_exactly(at, v);
        const Vec3 p = core::to_double(v) + random.vector(0, 0.4);
        v = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
        const auto end = test::placed_exactly(at, v);
        const auto between = [&](std::size_t k) {
          return static_cast<double>(from[k] + static_cast<long double>(t) * (end[k] - from[k]));
        };
        corners.push_back({between(0), between(1), between(2)});
      }
      const std::string name = "cloth " + std::to_string(i);
      test::done(scene.deform(scene.add(name, mesh.mesh, at).value(), to));
      std::vector<TriangleIndices> triangles = mesh.triangles;
      if (at.scale.x < 0) {
        for (TriangleIndices& one : triangles) std::swap(one[1], one[2]);
      }
      then.push_back(mesh_of(name, corners, triangles));
    }
    const Detector detector = scene.snapshot().value();
    const Detector flat = Detector::make(Environment::create(then).value()).value();
    const RandomTake take = test::random_take(random, 6, 2, 0.5, 0.3);
    const Step step = take.motion.steps().value().front();
    const double within = round % 2 == 0 ? 0.2 : 2.0;
    expect_near(detector.nearest(take.avatar, step, t, within).value(),
                flat.nearest(take.avatar, step, t, within).value(), within, totals);
  }
  EXPECT_GT(totals.pairs, 300U);
  EXPECT_GT(totals.inside, 15U);
}

}  // namespace
}  // namespace tocsin::scene_distances_test
