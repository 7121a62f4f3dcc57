// Objects that move are checked on their way, as bodies that meet are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "detect/scene/random_world.h"
#include "scene/tree/contact_order.h"
#include "support/same_reports.h"
#include "support/scenes/random_crowd.h"
#include "support/scenes/random_scene.h"
#include "tocsin/scene.h"

namespace tocsin::moving_test {
namespace {

using test::RandomLinks;
using test::RandomTake;

/// An object that moves, and the same thing as an avatar with one link.
struct Body {
  ObjectId id{};
  std::uint32_t index = 0;
  Member member;
  Motion motion;
  Step step;
};

Member body_member(const test::WorldMesh& mesh, const Vec3& scale) {
  std::vector<Vec3> corners;
  for (const Vec3f& v : mesh.vertices) {
    corners.push_back({scale.x * double{v.x}, scale.y * double{v.y}, scale.z * double{v.z}});
  }
  std::vector<Link> links;
  links.push_back(
      link_of_shape("body", 0, Shape::mesh(std::move(corners), mesh.triangles).value()));
  return Avatar::create("body", Skeleton::create({{"body", -1, {}}}).value(), std::move(links))
      .value();
}

/// Some objects that move, in a scene of their own.
struct Movement {
  Scene scene = Scene::make().value();
  std::vector<Body> bodies;

  void add(RandomLinks& random, const test::WorldMesh& mesh, double size) {
    Body body;
    ShapePlacement at;
    at.translation = random.vector(0, size);
    at.rotation = random.rotation(random.uniform(0, 3.0));
    const double s = random.uniform(0.1, 0.5);
    at.scale = {s, s, s * random.uniform(0.5, 1.5)};
    const Transform from{at.rotation, at.translation};
    const Transform to{core::normalized(random.rotation(random.uniform(0, 1.0)) * at.rotation),
                       at.translation + random.vector(0, 0.5)};
    const InBetween kind = bodies.size() % 3 == 2 ? InBetween::kTranslateRotate : InBetween::kScrew;
    body.id = scene.add("body " + std::to_string(bodies.size()), mesh.mesh, at).value();
    test::done(scene.move(body.id, to, kind));
    body.member = body_member(mesh, at.scale);
    body.motion = Motion::create(body.member.avatar.skeleton(), 1.0, {from, to}).value();
    StepRange range;
    range.in_between = kind;
    body.step = body.motion.steps(range).value().front();
    bodies.push_back(std::move(body));
  }
};

std::vector<test::WorldMesh> some_meshes(RandomLinks& random) {
  std::vector<test::WorldMesh> out;
  out.push_back(test::box_mesh());
  out.push_back(test::cloud_mesh(random, 5));
  out.push_back(test::cloud_mesh(random, 60));
  return out;
}

/// The contact of two bodies in the words of a scene.
Contact with_object(Contact c, std::uint32_t object) {
  c.touched = RoomTriangle{object, c.other_feature.value()};
  c.other_feature.reset();
  return c;
}

bool same_pair(const Contact& p, const Contact& q) {
  return p.link == q.link && p.party() == q.party();
}

/// Who is inside a solid at the start is in contact with it then, whatever it touches later: those
/// have tests of their own.
void expect_same_outside(std::vector<Contact> got, std::vector<Contact> want) {
  const std::vector<Contact> all = got;
  const auto held = [&](const Contact& c) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Contact& other) { return other.inside && same_pair(c, other); });
  };
  std::erase_if(got, held);
  std::erase_if(want, held);
  EXPECT_EQ(got, want);
}

TEST(MovingObjects, TouchAvatarsAsBodiesThatMeetThem) {
  RandomLinks random(31);
  const auto meshes = some_meshes(random);
  const Detector nothing = Detector::make(Environment()).value();
  std::size_t contacts = 0;
  std::size_t hits = 0;
  std::size_t pairs = 0;
  for (int round = 0; round < 300; ++round) {
    Movement world;
    for (int i = 0; i < 4; ++i) world.add(random, meshes[random.below(meshes.size())], 0.7);
    const Detector detector = world.scene.snapshot().value();
    const RandomTake take = test::random_take(random, 6, 2, 0.5, 0.3);
    const Step step = take.motion.steps().value().front();
    std::vector<Contact> want;
    for (const Body& body : world.bodies) {
      const std::vector<Member> both{take.avatar, body.member};
      const std::vector<Step> steps{step, body.step};
      const auto reports = nothing.check_batch(both, steps, {.meet = true});
      ASSERT_FALSE(reports[0].error);
      const std::uint32_t index = world.scene.index_of(body.id).value();
      for (const Contact& c : reports[0].contacts) want.push_back(with_object(c, index));
    }
    scene::sort_contacts(want);
    const StepReport got = detector.check(take.avatar, step);
    ASSERT_FALSE(got.error);
    expect_same_outside(got.contacts, want);
    pairs += take.avatar.links().size() * world.bodies.size();
    contacts += want.size();
    for (const Contact& c : want) hits += c.status == ContactStatus::kHit ? 1 : 0;
  }
  EXPECT_GT(contacts, pairs / 5);
  EXPECT_LT(contacts, pairs * 4 / 5);
  EXPECT_GT(hits, contacts / 10);
}

