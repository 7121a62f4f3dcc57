// What the CPU reports, a device that draws skins can report too: every contact's triangle meets
// the skin of some piece of its link's step. Without OpenGL.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "detect/shapes/random_shape.h"
#include "gpu/gl/visibility/exact_distance.h"
#include "scene/swept/slab.h"
#include "scene/swept/step_motion.h"
#include "support/scenes/adversarial.h"
#include "support/scenes/random_scene.h"
#include "tocsin/detector.h"

namespace tocsin::test::contacts_meet_skins_test {
namespace {

/// Whether a skin of the link's step meets the triangle.
bool meets_a_skin(const scene::SweptLink& link, const core::Box& bounds, const Corners& corners) {
  const double reach = scene::graze_reach(link.motion, bounds);
  scene::SlabSkin skin;
  for (std::int32_t p = 0; p < link.pieces; ++p) {
    skin.set(scene::piece_slab(link, p, reach));
    if (meets(skin.half_spaces(), relative_to(skin.origin(), corners), 0)) return true;
  }
  return false;
}

/// The same of a link with a shape.
bool meets_a_skin(const scene::SweptLink& link, const Link& source, const Corners& corners) {
  scene::SlabSkin skin;
  scene::HullSlab hull;
  for (std::int32_t p = 0; p < link.pieces; ++p) {
    const scene::Slab slab = scene::piece_slab(link, p, 0.0);
    hull.set(link, source, slab.t0, slab.t1);
    skin.set(slab, hull);
    if (meets(skin.half_spaces(), relative_to(skin.origin(), corners), 0)) return true;
  }
  return false;
}

/// Contacts of a step, and those of them that no skin meets.
struct MeetingCount {
  std::uint64_t contacts = 0;
  std::uint64_t grazes = 0;
  std::uint64_t missed = 0;
};

void count(const Environment& room, const Avatar& avatar, const Step& step,
           const std::vector<Contact>& contacts, MeetingCount& out) {
  const auto [lo, hi] = room.bounds();
  scene::StepMotion motion;
  motion.begin(avatar, step, 0.0, {lo, hi});
  for (const Contact& c : contacts) {
    ++out.contacts;
    if (c.status == ContactStatus::kGraze) ++out.grazes;
    const std::uint32_t triangle =
        room.objects()[c.room()->object].first_triangle + c.room()->triangle;
    const auto index = static_cast<std::size_t>(c.link);
    const scene::SweptLink& link = motion.link(index);
    const Link& source = motion.source(index);
    const bool met = source.shape.empty() ? meets_a_skin(link, {lo, hi}, room.corners(triangle))
                                          : meets_a_skin(link, source, room.corners(triangle));
    if (!met) ++out.missed;
  }
}

TEST(ContactsMeetSkins, InAdversarialScenes) {
  MeetingCount counted;
  for (std::uint64_t number = 0; number < kRound; ++number) {
    const AdversarialBatch batch = make_adversarial_batch(7, number, 200);
    const Detector detector = Detector::make(batch.environment, {.backend = Backend::kCpu}).value();
    for (const Step& step : batch.steps) {
      count(batch.environment, batch.avatar, step, detector.check(batch.avatar, step).contacts,
            counted);
    }
  }
  fmt::print("{} contacts, {} of them grazes, {} meet no skin\n", counted.contacts, counted.grazes,
             counted.missed);
  EXPECT_GT(counted.contacts, 1000U);
  EXPECT_EQ(counted.missed, 0U);
}

TEST(ContactsMeetSkins, OfShapes) {
  RandomLinks random(31);
  MeetingCount counted;
  for (int n = 0; n < 60; ++n) {
    const Environment room = random_room(random, 30, 40, 1.0);
    RandomTake take = random_take(random, 6, 3, n % 3 == 0 ? 2.0 : 0.3, 0.1);
    std::vector<Link> links;
    for (const Link& l : take.avatar.links()) {
      const Shape shape = n % 4 == 0   ? Shape::box({0.3, 0.2, 0.001}).value()
                          : n % 4 == 1 ? bumpy_ball(random, 10, 12, 0.2, 0.0)
                                       : random_shape(random, static_cast<int>(links.size()), 0.2);
      links.push_back(link_of_shape(l.name, l.joint, shape));
    }
    take.avatar = Avatar::create("shaped", take.avatar.skeleton(), std::move(links)).value();
    const Detector detector = Detector::make(room, {.backend = Backend::kCpu}).value();
    for (const Step& step : take.motion.steps().value()) {
      count(room, take.avatar, step, detector.check(take.avatar, step).contacts, counted);
    }
  }
  fmt::print("{} contacts, {} of them grazes, {} meet no skin\n", counted.contacts, counted.grazes,
             counted.missed);
  EXPECT_GT(counted.contacts, 1000U);
  EXPECT_EQ(counted.missed, 0U);
}

/// A needle, its short edge right below the end of a link that hardly moves, or a long one beside
/// it: certify may know its direction too badly to call it free.
struct Needle {
  Environment room;
  Avatar avatar;
  StepList steps;
};

Needle make_needle(Random& random) {
  const double length = random.magnitude(0.1, 1e4);
  const double width = length * random.magnitude(1e-10, 1e-2);
  const double radius = random.magnitude(1e-6, 0.1);
  const Vec3 e = random.direction();
  const Vec3 f = any_across(random, e);
  const Vec3 n = core::cross(e, f);
  const double beside = random.magnitude(1e-12, 1e-3) * (random.chance(0.8) ? 1.0 : -1.0);
  const double sideways = width * random.between(-0.6, 0.6);
  const Vec3 tip = length * e + width * random.between(-1.0, 1.0) * f;
  const std::array<Vec3, 3> v{tip, 0.5 * width * f, -0.5 * width * f};
  ObjectMesh mesh;
  mesh.name = "needle";
  const int first = random.below(3);
  for (int i = 0; i < 3; ++i) {
    const Vec3& p = v[static_cast<std::size_t>((first + i) % 3)];
    mesh.vertices.push_back(
        {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
  }
  mesh.triangles = {{0, 1, 2}};
  const double away = radius * (1.0 + random.magnitude(1e-12, random.chance(0.3) ? 10.0 : 1e-1));
  Vec3 end = beside * e + sideways * f + away * n;
  if (random.chance(0.4)) {  // beside a long edge
    const double lean = random.between(-1.6, 1.6);
    end =
        length * random.magnitude(1e-3, 0.9) * e + away * (std::cos(lean) * n + std::sin(lean) * f);
  }
  const Vec3 other = random.vector(0.0, 0.4) + random.between(0.0, 0.3) * n;
  Joint joint;
  joint.name = "joint";
  const Skeleton skeleton = Skeleton::create({joint}).value();
  Transform pose;
  pose.translation = random.vector(0.0, 0.5);
  Transform later = pose;
  if (random.chance(0.5)) later.translation = later.translation + random.log_vector(1e-9, 1e-2);
  Needle out;
  out.avatar =
      Avatar::create("needle", skeleton,
                     {{"link", 0, end - pose.translation, end + other - pose.translation, radius}})
          .value();
  const Motion motion = Motion::create(skeleton, 1.0, {pose, later}).value();
  out.steps = motion.steps({.still = random.chance(0.2)}).value();
  out.room = Environment::create({std::move(mesh)}).value();
  return out;
}

TEST(ContactsMeetSkins, OfNeedles) {
  MeetingCount counted;
  Random random(8, 0, 0);
  for (int i = 0; i < 20000; ++i) {
    const Needle needle = make_needle(random);
    const Detector detector = Detector::make(needle.room, {.backend = Backend::kCpu}).value();
    for (const Step& step : needle.steps) {
      count(needle.room, needle.avatar, step, detector.check(needle.avatar, step).contacts,
            counted);
    }
  }
  fmt::print("{} contacts, {} of them grazes, {} meet no skin\n", counted.contacts, counted.grazes,
             counted.missed);
  EXPECT_GT(counted.contacts, 1000U);
  EXPECT_EQ(counted.missed, 0U);
}

}  // namespace
}  // namespace tocsin::test::contacts_meet_skins_test
