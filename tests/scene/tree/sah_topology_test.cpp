// The builder by the surface area heuristic: sound trees, the same ones for any number of threads,
// better ones than a plain rule's, and an end on inputs that offer nothing to divide by.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "make/make.h"
#include "papers/paper_topology.h"
#include "scene/room/awkward_rooms.h"
#include "scene/tree/sah_subtree.h"
#include "scene/tree/topology.h"

namespace tocsin::scene::sah_topology_test {
namespace {

/// Half the surface of the box around a node's triangles, from their corners.
double surface_of(const Environment& room, const Topology& topology, const Topology::Node& node) {
  std::array<double, 3> lo{HUGE_VAL, HUGE_VAL, HUGE_VAL};
  std::array<double, 3> hi{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
    for (const Vec3f& p : room.corners(topology.order[i])) {
      const std::array<double, 3> x{p.x, p.y, p.z};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        lo[axis] = std::min(lo[axis], x[axis]);
        hi[axis] = std::max(hi[axis], x[axis]);
      }
    }
  }
  const double x = hi[0] - lo[0];
  const double y = hi[1] - lo[1];
  const double z = hi[2] - lo[2];
  return x * y + y * z + z * x;
}

/// Fails unless every triangle is in one leaf and every node is what topology.h says.
void check(const Topology& topology, const Environment& room, std::uint32_t leaf_size) {
  ASSERT_EQ(topology.order.size(), room.triangles().size());
  std::vector<std::uint32_t> sorted = topology.order;
  std::ranges::sort(sorted);
  for (std::uint32_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], i);
  ASSERT_FALSE(topology.nodes.empty());
  ASSERT_EQ(topology.surface.size(), topology.nodes.size());
  EXPECT_EQ(topology.nodes[0].first, 0U);
  EXPECT_EQ(topology.nodes[0].count, room.triangles().size());
  std::vector<int> depth(topology.nodes.size(), -1);
  depth[0] = 0;
  std::size_t below_leaves = 0;
  for (std::uint32_t i = 0; i < topology.nodes.size(); ++i) {
    const Topology::Node& node = topology.nodes[i];
    ASSERT_GE(depth[i], 0) << "not reached from the root before it is listed";
    ASSERT_LE(depth[i], kSahDepth + 31);
    ASSERT_GT(node.count, 0U);
    if (node.left == 0) {
      ASSERT_EQ(node.right, 0U);
      ASSERT_LE(node.count, leaf_size);
      below_leaves += node.count;
      continue;
    }
    ASSERT_GT(node.left, i);
    ASSERT_GT(node.right, i);
    ASSERT_LT(std::max(node.left, node.right), topology.nodes.size());
    const Topology::Node& left = topology.nodes[node.left];
    const Topology::Node& right = topology.nodes[node.right];
    ASSERT_EQ(left.first, node.first);
    ASSERT_EQ(right.first, left.first + left.count);
    ASSERT_EQ(left.count + right.count, node.count);
    ASSERT_EQ(depth[node.left], -1);
    ASSERT_EQ(depth[node.right], -1);
    depth[node.left] = depth[node.right] = depth[i] + 1;
  }
  EXPECT_EQ(below_leaves, room.triangles().size());
}

/// Expected boxes touched by a small box somewhere inside: surfaces of nodes and blocks, over the
/// root's.
double cost_of(const Topology& topology, const Environment& room) {
  double sum = 0.0;
  for (const Topology::Node& node : topology.nodes) sum += surface_of(room, topology, node);
  return sum / surface_of(room, topology, topology.nodes[0]);
}

bool same(const Topology& a, const Topology& b) {
  const auto equal = [](const Topology::Node& p, const Topology::Node& q) {
    return p.first == q.first && p.count == q.count && p.left == q.left && p.right == q.right;
  };
  return a.order == b.order && a.surface == b.surface &&
         std::ranges::equal(a.nodes, b.nodes, equal);
}

TEST(SahTopology, OfNothingHasNoNodes) {
  const Topology topology = sah_topology(Environment(), {});
  EXPECT_TRUE(topology.nodes.empty());
  EXPECT_TRUE(topology.order.empty());
}