TEST(MovingObjects, TouchEachOtherAndWhatStands) {
  RandomLinks random(32);
  const auto meshes = some_meshes(random);
  const Detector nothing = Detector::make(Environment()).value();
  std::size_t mutual = 0;
  std::size_t with_room = 0;
  for (int round = 0; round < 120; ++round) {
    Movement world;
    const Environment room = test::random_room(random, 2, 12, 1.0);
    const auto standing = world.scene.add(room).value();
    for (int i = 0; i < 5; ++i) world.add(random, meshes[random.below(meshes.size())], 0.9);
    const Detector detector = world.scene.snapshot().value();
    const Detector flat = Detector::make(room).value();
    const std::vector<ObjectReport> got = detector.check_objects({.threads = 1 + round % 3});
    ASSERT_EQ(got.size(), world.bodies.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].object, world.scene.index_of(world.bodies[i].id).value());
      const Body& body = world.bodies[i];
      // The room's objects come first in the scene: their indices are the same.
      std::vector<Contact> want = flat.check(body.member, body.step).contacts;
      with_room += want.size();
      for (std::size_t j = i + 1; j < got.size(); ++j) {
        const std::vector<Member> both{body.member, world.bodies[j].member};
        const std::vector<Step> steps{body.step, world.bodies[j].step};
        const auto reports = nothing.check_batch(both, steps, {.meet = true});
        for (const Contact& c : reports[0].contacts) {
          want.push_back(with_object(c, got[j].object));
          ++mutual;
        }
      }
      expect_same_outside(got[i].report.value().contacts, want);
    }
  }
  EXPECT_GT(mutual, 200U);
  EXPECT_GT(with_room, 200U);
}

/// A hand that rests at the origin: a ball of 5 cm.
struct Hand {
  Avatar avatar;
  Step step;
};
Hand resting_hand() {
  Skeleton skeleton = Skeleton::create({{"hand", -1, {}}}).value();
  Motion motion = Motion::create(skeleton, 1.0, {Transform{}, Transform{}}).value();
  std::vector<Link> links{{"hand", 0, {}, {}, 0.05, {}}};
  return {Avatar::create("hand", std::move(skeleton), std::move(links)).value(),
          motion.steps().value().front()};
}

TEST(MovingObjects, HitWhatStandsStillWhenTheyGetThere) {
  const Hand hand = resting_hand();
  Scene scene = Scene::make().value();
  ShapePlacement at;
  at.translation = {-3, 0, 0};
  at.scale = {0.5, 0.5, 0.5};  // its face is at -2.5
  const ObjectId box = scene.add("box", test::box_mesh().mesh, at).value();
  EXPECT_TRUE(scene.snapshot().value().check(hand.avatar, hand.step).contacts.empty());
  test::done(scene.move(box, {{}, {1, 0, 0}}));  // past the hand
  const StepReport passing = scene.snapshot().value().check(hand.avatar, hand.step);
  ASSERT_EQ(passing.contacts.size(), 1U);
  const Contact& c = passing.contacts.front();
  EXPECT_EQ(c.status, ContactStatus::kHit);
  const double when = (2.5 - 0.05) / 4.0;
  EXPECT_LE(c.toc[0], when);
  EXPECT_GE(c.toc[1], when);
  EXPECT_LT(c.toc[1] - c.toc[0], 1e-8);
  EXPECT_EQ(passing.safe_until, c.toc[0]);
  // Then it stands on the other side, and nothing moves.
  const Detector after = scene.snapshot().value();
  EXPECT_TRUE(after.check(hand.avatar, hand.step).contacts.empty());
  EXPECT_EQ(after.environment().corners(0)[0], (Vec3f{0.5F, -0.5F, -0.5F}));
  EXPECT_EQ(after.environment().bounds(),
            (std::array<Vec3f, 2>{{{0.5F, -0.5F, -0.5F}, {1.5F, 0.5F, 0.5F}}}));
  // A jump back claims nothing about the way.
  test::done(scene.place(box, at));
  EXPECT_TRUE(scene.snapshot().value().check(hand.avatar, hand.step).contacts.empty());
  // A move that a jump overrules does not take place.
  test::done(scene.move(box, {{}, {1, 0, 0}}));
  test::done(scene.place(box, at));
  EXPECT_TRUE(scene.snapshot().value().check(hand.avatar, hand.step).contacts.empty());
}

