// What trees on a device answer, against brute force over all triangles and the CPU's trees.
#include "gpu/cuda/stages/kdop_bvh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/batch/layout.h"
#include "cpu/tree/make_tree_culler.h"
#include "gpu/cuda/stages/device_room.h"
#include "gpu/cuda/stages/every_k.h"
#include "scene/swept/step_motion.h"
#include "scene/tree/candidates.h"
#include "support/cuda_devices.h"
#include "support/data.h"
#include "support/scenes/random_scene.h"
#include "support/scenes/wanted_triangles.h"
#include "tocsin/tocsin.h"

namespace tocsin::cuda::kdop_bvh_test {
namespace {

using core::SweptLink;
using core::batch::Candidate;
using core::batch::StepTally;
using test::culled;
using test::expect_wanted;
using test::RandomLinks;
using test::Triangles;
using test::wanted_triangles;
using test::WantedTriangles;

class KdopBvhTest : public test::OnCudaDevice {};
TOCSIN_ON_CUDA_DEVICES(KdopBvhTest);

/// A room and links that were swept in it; each step of an avatar is one step of the batch.
struct Scene {
  Environment room;
  std::vector<SweptLink> links;
  std::vector<std::uint32_t> step_of;
  std::uint32_t steps = 0;
};

/// Links' motions point into poses that are gone; trees do not ask them.
void sweep(Scene& scene, const Avatar& avatar, std::span<const Step> steps) {
  scene::StepMotion motion;
  for (const Step& step : steps) {
    motion.set(avatar, step, 0.0, {scene.room.bounds()[0], scene.room.bounds()[1]});
    scene.links.insert(scene.links.end(), motion.links().begin(), motion.links().end());
    scene.step_of.resize(scene.links.size(), scene.steps);
    ++scene.steps;
  }
}

Scene random_scene(RandomLinks& random, Environment room, double turn, double travel) {
  Scene scene;
  scene.room = std::move(room);
  const auto take = test::random_take(random, 6, 3, turn, travel);
  const StepList steps = take.motion.steps().value();
  sweep(scene, take.avatar, steps);
  return scene;
}

/// Random rooms of all sizes, hard ones, slow links and links that are cut in pieces.
std::vector<Scene> scenes() {
  RandomLinks random(831);
  std::vector<Scene> out;
  for (int i = 0; i < 16; ++i) {
    const double turn = i % 2 == 0 ? 0.3 : 3.0;
    out.push_back(random_scene(random, test::random_room(random, 3, 1 + 60 * i, 1.5), turn, 0.5));
  }
  for (test::NamedRoom& named : test::hard_rooms()) {
    out.push_back(random_scene(random, std::move(named.room), 0.5, 0.5));
  }
  return out;
}

/// A tree's answers for all links of a scene.
struct Answers {
  std::vector<Triangles> of_link;
  std::vector<StepTally> tallies;
};

/// Asks for all at once, and again in parts of `part` links.
Answers ask(const std::shared_ptr<Device>& device, KdopBvh& tree, const Scene& scene,
            std::size_t part) {
  const std::size_t count = scene.links.size();
  Array<SweptLink> swept(device);
  Array<std::uint32_t> near(device);
  Array<std::uint32_t> step_of(device);
  Array<StepTally> tallies(device);
  Array<std::uint64_t> offsets(device);
  Array<Candidate> candidates(device);
  swept.upload(scene.links);
  std::vector<std::uint32_t> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<std::uint32_t>(i);
  near.upload(all);
  step_of.upload(scene.step_of);
  tallies.upload(std::vector<StepTally>(scene.steps));
  core::batch::View view;
  view.step_of_link = step_of.data();
  const std::uint64_t total =
      tree.count_candidates(view, near.data(), swept.data(), count, offsets, tallies.data());
  const std::vector<std::uint64_t> of_lanes = offsets.download();
  EXPECT_EQ(of_lanes.size(), count * tree.lanes() + 1);
  std::vector<std::uint64_t> ends;
  for (std::size_t i = 0; i < of_lanes.size(); i += tree.lanes()) ends.push_back(of_lanes[i]);
  EXPECT_EQ(ends.front(), 0U);
  EXPECT_EQ(ends.back(), total);
  Answers out;
  out.of_link.resize(count);
  for (std::size_t begin = 0; begin < count; begin += part) {
    const std::size_t end = std::min(begin + part, count);
    tree.find_candidates(swept.data(), begin, end, offsets, ends[end] - ends[begin], candidates);
    const std::vector<Candidate> found = candidates.download();
    EXPECT_EQ(found.size(), ends[end] - ends[begin]);
    for (std::size_t n = 0; n < found.size(); ++n) {
      const std::uint32_t link = found[n].near;
      EXPECT_TRUE(ends[link] <= ends[begin] + n && ends[begin] + n < ends[link + 1]);
      out.of_link.at(link).push_back(found[n].triangle);
    }
  }
  tallies.download(out.tallies);
  return out;
}

/// The triangles of each link, ascending.
std::vector<Triangles> sorted(const Answers& answers) {
  std::vector<Triangles> out = answers.of_link;
  for (Triangles& of_link : out) std::ranges::sort(of_link);
  return out;
}

TEST_P(KdopBvhTest, FindsWhatTheNearTestKeeps) {
  std::size_t must = 0;
  std::size_t in_pieces = 0;
  std::size_t hit = 0;
  std::size_t links = 0;
  for (const Scene& scene : scenes()) {
    const auto cpu_tree = cpu::make_tree_culler(scene.room);
    std::vector<WantedTriangles> wanted;
    for (const SweptLink& link : scene.links) {
      wanted.push_back(wanted_triangles(scene.room, link));
      ASSERT_EQ(wanted.back().may, culled(*cpu_tree, link));
      must += wanted.back().must.size();
      hit += wanted.back().must.empty() ? 0 : 1;
      in_pieces += link.pieces > 1 ? 1 : 0;
    }
    links += scene.links.size();
    const DeviceRoom room(device(), scene.room);
    test::for_every_k([&]<int K>() {
      const auto tree = KdopBvh::build(device(), room.view(), K);
      ASSERT_EQ(tree->k(), K);
      const Answers whole = ask(device(), *tree, scene, scene.links.size());
      const Answers parts = ask(device(), *tree, scene, 3);
      EXPECT_EQ(whole.of_link, parts.of_link);
      for (std::size_t i = 0; i < scene.links.size(); ++i) {
        expect_wanted(whole.of_link[i], wanted[i], K);
      }
      const auto of_lanes = KdopBvh::build(device(), room.view(), K, 2);
      EXPECT_EQ(of_lanes->lanes(), 4U);
      EXPECT_EQ(sorted(ask(device(), *of_lanes, scene, 3)), sorted(whole));
    });
  }
  EXPECT_GT(must, 3000U);
  EXPECT_GT(in_pieces, 30U);
  EXPECT_GT(hit, links / 4);
}

TEST_P(KdopBvhTest, FindsTheHousesTriangles) {
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  TOCSIN_NEEDS_DATA("motions/cmu_bvh/01_01.bvh");
  Scene scene;
  scene.room = load_environment(test::data_path("environments/small_house.obj")).value();
  const Motion take = load_motion(test::data_path("motions/cmu_bvh/01_01.bvh")).value();
  const Motion placed = take.placed({{5.4, 0.03, -4.0}, 0.0}).value();
  const Avatar avatar = Avatar::bind(*load_avatar_model("humanoid16"), placed.skeleton()).value();
  const StepList steps = placed.steps({.first = 1, .last = 2401, .stride = 240}).value();
  sweep(scene, avatar, steps);
  const DeviceRoom room(device(), scene.room);
  std::vector<WantedTriangles> wanted;
  std::size_t must = 0;
  for (const SweptLink& link : scene.links) {
    wanted.push_back(wanted_triangles(scene.room, link));
    must += wanted.back().must.size();
  }
  EXPECT_GT(must, 1000U);
  test::for_every_k([&]<int K>() {
    const auto tree = KdopBvh::build(device(), room.view(), K);
    const Answers answers = ask(device(), *tree, scene, 50);
    std::uint64_t volumes = 0;
    std::uint64_t triangles = 0;
    for (std::size_t i = 0; i < scene.links.size(); ++i) {
      expect_wanted(answers.of_link[i], wanted[i], K);
    }
    for (const StepTally& tally : answers.tallies) {
      volumes += tally.volume_tests;
      triangles += tally.primitive_tests;
    }
    RecordProperty("volume_tests_" + std::to_string(K), static_cast<int>(volumes));
    RecordProperty("triangles_" + std::to_string(K), static_cast<int>(triangles));
  });
}

std::vector<core::Box> random_boxes(RandomLinks& random, int count, double size) {
  std::vector<core::Box> out{core::Box()};  // the empty one is near nothing
  for (int i = 0; i < count; ++i) {
    const Vec3 at = random.vector(0, size);
    out.push_back(core::grown_box(at, at + random.vector(0, 0.3), random.uniform(0.0, 0.1)));
  }
  return out;
}

TEST_P(KdopBvhTest, FindsNearLinks) {
  RandomLinks random(832);
  std::size_t asked = 0;
  std::size_t found = 0;
  for (const Scene& scene : scenes()) {
    std::vector<core::Box> boxes = random_boxes(random, 200, 3.0);
    const std::size_t triangles = scene.room.triangles().size();
    for (std::uint32_t t = 0; t < std::min<std::size_t>(triangles, 20); ++t) {
      const core::Box box = test::box_of(scene.room, t);
      boxes.push_back({box.hi, box.hi});  // touches with a corner
    }
    std::vector<std::uint8_t> want(boxes.size(), 0);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
      for (std::uint32_t t = 0; t < triangles && want[i] == 0; ++t) {
        want[i] = overlap(boxes[i], test::box_of(scene.room, t)) ? 1 : 0;
      }
      found += want[i];
    }
    asked += boxes.size();
    const DeviceRoom room(device(), scene.room);
    Array<core::Box> on_device(device());
    on_device.upload(boxes);
    test::for_every_k([&]<int K>() {
      Array<std::uint8_t> near(device());
      KdopBvh::build(device(), room.view(), K, 3)->flag_near(on_device.data(), boxes.size(), near);
      EXPECT_EQ(near.download(), want);
      const auto tree = KdopBvh::build(device(), room.view(), K);
      tree->flag_near(on_device.data(), boxes.size(), near);
      EXPECT_EQ(near.download(), want);
      tree->flag_near(on_device.data(), 0, near);
      EXPECT_EQ(near.size(), 0U);
    });
  }
  EXPECT_GT(found, asked / 10);
  EXPECT_LT(found, asked / 2);
}

/// A link of radius 0.5 that stands still at x, y = z = 0.
SweptLink ball(double x) {
  SweptLink link;
  link.grow_a = link.grow_b = 0.5;
  link.ends[0] = link.ends[1] = {{x, 0, 0}, {x, 0, 0}};
  link.box = link.piece[0] = core::grown_box({x, 0, 0}, {x, 0, 0}, 0.5);
  return link;
}

/// Three triangles each at x = 0, 1, 10 and 11: the root divides them in the middle, its children
/// into leaves.
TEST_P(KdopBvhTest, CountsWhatItTests) {
  std::vector<Vec3f> places;
  for (int i = 0; i < 3; ++i) {
    places.insert(places.end(), {{11, 0, 0}, {0, 0, 0}, {10, 0, 0}, {1, 0, 0}});
  }
  Scene scene;
  scene.room = test::triangles_at(places);
  scene.links = {ball(0.0), ball(0.505), ball(5.5), ball(20.0), ball(11.0)};
  scene.step_of = {0, 0, 1, 1, 2};
  scene.steps = 4;
  const DeviceRoom room(device(), scene.room);
  test::for_every_k([&]<int K>() {
    const auto tree = KdopBvh::build(device(), room.view(), K);
    const Answers answers = ask(device(), *tree, scene, 5);
    EXPECT_EQ(answers.of_link,
              (std::vector<Triangles>{{1, 5, 9}, {1, 5, 9, 3, 7, 11}, {}, {}, {0, 4, 8}}));
    const std::vector<std::uint64_t> volumes{4 + 4, 2 + 2, 4, 0};
    const std::vector<std::uint64_t> triangles{3 + 6, 0, 3, 0};
    for (std::size_t s = 0; s < scene.steps; ++s) {
      EXPECT_EQ(answers.tallies[s].volume_tests, volumes[s]) << s;
      EXPECT_EQ(answers.tallies[s].primitive_tests, triangles[s]) << s;
      EXPECT_EQ(answers.tallies[s].candidates, 0U) << "certify's to count: it knows what is active";
    }
  });
}

TEST_P(KdopBvhTest, RefittedIsAsBuiltFromMovedVertices) {
  RandomLinks random(833);
  const Scene before = random_scene(random, test::random_room(random, 3, 150, 2.0), 0.3, 0.3);
  std::vector<Vec3f> vertices(before.room.vertices().begin(), before.room.vertices().end());
  for (Vec3f& v : vertices) v = {v.z + 0.3F, v.x, 0.5F * v.y};
  Scene after = before;
  after.room = before.room.with_vertices(std::move(vertices)).value();
  const DeviceRoom here(device(), before.room);
  const DeviceRoom there(device(), after.room);
  std::size_t must = 0;
  test::for_every_k([&]<int K>() {
    const auto tree = KdopBvh::build(device(), here.view(), K);
    const auto moved = tree->copy();
    EXPECT_EQ(moved->k(), K);
    EXPECT_EQ(moved->bytes(), tree->bytes());
    moved->refit(there.view());
    const Answers old_ones = ask(device(), *tree, before, 100);
    const Answers new_ones = ask(device(), *moved, after, 100);
    for (std::size_t i = 0; i < before.links.size(); ++i) {
      expect_wanted(old_ones.of_link[i], wanted_triangles(before.room, before.links[i]), K);
      const WantedTriangles wanted = wanted_triangles(after.room, after.links[i]);
      expect_wanted(new_ones.of_link[i], wanted, K);
      must += wanted.must.size();
    }
  });
  EXPECT_GT(must, 100U);
}

TEST_P(KdopBvhTest, MemoryIsAsDocumented) {
  const Environment environment = test::random_cloud(1001);
  const DeviceRoom room(device(), environment);
  const std::vector<std::pair<int, std::size_t>> bytes{{6, 64}, {14, 128}, {18, 160}, {26, 224}};
  const std::size_t least = KdopBvh::build(device(), room.view(), 6)->bytes() - 8 * 1001;
  const std::size_t nodes = least / (64 + 8);
  EXPECT_EQ(least % (64 + 8), 0U);
  EXPECT_GT(nodes, 1001U / 4);
  EXPECT_LT(nodes, 1001U / 2);
  for (const auto& [k, node] : bytes) {
    EXPECT_EQ(KdopBvh::build(device(), room.view(), k)->bytes(), nodes * (node + 8) + 1001 * 8);
  }
}

}  // namespace
}  // namespace tocsin::cuda::kdop_bvh_test
