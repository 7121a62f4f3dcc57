// Trees of k-DOPs on a device, node by node: one tree, every triangle in it once, every volume
// holds what is below it.
#include "gpu/cuda/stages/tree_arrays.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/batch/layout.h"
#include "core/batch/tree.h"
#include "core/bounds/kdop.h"
#include "gpu/cuda/stages/device_room.h"
#include "gpu/cuda/stages/every_k.h"
#include "make/make.h"
#include "support/cuda_devices.h"
#include "support/data.h"
#include "support/scenes/random_scene.h"
#include "tocsin/tocsin.h"

namespace tocsin::cuda::tree_arrays_test {
namespace {

using core::batch::kLeafBit;
using core::batch::kNone;

class TreeArraysTest : public test::OnCudaDevice {};
TOCSIN_ON_CUDA_DEVICES(TreeArraysTest);

/// A tree as it came back from the device.
template <int K>
struct Downloaded {
  explicit Downloaded(const TreeArrays<K>& tree)
      : order(tree.order().download()),
        nodes(tree.nodes().download()),
        node_links(tree.node_links().download()),
        leaf_links(tree.leaf_links().download()) {}
  std::vector<std::uint32_t> order;
  std::vector<core::batch::TreeNode<K>> nodes;
  std::vector<std::uint32_t> node_links;
  std::vector<std::uint32_t> leaf_links;
};

/// Whether the triangle lies in the volume, by sums that are exact: three floats of rooms fit into
/// 64 bits but for the smallest, which long double then rounds by less than a volume's slack.
template <int K>
bool holds(const core::Kdop<K>& volume, const std::array<Vec3f, 3>& corners) {
  for (std::size_t i = 0; i < K / 2; ++i) {
    const core::KdopDirection d = core::kKdopDirections<K>[i];
    for (const Vec3f& p : corners) {
      const long double along = (static_cast<long double>(d.x) * static_cast<long double>(p.x) +
                                 static_cast<long double>(d.y) * static_cast<long double>(p.y)) +
                                static_cast<long double>(d.z) * static_cast<long double>(p.z);
      if (!(static_cast<long double>(volume.lo[i]) <= along &&
            along <= static_cast<long double>(volume.hi[i]))) {
        return false;
      }
    }
  }
  return true;
}

template <int K>
bool same(const core::Kdop<K>& a, const core::Kdop<K>& b) {
  return a.lo == b.lo && a.hi == b.hi;
}

/// Walks a tree of more triangles than a leaf has from its root and looks at everything.
template <int K>
class Inspection {
 public:
  Inspection(const Downloaded<K>& tree, const Environment& room)
      : tree_(tree),
        room_(room),
        node_seen_(tree.nodes.size()),
        triangle_seen_(room.triangles().size()) {}

  /// The number of inner nodes on the longest path; stops at the first thing that is wrong.
  int depth() {
    EXPECT_EQ(tree_.order.size(), triangle_seen_.size());
    EXPECT_EQ(tree_.node_links.at(0), kNone);
    std::vector<std::pair<std::uint32_t, int>> open{{0, 1}};
    int deepest = 0;
    while (!open.empty() && !testing::Test::HasFailure()) {
      const auto [node, level] = open.back();
      open.pop_back();
      deepest = std::max(deepest, level);
      EXPECT_FALSE(node_seen_.at(node)) << "reached twice";
      node_seen_[node] = true;
      for (std::uint32_t side = 0; side < 2; ++side) {
        const std::uint32_t child = tree_.nodes[node].child[side];
        if ((child & kLeafBit) != 0) {
          look_at_leaf(node, side);
        } else {
          look_at_child(node, side);
          open.emplace_back(child, level + 1);
        }
      }
    }
    EXPECT_EQ(std::count(node_seen_.begin(), node_seen_.end(), false), 0);
    EXPECT_EQ(std::count(triangle_seen_.begin(), triangle_seen_.end(), false), 0);
    const auto no_leaf = std::count(tree_.leaf_links.begin(), tree_.leaf_links.end(), kNone);
    EXPECT_EQ(leaves_ + static_cast<std::size_t>(no_leaf), tree_.leaf_links.size());
    EXPECT_EQ(leaves_, tree_.nodes.size() + 1);
    return deepest;
  }

 private:
  void look_at_leaf(std::uint32_t node, std::uint32_t side) {
    ++leaves_;
    const std::uint32_t place = tree_.nodes[node].child[side] & ~kLeafBit;
    const std::uint32_t count = tree_.nodes[node].count[side];
    ASSERT_GE(count, 1U);
    ASSERT_LE(count, static_cast<std::uint32_t>(core::batch::kLeafTriangles));
    EXPECT_EQ(tree_.leaf_links.at(place), 2 * node + side);
    const core::Kdop<K>& volume = tree_.nodes[node].volume[side];
    core::Kdop<K> least;
    for (std::uint32_t n = 0; n < count; ++n) {
      const std::uint32_t triangle = tree_.order.at(place + n);
      ASSERT_LT(triangle, triangle_seen_.size());
      EXPECT_FALSE(triangle_seen_[triangle]) << "in the tree twice";
      triangle_seen_[triangle] = true;
      const auto v = room_.corners(triangle);
      EXPECT_TRUE(holds(volume, v)) << "triangle " << triangle;
      least = join(least, core::kdop_of<K>(v[0], v[1], v[2]));
    }
    EXPECT_TRUE(same(volume, least)) << "no larger than it need be";
  }
  void look_at_child(std::uint32_t node, std::uint32_t side) {
    const std::uint32_t child = tree_.nodes[node].child[side];
    ASSERT_LT(child, tree_.nodes.size());
    EXPECT_EQ(tree_.node_links[child], 2 * node + side);
    const core::Kdop<K>& volume = tree_.nodes[node].volume[side];
    const auto& below = tree_.nodes[child].volume;
    EXPECT_TRUE(contains(volume, below[0]) && contains(volume, below[1])) << "node " << node;
    EXPECT_TRUE(same(volume, join(below[0], below[1]))) << "no larger than it need be";
  }