TEST(SahTopology, IsSoundForAllLeafSizesAndAroundTheSizeOfAPiece) {
  for (const int leaf_size : {1, 2, 3, 4, 5, 6, 7, 8}) {
    for (const std::size_t count : {1U, 2U, 8U, 9U, 17U, 300U, 8192U, 8193U, 30'000U}) {
      SCOPED_TRACE(std::to_string(leaf_size) + ", " + std::to_string(count));
      const Environment room = test::cloud(count, count);
      check(sah_topology(room, {.leaf_size = leaf_size}), room,
            static_cast<std::uint32_t>(leaf_size));
    }
  }
}

TEST(SahTopology, KnowsTheSurfaceOfItsNodes) {
  const Environment room = test::cloud(30'000, 1);
  const Topology topology = sah_topology(room, {});
  for (std::size_t i = 0; i < topology.nodes.size(); i += i < 100 ? 1 : 7) {
    const double expected = surface_of(room, topology, topology.nodes[i]);
    EXPECT_NEAR(topology.surface[i], expected, 1e-5 * expected) << i;
  }
}

TEST(SahTopology, IsTheSameForAnyNumberOfThreads) {
  const Environment room = *make_room({150'000, 1});
  const Topology one = sah_topology(room, {.threads = 1});
  for (const int threads : {2, 3, 5}) {
    EXPECT_TRUE(same(one, sah_topology(room, {.threads = threads}))) << threads;
  }
}

TEST(SahTopology, FillsItsBlocksAndBeatsThePlainRule) {
  const Environment room = *make_room({60'000, 2});
  const Topology sah = sah_topology(room, {});
  const auto leaves =
      std::ranges::count_if(sah.nodes, [](const Topology::Node& node) { return node.left == 0; });
  EXPECT_GT(static_cast<double>(room.triangles().size()), 6.0 * static_cast<double>(leaves));
  const Topology median = papers::paper_topology<6>(
      room, {.rule = papers::AxisRule::kLongestSide, .split = papers::SplitPoint::kMedian});
  EXPECT_LT(cost_of(sah, room), 0.85 * cost_of(median, room));
}

TEST(SahTopology, EndsOnAwkwardRooms) {
  for (const std::size_t count : {50U, 20'000U}) {
    for (const test::AwkwardRoom& awkward : test::awkward_rooms(count)) {
      SCOPED_TRACE(awkward.name + ", " + std::to_string(count));
      for (const int leaf_size : {1, 8}) {
        check(sah_topology(awkward.room, {.leaf_size = leaf_size}), awkward.room,
              static_cast<std::uint32_t>(leaf_size));
      }
    }
  }
}

TEST(SahTopology, EndsOnAMillionCopiesOfATriangle) {
  const Environment room = test::room_of(1'000'000, [](std::size_t) {
    return std::array<Vec3f, 3>{Vec3f{1, 2, 3}, Vec3f{2, 2, 3}, Vec3f{1, 3, 4}};
  });
  check(sah_topology(room, {}), room, kBlockSize);
}

/// A dense object far from, and much smaller than, the rest of the room: the grid must be laid
/// again and again, down to where the triangles are.
TEST(SahTopology, FindsASmallDenseObjectInALargeRoom) {
  const std::size_t count = 40'000;
  const auto room_with = [&](float size) {
    return test::room_of(count, [&](std::size_t i) {
      const float far = i % 1000 == 0 ? 900.0F : 0.0F;
      const float s = size * static_cast<float>(i) / static_cast<float>(count);
      return std::array<Vec3f, 3>{Vec3f{far + s, s, 0}, Vec3f{s, s, size}, Vec3f{s, s + size, 0}};
    });
  };
  for (const float size : {1.0F, 1e-3F, 1e-6F}) {
    const Environment room = room_with(size);
    check(sah_topology(room, {}), room, kBlockSize);
  }
}

}  // namespace
}  // namespace tocsin::scene::sah_topology_test
