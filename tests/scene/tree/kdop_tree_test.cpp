// k-DOP trees over made rooms, random triangles and awkward ones: every triangle in one lane,
// volumes that hold what is below them, the same tree for any number of threads, refit.
#include "scene/tree/kdop_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scene/room/awkward_rooms.h"
#include "scene/tree/tree_fit.h"

namespace tocsin::scene::kdop_tree_test {
namespace {

/// A number as the exact sum of two doubles, the greater one first.
struct Exact {
  double head = 0.0;
  double tail = 0.0;
};

bool below_or_equal(float bound, const Exact& x) {
  const double difference = static_cast<double>(bound) - x.head;  // exact, or far from 0
  return difference < 0.0 || (difference <= x.tail);
}

/// x + y without error (Knuth).
Exact two_sum(double x, double y) {
  const double s = x + y;
  const double b = s - x;
  return {s, (x - (s - b)) + (y - b)};
}

Exact along(const core::KdopDirection& d, const Vec3f& p) {
  const Exact first = two_sum(d.x * static_cast<double>(p.x), d.y * static_cast<double>(p.y));
  const Exact second = two_sum(first.head, d.z * static_cast<double>(p.z));
  const Exact rest = two_sum(second.tail, first.tail);
  return two_sum(second.head, rest.head);
}

Exact negated(const Exact& x) { return {-x.head, -x.tail}; }

template <class Tree>
struct Numbers;
template <int K_, int W_>
struct Numbers<KdopTree<K_, W_>> {
  static constexpr int kK = K_;
  static constexpr int kW = W_;
};

template <class Tree>
class KdopTrees : public ::testing::Test {
 public:
  static constexpr int kK = Numbers<Tree>::kK;
  static constexpr int kW = Numbers<Tree>::kW;
  using Node = typename Tree::Node;

  /// Every triangle below child c of node i is within its volume; returns how many there are.
  static std::size_t check_child(const Tree& tree, const Environment& room, std::size_t i, int c,
                                 std::vector<int>& seen) {
    const Node& node = tree.nodes()[i];
    const std::uint32_t child = node.child[c];
    std::vector<std::uint32_t> below;
    collect(tree, child, below);
    for (const std::uint32_t triangle : below) {
      if ((child & kLeafBit) != 0) ++seen[triangle];
      for (const Vec3f& p : room.corners(triangle)) {
        for (int d = 0; d < kK / 2; ++d) {
          const Exact x = along(core::kKdopDirections<kK>[static_cast<std::size_t>(d)], p);
          EXPECT_TRUE(below_or_equal(node.lo[d][c], x)) << i << ' ' << c << ' ' << d;
          EXPECT_TRUE(below_or_equal(-node.hi[d][c], negated(x))) << i << ' ' << c << ' ' << d;
        }
      }
    }
    return below.size();
  }

  static void collect(const Tree& tree, std::uint32_t child, std::vector<std::uint32_t>& out) {
    if ((child & kLeafBit) != 0) {
      for (const std::uint32_t t : tree.blocks()[child & ~kLeafBit].triangle) {
        if (t != kNone) out.push_back(t);
      }
      return;
    }
    for (const std::uint32_t c : tree.nodes()[child].child) {
      if (c != kNone) collect(tree, c, out);
    }
  }

  static void check_node(const Tree& tree, const Environment& room, std::size_t i,
                         std::vector<int>& seen) {
    const Node& node = tree.nodes()[i];
    ASSERT_NE(node.child[0], kNone);
    for (int c = 0; c < kW; ++c) {
      if (node.child[c] == kNone) {
        for (int d = 0; d < kK / 2; ++d) {
          EXPECT_EQ(node.lo[d][c], HUGE_VALF);
          EXPECT_EQ(node.hi[d][c], -HUGE_VALF);
        }
        EXPECT_TRUE(c + 1 == kW || node.child[c + 1] == kNone);
        continue;
      }
      if ((node.child[c] & kLeafBit) == 0) {
        ASSERT_GT(node.child[c], i);
        ASSERT_LT(node.child[c], tree.nodes().size());
      } else {
        ASSERT_LT(node.child[c] & ~kLeafBit, tree.blocks().size());
      }
      EXPECT_GT(check_child(tree, room, i, c, seen), 0U);
    }
  }

  static void check_block(const TriangleBlock& block, const Environment& room) {
    EXPECT_NE(block.triangle[0], kNone);
    for (int lane = 0; lane < kBlockSize; ++lane) {
      const std::uint32_t triangle = block.triangle[lane];
      EXPECT_TRUE(triangle != kNone || lane + 1 == kBlockSize || block.triangle[lane + 1] == kNone);
      for (int corner = 0; corner < 3; ++corner) {
        const float x = block.v[corner][0][lane];
        const float y = block.v[corner][1][lane];
        const float z = block.v[corner][2][lane];
        if (triangle == kNone) {
          EXPECT_TRUE(std::isnan(x) && std::isnan(y) && std::isnan(z));
        } else {
          EXPECT_EQ(room.corners(triangle)[static_cast<std::size_t>(corner)], (Vec3f{x, y, z}));
        }
      }
    }
  }