  const Downloaded<K>& tree_;
  const Environment& room_;
  std::vector<bool> node_seen_;
  std::vector<bool> triangle_seen_;
  std::size_t leaves_ = 0;
};

/// Returns the depth.
template <int K>
int look_at(const TreeArrays<K>& arrays, const Environment& room) {
  const Downloaded<K> tree(arrays);
  const std::size_t n = room.triangles().size();
  if (n == 0) {
    EXPECT_TRUE(tree.nodes.empty());
    return 0;
  }
  if (n <= core::batch::kLeafTriangles) {
    EXPECT_EQ(tree.nodes.size(), 1U);
    const core::batch::TreeNode<K>& root = tree.nodes[0];
    EXPECT_EQ(root.child[0], kLeafBit);
    EXPECT_EQ(root.count[0], n);
    for (std::uint32_t t = 0; t < n; ++t) {
      EXPECT_TRUE(holds(root.volume[0], room.corners(t)));
      EXPECT_EQ(std::count(tree.order.begin(), tree.order.end(), t), 1);
    }
    EXPECT_EQ(root.child[1], kLeafBit);
    EXPECT_EQ(root.count[1], 0U);
    EXPECT_TRUE(same(root.volume[1], core::Kdop<K>()));
    return 1;
  }
  return Inspection<K>(tree, room).depth();
}

Environment turned(const Environment& room) {
  std::vector<Vec3f> vertices(room.vertices().begin(), room.vertices().end());
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3f v = vertices[i];
    const auto wave = 0.001F * static_cast<float>(i % 100);
    vertices[i] = {0.5F * v.z + wave, v.x, -v.y - wave};
  }
  return room.with_vertices(std::move(vertices)).value();
}

/// Builds, looks, moves, looks, and looks at what a copy makes of it.
template <int K>
int build_and_refit(const std::shared_ptr<Device>& device, const Environment& room) {
  DeviceRoom here(device, room);
  TreeArrays<K> tree(device);
  tree.build(here.view());
  const int depth = look_at(tree, room);
  EXPECT_LE(depth, core::batch::kDeepestPath);
  const Environment moved = turned(room);
  const DeviceRoom there(device, moved);
  TreeArrays<K> other(device);
  other.copy(tree);
  other.fit(there.view());
  EXPECT_EQ(look_at(other, moved), depth) << "the same shape";
  look_at(tree, room);
  here.move(moved);
  tree.fit(here.view());
  look_at(tree, moved);
  EXPECT_EQ(tree.bytes(), other.bytes());
  return depth;
}

TEST_P(TreeArraysTest, HoldsHardRooms) {
  for (const test::NamedRoom& named : test::hard_rooms()) {
    SCOPED_TRACE(named.name);
    test::for_every_k([&]<int K>() { build_and_refit<K>(device(), named.room); });
  }
}

TEST_P(TreeArraysTest, HoldsSoups) {
  for (const int triangles : {100, 1023, 1025, 20'000}) {
    SCOPED_TRACE(testing::Message() << triangles << " triangles");
    const Environment room = test::random_cloud(triangles, 821);
    test::for_every_k([&]<int K>() { build_and_refit<K>(device(), room); });
  }
}

TEST_P(TreeArraysTest, HoldsAMadeHouse) {
  const Environment room = make_room({.triangles = 60'000, .seed = 3}).value();
  test::for_every_k([&]<int K>() {
    const int depth = build_and_refit<K>(device(), room);
    RecordProperty("depth_" + std::to_string(K), depth);
  });
}

TEST_P(TreeArraysTest, HoldsTheHouse) {
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  const Environment room =
      load_environment(test::data_path("environments/small_house.obj")).value();
  test::for_every_k([&]<int K>() {
    const int depth = build_and_refit<K>(device(), room);
    RecordProperty("depth_" + std::to_string(K), depth);
  });
}

/// Places that agree in many bits make the longest paths.
TEST_P(TreeArraysTest, DepthIsBounded) {
  for (const test::NamedRoom& named : test::hard_rooms()) {
    if (named.name != "deep") continue;
    const int depth = build_and_refit<6>(device(), named.room);
    EXPECT_GT(depth, 50) << "deeper than any house's";
    EXPECT_LE(depth, core::batch::kDeepestPath);
  }
}

}  // namespace
}  // namespace tocsin::cuda::tree_arrays_test
