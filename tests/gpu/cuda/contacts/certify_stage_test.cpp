// The last stage of a batch on every device, beside the CPU's answers, bit for bit.
#include "gpu/cuda/contacts/certify_stage.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu/cuda/contacts/certify_scene.h"
#include "support/cuda_devices.h"

namespace tocsin::test::certify_stage_test {
namespace {

class CertifyStage : public OnCudaDevice {};
TOCSIN_ON_CUDA_DEVICES(CertifyStage);

/// How contacts are distributed.
struct Counts {
  int steps = 0;
  int overlaps = 0;
  int hits = 0;
  int grazes = 0;
  int limited = 0;

  void add(const Contacts& contacts) {
    for (const std::vector<Contact>& of_step : contacts) {
      ++steps;
      for (const Contact& c : of_step) {
        overlaps += c.status == ContactStatus::kOverlap;
        hits += c.status == ContactStatus::kHit;
        grazes += c.status == ContactStatus::kGraze;
        limited += c.limited;
      }
    }
  }
  void print() const {
    std::printf("%d steps: %d overlaps, %d hits, %d grazes, %d limited\n", steps, overlaps, hits,
                grazes, limited);
  }
};

/// A device's contacts with the room are the CPU's, which it returns.
Contacts expect_contacts_with_room(const std::shared_ptr<cuda::Device>& device,
                                   const CertifyScene& scene) {
  Contacts want = contacts_on_cpu(scene, false);
  CertifyRun run(device, scene);
  expect_same_bits(run.with_room(), want);
  return want;
}
/// The same of links with links.
Contacts expect_contacts_of_links(const std::shared_ptr<cuda::Device>& device,
                                  const CertifyScene& scene) {
  Contacts want = contacts_on_cpu(scene, true);
  CertifyRun run(device, scene);
  expect_same_bits(run.of_links(), want);
  return want;
}

/// Random avatars in a room of clutter.
CertifyScene clutter(std::uint64_t seed, bool masked) {
  RandomLinks random(seed);
  CertifyScene scene;
  scene.room = random_room(random, 6, 60, 1.5);
  scene.options.margin = seed % 2 == 0 ? 0.0 : 0.02;
  scene.options.tolerance = seed % 3 == 0 ? 1e-3 : 1e-9;
  const RandomCrowd crowd = random_crowd(random, 6, 6, 1.0, true);
  for (std::size_t m = 0; m < crowd.members.size(); ++m) {
    const Avatar& avatar = crowd.members[m].avatar;
    ActivePairs active;
    if (masked && m % 3 != 0) {
      const std::vector<std::string> patterns{"link1:*", m % 2 == 0 ? "*:object[0-3]" : "*2:*4"};
      active = ActivePairs::ignoring(avatar, scene.room, patterns).value();
    }
    for (const Step& step : crowd.steps[m]) scene.add(avatar, step, active);
  }
  return scene;
}

TEST_P(CertifyStage, FindsTheContactsOfTheCpu) {
  Counts counts;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    const CertifyScene scene = clutter(seed, false);
    const Contacts want = expect_contacts_with_room(device(), scene);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
    counts.add(want);
  }
  counts.print();
  EXPECT_GT(counts.overlaps, counts.steps);
  EXPECT_GT(counts.hits, counts.steps / 3);
}

TEST_P(CertifyStage, LeavesOutWhatIsOff) {
  Counts all;
  Counts masked;
  for (const std::uint64_t seed : {1U, 3U}) {
    all.add(contacts_on_cpu(clutter(seed, false), false));
    const CertifyScene scene = clutter(seed, true);
    const Contacts want = contacts_on_cpu(scene, false);
    CertifyRun run(device(), scene);
    expect_same_bits(run.with_room(), want);
    masked.add(want);
    std::uint64_t candidates = 0;
    for (const StepTally& tally : run.tallies()) candidates += tally.candidates;
    EXPECT_GT(candidates, 0U);
    EXPECT_LT(candidates, run.candidates().size());
  }
  EXPECT_LT(masked.overlaps + masked.hits, (all.overlaps + all.hits) * 3 / 4);
  EXPECT_GT(masked.hits, 10);
}

TEST_P(CertifyStage, CountsTheSameOnEveryDevice) {
  const CertifyScene scene = clutter(2, true);
  CertifyRun run(device(), scene);
  CertifyRun reference(open_cuda({.emulate = true, .threads = 1}), scene);
  for (CertifyRun* const r : {&run, &reference}) {
    r->with_room();
    r->of_links();
  }
  const std::vector<StepTally> got = run.tallies();
  const std::vector<StepTally> want = reference.tallies();
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(got[i].candidates, want[i].candidates);
    EXPECT_EQ(got[i].evaluations, want[i].evaluations);
    EXPECT_GE(got[i].evaluations, got[i].candidates);
  }
}

