// Where a scene could miss a contact, or lose an object: margins, sizes, far places, changed
// numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "detect/scene/random_world.h"
#include "tocsin/scene.h"
#include "tocsin/stream.h"

namespace tocsin::scene_limits_test {
namespace {

using test::done;

/// A box with edges of 1 about a place.
ShapePlacement half_box(const Vec3& at) {
  ShapePlacement out{at, {}};
  out.scale = {0.5, 0.5, 0.5};
  return out;
}

struct Ball {
  Avatar avatar;
  Step step;
};
Ball resting_ball(const Vec3& at, double radius) {
  Skeleton skeleton = Skeleton::create({{"ball", -1, {}}}).value();
  const Transform pose{{}, at};
  Motion motion = Motion::create(skeleton, 1.0, {pose, pose}).value();
  std::vector<Link> links{{"ball", 0, {}, {}, radius, {}}};
  return {Avatar::create("ball", std::move(skeleton), std::move(links)).value(),
          motion.steps().value().front()};
}

std::size_t contacts_of_objects(const Detector& detector) {
  std::size_t out = 0;
  for (const ObjectReport& one : detector.check_objects()) {
    out += one.report.value().contacts.size();
  }
  return out;
}

TEST(SceneLimits, TheMarginCountsBetweenObjectsThatMove) {
  const Mesh box = test::box_mesh().mesh;
  for (const double gap : {0.3, 0.9, 1.1}) {
    DetectorOptions options;
    options.margin = 1.0;
    Scene scene = Scene::make(options).value();
    for (int i = 0; i < 60; ++i) {  // more than are compared one by one
      const Vec3 at{0, 100.0 * i, 0};
      const ObjectId a = scene.add("a" + std::to_string(i), box, half_box(at)).value();
      const ObjectId b =
          scene.add("b" + std::to_string(i), box, half_box({1.0 + gap, at.y, 0})).value();
      done(scene.move(a, {{}, {0, at.y, 0.01}}));
      done(scene.move(b, {{}, {1.0 + gap, at.y, 0.01}}));
    }
    const Detector detector = scene.snapshot().value();
    EXPECT_EQ(contacts_of_objects(detector), gap < 1.0 ? 60U : 0U) << gap;
    DetectorOptions other = options;
    other.margin = 0.5;
    EXPECT_EQ(contacts_of_objects(detector.with_options(other).value()), gap < 0.5 ? 60U : 0U);
    other.margin = 1.2;
    EXPECT_EQ(contacts_of_objects(detector.with_options(other).value()), 60U);
  }
}

TEST(SceneLimits, AnObjectThatCannotMoveAtItsScaleSaysSo) {
  // Turned to the diagonal its corner is within reach of the world's axes, not of the mesh's own.
  const Mesh needle =
      Mesh::create({{2, 0, 0}, {0, 0.1F, 0}, {0, 0, 0.1F}, {500000, 0, 0}}, {{0, 1, 2}}).value();
  Scene scene = Scene::make().value();
  ShapePlacement at;
  at.scale = {7e5, 1, 1};
  const double angle = std::acos(-1.0) / 8.0;
  at.rotation = {std::cos(angle), 0, 0, std::sin(angle)};
  const ObjectId id = scene.add("needle", needle, at).value();
  const Status moved = scene.move(id, {at.rotation, {1, 0, 0}});
  ASSERT_FALSE(moved.ok());
  EXPECT_EQ(moved.error().code, ErrorCode::kInput);
  EXPECT_NE(moved.error().message.find("cannot move"), std::string::npos);
  EXPECT_TRUE(scene.snapshot().value().check_objects().empty());
  // The last vertex, which no triangle uses, may be anywhere.
  at.scale = {3e5, 1, 1};
  done(scene.place(id, at));
  done(scene.move(id, {at.rotation, {1, 0, 0}}));
  EXPECT_EQ(scene.snapshot().value().check_objects().size(), 1U);
}

TEST(SceneLimits, AReplacementThatDoesNotFitChangesNothing) {
  const auto mesh_of = [](std::uint32_t triangles) {
    std::vector<TriangleIndices> all(triangles, {0, 1, 2});
    return Mesh::create({{0, -1, -1}, {0, 1, -1}, {0, 0, 1}}, std::move(all)).value();
  };
  constexpr std::uint32_t kTriangles = 1U << 18U;
  const Mesh most = mesh_of(kTriangles);
  Scene scene = Scene::make().value();
  ObjectId last{};
  for (std::uint32_t i = 0; i < (1U << 31U) / kTriangles; ++i) {
    last = scene.add("object " + std::to_string(i), most, {{0, 10.0 * i, 0}, {}}).value();
  }
  EXPECT_FALSE(scene.add("more", mesh_of(1)).ok());
  const Status replaced = scene.replace(last, mesh_of(kTriangles + 1));
  ASSERT_FALSE(replaced.ok());
  EXPECT_NE(replaced.error().message.find("2^31"), std::string::npos);
  EXPECT_TRUE(scene.index_of(last).ok());
  EXPECT_TRUE(scene.find("object 8191").value() == last);
  // It fits once the old triangles are gone.
  done(scene.replace(last, mesh_of(kTriangles - 1)));
  EXPECT_TRUE(scene.add("more", mesh_of(1)).ok());
}

TEST(SceneLimits, InsideAnObjectThatMovesIsInsideItsUnroundedCorners) {
  // Floats are 2^-7 m apart here: a box stands up to 4 mm from where it is while it moves.
  const double far = 1e5 + 0.0035;
  const Mesh box = test::box_mesh().mesh;
  for (const double depth : {0.002, -0.002}) {
    Scene scene = Scene::make().value();
    const ObjectId id = scene.add("box", box, {{far, 0, 0}, {}}).value();
    done(scene.move(id, {{}, {far + 3.0, 0, 0}}));  // away from the ball, on its left or inside
    const Ball ball = resting_ball({far - 1.0 + depth, 0.2, 0.3}, 1e-3);
    const StepReport report = scene.snapshot().value().check(ball.avatar, ball.step).value();
    EXPECT_EQ(report.contacts.size(), depth > 0.0 ? 1U : 0U) << depth;
    for (const Contact& c : report.contacts) {
      EXPECT_TRUE(c.inside);
      EXPECT_EQ(c.toc[0], 0.0);
    }
  }
  // Through a mirror, turned, stretched, at a tiny and at a huge scale.
  for (const double size : {1e-3, 1.0, 1e5}) {
    Scene scene = Scene::make().value();
    ShapePlacement at{{3, 2, 1}, core::normalized(Quat{0.9, 0.1, -0.3, 0.2})};
    at.scale = {size, -2.0 * size, 0.5 * size};
    const ObjectId id = scene.add("box", box, at).value();
    done(scene.move(id, {at.rotation, {3, 2, 1.1}}));
    const Vec3 inside = core::rotate(at.rotation, {0.9 * size, 1.8 * size, -0.45 * size});
    const Vec3 outside = core::rotate(at.rotation, {0.9 * size, 1.8 * size, -0.55 * size});
    const Detector detector = scene.snapshot().value();
    const Ball in = resting_ball(at.translation + inside, 1e-6);
    const Ball out = resting_ball(at.translation + outside, 1e-6);
    const StepReport held = detector.check(in.avatar, in.step).value();
    ASSERT_EQ(held.contacts.size(), 1U) << size;
    EXPECT_TRUE(held.contacts.front().inside);
    for (const Contact& c : detector.check(out.avatar, out.step).value().contacts) {
      EXPECT_FALSE(c.inside) << size;
    }
  }
}

TEST(SceneLimits, AnObjectThatMovesTellsWhatItHolds) {
  const Mesh box = test::box_mesh().mesh;
  DetectorOptions options;
  options.clearance = true;
  options.surfaces = {"shell"};
  Scene scene = Scene::make(options).value();
  const ObjectId holder = scene.add("holder", box).value();
  ShapePlacement small;
  small.scale = {0.1, 0.1, 0.1};
  const ObjectId held = scene.add("held", box, small).value();
  const ObjectId apart = scene.add("apart", box, half_box({5, 0, 0})).value();
  const auto contacts = [&](const std::string& name, double to) {
    const ObjectId id = scene.find(name).value();
    done(scene.place(id, {}));
    done(scene.move(id, {{}, {to, 0, 0}}));
    return scene.snapshot().value().check_objects().front().report.value();
  };
  const StepReport leaves = contacts("holder", 2.0);
  ASSERT_EQ(leaves.contacts.size(), 1U);
  EXPECT_TRUE(leaves.contacts.front().inside);
  EXPECT_EQ(leaves.contacts.front().status, ContactStatus::kOverlap);
  EXPECT_EQ(leaves.contacts.front().room()->object, scene.index_of(held).value());
  EXPECT_EQ(leaves.safe_until, 0.0);
  EXPECT_EQ(leaves.clearances[0], 0.0);
  // Of a pair that is switched off, and of a surface, nothing is told; what is apart is not held.
  done(scene.deactivate_pair(holder, held));
  EXPECT_TRUE(contacts("holder", 0.5).contacts.empty());
  done(scene.activate_pair(holder, held));
  done(scene.place(held, {{0.95, 0, 0}, {}, {0.1, 0.1, 0.1}}));  // it stands through the wall
  const StepReport through = contacts("holder", 0.5);
  ASSERT_EQ(through.contacts.size(), 1U);
  EXPECT_FALSE(through.contacts.front().inside);
  done(scene.place(held, small));
  done(scene.remove(holder));
  ASSERT_TRUE(scene.add("shell", box).ok());
  EXPECT_TRUE(contacts("shell", 0.5).contacts.empty());
  EXPECT_EQ(contacts("shell", 2.0).contacts.size(), 1U);  // the wall comes
  done(scene.deactivate(apart));
}

TEST(SceneLimits, AChosenObjectThatIsPutUnderItsSwitchAgainStays) {
  Scene scene = Scene::make().value();
  const ObjectId id = scene.add("box", test::box_mesh().mesh).value();
  const SwitchId level = scene.add_switch();
  done(scene.set_switch(id, level));
  done(scene.choose(level, id));
  done(scene.set_switch(id, level));
  const Ball ball = resting_ball({0, 0, 0}, 0.1);
  EXPECT_EQ(scene.snapshot().value().check(ball.avatar, ball.step).value().contacts.size(), 1U);
}

TEST(SceneLimits, PairsOfAnotherNumberingAreRefused) {
  const Mesh box = test::box_mesh().mesh;
  const Ball ball = resting_ball({0, 0, 0}, 0.1);
  Scene scene = Scene::make().value();
  std::vector<ObjectId> ids;
  for (int i = 0; i < 2000; ++i) {
    ids.push_back(scene.add("box " + std::to_string(i), box, {{5.0 * i, 0, 0}, {}}).value());
  }
  const Detector before = scene.snapshot().value();
  const std::vector<std::string> patterns{"*:box 7"};
  const ActivePairs pairs =
      ActivePairs::ignoring(ball.avatar, before.environment(), patterns).value();
  const Member member{ball.avatar, pairs};
  EXPECT_EQ(before.check(member, ball.step).value().contacts.size(), 1U);
  // Other places, the same numbers.
  done(scene.place(ids[1], {{-9, 0, 0}, {}}));
  EXPECT_FALSE(scene.snapshot().value().check(member, ball.step).error);
  // As many objects, and they are others: number 7 is where the ball is.
  for (std::size_t i = 1; i < ids.size(); ++i) done(scene.remove(ids[i]));
  for (int i = 0; i < 1999; ++i) {
    const Vec3 at = i == 6 ? Vec3{0, 0, 0} : Vec3{0, 9, 5.0 * i};
    ASSERT_TRUE(scene.add("new " + std::to_string(i), box, {at, {}}).ok());
  }
  ASSERT_EQ(scene.compacted(), 1U);
  const Detector after = scene.snapshot().value();
  ASSERT_EQ(after.environment().objects().size(), before.environment().objects().size());
  const StepReport refused = after.check(member, ball.step);
  ASSERT_TRUE(refused.error.has_value());
  EXPECT_EQ(refused.error->code, ErrorCode::kUsage);
  EXPECT_EQ(after.check(ball.avatar, ball.step).value().contacts.size(), 2U);
  // Those of a room are others as well.
  const std::vector<ObjectMesh> room(2000, {"box 7", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {}});
  const Environment other = Environment::create(room).value();
  const ActivePairs of_room = ActivePairs::ignoring(ball.avatar, other, patterns).value();
  EXPECT_TRUE(after.check(Member{ball.avatar, of_room}, ball.step).error);
}

TEST(SceneLimits, TheObjectsOfASnapshotCanBeAddedToAnotherScene) {
  const Mesh box = test::box_mesh().mesh;
  Scene scene = Scene::make().value();
  const ObjectId gone = scene.add("box", box).value();
  done(scene.remove(gone));
  ASSERT_TRUE(scene.add("box", box, {{3, 0, 0}, {}}).ok());
  Scene copy = Scene::make().value();
  EXPECT_EQ(copy.add(scene.snapshot().value().environment()).value().size(), 1U);
  EXPECT_EQ(copy.size(), 1U);
  // A triangle of the removed object would lie at the origin.
  const Ball ball = resting_ball({0, 0, 0}, 0.1);
  const Ball near = resting_ball({2, 0, 0}, 0.1);
  const Detector detector = copy.snapshot().value();
  EXPECT_TRUE(detector.check(ball.avatar, ball.step).value().contacts.empty());
  EXPECT_EQ(detector.check(near.avatar, near.step).value().contacts.size(), 1U);
}

TEST(SceneLimits, ASphereOfTrianglesHoldsTheSphere) {
  for (const double radius : {1e-3, 1.0, 5e4}) {
    for (const double part : {0.5, 1e-2, 1e-4}) {
      const Mesh mesh = Mesh::sphere(radius, part * radius).value();
      EXPECT_TRUE(mesh.closed());
      Scene scene = Scene::make().value();
      ASSERT_TRUE(scene.add("sphere", mesh).ok());
      const Environment room = scene.snapshot().value().environment();
      long double nearest = 1e9L;
      long double farthest = 0.0L;
      for (std::uint32_t t = 0; t < mesh.triangle_count(); ++t) {
        long double v[3][3];
        const auto corners = room.corners(t);
        for (std::size_t i = 0; i < 3; ++i) {
          v[i][0] = corners[i].x;
          v[i][1] = corners[i].y;
          v[i][2] = corners[i].z;
          farthest = std::max(farthest, std::hypot(v[i][0], v[i][1], v[i][2]));
        }
        long double n[3];
        for (std::size_t i = 0; i < 3; ++i) {
          const std::size_t j = (i + 1) % 3;
          const std::size_t k = (i + 2) % 3;
          n[i] =
              (v[1][j] - v[0][j]) * (v[2][k] - v[0][k]) - (v[1][k] - v[0][k]) * (v[2][j] - v[0][j]);
        }
        const long double length = std::hypot(n[0], n[1], n[2]);
        nearest = std::min(nearest, (n[0] * v[0][0] + n[1] * v[0][1] + n[2] * v[0][2]) / length);
      }
      EXPECT_GE(nearest, radius);
      EXPECT_LE(farthest, radius * (1.0 + part) * (1.0 + 0x1p-22));
    }
  }
  EXPECT_FALSE(Mesh::sphere(0.0, 1.0).ok());
  EXPECT_FALSE(Mesh::sphere(1.0, 0.0).ok());
  EXPECT_FALSE(Mesh::sphere(1.0, std::nan("")).ok());
  EXPECT_FALSE(Mesh::sphere(1.0, 1e-9).ok());  // finer than floats
}

TEST(SceneLimits, ABudgetEndsAmongObjectsThatMove) {
  const Mesh box = test::box_mesh().mesh;
  DetectorOptions options;
  options.clearance = true;
  Scene scene = Scene::make(options).value();
  for (int i = 0; i < 40; ++i) {
    const ObjectId id =
        scene.add("box " + std::to_string(i), box, half_box({2.0, 0.01 * i, 0.0})).value();
    done(scene.move(id, {{}, {0.5, 0.01 * i, 0.0}}));
  }
  const Detector detector = scene.snapshot().value();
  const Ball ball = resting_ball({0, 0, 0}, 0.2);
  const StepReport want = detector.check(ball.avatar, ball.step).value();
  EXPECT_EQ(want.contacts.size(), 40U);
  Stream stream(detector, ball.avatar);
  StepReport got = stream.check_within(ball.step, {.work = 1});
  std::size_t calls = 1;
  for (; !got.complete; ++calls) {
    ASSERT_FALSE(got.error);
    if (calls < 40) {
      EXPECT_EQ(got.checked_until, 0.0);
      EXPECT_TRUE(got.contacts.empty());
    }
    got = stream.go_on({.work = 1});
  }
  EXPECT_GE(calls, 40U);
  EXPECT_EQ(got.contacts, want.contacts);
  EXPECT_EQ(got.clearances, want.clearances);
  EXPECT_EQ(got.safe_until, want.safe_until);
}

}  // namespace
}  // namespace tocsin::scene_limits_test
