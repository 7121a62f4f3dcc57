// Links inside closed objects: contacts of the step's start, on every backend and by every way to
// ask. docs/exact.md, "Solids". TOCSIN_SOLID_CAPSULES sets how many capsules.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/query/distance.h"
#include "oracle/separation.h"
#include "oracle/solid_claims.h"
#include "oracle/verify_step.h"
#include "support/same_reports.h"
#include "support/scenes/grid_solids.h"
#include "support/scenes/random_scene.h"
#include "tocsin/crowd.h"
#include "tocsin/stream.h"

namespace tocsin::solid_test {
namespace {

using test::box_mesh;
using test::joined;
using test::turned;

Environment room_of(std::vector<ObjectMesh> meshes) {
  return Environment::create(std::move(meshes)).value();
}

/// One link along x, 20 cm long and 5 cm thick, whose start goes from one point to another.
struct Rod {
  Avatar avatar;
  Motion motion;

  [[nodiscard]] Step step() const { return motion.steps().value()[0]; }
};

Rod rod(const Vec3& from, const Vec3& to, double radius = 0.05) {
  Skeleton skeleton = *Skeleton::create({{"root", -1, {}}});
  Rod out;
  out.avatar = *Avatar::create("rod", skeleton, {{"rod", 0, {}, {0.2, 0, 0}, radius}});
  std::vector<Transform> poses(2);
  poses[0].translation = from;
  poses[1].translation = to;
  out.motion = *Motion::create(std::move(skeleton), 0.1, std::move(poses));
  return out;
}

Environment box_room() { return room_of({box_mesh("box", {0, 0, 0}, {2, 2, 2})}); }

Detector detector_of(const Environment& room, const DetectorOptions& options = {}) {
  return Detector::make(room, options).value();
}

TEST(Solid, WhoIsInsideTouches) {
  const Detector detector = detector_of(box_room(), {.clearance = true});
  const Rod inside = rod({0.7, 1, 1.25}, {0.71, 1, 1.25});
  const StepReport report = detector.check(inside.avatar, inside.step());
  ASSERT_EQ(report.contacts.size(), 1U);
  const Contact& c = report.contacts[0];
  EXPECT_EQ(c.status, ContactStatus::kOverlap);
  EXPECT_EQ(c.toc, (std::array<double, 2>{0, 0}));
  EXPECT_TRUE(c.inside);
  // By hand: 0.7 m from x = 0, 0.75 m from z = 2.
  EXPECT_NEAR(*c.depth, 0.05 + 0.7, 1e-12);
  EXPECT_NEAR(c.point.x, 0.0, 1e-12);
  EXPECT_NEAR(c.normal->x, 1.0, 1e-12);
  EXPECT_EQ(report.safe_until, 0.0);
  EXPECT_EQ(report.clearances, std::vector<double>{0.0});
  // Beside it nothing is said of an inside.
  const Rod outside = rod({-1, 1, 1}, {-0.9, 1, 1});
  EXPECT_TRUE(detector.check(outside.avatar, outside.step()).contacts.empty());
  // Who touches the surface has the contact of before.
  const Rod through = rod({-0.1, 1, 1}, {-0.1, 1, 1});
  const StepReport touch = detector.check(through.avatar, through.step());
  ASSERT_EQ(touch.contacts.size(), 1U);
  EXPECT_FALSE(touch.contacts[0].inside);
  EXPECT_FALSE(touch.contacts[0].depth);
}

TEST(Solid, AHitFromWithinIsAnOverlap) {
  // It is inside when the step begins and goes out through the surface.
  const Rod out = rod({1, 1, 1}, {3, 1, 1});
  const StepReport solid = detector_of(box_room()).check(out.avatar, out.step());
  ASSERT_EQ(solid.contacts.size(), 1U);
  EXPECT_TRUE(solid.contacts[0].inside);
  EXPECT_EQ(solid.contacts[0].toc[1], 0.0);
  const StepReport surface =
      detector_of(box_room(), {.surfaces = {"b*"}}).check(out.avatar, out.step());
  ASSERT_EQ(surface.contacts.size(), 1U);
  EXPECT_EQ(surface.contacts[0].status, ContactStatus::kHit);
  EXPECT_FALSE(surface.contacts[0].inside);
}

TEST(Solid, OptionsAndPairsSayWhatCounts) {
  const Environment room =
      room_of({box_mesh("box", {0, 0, 0}, {2, 2, 2}), box_mesh("crate", {-1, -1, -1}, {3, 3, 3}),
               turned(box_mesh("walls", {-5, -5, -5}, {5, 5, 5}))});
  const Rod inside = rod({0.7, 1, 1.25}, {0.71, 1, 1.25});
  const auto touched = [&](const Detector& detector, const Member& member) {
    std::vector<std::string> out;
    for (const Contact& c : detector.check(member, inside.step()).contacts) {
      EXPECT_TRUE(c.inside);
      out.push_back(room.objects()[c.room()->object].name);
    }
    return out;
  };
  using Names = std::vector<std::string>;
  const Detector all = detector_of(room);
  EXPECT_EQ(touched(all, inside.avatar), (Names{"box", "crate"}));
  EXPECT_EQ(touched(detector_of(room, {.surfaces = {"crate"}}), inside.avatar), Names{"box"});
  EXPECT_EQ(touched(detector_of(room, {.surfaces = {"crate", "bo?"}}), inside.avatar), Names{});
  EXPECT_EQ(touched(detector_of(room, {.surfaces = {"*"}}), inside.avatar), Names{});
  EXPECT_EQ(touched(all.with_options({.surfaces = {"box"}}).value(), inside.avatar),
            Names{"crate"});
  EXPECT_EQ(touched(detector_of(room, {.contacts = Contacts::kFirst}), inside.avatar),
            Names{"box"});
  const std::array<std::string, 1> patterns{"rod:box"};
  EXPECT_EQ(
      touched(all, {inside.avatar, ActivePairs::ignoring(inside.avatar, room, patterns).value()}),
      Names{"crate"});
  std::vector<Vec3f> moved(room.vertices().begin(), room.vertices().end());
  for (Vec3f& v : moved) v.x += 30.0F;
  EXPECT_EQ(touched(all.with_environment(room.with_vertices(moved).value()).value(), inside.avatar),
            Names{});
}

TEST(Solid, DepthAtAnyTime) {
  const Detector detector = detector_of(box_room());
  const Rod moves = rod({-1, 1, 1}, {0.5, 1, 1});
  const auto depth = [&](double time) {
    return detector.depth(moves.avatar, moves.step(), time, 0, 0).value();
  };
  // Its end is 0.2 m ahead of its start, which is at -1 + 1.5 t.
  EXPECT_NEAR(depth(0).depth, 0.05 - 0.8, 1e-12);
  EXPECT_FALSE(depth(0).inside);
  EXPECT_NEAR(depth(0.5).depth, 0.05 - 0.05, 1e-12);
  EXPECT_NEAR(depth(0.6).depth, 0.05, 1e-12);  // the axis goes through the face
  EXPECT_TRUE(depth(1).inside);
  EXPECT_NEAR(depth(1).depth, 0.05 + 0.5, 1e-12);
  EXPECT_NEAR(depth(1).point.x, 0.0, 1e-12);
  EXPECT_EQ(detector.depth(moves.avatar, moves.step(), 0, 1, 0).error().code, ErrorCode::kUsage);
  EXPECT_EQ(detector.depth(moves.avatar, moves.step(), 0, 0, 1).error().code, ErrorCode::kUsage);
  EXPECT_EQ(detector.depth(moves.avatar, moves.step(), 1.5, 0, 0).error().code, ErrorCode::kUsage);
}

TEST(Solid, DepthDoesNotDependOnWhatWasAskedBefore) {
  // A tessellated ball, two boxes and a cloud: many triangles are near.
  test::RandomLinks random(77);
  std::mt19937_64 engine(77);
  const std::array<Environment, 2> parts = {
      room_of(
          {box_mesh("box", {0, 0, 0}, {2, 2, 2}), box_mesh("flat", {-3, -1, -3}, {3, -0.9F, 3})}),
      test::random_room(random, 4, 200, 2.0)};
  const Environment room = Environment::merge(parts).value();
  const Detector detector = detector_of(room);
  std::uniform_real_distribution<double> at(-2.0, 2.0);
  const auto objects = static_cast<std::uint32_t>(room.objects().size());
  int inside = 0;
  for (int i = 0; i < 300; ++i) {
    const Rod one = rod({at(engine), at(engine), at(engine)}, {at(engine), at(engine), at(engine)});
    const double time = 0.25 * static_cast<double>(i % 5);
    const std::uint32_t object = static_cast<std::uint32_t>(engine()) % objects;
    const auto ask = [&] {
      return detector.depth(one.avatar, one.step(), time, 0, object).value();
    };
    const Depth here = ask();
    Depth fresh;
    std::thread([&] { fresh = ask(); }).join();  // nothing was asked there before
    EXPECT_EQ(here.depth, fresh.depth);
    EXPECT_EQ(here.distance, fresh.distance);
    EXPECT_EQ(here.triangle, fresh.triangle);
    EXPECT_EQ(here.point, fresh.point);
    EXPECT_EQ(here.inside, fresh.inside);
    inside += here.inside ? 1 : 0;
    // No triangle is nearer, and none of a lower index is as near.
    const Vec3 a = {one.step().pose0()[0].translation.x, one.step().pose0()[0].translation.y,
                    one.step().pose0()[0].translation.z};
    if (time > 0.0) continue;
    const Object& o = room.objects()[object];
    for (std::uint32_t t = 0; t < o.triangle_count; ++t) {
      const auto corners = room.corners(o.first_triangle + t);
      const core::Triangle triangle{
          {core::to_double(corners[0]), core::to_double(corners[1]), core::to_double(corners[2])}};
      const double apart =
          std::sqrt(core::closest_points(a, a + Vec3{0.2, 0, 0}, triangle).squared);
      EXPECT_GT(apart, here.distance - 1e-12);
      if (t < here.triangle) {
        EXPECT_GT(apart, here.distance - 1e-14);
      }
    }
  }
  EXPECT_GE(inside, 5);
}

/// Takes that begin inside and outside of solids and go through them, in rooms of closed objects,
/// clouds of triangles and a room's walls.
struct Scene {
  Environment room;
  std::vector<test::RandomTake> takes;
};

Scene scene_of(std::uint64_t seed) {
  test::RandomLinks random(static_cast<std::uint32_t>(seed));
  std::mt19937_64 engine(seed);
  // The takes begin about the origin: in the crate, on its side, outside of it.
  const float beside = 0.5F * static_cast<float>(seed % 4);
  std::vector<ObjectMesh> meshes = {
      turned(box_mesh("walls", {-6, -6, -6}, {6, 6, 6})),
      box_mesh("crate", {beside - 0.8F, -0.7F, -0.9F}, {beside + 0.6F, 0.8F, 0.7F})};
  while (meshes.size() < 6) {
    const auto solid = test::random_grid_solid(engine, 3, 4, 6);
    if (!solid) continue;
    const auto at = static_cast<float>(meshes.size()) - 1.0F;
    meshes.push_back(test::mesh_of(*solid, "solid" + std::to_string(meshes.size()), 0x1p-3F,
                                   {at, -0.5F, -0.5F}));
  }
  Scene out;
  const std::array<Environment, 2> parts = {room_of(std::move(meshes)),
                                            test::random_room(random, 3, 20, 3.0)};
  out.room = Environment::merge(parts).value();
  for (int i = 0; i < 3; ++i) out.takes.push_back(test::random_take(random, 6, 60, 0.05, 0.03));
  return out;
}

struct Counts {
  std::size_t steps = 0;
  std::size_t inside = 0;
  std::size_t outside = 0;  ///< steps without a contact inside
};

void count(const std::vector<StepReport>& reports, Counts& counts) {
  for (const StepReport& report : reports) {
    ++counts.steps;
    const auto inside = std::count_if(report.contacts.begin(), report.contacts.end(),
                                      [](const Contact& c) { return c.inside; });
    counts.outside += inside == 0 ? 1 : 0;
    counts.inside += static_cast<std::size_t>(inside);
  }
}

TEST(Solid, EveryWayToAskSaysTheSame) {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const Scene scene = scene_of(seed);
    const DetectorOptions options{.contacts = seed % 3 == 0 ? Contacts::kFirst : Contacts::kPairs,
                                  .clearance = seed % 2 == 0};
    const Detector detector = detector_of(scene.room, options);
    DetectorOptions on_cuda = options;
    on_cuda.backend = Backend::kCuda;
    on_cuda.experiments.emulate = true;
    const Detector cuda = detector_of(scene.room, on_cuda);
    std::vector<Member> members;
    std::vector<StepList> lists;
    for (const test::RandomTake& take : scene.takes) {
      const StepList steps = take.motion.steps().value();
      std::vector<StepReport> want;
      Stream stream(detector, take.avatar);
      for (const Step& step : steps) {
        want.push_back(detector.check(take.avatar, step));
        test::expect_same(stream.check(step), want.back());
      }
      test::expect_same(test::reports_of_run(detector, take.avatar, steps), want);
      test::expect_same(test::reports_of_run(detector, take.avatar, steps, {.threads = 3}), want);
      test::expect_same(test::reports_of_run(cuda, take.avatar, steps), want);
      count(want, counts);
      members.emplace_back(take.avatar);
      lists.push_back(steps);
    }
    for (const bool meet : {false, true}) {
      const auto want = test::reports_of_run(detector, members, lists, {.meet = meet});
      test::expect_same(test::reports_of_run(cuda, members, lists, {.meet = meet}), want);
      Crowd crowd(detector, members);
      std::size_t next = 0;
      for (std::size_t i = 0; i < lists[0].size(); ++i) {
        const std::array<Step, 3> steps{lists[0][i], lists[1][i], lists[2][i]};
        const std::vector<StepReport> some(want.begin() + static_cast<std::ptrdiff_t>(next),
                                           want.begin() + static_cast<std::ptrdiff_t>(next + 3));
        test::expect_same(crowd.check(steps, {.meet = meet}), some);
        test::expect_same(detector.check_batch(members, steps, {.meet = meet}), some);
        next += 3;
      }
    }
  }
  EXPECT_GT(counts.inside, counts.steps / 5);
  EXPECT_GT(counts.outside, counts.steps / 20);
}

TEST(Solid, TheOracleConfirms) {
  Counts counts;
  std::uint64_t undecided = 0;
  for (std::uint64_t seed = 21; seed <= 24; ++seed) {
    const Scene scene = scene_of(seed);
    for (const test::RandomTake& take : scene.takes) {
      const Detector detector = detector_of(
          scene.room, {.contacts = seed % 2 == 0 ? Contacts::kFirst : Contacts::kPairs});
      const auto reports = test::reports_of_run(detector, take.avatar, take.motion.steps().value());
      count(reports, counts);
      for (std::size_t i = 0; i < reports.size(); i += 6) {
        const oracle::StepVerdict verdict =
            oracle::verify_step(take.avatar, take.motion.steps().value()[i], scene.room,
                                {.contacts_first = seed % 2 == 0}, reports[i].contacts);
        EXPECT_TRUE(verdict.refutations.empty()) << verdict.refutations.front();
        undecided += verdict.undecided;
      }
    }
  }
  EXPECT_GT(counts.inside, counts.steps / 5);
  EXPECT_LT(undecided, 5U);
}

TEST(Solid, TheOracleRefutes) {
  const Rod inside = rod({0.7, 1, 1.25}, {0.71, 1, 1.25});
  const Environment room = box_room();
  const auto contacts = detector_of(room).check(inside.avatar, inside.step()).contacts;
  const auto refuted = [&](const std::vector<Contact>& claim,
                           std::vector<std::string> surfaces = {}) {
    return !oracle::verify_step(inside.avatar, inside.step(), room,
                                {.surfaces = std::move(surfaces)}, claim)
                .refutations.empty();
  };
  EXPECT_FALSE(refuted(contacts));
  EXPECT_TRUE(refuted({}));  // "free"
  EXPECT_FALSE(refuted({}, {"*"}));
  EXPECT_TRUE(refuted(contacts, {"box"}));
  auto wrong = contacts;
  wrong[0].depth = *wrong[0].depth + 1e-6;
  EXPECT_TRUE(refuted(wrong));
  wrong = contacts;
  wrong[0].depth.reset();
  EXPECT_TRUE(refuted(wrong));
  wrong = contacts;
  wrong[0].touched = RoomTriangle{0, (contacts[0].room()->triangle + 5) % 12};
  EXPECT_TRUE(refuted(wrong));
  wrong = contacts;
  wrong[0].inside = false;
  wrong[0].depth.reset();  // an overlap that the surface would have to prove
  EXPECT_TRUE(refuted(wrong));
}

TEST(Solid, CapsulesAreLikeTheOracleSays) {
  // Capsules that stand still, in and beside solids through themselves, against solid angles and
  // the oracle's distances.
  constexpr int kUsual = 20'000;
  const char* const text = std::getenv("TOCSIN_SOLID_CAPSULES");
  const int wanted = text != nullptr ? std::atoi(text) : kUsual;
  std::mt19937_64 random(31);
  std::uniform_real_distribution<double> part(-1, 1);
  int capsules = 0;
  int inside = 0;
  int touching = 0;
  int skipped = 0;
  for (int n = 0; capsules < wanted; ++n) {
    const auto solid = test::random_grid_solid(random, 3, 3 + n % 3, n % 2 == 0 ? 4 : 30);
    if (!solid) continue;
    const double size = n % 2 == 0 ? 4.0 : 30.0;
    const Environment room = room_of({test::mesh_of(*solid, "solid", 0.5F, {})});
    const Detector detector = detector_of(room);
    const oracle::SolidClaims claims(room, {});
    const Skeleton skeleton = *Skeleton::create({{"root", -1, {}}});
    for (int k = 0; k < 100; ++k, ++capsules) {
      const double radius = k % 5 == 0 ? 1e-6 : 0.02 * size * (1.0 + part(random)) + 1e-6;
      const Vec3 b{0.05 * size * part(random), 0.05 * size * part(random),
                   0.05 * size * part(random)};
      const Avatar avatar = *Avatar::create("capsule", skeleton, {{"capsule", 0, {}, b, radius}});
      std::vector<Transform> poses(2);
      for (double* const x :
           {&poses[0].translation.x, &poses[0].translation.y, &poses[0].translation.z}) {
        *x = size * (0.5 + 0.55 * part(random));
        if (k % 3 == 0) *x = std::round(2.0 * *x) / 2.0;  // level with corners
      }
      if (k % 2 == 0) {  // where the inside is more likely
        const auto& v = solid->vertices;
        const auto mean = [&](std::size_t c) {
          double sum = 0.05 * size * part(random);
          for (int i = 0; i < 4; ++i) sum += 0.125 * static_cast<double>(v[random() % v.size()][c]);
          return sum;
        };
        poses[0].translation = {mean(0), mean(1), mean(2)};
      }
      poses[1] = poses[0];
      const Motion motion = *Motion::create(skeleton, 1.0, poses);
      const StepReport report = detector.check(avatar, motion.steps().value()[0]);
      const Vec3& at = poses[0].translation;
      const oracle::RealVec a{at.x, at.y, at.z};
      const oracle::RealVec end{a.x + b.x, a.y + b.y, a.z + b.z};
      oracle::Real least = HUGE_VALL;
      for (std::uint32_t t = 0; t < room.triangles().size(); ++t) {
        const oracle::TriangleFrame frame(room.corners(t), {});
        least = std::min(least, oracle::separation({a, end}, frame).upper);
      }
      if (std::fabs(least - oracle::Real(radius)) < 1e-9L) {
        ++skipped;
        continue;
      }
      const bool touches = least < oracle::Real(radius);
      const bool is_inside = !touches && claims.place(0, a) == oracle::Place::kInside;
      ASSERT_EQ(!report.contacts.empty(), touches || is_inside) << "solid " << n << ", " << k;
      if (report.contacts.empty()) continue;
      ASSERT_EQ(report.contacts[0].inside, is_inside) << "solid " << n << ", " << k;
      touching += touches ? 1 : 0;
      if (!is_inside) continue;
      ++inside;
      ASSERT_NEAR(*report.contacts[0].depth, static_cast<double>(least) + radius, 1e-9);
    }
  }
  EXPECT_GT(inside, capsules / 25);
  EXPECT_GT(touching, capsules / 20);
  EXPECT_GT(capsules - inside - touching, capsules / 5);
  EXPECT_LT(skipped, capsules / 10);
}

}  // namespace
}  // namespace tocsin::solid_test