/// An avatar of one link on one joint, and its way from pose to pose.
struct Probe {
  Skeleton skeleton = Skeleton::create({{"root", -1, {}}}).value();
  Avatar avatar;
  std::vector<Transform> poses;

  Probe(const Vec3& a, const Vec3& b, double radius)
      : avatar(Avatar::create("probe", skeleton, {{"link", 0, a, b, radius}}).value()) {}

  void add_to(CertifyScene& scene, InBetween in_between) const {
    const Motion motion = Motion::create(skeleton, 0.1, poses).value();
    StepRange range;
    range.in_between = in_between;
    const StepList steps = motion.steps(range).value();
    for (const Step& step : steps) scene.add(avatar, step);
  }
};

/// Links that come near some surfaces, within what doubles can tell, and go on or rest there.
CertifyScene tangents() {
  CertifyScene scene;
  const auto object = [](const std::string& name, Vec3f a, Vec3f b, Vec3f c) {
    return ObjectMesh{name, {a, b, c}, {{0, 1, 2}}};
  };
  // Grazed first, then hit.
  const ObjectMesh sill{
      "sill",
      {{5, 0, -4}, {9, 0, -4}, {7, 0, 8}, {7.5F, -1, -1}, {7.5F, -1, 1}, {7.5F, 2, 0}},
      {{0, 1, 2}, {3, 4, 5}}};
  scene.room = Environment::create({object("floor", {-4, 0, -4}, {4, 0, -4}, {0, 0, 8}),
                                    object("edge", {-4, 2, 0}, {4, 2, 0}, {0, 4, 0}),
                                    object("tip", {3, 1, 0}, {4, 1, -0.5F}, {4, 1, 0.5F}),
                                    object("point", {-3, 1, 0}, {-3, 1, 0}, {-3, 1, 0}), sill})
                   .value();
  const auto at = [](double x, double y, double z) { return Transform{{}, {x, y, z}}; };
  for (const InBetween kind : {InBetween::kScrew, InBetween::kTranslateRotate}) {
    for (const double off : {0.0, 1e-17, -1e-17, 1e-14, -1e-14, 1e-7, -1e-7}) {
      Probe lying({-0.25, 0, 0}, {0.25, 0, 0}, 0.25);
      // Slides on the floor, rests, falls onto it and lifts off; below the edge; to the tip.
      lying.poses = {at(0, 0.25 + off, 0), at(1, 0.25 + off, 0.5), at(1, 0.25 + off, 0.5),
                     at(1, 0.5, 0.5),      at(1, 0.25 + off, 0.5), at(1, 0.5, 0.5),
                     at(0, 1.75 - off, 0), at(1, 1.75 - off, 0),   at(2.5 - off, 1, 0),
                     at(6, 0.25 + off, 0), at(7.5, 0.25 + off, 0)};
      lying.add_to(scene, kind);
      Probe ball({}, {}, 0.25);
      // Past the tip and the point; through them at its surface.
      ball.poses = {at(2.75 - off, 0.5, 0), at(2.75 - off, 1.5, 0), at(-2.75 - off, 1, -1),
                    at(-2.75 - off, 1, 1),  at(-3, 1.25 + off, 1),  at(-3, 1.25 + off, -1)};
      ball.add_to(scene, kind);
    }
    for (const double gap : {1e-9, 1e-10, 1e-11}) {
      // Turns flat above the floor: certify gives up.
      Probe turning({-0.3, 0, 0}, {0.3, 0, 0}, 0.06 - gap);
      const Transform from = at(0, 0.06, 0);
      Transform to = from;
      to.rotation = {std::cos(1.0), 0, std::sin(1.0), 0};
      turning.poses = {from, to};
      turning.add_to(scene, kind);
    }
  }
  return scene;
}

TEST_P(CertifyStage, FindsGrazes) {
  const CertifyScene scene = tangents();
  const Contacts want = expect_contacts_with_room(device(), scene);
  Counts counts;
  counts.add(want);
  counts.print();
  EXPECT_GT(counts.grazes, 100);
  EXPECT_GT(counts.hits, 20);
  EXPECT_GT(counts.overlaps, 10);
  EXPECT_GE(counts.limited, 2);
}

