// Every tree, every SIMD target, with coherence and without: the same contacts, bit for bit. That
// they are those of certify asked about every triangle is in detector_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/query/certify.h"
#include "cpu/kernels/simd_targets.h"
#include "detect/step/coherence.h"
#include "detect/step/exact_step.h"
#include "papers/paper_trees.h"
#include "support/data.h"
#include "support/scenes/random_scene.h"
#include "tocsin/io.h"

namespace tocsin::choices_test {
namespace {

struct Scene {
  Avatar avatar;
  StepList steps;
  Environment room;
};

std::vector<papers::TreeChoice> all_choices() {
  std::vector<papers::TreeChoice> out;
  for (const int k : {6, 14, 18, 26}) {
    for (const int width : {2, 4, 8}) out.push_back({k, width, {}});
  }
  using papers::AxisRule;
  for (const AxisRule rule :
       {AxisRule::kMinSum, AxisRule::kMinMax, AxisRule::kSplatter, AxisRule::kLongestSide}) {
    for (const auto split : {papers::SplitPoint::kMean, papers::SplitPoint::kMedian}) {
      out.push_back({18, 4, {.rule = rule, .split = split}});
    }
  }
  for (const int leaf_size : {1, 3}) out.push_back({6, 8, {.leaf_size = leaf_size}});
  return out;
}

std::vector<StepReport> reports(const Scene& scene, const papers::TreeChoice& choice,
                                bool coherent) {
  const detect::ExactStep core(scene.room, {}, papers::make_culler(scene.room, choice));
  const Member member = scene.avatar;
  detect::MovingLinks links;
  detect::Scratch scratch;
  detect::Coherence coherence(core.tree(), core.environment(), member.active,
                              scene.avatar.links().size());
  std::vector<StepReport> out;
  for (const Step& step : scene.steps) {
    out.push_back(
        core.check(member, step, {links, scratch}, {coherent ? &coherence : nullptr, nullptr}));
  }
  return out;
}

std::size_t expect_same_choices(const std::vector<StepReport>& got,
                                const std::vector<StepReport>& want) {
  std::size_t contacts = 0;
  EXPECT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(got[i].contacts, want[i].contacts);
    EXPECT_EQ(got[i].safe_until, want[i].safe_until);
    contacts += want[i].contacts.size();
  }
  return contacts;
}

/// Contacts of the scene, the same for all choices.
std::size_t compare_all(const Scene& scene) {
  std::vector<StepReport> want;
  std::size_t contacts = 0;
  test::at_every_simd_target([&] {
    for (const papers::TreeChoice& choice : all_choices()) {
      SCOPED_TRACE(std::to_string(choice.k) + " x " + std::to_string(choice.width));
      for (const bool coherent : {false, true}) {
        std::vector<StepReport> got = reports(scene, choice, coherent);
        if (want.empty()) want = got;
        contacts = expect_same_choices(got, want);
      }
    }
  });
  return contacts;
}

TEST(Choices, AllGiveTheSameContacts) {
  test::RandomLinks random(141);
  std::size_t contacts = 0;
  for (int i = 0; i < 3; ++i) {
    test::RandomTake take = test::random_take(random, 8, 25, i == 0 ? 0.05 : 0.6, 0.1);
    contacts += compare_all(
        {take.avatar, take.motion.steps().value(), test::random_room(random, 6, 60, 1.5)});
  }
  EXPECT_GT(contacts, 200U);
}

/// A sliver's edge, up to kilometres long, that passes within a few radii of a link of a
/// micrometre: its direction is known too badly for certify to prove freedom, so it answers graze,
/// although the link's 26-DOP is clear of it.
Scene long_edge(test::RandomLinks& random) {
  const auto e = static_cast<float>(std::exp2(random.uniform(3, 14)));
  const auto z = static_cast<float>(random.uniform(-1, 1)) * e;
  ObjectMesh mesh;
  mesh.name = "sliver";
  mesh.vertices = {{e, -e, z},
                   {-e, e, -z},
                   {2 * e, e * static_cast<float>(random.uniform(-0.9, 2)),
                    e * static_cast<float>(random.uniform(-1, 1))}};
  mesh.triangles = {{0, 1, 2}};
  const double radius = 1e-6 * std::exp2(random.uniform(0, 2));
  const Vec3 away{-std::sqrt(0.5), -std::sqrt(0.5), 0.0};
  const Vec3 a = radius * std::exp2(random.uniform(0.1, 3)) * away +
                 random.uniform(-0.01, 0.01) * Vec3{1.0, -1.0, static_cast<double>(z / e)};
  const Vec3 b = a + random.uniform(0, 0.3) * (away + 0.8 * random.direction());
  Joint joint;
  joint.name = "joint";
  const Skeleton skeleton = Skeleton::create({joint}).value();
  Scene scene;
  Transform pose;
  pose.translation = random.vector(0.1, 0.3);
  scene.avatar = Avatar::create("point", skeleton,
                                {{"link", 0, a - pose.translation, b - pose.translation, radius}})
                     .value();
  const Motion still = Motion::create(skeleton, 1.0, {pose, pose}).value();
  scene.steps = still.steps({.still = true}).value();
  scene.room = Environment::create({mesh}).value();
  return scene;
}

TEST(Choices, AGrazeDoesNotDependOnTheTree) {
  test::RandomLinks random(142);
  std::size_t spurious = 0;
  for (int i = 0; i < 3000; ++i) {
    const Scene scene = long_edge(random);
    const std::vector<StepReport> boxes = reports(scene, {6, 8, {}}, false);
    expect_same_choices(reports(scene, {26, 8, {}}, false), boxes);
    // What certify says when it is asked without a tree.
    scene::StepMotion motion;
    motion.set(scene.avatar, scene.steps[0], 0.0, {});
    const core::LinkMotion& link = motion.links()[0].motion;
    const auto v = scene.room.corners(0);
    const core::Triangle triangle{{core::to_double(v[0]) - link.ref,
                                   core::to_double(v[1]) - link.ref,
                                   core::to_double(v[2]) - link.ref}};
    const core::Certificate c =
        core::certify(link, core::evaluate(link, 0), triangle, 1e-9, core::kToEnd);
    if (c.outcome == core::Outcome::kGraze && boxes[0].contacts.empty()) ++spurious;
  }
  EXPECT_GT(spurious, 100U);
}

TEST(Choices, AllGiveTheSameContactsInTheHouse) {
  TOCSIN_NEEDS_DATA("motions/cmu_bvh/01_01.bvh");
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  const Motion take = load_motion(test::data_path("motions/cmu_bvh/01_01.bvh")).value();
  const Motion placed = take.placed({{5.4, 0.03, -4.0}, 0.0}).value();
  const Avatar avatar = Avatar::bind(*load_avatar_model("humanoid16"), placed.skeleton()).value();
  const Environment house =
      load_environment(test::data_path("environments/small_house.obj")).value();
  const StepList steps = placed.steps({.first = 900, .last = 1500, .stride = 12}).value();
  std::vector<StepReport> want;
  std::size_t contacts = 0;
  for (const int k : {6, 14, 18, 26}) {
    for (const int width : {2, 4, 8}) {
      std::vector<StepReport> got = reports({avatar, steps, house}, {k, width, {}}, width == 4);
      if (want.empty()) want = got;
      contacts = expect_same_choices(got, want);
    }
  }
  EXPECT_GT(contacts, 100U);
}

}  // namespace
}  // namespace tocsin::choices_test