/// A pile of boxes that touch each other, of which some are told to move to where they are.
TEST(MovingObjects, ThatMoveNowhereRest) {
  RandomLinks random(35);
  std::size_t contacts = 0;
  for (int round = 0; round < 12; ++round) {
    DetectorOptions options;
    options.clearance = true;
    Scene told = Scene::make(options).value();
    Scene left = Scene::make(options).value();
    std::vector<std::pair<ObjectId, ShapePlacement>> pile;
    for (int i = 0; i < 30; ++i) {
      ShapePlacement at;
      at.translation = random.vector(0, 0.6);
      at.rotation = random.rotation(random.uniform(0, 3.0));
      at.scale = {0.1, 0.1, 0.1};
      const std::string name = "box " + std::to_string(i);
      pile.emplace_back(told.add(name, test::box_mesh().mesh, at).value(), at);
      static_cast<void>(left.add(name, test::box_mesh().mesh, at).value());
    }
    const auto rest = [&] {
      for (const auto& [id, at] : pile) {
        test::done(told.move(id, {at.rotation, at.translation + Vec3{1, 0, 0}}));  // overruled
        const Quat& q = at.rotation;
        test::done(told.move(id, {{-q.w, -q.x, -q.y, -q.z}, at.translation}));
        test::done(told.move(id, {q, at.translation}, InBetween::kTranslateRotate));
      }
    };
    rest();
    EXPECT_TRUE(told.snapshot().value().check_objects().empty());
    // One moves there, and is then told the same again; another one flies through all.
    const ShapePlacement start{{0, 0, -2}, {}, {0.1, 0.1, 0.1}};
    std::vector<std::vector<ObjectReport>> reports;
    std::vector<StepReport> of_avatar;
    const RandomTake take = test::random_take(random, 6, 2, 0.5, 0.3);
    for (Scene* const scene : {&told, &left}) {
      const ObjectId late = scene->add("late", test::box_mesh().mesh, start).value();
      const ObjectId flies = scene->add("flies", test::box_mesh().mesh, start).value();
      const Transform end{{}, {0.1, 0.1, 0}};
      test::done(scene->move(late, end));
      ASSERT_EQ(scene->snapshot().value().check_objects().size(), 1U);
      if (scene == &told) rest();
      if (scene == &told) test::done(scene->move(late, end));
      test::done(scene->move(flies, {{}, {0, 0, 2}}));
      const Detector now = scene->snapshot().value();
      reports.push_back(now.check_objects());
      of_avatar.push_back(now.check(take.avatar, take.motion.steps().value().front()));
    }
    ASSERT_EQ(reports[0].size(), 1U);
    ASSERT_EQ(reports[1].size(), 1U);
    test::expect_same(reports[0][0].report, reports[1][0].report);
    test::expect_same(of_avatar[0], of_avatar[1]);
    contacts += reports[0][0].report.value().contacts.size() + of_avatar[0].contacts.size();
  }
  EXPECT_GT(contacts, 100U);
}

TEST(MovingObjects, HoldWhoIsInsideThemAtTheStart) {
  const Hand hand = resting_hand();
  Scene scene = Scene::make().value();
  const ObjectId box = scene.add("box", test::box_mesh().mesh, {{0.2, 0, 0}, {}}).value();
  const StepReport standing = scene.snapshot().value().check(hand.avatar, hand.step);
  ASSERT_EQ(standing.contacts.size(), 1U);
  EXPECT_TRUE(standing.contacts.front().inside);
  test::done(scene.move(box, {{}, {0.3, 0, 0}}));
  const StepReport moving = scene.snapshot().value().check(hand.avatar, hand.step);
  ASSERT_EQ(moving.contacts.size(), 1U);
  EXPECT_TRUE(moving.contacts.front().inside);
  EXPECT_EQ(moving.contacts.front().depth, standing.contacts.front().depth);
  EXPECT_EQ(moving.safe_until, 0.0);
  // A box that leaves the hand behind is left by it: inside counts, whatever comes later.
  test::done(scene.move(box, {{}, {5, 0, 0}}));
  const StepReport leaving = scene.snapshot().value().check(hand.avatar, hand.step);
  ASSERT_EQ(leaving.contacts.size(), 1U);
  EXPECT_EQ(leaving.contacts.front().status, ContactStatus::kOverlap);
}