TEST_P(CertifyStage, TakesThousandsOfObjectsNearOneLink) {
  RandomLinks random(47);
  std::vector<ObjectMesh> meshes;
  for (int o = 0; o < 4000; ++o) {
    const Vec3 centre = random.vector(0, 1.2);
    ObjectMesh mesh{"object" + std::to_string(o), {}, {{0, 1, 2}}};
    for (int k = 0; k < 3; ++k) {
      const Vec3 p = centre + random.vector(0, 0.1);
      mesh.vertices.push_back(
          {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    }
    meshes.push_back(std::move(mesh));
  }
  CertifyScene scene;
  scene.room = Environment::create(std::move(meshes)).value();
  scene.options.margin = 0.2;
  const RandomTake take = random_take(random, 4, 4, 0.4, 0.2);
  for (const Step& step : take.motion.steps().value()) scene.add(take.avatar, step);
  const Contacts want = expect_contacts_with_room(device(), scene);
  Counts counts;
  counts.add(want);
  counts.print();
  EXPECT_GT(counts.overlaps, 1000);
  EXPECT_GT(counts.hits, 1000);
}

TEST_P(CertifyStage, FindsNothingInAnEmptyPlace) {
  CertifyScene scene = clutter(1, false);
  RandomLinks random(9);
  scene.room =
      random_room(random, 1, 5, 0.1).with_vertices(std::vector<Vec3f>(15, {50, 50, 50})).value();
  CertifyRun run(device(), scene);
  EXPECT_TRUE(run.candidates().empty());
  for (const auto& contacts : run.with_room()) EXPECT_TRUE(contacts.empty());
}

TEST_P(CertifyStage, ProvesNothingAboutWhatIsNotFinite) {
  const CertifyScene scene = clutter(4, false);
  CertifyRun run(device(), scene);
  std::vector<core::SweptLink> swept = run.swept().download();
  for (core::SweptLink& s : swept) s.motion.speed = std::numeric_limits<double>::quiet_NaN();
  run.swept().upload(swept);
  std::size_t contacts = 0;
  for (const std::vector<Contact>& of_step : run.with_room()) {
    contacts += of_step.size();
    for (const Contact& c : of_step) {
      EXPECT_EQ(c.status, ContactStatus::kGraze);
      EXPECT_EQ(c.toc, (std::array<double, 2>{0.0, 1.0}));
      EXPECT_TRUE(c.limited);
    }
  }
  EXPECT_GT(contacts, 100U);
}

TEST_P(CertifyStage, FindsTheContactsOfLinks) {
  Counts counts;
  int between = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    // All steps of all avatars meet: the CPU takes them for as many avatars.
    const CertifyScene scene = clutter(seed, false);
    const Contacts want = expect_contacts_of_links(device(), scene);
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
    counts.add(want);
    for (std::size_t i = 0; i < want.size(); ++i) {
      for (const Contact& c : want[i]) between += c.other()->avatar != static_cast<int>(i);
    }
  }
  counts.print();
  EXPECT_GT(counts.overlaps, 100);
  EXPECT_GT(counts.hits, 100);
  EXPECT_GT(between, 200);
  EXPECT_GT(counts.overlaps + counts.hits + counts.grazes - between, 20);  // of an avatar's own
}

TEST_P(CertifyStage, FindsGrazesOfLinks) {
  CertifyScene scene;
  scene.room =
      Environment::create({{"far", {{50, 0, 0}, {51, 0, 0}, {50, 1, 0}}, {{0, 1, 2}}}}).value();
  const auto at = [](double x, double y, double z) { return Transform{{}, {x, y, z}}; };
  for (const InBetween kind : {InBetween::kScrew, InBetween::kTranslateRotate}) {
    Probe rod({-1, 0, 0}, {1, 0, 0}, 0.25);
    rod.poses = {at(0, 0, 0), at(0, 0, 0), at(0.5, 0, 0)};
    rod.add_to(scene, kind);
    for (const double off : {0.0, 1e-17, -1e-17, 1e-14, -1e-14, 1e-7, -1e-7}) {
      Probe across({0, 0, -1}, {0, 0, 1}, 0.25);
      across.poses = {at(0, 0.5 + off, 0), at(0.25, 0.5 + off, 0.5), at(0, 1, 0),
                      at(0, 0.5 + off, 0)};
      across.add_to(scene, kind);
    }
  }
  const Contacts want = expect_contacts_of_links(device(), scene);
  Counts counts;
  counts.add(want);
  counts.print();
  EXPECT_GT(counts.grazes, 30);
  EXPECT_GT(counts.hits, 10);
}

}  // namespace
}  // namespace tocsin::test::certify_stage_test