  /// Every volume is the join of its triangles' k-DOPs, bit for bit.
  static void check_least(const Tree& tree, const Environment& room) {
    for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
      const Node& node = tree.nodes()[i];
      for (int c = 0; c < kW && node.child[c] != kNone; ++c) {
        std::vector<std::uint32_t> below;
        collect(tree, node.child[c], below);
        core::Kdop<kK> volume;
        for (const std::uint32_t t : below) {
          const std::array<Vec3f, 3> v = room.corners(t);
          volume = join(volume, core::kdop_of<kK>(v[0], v[1], v[2]));
        }
        for (std::size_t d = 0; d < kK / 2; ++d) {
          ASSERT_EQ(node.lo[d][c], volume.lo[d]) << i << ' ' << c << ' ' << d;
          ASSERT_EQ(node.hi[d][c], volume.hi[d]) << i << ' ' << c << ' ' << d;
        }
      }
    }
  }

  /// All bits of nodes and blocks.
  static bool same(const Tree& a, const Tree& b) {
    return a.nodes().size() == b.nodes().size() && a.blocks().size() == b.blocks().size() &&
           std::memcmp(a.nodes().data(), b.nodes().data(), a.nodes().size_bytes()) == 0 &&
           std::memcmp(a.blocks().data(), b.blocks().data(), a.blocks().size_bytes()) == 0;
  }

  static void check(const Tree& tree, const Environment& room) {
    std::vector<int> seen(room.triangles().size(), 0);
    for (std::size_t i = 0; i < tree.nodes().size(); ++i) check_node(tree, room, i, seen);
    for (const TriangleBlock& block : tree.blocks()) check_block(block, room);
    for (std::size_t t = 0; t < seen.size(); ++t) EXPECT_EQ(seen[t], 1) << "triangle " << t;
    const std::array<Vec3f, 2> bounds = room.bounds();
    EXPECT_EQ(tree.bounds().lo, bounds[0]);
    EXPECT_EQ(tree.bounds().hi, bounds[1]);
  }
};

/// The product's, and others of every k and every width.
using SomeTrees = ::testing::Types<RoomTree, KdopTree<6, 2>, KdopTree<14, 4>, KdopTree<18, 8>,
                                   KdopTree<26, 2>, KdopTree<26, 4>>;
TYPED_TEST_SUITE(KdopTrees, SomeTrees);

TYPED_TEST(KdopTrees, OfNothingIsEmpty) {
  for (const TypeParam& tree : {TypeParam(), TypeParam(Environment())}) {
    EXPECT_TRUE(tree.nodes().empty());
    EXPECT_TRUE(tree.blocks().empty());
    EXPECT_FALSE(overlap(tree.bounds(), core::Box{{-1e6F, -1e6F, -1e6F}, {1e6F, 1e6F, 1e6F}}));
    EXPECT_EQ(tree.statistics().triangles, 0U);
    EXPECT_EQ(tree.statistics().depth, 0);
  }
}

TYPED_TEST(KdopTrees, OfFewTrianglesHasOneNodeAndOneChild) {
  for (const std::size_t count : {1U, 2U, 7U, 8U}) {
    const Environment room = test::cloud(count, 1);
    const TypeParam tree(room);
    ASSERT_EQ(tree.nodes().size(), 1U);
    ASSERT_EQ(tree.blocks().size(), 1U);
    EXPECT_EQ(tree.nodes()[0].child[0], kLeafBit);
    this->check(tree, room);
    EXPECT_EQ(tree.statistics().triangles, count);
    EXPECT_EQ(tree.statistics().depth, 1);
    EXPECT_EQ(tree.statistics().bytes, sizeof(typename TypeParam::Node) + sizeof(TriangleBlock));
  }
}

TYPED_TEST(KdopTrees, HoldsEveryTriangleOnceAndWithinTheVolumesAboveIt) {
  for (const std::size_t count : {9U, 100U, 1500U}) {
    const Environment room = test::cloud(count, 2);
    this->check(TypeParam(room), room);
  }
}

TYPED_TEST(KdopTrees, SurviveAwkwardRooms) {
  for (const test::AwkwardRoom& awkward : test::awkward_rooms(200)) {
    SCOPED_TRACE(awkward.name);
    this->check(TypeParam(awkward.room), awkward.room);
  }
}

TYPED_TEST(KdopTrees, RefitGivesTheLeastVolumesAroundMovedTriangles) {
  const Environment room = test::cloud(700, 3);
  const Environment other = test::cloud(700, 4);
  const Environment moved = *room.with_vertices({other.vertices().begin(), other.vertices().end()});
  TypeParam tree(room);
  const std::vector<typename TypeParam::Node> before(tree.nodes().begin(), tree.nodes().end());
  this->check_least(tree, room);
  tree.refit(moved);
  this->check(tree, moved);
  this->check_least(tree, moved);
  for (std::size_t i = 0; i < before.size(); ++i) {  // the topology stays
    EXPECT_TRUE(std::ranges::equal(before[i].child, tree.nodes()[i].child));
  }
  tree.refit(room);
  EXPECT_EQ(std::memcmp(before.data(), tree.nodes().data(),
                        before.size() * sizeof(typename TypeParam::Node)),
            0);
}

TYPED_TEST(KdopTrees, AreTheSameForAnyNumberOfThreads) {
  const Environment room = test::cloud(20'000, 7);
  const TypeParam one(room, {.threads = 1});
  for (const int threads : {2, 3}) {
    EXPECT_TRUE(this->same(one, TypeParam(room, {.threads = threads}))) << threads;
  }
}

}  // namespace
}  // namespace tocsin::scene::kdop_tree_test