TEST(MovingObjects, ClearancesAndMarginsCountThem) {
  const Hand hand = resting_hand();
  DetectorOptions options;
  options.clearance = true;
  options.margin = 0.01;
  Scene scene = Scene::make(options).value();
  ShapePlacement at;
  at.translation = {-3, 0, 0};
  at.scale = {0.5, 0.5, 0.5};
  const ObjectId box = scene.add("box", test::box_mesh().mesh, at).value();
  test::done(scene.move(box, {{}, {-1, 0, 0}}));  // its face ends at -0.5
  const StepReport near = scene.snapshot().value().check(hand.avatar, hand.step);
  EXPECT_TRUE(near.contacts.empty());
  ASSERT_EQ(near.clearances.size(), 1U);
  EXPECT_LE(near.clearances[0], 0.5 - 0.06);
  EXPECT_GT(near.clearances[0], 0.5 - 0.06 - 0.05);
  test::done(scene.move(box, {{}, {-0.555, 0, 0}}));  // within the margin at the end
  const StepReport touching = scene.snapshot().value().check(hand.avatar, hand.step);
  ASSERT_EQ(touching.contacts.size(), 1U);
  EXPECT_EQ(touching.clearances[0], 0.0);
}

TEST(MovingObjects, AreCheckedBesideAvatarsThatMeet) {
  RandomLinks random(33);
  const test::RandomCrowd crowd = test::random_crowd(random, 6, 4, 0.5, false);
  Movement world;
  for (int i = 0; i < 3; ++i) world.add(random, test::box_mesh(), 0.8);
  const Detector detector = world.scene.snapshot().value();
  const Detector nothing = Detector::make(Environment()).value();
  const std::vector<Step> steps = crowd.at(1);
  const auto got = detector.check_batch(crowd.members, steps, {.meet = true});
  const auto meeting = nothing.check_batch(crowd.members, steps, {.meet = true});
  const SceneReport all = check_scene(detector, crowd.members, steps);
  test::expect_same(all.members, got);
  ASSERT_EQ(all.objects.size(), 3U);
  const auto alone_objects = detector.check_objects();
  for (std::size_t i = 0; i < 3; ++i) {
    test::expect_same(all.objects[i].report, alone_objects[i].report);
  }
  std::size_t met = 0;
  std::size_t objects = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    const StepReport alone = detector.check(crowd.members[i], steps[i]);
    std::vector<Contact> want = alone.contacts;
    objects += want.size();
    met += meeting[i].contacts.size();
    want.insert(want.end(), meeting[i].contacts.begin(), meeting[i].contacts.end());
    scene::sort_contacts(want);
    EXPECT_EQ(got[i].contacts, want);
  }
  EXPECT_GT(met, 2U);
  EXPECT_GT(objects, 2U);
}

TEST(MovingObjects, AreToldWithinABudget) {
  RandomLinks random(34);
  std::size_t contacts = 0;
  std::size_t partial = 0;
  for (int round = 0; round < 30; ++round) {
    DetectorOptions options;
    options.clearance = round % 2 == 0;
    Movement world;
    world.scene = Scene::make(options).value();
    ASSERT_TRUE(world.scene.add(test::random_room(random, 2, 12, 1.0)).ok());
    for (int i = 0; i < 3; ++i) world.add(random, test::box_mesh(), 0.7);
    test::done(world.scene.deactivate_pairs("link1:object*"));
    const Detector detector = world.scene.snapshot().value();
    const RandomTake take = test::random_take(random, 6, 2, 0.5, 0.3);
    const Step step = take.motion.steps().value().front();
    const StepReport want = detector.check(take.avatar, step);
    contacts += want.contacts.size();
    for (std::uint64_t work = 1;; work = 2 * work) {
      const StepReport got = detector.check_within(take.avatar, step, {.work = work});
      ASSERT_FALSE(got.error);
      if (got.complete) {
        EXPECT_EQ(got.contacts, want.contacts);
        EXPECT_EQ(got.clearances, want.clearances);
        EXPECT_EQ(got.safe_until, want.safe_until);
        break;
      }
      ++partial;
      std::vector<Contact> begun;
      for (const Contact& c : want.contacts) {
        if (c.toc[0] < got.checked_until) begun.push_back(c);
      }
      EXPECT_EQ(got.contacts, begun);
    }
  }
  EXPECT_GT(contacts, 60U);
  EXPECT_GT(partial, 60U);
}

}  // namespace
}  // namespace tocsin::moving_test
