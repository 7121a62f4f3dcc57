// Objects that change their shape and go elsewhere in the same step.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "detect/scene/random_world.h"
#include "support/scenes/random_scene.h"
#include "tocsin/scene.h"

namespace tocsin::deform_to_test {
namespace {

using test::RandomLinks;

/// A place whose arithmetic has no rounding, for corners that are multiples of 1/256.
ShapePlacement exact_place(RandomLinks& random) {
  const std::vector<Quat> turns{
      {1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0, 1}, {0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, 0.5, -0.5}};
  const std::vector<double> scales{0.25, 0.5, 1.0, 2.0};
  const auto near = [&] { return std::round(64.0 * random.uniform(-0.5, 0.5)) / 64.0; };
  const auto scale = [&] { return scales[random.below(3)]; };
  return {{near(), near(), near()}, turns[random.below(turns.size())], {scale(), scale(), scale()}};
}

std::vector<Vec3f> moved_by_hand(const ShapePlacement& at, const std::vector<Vec3f>& vertices) {
  std::vector<Vec3f> out;
  for (const Vec3f& v : vertices) {
    const auto p = test::placed_exactly(at, v);
    out.push_back({static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
  }
  return out;
}

std::vector<Vec3f> coarse(const std::vector<Vec3f>& vertices) {
  std::vector<Vec3f> out;
  const auto near = [](float x) { return std::round(256.0F * x) / 256.0F; };
  for (const Vec3f& v : vertices) out.push_back({near(v.x), near(v.y), near(v.z)});
  return out;
}

// The same corners on the same lines, told in two ways: no bit of a report differs.
TEST(DeformingObjects, ThatGoElsewhereAreThoseWhoseCornersWereMovedByHand) {
  RandomLinks random(41);
  const test::WorldMesh box = test::box_mesh();
  std::size_t contacts = 0;
  std::size_t near = 0;
  std::size_t meetings = 0;
  for (int round = 0; round < 60; ++round) {
    const test::WorldMesh cloud = test::cloud_mesh(random, 12);
    const bool closed = round % 2 == 0;
    const std::vector<Vec3f> own = closed ? box.vertices : coarse(cloud.vertices);
    const auto& triangles = closed ? box.triangles : cloud.triangles;
    std::vector<Vec3f> bent = own;
    const bool bends = round % 3 != 0;
    for (Vec3f& v : bent) v.x += bends ? std::round(256.0F * v.y * v.z / 4.0F) / 256.0F : 0.0F;
    const ShapePlacement from = exact_place(random);
    const ShapePlacement to = exact_place(random);
    const test::RandomTake take = test::random_take(random, 4, 3, 0.4, 0.05);
    const StepList steps = take.motion.steps().value();
    std::vector<Scene> scenes;
    std::vector<Detector> now;
    for (const bool by_hand : {false, true}) {
      Scene& scene = scenes.emplace_back(Scene::make().value());
      const auto start = by_hand ? moved_by_hand(from, own) : own;
      const Mesh mesh = Mesh::create(start, triangles).value();
      const ObjectId id = scene.add("it", mesh, by_hand ? ShapePlacement{} : from).value();
      static_cast<void>(scene.add("stands", box.mesh, {{0.8, 0, 0}, {}, {0.3, 0.3, 0.3}}).value());
      if (by_hand) {
        test::done(scene.deform(id, moved_by_hand(to, bent)));
      } else {
        test::done(scene.deform(id, bends ? bent : std::vector<Vec3f>(), to));
      }
      now.push_back(scene.snapshot().value());
      now.push_back(scene.snapshot().value());  // it stands at the end
    }
    for (std::size_t k = 0; k < 2; ++k) {
      const StepReport told = now[k].check(take.avatar, steps[k]);
      EXPECT_EQ(told.contacts, now[2 + k].check(take.avatar, steps[k]).contacts) << round;
      contacts += told.contacts.size();
      const auto distances = now[k].nearest(take.avatar, steps[k], 0.75, 0.3).value();
      EXPECT_EQ(distances, now[2 + k].nearest(take.avatar, steps[k], 0.75, 0.3).value()) << round;
      near += distances.size();
    }
    const auto objects = now[0].check_objects();
    const auto by_hand = now[2].check_objects();
    ASSERT_EQ(objects.size(), 1U);
    ASSERT_EQ(by_hand.size(), 1U);
    EXPECT_EQ(objects[0].report.contacts, by_hand[0].report.contacts) << round;
    meetings += objects[0].report.contacts.size();
  }
  EXPECT_GT(contacts, 60U);
  EXPECT_GT(near, 200U);
  EXPECT_GT(meetings, 15U);
}

TEST(DeformingObjects, GoOnFromWhereTheyWent) {
  Scene scene = Scene::make().value();
  const test::WorldMesh box = test::box_mesh();
  const ObjectId id = scene.add("box", box.mesh, {{5, 0, 0}, {}}).value();
  test::done(scene.deform(id, {}, {{8, 0, 0}, {}, {2, 2, 2}}));
  EXPECT_FALSE(scene.move(id, {{}, {1, 0, 0}}).ok());
  static_cast<void>(scene.snapshot().value());
  test::done(scene.move(id, {{}, {4, 0, 0}}));  // at the scale that it has now
  const auto reports = scene.snapshot().value().check_objects();
  ASSERT_EQ(reports.size(), 1U);
  const Detector after = scene.snapshot().value();
  const std::uint32_t first = after.environment().objects()[0].first_triangle;
  EXPECT_EQ(after.environment().corners(first)[0], (Vec3f{2, -2, -2}));
  // What it was told of last counts.
  test::done(scene.deform(id, {}, {{0, 0, 0}, {}, {1, 1, 1}}));
  test::done(scene.deform(id, box.vertices));
  static_cast<void>(scene.snapshot().value());
  const Detector stays = scene.snapshot().value();
  EXPECT_EQ(stays.environment().corners(first)[0], (Vec3f{2, -2, -2}));
  test::done(scene.deform(id, {}, {{9, 0, 0}, {}, {1, 1, 1}}));
  test::done(scene.place(id, {{7, 0, 0}, {}}));  // and goes from there
  EXPECT_FALSE(scene.place(id, {{7, 0, 0}, {}, {-1, 1, 1}}).ok());
  EXPECT_FALSE(scene.deform(id, {}, {{7, 0, 0}, {}, {1, -1, 1}}).ok());
  EXPECT_FALSE(scene.deform(id, {}, {{7, 0, 0}, {}, {1, 0, 1}}).ok());
  EXPECT_FALSE(scene.deform(id, {}, {{1e6, 0, 0}, {}}).ok());
  static_cast<void>(scene.snapshot().value());
  const Detector end = scene.snapshot().value();
  EXPECT_EQ(end.environment().corners(first)[0], (Vec3f{8, -1, -1}));
}

}  // namespace
}  // namespace tocsin::deform_to_test
