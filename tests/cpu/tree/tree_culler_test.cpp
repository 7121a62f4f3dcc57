// Every tree keeps the triangles that the near test keeps, at every SIMD target.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "cpu/kernels/simd_targets.h"
#include "cpu/tree/tree_rooms.h"
#include "papers/kdop_culler.h"
#include "papers/paper_trees.h"
#include "scene/swept/step_motion.h"
#include "support/data.h"
#include "support/scenes/random_scene.h"
#include "support/scenes/wanted_triangles.h"
#include "tocsin/tocsin.h"

namespace tocsin::cpu::tree_culler_test {
namespace {

using scene::SweptLink;
using test::culled;
using test::expect_wanted;
using test::RandomLinks;
using test::Triangles;
using test::wanted_triangles;
using test::WantedTriangles;

/// Calls body(choice) for every k and every number of children a node: the product's among them.
template <class Body>
void for_every_tree(const Body& body) {
  for (const int k : {6, 14, 18, 26}) {
    for (const int width : {2, 4, 8}) {
      SCOPED_TRACE(testing::Message() << k << "-DOPs, " << width << " children");
      body(papers::TreeChoice{k, width, {}});
    }
  }
}

/// A room, and links that were swept in it.
struct Scene {
  Environment room;
  std::vector<test::RandomTake> takes;
  std::vector<SweptLink> links;
  std::vector<WantedTriangles> wanted;
};

/// Motions of links that were kept point into poses that are gone; culling does not ask them.
void sweep(Scene& scene, const Avatar& avatar, std::span<const Step> steps) {
  scene::StepMotion motion;
  for (const Step& step : steps) {
    motion.set(avatar, step, 0.0, {scene.room.bounds()[0], scene.room.bounds()[1]});
    for (const SweptLink& link : motion.links()) {
      scene.links.push_back(link);
      scene.wanted.push_back(wanted_triangles(scene.room, link));
    }
  }
}

Scene random_scene(RandomLinks& random, Environment room, double turn, double travel) {
  Scene scene;
  scene.room = std::move(room);
  const auto take = test::random_take(random, 6, 3, turn, travel);
  sweep(scene, take.avatar, take.motion.steps().value());
  return scene;
}

/// Random rooms of all sizes; slow links and links that are cut in pieces.
std::vector<Scene> random_scenes() {
  RandomLinks random(111);
  std::vector<Scene> scenes;
  for (int i = 0; i < 16; ++i) {
    const double turn = i % 2 == 0 ? 0.3 : 3.0;
    scenes.push_back(
        random_scene(random, test::random_room(random, 3, 1 + 25 * i, 2.0), turn, 0.5));
  }
  scenes.push_back(random_scene(random, test::awkward_room(), 0.3, 0.5));
  scenes.push_back(random_scene(random, test::random_room(random, 1, 1, 0.3), 0.3, 0.1));
  scenes.push_back(random_scene(random, Environment(), 0.3, 0.1));
  return scenes;
}

TEST(TreeCuller, KeepsWhatTheNearTestKeeps) {
  const std::vector<Scene> scenes = random_scenes();
  std::size_t must = 0;
  std::size_t in_pieces = 0;
  for (const Scene& scene : scenes) {
    for (const WantedTriangles& w : scene.wanted) must += w.must.size();
    for (const SweptLink& link : scene.links) in_pieces += link.pieces > 1 ? 1 : 0;
  }
  EXPECT_GT(must, 1000U);
  EXPECT_GT(in_pieces, 30U);
  for_every_tree([&](const papers::TreeChoice& choice) {
    std::size_t kept = 0;
    for (const Scene& scene : scenes) {
      const auto tree = papers::make_culler(scene.room, choice);
      test::at_every_simd_target([&] {
        for (std::size_t i = 0; i < scene.links.size(); ++i) {
          const Triangles got = culled(*tree, scene.links[i]);
          ASSERT_NO_FATAL_FAILURE(expect_wanted(got, scene.wanted[i], choice.k));
          kept += got.size();
        }
      });
    }
    RecordProperty("kept_" + std::to_string(choice.k) + "_" + std::to_string(choice.width),
                   static_cast<int>(kept));
  });
}

TEST(TreeCuller, SameCandidatesAndCountersAtEveryTarget) {
  RandomLinks random(113);
  const Scene scene = random_scene(random, test::random_room(random, 3, 200, 2.0), 3.0, 0.5);
  for_every_tree([&](const papers::TreeChoice& choice) {
    const auto tree = papers::make_culler(scene.room, choice);
    std::vector<std::uint64_t> first;
    test::at_every_simd_target([&] {
      std::vector<std::uint64_t> seen;
      for (const SweptLink& link : scene.links) {
        scene::Candidates candidates;
        scene::CullCounters counters;
        tree->cull(link, candidates, counters);
        for (std::size_t i = 0; i < candidates.size(); ++i) {
          seen.push_back(candidates.triangle(i));  // in the same order, too
        }
        seen.insert(seen.end(),
                    {counters.volume_tests, counters.primitive_tests, counters.updates});
      }
      if (first.empty()) first = seen;
      EXPECT_EQ(seen, first);
    });
  });
}

TEST(TreeCuller, KeepsTheHousesTriangles) {
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  TOCSIN_NEEDS_DATA("motions/cmu_bvh/01_01.bvh");
  const Environment house =
      load_environment(test::data_path("environments/small_house.obj")).value();
  const Motion take = load_motion(test::data_path("motions/cmu_bvh/01_01.bvh")).value();
  const Motion placed = take.placed({{5.4, 0.03, -4.0}, 0.0}).value();
  const Avatar avatar = Avatar::bind(*load_avatar_model("humanoid16"), placed.skeleton()).value();
  const StepList steps = placed.steps({.first = 1, .last = 2401, .stride = 240}).value();
  Scene scene;
  scene.room = house;
  sweep(scene, avatar, steps);
  std::size_t must = 0;
  for (const WantedTriangles& w : scene.wanted) must += w.must.size();
  EXPECT_GT(must, 1000U);
  for (const int k : {6, 26}) {
    papers::TreeChoice choice;
    choice.k = k;
    const auto tree = papers::make_culler(scene.room, choice);
    for (std::size_t i = 0; i < scene.links.size(); ++i) {
      ASSERT_NO_FATAL_FAILURE(expect_wanted(culled(*tree, scene.links[i]), scene.wanted[i], k));
    }
  }
}

/// A link of radius 0.5 that stands still at the origin.
SweptLink ball() {
  SweptLink link;
  link.grow_a = link.grow_b = 0.5;
  link.box = link.piece[0] = core::grown_box({}, {}, 0.5);
  return link;
}

/// Two leaves: three triangles near the origin, and two at x = 10.
template <int K>
scene::KdopTree<K, 4> tree_by_hand() {
  const auto triangle = [](scene::TriangleBlock& block, int lane, std::uint32_t index, float x) {
    const float v[3][3] = {{x, 0, 0}, {x, 0.1F, 0}, {x, 0, 0.1F}};
    for (int c = 0; c < 3; ++c) {
      for (int axis = 0; axis < 3; ++axis) block.v[c][axis][lane] = v[c][axis];
    }
    block.triangle[lane] = index;
  };
  std::vector<scene::TriangleBlock> blocks(2);
  for (scene::TriangleBlock& block : blocks) {
    for (int lane = 0; lane < scene::kBlockSize; ++lane) {
      triangle(block, lane, scene::kNone, NAN);
      for (int c = 0; c < 3; ++c) {
        for (int axis = 0; axis < 3; ++axis) block.v[c][axis][lane] = NAN;
      }
    }
  }
  triangle(blocks[0], 0, 4, 0.0F);
  triangle(blocks[0], 1, 3, 0.4F);
  triangle(blocks[0], 2, 2, 0.6F);
  triangle(blocks[1], 0, 1, 10.0F);
  triangle(blocks[1], 1, 0, 10.1F);
  // The root has a node, with both leaves, and nothing else.
  using Node = scene::KdopNode<K, 4>;
  std::vector<Node> nodes(2);
  for (Node& node : nodes) {
    for (int c = 0; c < 4; ++c) {
      node.child[c] = scene::kNone;
      for (int i = 0; i < K / 2; ++i) {
        node.lo[i][c] = HUGE_VALF;
        node.hi[i][c] = -HUGE_VALF;
      }
    }
  }
  const auto hold = [](Node& node, int c, std::uint32_t child, float x0, float x1) {
    core::Kdop<K> volume;
    for (const float x : {x0, x1}) {
      volume = join(volume, core::kdop_of<K>({x, 0, 0}, {x, 0.1F, 0}, {x, 0, 0.1F}));
    }
    for (std::size_t i = 0; i < K / 2; ++i) {
      node.lo[i][c] = volume.lo[i];
      node.hi[i][c] = volume.hi[i];
    }
    node.child[c] = child;
  };
  hold(nodes[0], 0, 1, 0.0F, 10.1F);
  hold(nodes[1], 0, scene::kLeafBit | 0, 0.0F, 0.6F);
  hold(nodes[1], 1, scene::kLeafBit | 1, 10.0F, 10.1F);
  return {std::move(nodes), std::move(blocks), core::Box{{0, 0, 0}, {10.1F, 0.1F, 0.1F}}};
}

template <int K>
void count_by_hand() {
  const papers::KdopCuller<K, 4> tree(tree_by_hand<K>(), nullptr);
  scene::Candidates candidates;
  scene::CullCounters counters;
  tree.cull(ball(), candidates, counters);
  EXPECT_EQ(counters.volume_tests, 3U) << "one child, then two";
  EXPECT_EQ(counters.primitive_tests, 3U);
  EXPECT_EQ(counters.updates, 1U);
  ASSERT_EQ(candidates.size(), 2U);
  EXPECT_EQ(candidates.triangle(0), 4U);
  EXPECT_EQ(candidates.triangle(1), 3U);

  // In two pieces, at the origin and at x = 10: whole, then piece by piece those that are left.
  SweptLink link = ball();
  link.pieces = 2;
  link.ends[2] = {{10, 0, 0}, {10, 0, 0}};
  link.ends[1] = link.ends[2];
  link.ends[0] = link.ends[2];
  link.piece[0] = link.piece[1] = core::grown_box({10, 0, 0}, {10, 0, 0}, 0.5);
  link.box = core::Box{{-1, -1, -1}, {11, 1, 1}};
  candidates.clear();
  tree.cull(link, candidates, counters);
  // The root's child: whole, first piece. The leaves: both whole; then piece 1 both, piece 2 the
  // first one. For k > 6 the whole is the join of the pieces, and the first leaf is gone at once.
  const std::uint64_t tests = K == 6 ? 2 + (2 + 2 + 1) : 2 + (2 + 1);
  EXPECT_EQ(counters.volume_tests, 3 + tests);
  EXPECT_EQ(counters.primitive_tests, 3U + 2U);
  EXPECT_EQ(counters.updates, 1U + 3U);
  EXPECT_EQ(candidates.size(), 2U);
}

TEST(TreeCuller, CountersAddUp) {
  test::at_every_simd_target([] {
    count_by_hand<6>();
    count_by_hand<14>();
    count_by_hand<18>();
    count_by_hand<26>();
  });
}

TEST(TreeCuller, RefittedIsAsBuiltFromMovedVertices) {
  RandomLinks random(114);
  Scene scene = random_scene(random, test::random_room(random, 3, 150, 2.0), 0.3, 0.3);
  const auto built = [&] {
    std::vector<Vec3f> vertices(scene.room.vertices().begin(), scene.room.vertices().end());
    for (Vec3f& v : vertices) v = {v.z + 0.3F, v.x, 0.5F * v.y};
    return scene.room.with_vertices(std::move(vertices)).value();
  }();
  for_every_tree([&](const papers::TreeChoice& choice) {
    const auto before = papers::make_culler(scene.room, choice);
    const auto after = before->refitted(built);
    EXPECT_EQ(after->bounds().lo, built.bounds()[0]);
    EXPECT_EQ(after->bounds().hi, built.bounds()[1]);
    for (const SweptLink& link : scene.links) {
      const WantedTriangles want = wanted_triangles(built, link);
      ASSERT_NO_FATAL_FAILURE(expect_wanted(culled(*after, link), want, choice.k));
    }
    for (std::size_t i = 0; i < scene.links.size(); ++i) {  // and the old one is as it was
      const Triangles got = culled(*before, scene.links[i]);
      const Triangles& must = scene.wanted[i].must;
      ASSERT_TRUE(std::includes(got.begin(), got.end(), must.begin(), must.end()));
    }
  });
}

}  // namespace
}  // namespace tocsin::cpu::tree_culler_test
