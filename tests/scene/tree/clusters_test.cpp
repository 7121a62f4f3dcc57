// Clusters over random, awkward, made and real rooms: every triangle once,
// one object each, boxes that hold, the hierarchy against looking at every box, refit.
#include "scene/tree/clusters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "cpu/tree/make_tree_culler.h"
#include "make/make.h"
#include "scene/room/awkward_rooms.h"
#include "support/data.h"
#include "support/same_box.h"
#include "support/scenes/random_scene.h"
#include "tocsin/tocsin.h"

namespace tocsin::scene::clusters_test {
namespace {

using core::Box;
using test::RandomLinks;

using test::same;

Box box_of(const Environment& room, std::uint32_t triangle) {
  Box out;
  for (const Vec3f& p : room.corners(triangle)) out = join(out, core::box_of(p));
  return out;
}

/// Every triangle in one cluster, clusters one after another, one object each, boxes exact.
void check(const Clusters& clusters, const Environment& room) {
  std::vector<int> seen(room.triangles().size(), 0);
  std::uint32_t next = 0;
  for (const Cluster& cluster : clusters.clusters()) {
    ASSERT_EQ(cluster.first, next);
    ASSERT_GE(cluster.count, 1U);
    ASSERT_LE(cluster.count, kMostClusterTriangles);
    next += cluster.count;
    ASSERT_LE(next, clusters.triangles().size());
    Box box;
    for (std::uint32_t i = cluster.first; i < next; ++i) {
      const std::uint32_t triangle = clusters.triangles()[i];
      ASSERT_LT(triangle, seen.size());
      ++seen[triangle];
      ASSERT_EQ(room.object_of(triangle), cluster.object);
      box = join(box, box_of(room, triangle));
    }
    ASSERT_TRUE(same(cluster.box, box)) << cluster.first;
  }
  EXPECT_EQ(next, clusters.triangles().size());
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
}

/// The hierarchy answers what looking at every box answers, and compares each box once at most.
void check_questions(const Clusters& clusters, const std::vector<Box>& questions) {
  for (const Box& question : questions) {
    std::vector<std::uint32_t> expected;
    for (std::size_t i = 0; i < clusters.clusters().size(); ++i) {
      if (overlap(clusters.clusters()[i].box, question)) {
        expected.push_back(static_cast<std::uint32_t>(i));
      }
    }
    std::vector<std::uint32_t> found;
    const std::uint64_t compared = clusters.for_each_overlapping(
        question, [&](std::uint32_t cluster) { found.push_back(cluster); });
    ASSERT_EQ(found, expected);
    // Above n boxes there are n/8 + n/64 + ..., rounded up at each of at most 11 levels.
    EXPECT_LE(compared, clusters.clusters().size() * 8 / 7 + 11);
  }
}

std::vector<Box> random_questions(RandomLinks& random, const Environment& room, int count) {
  const Vec3 lo = core::to_double(room.bounds()[0]);
  const Vec3 hi = core::to_double(room.bounds()[1]);
  std::vector<Box> out = {Box{}, {room.bounds()[0], room.bounds()[1]}};
  for (int i = 0; i < count; ++i) {
    const Vec3 at{random.uniform(lo.x, hi.x), random.uniform(lo.y, hi.y),
                  random.uniform(lo.z, hi.z)};
    out.push_back(core::grown_box(at, at, random.uniform(0, 1)));
  }
  return out;
}

/// The room with every vertex moved by up to 10 cm.
Environment shaken(RandomLinks& random, const Environment& room) {
  std::vector<Vec3f> vertices(room.vertices().begin(), room.vertices().end());
  for (Vec3f& v : vertices) {
    v.x += static_cast<float>(random.uniform(-0.1, 0.1));
    v.y += static_cast<float>(random.uniform(-0.1, 0.1));
    v.z += static_cast<float>(random.uniform(-0.1, 0.1));
  }
  return *room.with_vertices(std::move(vertices));
}

bool same(const Clusters& p, const Clusters& q) {
  return std::equal(p.triangles().begin(), p.triangles().end(), q.triangles().begin(),
                    q.triangles().end()) &&
         std::equal(p.clusters().begin(), p.clusters().end(), q.clusters().begin(),
                    q.clusters().end(), [](const Cluster& a, const Cluster& b) {
                      return same(a.box, b.box) && a.first == b.first && a.count == b.count &&
                             a.object == b.object;
                    });
}

TEST(Clusters, OfNothingAreNone) {
  int called = 0;
  const auto count = [&](std::uint32_t) { ++called; };
  const Box everywhere{{-1e6F, -1e6F, -1e6F}, {1e6F, 1e6F, 1e6F}};
  EXPECT_EQ(Clusters().for_each_overlapping(everywhere, count), 0U);
  EXPECT_TRUE(Clusters().triangles().empty());
  const Environment nothing;
  Clusters clusters(RoomTree(nothing), nothing);
  clusters.refit(nothing);
  EXPECT_TRUE(clusters.clusters().empty());
  EXPECT_TRUE(clusters.triangles().empty());
  EXPECT_EQ(clusters.for_each_overlapping(everywhere, count), 0U);
  EXPECT_EQ(called, 0);
}

TEST(Clusters, OfFewTrianglesAreOne) {
  for (const int count : {1, 2, 8, 9, 100, 128}) {
    const Environment room = test::random_cloud(count);
    const Clusters clusters(RoomTree(room), room);
    ASSERT_EQ(clusters.clusters().size(), 1U);
    EXPECT_EQ(clusters.clusters()[0].count, static_cast<std::uint32_t>(count));
    check(clusters, room);
  }
}

TEST(Clusters, DivideRandomRooms) {
  RandomLinks random(1);
  const Environment room = test::random_room(random, 12, 400, 3.0);
  const std::vector<Box> questions = random_questions(random, room, 200);
  const Clusters clusters(RoomTree(room), room);
  check(clusters, room);
  check_questions(clusters, questions);
}

TEST(Clusters, DivideAwkwardRooms) {
  RandomLinks random(2);
  for (const auto& [name, room] : test::awkward_rooms(1000)) {
    SCOPED_TRACE(name);
    const Clusters clusters(RoomTree(room), room);
    check(clusters, room);
    check_questions(clusters, random_questions(random, room, 20));
  }
}

TEST(Clusters, KeepTheOrderOfTheTreeWithinAnObject) {
  // One object: the triangles of every cluster follow each other as in some subtrees.
  const Environment room = test::random_cloud(3000);
  const RoomTree tree(room);
  std::map<std::uint32_t, std::uint32_t> block_of;
  for (std::uint32_t b = 0; b < tree.blocks().size(); ++b) {
    for (const std::uint32_t t : tree.blocks()[b].triangle) {
      if (t != kNone) block_of[t] = b;
    }
  }
  const Clusters clusters(tree, room);
  std::set<std::uint32_t> before;
  std::uint32_t last = kNone;
  for (const std::uint32_t triangle : clusters.triangles()) {
    const std::uint32_t block = block_of.at(triangle);
    if (block == last) continue;
    EXPECT_TRUE(before.insert(block).second) << "leaf " << block << " is torn apart";
    last = block;
  }
}

TEST(Clusters, AreCutWhereTheObjectChanges) {
  // Two objects whose triangles alternate along a line: every subtree holds both.
  std::vector<ObjectMesh> meshes(2);
  for (std::uint32_t o = 0; o < 2; ++o) {
    meshes[o].name = o == 0 ? "even" : "odd";
    for (std::uint32_t i = 0; i < 300; ++i) {
      const auto x = static_cast<float>(2 * i + o);
      meshes[o].vertices.insert(meshes[o].vertices.end(),
                                {{x, 0, 0}, {x + 0.5F, 0, 0}, {x, 0.5F, 0}});
      meshes[o].triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
  }
  const Environment room = *Environment::create(std::move(meshes));
  const Clusters clusters(RoomTree(room), room);
  check(clusters, room);
  std::set<std::uint32_t> objects;
  for (const Cluster& cluster : clusters.clusters()) {
    objects.insert(cluster.object);
    EXPECT_LE(cluster.count, 64U) << "half of a subtree belongs to each object";
  }
  EXPECT_EQ(objects.size(), 2U);
  // A subtree gives one run of each object, not one for every change in the tree's order.
  EXPECT_LE(clusters.clusters().size(), 40U);
}

TEST(Clusters, RefitIsWhatFreshBoxesAre) {
  RandomLinks random(3);
  const Environment room = test::random_room(random, 5, 2500, 3.0);
  const Clusters before(RoomTree(room), room);
  const Environment moved = shaken(random, room);
  Clusters clusters = before;
  clusters.refit(moved);
  check(clusters, moved);
  check_questions(clusters, random_questions(random, moved, 20));
  EXPECT_EQ(clusters.triangles().data(), before.triangles().data()) << "copies share the order";
  check(before, room);  // the copy was refitted, not this
  clusters.refit(room);
  EXPECT_TRUE(same(clusters, before));
}

TEST(Clusters, AreTheSameForAnyNumberOfThreads) {
  const Environment room = *make_room({.triangles = 30'000});
  TreeOptions one;
  one.threads = 1;
  TreeOptions three;
  three.threads = 3;
  EXPECT_TRUE(same(Clusters(RoomTree(room, one), room), Clusters(RoomTree(room, three), room)));
}

TEST(Clusters, ComeFromCullers) {
  RandomLinks random(4);
  const Environment room = test::random_room(random, 3, 500, 2.0);
  const auto culler = cpu::make_tree_culler(room);
  EXPECT_TRUE(same(culler->clusters(room), Clusters(RoomTree(room), room)));
  const Environment moved = shaken(random, room);
  Clusters refitted = culler->clusters(room);
  refitted.refit(moved);
  EXPECT_TRUE(same(culler->refitted(moved)->clusters(moved), refitted));
}

/// Shares of the clusters, and of the triangles in them, of at least 32 triangles.
void print_and_demand(const char* name, const Clusters& clusters, double least_clusters,
                      double least_triangles) {
  std::size_t large = 0;
  std::size_t held = 0;
  for (const Cluster& cluster : clusters.clusters()) {
    if (cluster.count < 32) continue;
    ++large;
    held += cluster.count;
  }
  const auto of = [](std::size_t part, std::size_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  const double of_clusters = of(large, clusters.clusters().size());
  const double of_triangles = of(held, clusters.triangles().size());
  std::cout << name << ": " << clusters.triangles().size() << " triangles in "
            << clusters.clusters().size() << " clusters; " << 100 * of_clusters
            << " % of the clusters have 32 triangles or more, and " << 100 * of_triangles
            << " % of all triangles\n";
  EXPECT_GE(of_clusters, least_clusters);
  EXPECT_GE(of_triangles, least_triangles);
}

TEST(Clusters, OfAMadeRoomAreLarge) {
  RandomLinks random(5);
  const Environment room = *make_room({.triangles = 150'000});
  const auto culler = cpu::make_tree_culler(room);
  const Clusters clusters = culler->clusters(room);
  check(clusters, room);
  check_questions(clusters, random_questions(random, room, 200));
  // Many of its 442 objects are smaller than a cluster.
  print_and_demand("made room", clusters, 0.5, 0.9);
}

TEST(Clusters, OfTheHouseAreLarge) {
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  RandomLinks random(6);
  const Environment house = *load_environment(test::data_path("environments/small_house.obj"));
  const auto culler = cpu::make_tree_culler(house);
  const Clusters clusters = culler->clusters(house);
  check(clusters, house);
  check_questions(clusters, random_questions(random, house, 200));
  print_and_demand("house", clusters, 0.8, 0.95);
}

}  // namespace
}  // namespace tocsin::scene::clusters_test
