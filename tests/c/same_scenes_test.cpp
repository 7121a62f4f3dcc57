// Scenes and distances of the C interface are those of the C++ one, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "c/c_objects.h"
#include "support/same_reports.h"
#include "support/scenes/random_crowd.h"
#include "tocsin/nearest.h"
#include "tocsin/scene.h"

namespace tocsin::same_scenes_test {
namespace {

using test::must;
using test::Owned;
using test::RandomLinks;

tocsin_placement c_placement(const ShapePlacement& at) {
  const tocsin_transform t = test::c_transform({at.rotation, at.translation});
  return {t.translation, t.rotation, test::c_vec(at.scale)};
}

/// A scene, and the same in C: every change is made in both.
struct TwoScenes {
  struct Thing {
    ObjectId id{};
    tocsin_object_id c = 0;
  };

  void add(const std::string& name, const Mesh& mesh, tocsin_mesh c_mesh,
           const ShapePlacement& at) {
    Thing thing;
    thing.id = scene.add(name, mesh, at).value();
    const tocsin_placement place = c_placement(at);
    must(tocsin_scene_add(c_scene, name.c_str(), c_mesh, &place, &thing.c));
    things.push_back(thing);
  }

  Scene scene = Scene::make().value();
  Owned<tocsin_scene> c_scene{tocsin_scene_create, nullptr};
  std::vector<Thing> things;
};

ShapePlacement random_place(RandomLinks& random) {
  ShapePlacement at;
  at.translation = random.vector(0, 1.5);
  at.rotation = random.rotation(random.uniform(0, 3));
  const double s = random.uniform(0.2, 0.5);
  at.scale = {s, s, -s};
  return at;
}

Transform random_goal(RandomLinks& random) {
  return {random.rotation(random.uniform(0, 1)), random.vector(0, 1.5)};
}

/// One change of one object, in both.
void change(TwoScenes& two, RandomLinks& random, const Mesh& mesh, tocsin_mesh c_mesh, int what) {
  const auto pick =
      static_cast<std::size_t>(random.uniform(0, 1) * static_cast<double>(two.things.size()));
  auto& [id, c] = two.things[std::min(pick, two.things.size() - 1)];
  const auto same = [&](const Status& status, tocsin_status c_status) {
    EXPECT_EQ(status.ok(), c_status == TOCSIN_OK);
    if (!status.ok()) {
      EXPECT_EQ(status.error().message, tocsin_last_error());
    }
  };
  switch (what) {
    case 0: {
      const ShapePlacement at = random_place(random);
      const tocsin_placement place = c_placement(at);
      same(two.scene.place(id, at), tocsin_scene_place(two.c_scene, c, &place));
      break;
    }
    case 1:
    case 2: {
      const Transform to = random_goal(random);
      const tocsin_transform c_to = test::c_transform(to);
      const int kind = what == 1 ? TOCSIN_SCREW : TOCSIN_TRANSLATE_ROTATE;
      same(two.scene.move(id, to, what == 1 ? InBetween::kScrew : InBetween::kTranslateRotate),
           tocsin_scene_move(two.c_scene, c, &c_to, kind));
      break;
    }
    case 3:
      same(two.scene.deactivate(id), tocsin_scene_deactivate(two.c_scene, c));
      break;
    case 4:
      same(two.scene.activate(id), tocsin_scene_activate(two.c_scene, c));
      break;
    case 5:
      same(two.scene.replace(id, mesh), tocsin_scene_replace(two.c_scene, c, c_mesh));
      break;
    default: {
      const ObjectId other = two.things.front().id;
      same(two.scene.deactivate_pair(id, other),
           tocsin_scene_deactivate_pair(two.c_scene, c, two.things.front().c));
    }
  }
}

TEST(CSameScenes, WhateverHappensInThem) {
  RandomLinks random(21);
  test::RandomCrowd crowd = test::random_crowd(random, 4, 20, 0.8, false);
  std::vector<Owned<tocsin_member>> owned;
  std::vector<tocsin_member> members;
  for (const Member& member : crowd.members) {
    const auto avatar = test::c_avatar(member.avatar);
    members.push_back(owned.emplace_back(tocsin_member_create, static_cast<tocsin_avatar>(avatar),
                                         nullptr, nullptr));
  }
  const Shape box = Shape::box({1, 0.5, 0.5}).value();
  const Shape cone = Shape::cone(0.6, 1.0, 0.01).value();
  const tocsin_vec3 half{1, 0.5, 0.5};
  const Owned<tocsin_shape> c_box(tocsin_shape_box, &half, 0.0);
  const Owned<tocsin_shape> c_cone(tocsin_shape_cone, 0.6, 1.0, 0.01, 0.0);
  const Mesh meshes[] = {Mesh::of(box).value(), Mesh::of(cone).value()};
  const Owned<tocsin_mesh> c_meshes[] = {
      Owned<tocsin_mesh>(tocsin_mesh_of_shape, static_cast<tocsin_shape>(c_box)),
      Owned<tocsin_mesh>(tocsin_mesh_of_shape, static_cast<tocsin_shape>(c_cone))};
  TwoScenes two;
  for (std::size_t i = 0; i < 12; ++i) {
    two.add("thing " + std::to_string(i), meshes[i % 2], c_meshes[i % 2], random_place(random));
  }
  const Owned<tocsin_reports> reports(tocsin_reports_create);
  std::size_t contacts = 0;
  std::size_t moved = 0;
  for (std::size_t instant = 0; instant < 19; ++instant) {
    for (int k = 0; k < 4; ++k) {
      const int what = static_cast<int>(random.uniform(0, 6.99));
      change(two, random, meshes[0], c_meshes[0], k < 2 ? 1 + k : what);
    }
    const Detector snapshot = two.scene.snapshot().value();
    const Owned<tocsin_detector> c_snapshot(tocsin_scene_snapshot,
                                            static_cast<tocsin_scene>(two.c_scene));
    const std::vector<Step> steps = crowd.at(instant);
    std::vector<Owned<tocsin_step>> held;
    std::vector<tocsin_step> c_steps;
    for (const Step& step : steps) c_steps.push_back(held.emplace_back(test::c_step(step)));
    tocsin_check_options meet{};
    meet.size = sizeof meet;
    meet.meet = 1;
    must(
        tocsin_detector_check_scene(c_snapshot, members.data(), c_steps.data(), 4, &meet, reports));
    const SceneReport want = check_scene(snapshot, crowd.members, steps, {.meet = true});
    auto got = test::reports_from(reports);
    ASSERT_EQ(got.size(), want.members.size() + want.objects.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      const bool member = i < 4;
      StepReport truth = member ? want.members[i] : want.objects[i - 4].report;
      tocsin_report head{};
      head.size = sizeof head;
      must(tocsin_reports_get(reports, i, &head));
      EXPECT_EQ(head.object, member ? -1 : static_cast<std::int32_t>(want.objects[i - 4].object));
      truth.step = got[i].step;  // a step of two poses counts from 0
      truth.frames = got[i].frames;
      truth.avatar = member ? truth.avatar : -1;
      test::expect_same(got[i], truth);
      contacts += truth.contacts.size();
      moved += member ? 0 : 1;
    }
  }
  EXPECT_GT(contacts, 100U);
  EXPECT_GT(moved, 20U);
}

TEST(CSameScenes, RoomsNamesSwitchesAndPatterns) {
  RandomLinks random(22);
  const Environment room = test::random_room(random, 3, 80, 0.4);
  const auto c_room = test::c_room(room);
  const Owned<tocsin_scene> scene(tocsin_scene_create, nullptr);
  std::size_t count = 0;
  must(tocsin_scene_add_environment(scene, c_room, &count));
  EXPECT_EQ(count, 3U);
  must(tocsin_scene_size(scene, &count));
  EXPECT_EQ(count, 3U);
  EXPECT_EQ(tocsin_scene_add_environment(scene, c_room, nullptr), TOCSIN_ERROR_INPUT);
  must(tocsin_scene_size(scene, &count));
  EXPECT_EQ(count, 3U);

  tocsin_object_id object = 0;
  must(tocsin_scene_find(scene, "object1", &object));
  EXPECT_NE(object, 0U);
  tocsin_object_id none = 1;
  must(tocsin_scene_find(scene, "nothing", &none));
  EXPECT_EQ(none, 0U);
  std::uint32_t index = 0;
  must(tocsin_scene_index_of(scene, object, &index));
  EXPECT_EQ(index, 1U);
  EXPECT_EQ(tocsin_scene_index_of(scene, 12345, &index), TOCSIN_ERROR_USAGE);

  // Who is touched: with all, without object1, by a switch, by a pattern.
  const Detector truth = Detector::make(room).value();
  test::RandomTake take;
  const auto touches_one = [&] {
    const StepReport report = truth.check(take.avatar, take.motion.steps().value()[0]);
    return std::any_of(report.contacts.begin(), report.contacts.end(),
                       [](const Contact& contact) { return contact.room()->object == 1; });
  };
  do {
    take = test::random_take(random, 8, 2, 1.5, 0.5);
  } while (!touches_one());
  const auto avatar = test::c_avatar(take.avatar);
  const Owned<tocsin_member> member(tocsin_member_create, static_cast<tocsin_avatar>(avatar),
                                    nullptr, nullptr);
  const auto step = test::c_step(take.motion.steps().value()[0]);
  const Owned<tocsin_reports> reports(tocsin_reports_create);
  const auto touched = [&](std::uint32_t which) {
    const Owned<tocsin_detector> now(tocsin_scene_snapshot, static_cast<tocsin_scene>(scene));
    must(tocsin_detector_check(now, member, step, nullptr, reports));
    std::size_t times = 0;
    for (const Contact& contact : test::report_from(reports, 0).contacts) {
      times += contact.room()->object == which ? 1 : 0;
    }
    return times;
  };
  const std::size_t usual = touched(1);
  ASSERT_GT(usual, 0U);
  tocsin_switch_id parent = 0;
  must(tocsin_scene_add_switch(scene, &parent));
  must(tocsin_scene_set_switch(scene, object, parent));
  EXPECT_EQ(touched(1), 0U);
  must(tocsin_scene_choose(scene, parent, object));
  EXPECT_EQ(touched(1), usual);
  must(tocsin_scene_choose(scene, parent, 0));
  EXPECT_EQ(touched(1), 0U);
  must(tocsin_scene_clear_switch(scene, object));
  EXPECT_EQ(touched(1), usual);
  must(tocsin_scene_deactivate_pairs(scene, "*:object1"));
  EXPECT_EQ(touched(1), 0U);
  must(tocsin_scene_activate_pairs(scene, "*:object?"));
  EXPECT_EQ(touched(1), usual);
  EXPECT_EQ(tocsin_scene_deactivate_pairs(scene, "no colon"), TOCSIN_ERROR_USAGE);
  must(tocsin_scene_remove(scene, object));
  EXPECT_EQ(touched(1), 0U);
  EXPECT_EQ(tocsin_scene_remove(scene, object), TOCSIN_ERROR_USAGE);

  // A ball around everything: the avatar is inside.
  const Owned<tocsin_mesh> ball(tocsin_mesh_sphere, 20.0, 0.5);
  must(tocsin_scene_add(scene, "ball", ball, nullptr, &object));
  must(tocsin_scene_index_of(scene, object, &index));
  EXPECT_EQ(touched(index), take.avatar.links().size());
  must(tocsin_scene_remove(scene, object));

  // A corner that moves through the avatar.
  tocsin_vec3f vertices[3] = {{5, 5, 5}, {5, 5, 6}, {5, 6, 5}};
  const std::uint32_t triangle[3] = {0, 1, 2};
  const Owned<tocsin_mesh> mesh(tocsin_mesh_create, vertices, 3, triangle, 1);
  must(tocsin_scene_add(scene, "sheet", mesh, nullptr, &object));
  must(tocsin_scene_index_of(scene, object, &index));
  EXPECT_EQ(touched(index), 0U);
  for (auto& v : vertices) v.x = -5;
  vertices[0].y = vertices[0].z = -9;
  vertices[1].y = vertices[2].z = -9;
  vertices[1].z = vertices[2].y = 9;
  must(tocsin_scene_deform(scene, object, vertices, 3));
  EXPECT_GT(touched(index), 0U);
  EXPECT_EQ(tocsin_scene_deform(scene, object, vertices, 2), TOCSIN_ERROR_INPUT);

  // It goes back through the avatar, with and without other corners.
  tocsin_placement to{{10, 0, 0}, {1, 0, 0, 0}, {1, 1, 1}};
  must(tocsin_scene_deform_to(scene, object, nullptr, 0, &to));
  EXPECT_GT(touched(index), 0U);
  EXPECT_EQ(touched(index), 0U);
  must(tocsin_scene_place(scene, object, &to));
  to.translation.x = 0;
  must(tocsin_scene_deform_to(scene, object, vertices, 3, &to));
  EXPECT_GT(touched(index), 0U);
  EXPECT_EQ(tocsin_scene_deform_to(scene, object, vertices, 3, nullptr), TOCSIN_ERROR_USAGE);
  to.scale.x = -1;
  EXPECT_EQ(tocsin_scene_deform_to(scene, object, vertices, 3, &to), TOCSIN_ERROR_INPUT);
}

TEST(CSameScenes, Distances) {
  RandomLinks random(23);
  const tocsin_vec3 half{0.3, 0.2, 0.1};
  const Owned<tocsin_shape> box(tocsin_shape_box, &half, 0.0);
  const Owned<tocsin_shape> cylinder(tocsin_shape_cylinder, 0.2, 0.5, 0.001, 0.01);
  const Owned<tocsin_pair> pair(tocsin_pair_create, static_cast<tocsin_shape>(box),
                                static_cast<tocsin_shape>(cylinder));
  const Shape one = Shape::box({0.3, 0.2, 0.1}).value();
  const Shape other = Shape::cylinder(0.2, 0.5, 0.001, 0.01).value();
  ConvexPair truth(ConvexBody::make(one).value(), ConvexBody::make(other).value());
  int overlaps = 0;
  for (int i = 0; i < 200; ++i) {
    const Transform at = random_goal(random);
    const Transform there = random_goal(random);
    const tocsin_transform c_at = test::c_transform(at);
    const tocsin_transform c_there = test::c_transform(there);
    tocsin_nearest_points points{};
    points.size = sizeof points;
    must(tocsin_nearest(box, &c_at, cylinder, &c_there, &points));
    const ShapeNearest want = nearest(one, at, other, there).value();
    EXPECT_EQ(points.distance, want.distance);
    EXPECT_EQ(points.second.y, want.second.y);
    EXPECT_EQ(points.first_feature, want.first_feature);
    tocsin_convex_points convex{};
    convex.size = sizeof convex;
    must(tocsin_pair_nearest(pair, &c_at, &c_there, &convex));
    const ConvexNearest exact = truth.nearest(at, there).value();
    EXPECT_EQ(convex.distance, exact.distance);
    EXPECT_EQ(convex.error, exact.error);
    EXPECT_EQ(convex.normal.x, exact.normal.x);
    EXPECT_EQ(convex.status, static_cast<int>(exact.status));
    overlaps += convex.status == TOCSIN_PENETRATING ? 1 : 0;
  }
  EXPECT_GT(overlaps, 5);
  EXPECT_LT(overlaps, 195);
}

}  // namespace
}  // namespace tocsin::same_scenes_test
