// Trees by paper 001's rules: well formed, and divided as a straightforward reading of section
// 3.3.4 divides.
#include "papers/paper_topology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "papers/kdop_volume.h"
#include "support/scenes/random_scene.h"

namespace tocsin::papers::paper_topology_test {
namespace {

using core::Kdop;
using scene::kBlockSize;
using scene::Topology;
using test::RandomLinks;

constexpr std::array<AxisRule, 4> kRules{AxisRule::kMinSum, AxisRule::kMinMax, AxisRule::kSplatter,
                                         AxisRule::kLongestSide};
constexpr std::array<SplitPoint, 2> kSplits{SplitPoint::kMean, SplitPoint::kMedian};

using Corners = std::array<Vec3f, 3>;

Environment room_of(const std::vector<Corners>& triangles) {
  ObjectMesh mesh;
  mesh.name = "all";
  for (const Corners& t : triangles) {
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), t.begin(), t.end());
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return *Environment::create({std::move(mesh)});
}

/// Clusters of triangles that are a point each.
Environment points(const std::vector<std::pair<Vec3f, int>>& clusters) {
  std::vector<Corners> triangles;
  for (const auto& [p, count] : clusters) {
    triangles.insert(triangles.end(), static_cast<std::size_t>(count), {p, p, p});
  }
  return room_of(triangles);
}

std::vector<int> depths(const Topology& tree) {
  std::vector<int> out(tree.nodes.size(), 0);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const Topology::Node& node = tree.nodes[i];
    if (node.left != 0) out[node.left] = out[node.right] = out[i] + 1;
  }
  return out;
}

/// Every triangle once; every node's children are its list, cut in two; every node but the root is
/// one node's child.
void expect_well_formed(const Topology& tree, std::size_t triangles, int leaf_size) {
  std::vector<std::uint32_t> sorted = tree.order;
  std::sort(sorted.begin(), sorted.end());
  ASSERT_EQ(sorted.size(), triangles);
  for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], i);
  ASSERT_FALSE(tree.nodes.empty());
  EXPECT_EQ(tree.nodes[0].first, 0U);
  EXPECT_EQ(tree.nodes[0].count, triangles);
  std::vector<int> parents(tree.nodes.size(), 0);
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const Topology::Node& node = tree.nodes[i];
    ASSERT_GT(node.count, 0U);
    if (node.left == 0) {
      EXPECT_EQ(node.right, 0U);
      EXPECT_LE(node.count, static_cast<std::uint32_t>(leaf_size));
      continue;
    }
    EXPECT_GT(node.count, static_cast<std::uint32_t>(leaf_size));
    ASSERT_TRUE(node.left > i && node.right > i && node.left != node.right);
    ASSERT_TRUE(node.left < tree.nodes.size() && node.right < tree.nodes.size());
    const Topology::Node& left = tree.nodes[node.left];
    const Topology::Node& right = tree.nodes[node.right];
    EXPECT_EQ(left.first, node.first);
    EXPECT_EQ(right.first, node.first + left.count);
    EXPECT_EQ(left.count + right.count, node.count);
    ++parents[node.left];
    ++parents[node.right];
  }
  EXPECT_EQ(std::count(parents.begin() + 1, parents.end(), 1),
            static_cast<std::ptrdiff_t>(parents.size() - 1));
  const std::vector<int> depth = depths(tree);
  EXPECT_LE(*std::max_element(depth.begin(), depth.end()), kMeanDepth + 31);
}

bool same(const Topology& a, const Topology& b) {
  const auto equal = [](const Topology::Node& p, const Topology::Node& q) {
    return p.first == q.first && p.count == q.count && p.left == q.left && p.right == q.right;
  };
  return a.order == b.order &&
         std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), equal);
}

/// Section 3.3.4, read once more: sorts, doubles, and no attempt at speed.
template <int K>
class Reader {
 public:
  Reader(const Environment& environment, const BuildRules& options)
      : environment_(environment), options_(options) {}

  /// The triangles that belong below.
  std::set<std::uint32_t> below(const std::vector<std::uint32_t>& list) {
    return sides(list, axis(list))[0];
  }

  std::size_t axis(const std::vector<std::uint32_t>& list) {
    std::size_t best = 0;
    for (const std::size_t a : {1UL, 2UL}) {
      if (value(list, a) < value(list, best)) best = a;
    }
    return best;
  }

 private:
  float centroid(std::uint32_t triangle, std::size_t axis) {
    double sum = 0.0;
    for (const Vec3f& v : environment_.corners(triangle)) {
      sum += static_cast<double>(axis == 0 ? v.x : axis == 1 ? v.y : v.z);
    }
    return static_cast<float>(sum / 3.0);
  }

  std::array<std::set<std::uint32_t>, 2> sides(const std::vector<std::uint32_t>& list,
                                               std::size_t axis) {
    std::vector<std::pair<float, std::uint32_t>> sorted;
    double sum = 0.0;
    for (const std::uint32_t t : list) {
      sorted.emplace_back(centroid(t, axis), t);
      sum += static_cast<double>(centroid(t, axis));
    }
    std::sort(sorted.begin(), sorted.end());
    std::size_t half = list.size() / 2;
    if (options_.split == SplitPoint::kMean) {
      half = 0;
      const double mean = sum / static_cast<double>(list.size());
      while (half < list.size() && static_cast<double>(sorted[half].first) <= mean) ++half;
      if (half == 0 || half == list.size()) half = list.size() / 2;
    }
    std::array<std::set<std::uint32_t>, 2> out;
    for (std::size_t i = 0; i < sorted.size(); ++i) out[i < half ? 0 : 1].insert(sorted[i].second);
    return out;
  }

  template <class List>
  Kdop<K> kdop_of(const List& list) {
    Kdop<K> out;
    for (const std::uint32_t t : list) {
      const Corners v = environment_.corners(t);
      out = join(out, core::kdop_of<K>(v[0], v[1], v[2]));
    }
    return out;
  }

  /// What the rule makes least; of equals, the longest side.
  std::pair<double, double> value(const std::vector<std::uint32_t>& list, std::size_t axis) {
    const Kdop<K> all = kdop_of(list);
    const double side = static_cast<double>(all.lo[axis]) - static_cast<double>(all.hi[axis]);
    return {value_of_rule(list, axis, side), side};
  }

  double value_of_rule(const std::vector<std::uint32_t>& list, std::size_t axis, double side) {
    if (options_.rule == AxisRule::kLongestSide) return side;
    if (options_.rule == AxisRule::kSplatter) {
      double sum = 0.0;
      double squares = 0.0;
      for (const std::uint32_t t : list) sum += static_cast<double>(centroid(t, axis));
      const double mean = sum / static_cast<double>(list.size());
      for (const std::uint32_t t : list) {
        squares += std::pow(static_cast<double>(centroid(t, axis)) - mean, 2.0);
      }
      return -squares;
    }
    const auto halves = sides(list, axis);
    const double a = measure(kdop_of(halves[0])).volume;
    const double b = measure(kdop_of(halves[1])).volume;
    return options_.rule == AxisRule::kMinSum ? a + b : std::max(a, b);
  }

  const Environment& environment_;
  BuildRules options_;
};

std::vector<std::uint32_t> list_of(const Topology& tree, std::uint32_t node) {
  const auto first = tree.order.begin() + static_cast<std::ptrdiff_t>(tree.nodes[node].first);
  std::vector<std::uint32_t> list(first,
                                  first + static_cast<std::ptrdiff_t>(tree.nodes[node].count));
  std::sort(list.begin(), list.end());
  return list;
}

template <int K>
void expect_divided_as_read(const Environment& environment, const BuildRules& options) {
  const Topology tree = paper_topology<K>(environment, options);
  expect_well_formed(tree, environment.triangles().size(), options.leaf_size);
  Reader<K> reader(environment, options);
  for (const Topology::Node& node : tree.nodes) {
    if (node.left == 0) continue;
    const auto index = static_cast<std::uint32_t>(&node - tree.nodes.data());
    const std::vector<std::uint32_t> left = list_of(tree, node.left);
    const std::set<std::uint32_t> expected = reader.below(list_of(tree, index));
    ASSERT_TRUE(std::equal(left.begin(), left.end(), expected.begin(), expected.end()))
        << "K " << K << ", rule " << static_cast<int>(options.rule) << ", split "
        << static_cast<int>(options.split) << ", node " << index;
  }
}

TEST(PaperTopology, DividesAsSection334Says) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    RandomLinks random(321 + seed);
    const Environment room = test::random_room(random, 3, 40 + 7 * static_cast<int>(seed), 3.0);
    for (const AxisRule rule : kRules) {
      for (const SplitPoint split : kSplits) {
        const BuildRules options{
            .rule = rule, .split = split, .leaf_size = 1 + static_cast<int>(seed % 3) * 3};
        expect_divided_as_read<6>(room, options);
        expect_divided_as_read<14>(room, options);
        expect_divided_as_read<18>(room, options);
        expect_divided_as_read<26>(room, options);
      }
    }
  }
}

TEST(PaperTopology, RulesDisagreeWhereTheyShould) {
  // Otherwise the test above could not tell them apart.
  RandomLinks random(331);
  std::array<std::array<int, 4>, 4> differ{};
  for (int n = 0; n < 60; ++n) {
    const Environment room = test::random_room(random, 2, 12, 3.0);
    std::vector<std::uint32_t> all(room.triangles().size());
    std::iota(all.begin(), all.end(), 0U);
    std::array<std::size_t, 4> axis{};
    for (std::size_t r = 0; r < 4; ++r) {
      axis[r] = Reader<18>(room, {.rule = kRules[r]}).axis(all);
      for (std::size_t q = 0; q < r; ++q) differ[q][r] += axis[q] != axis[r] ? 1 : 0;
    }
  }
  for (std::size_t r = 0; r < 4; ++r) {
    for (std::size_t q = 0; q < r; ++q) EXPECT_GT(differ[q][r], 2) << q << " " << r;
  }
}

TEST(PaperTopology, NothingAndOneTriangle) {
  for (const AxisRule rule : kRules) {
    const Topology none = paper_topology<18>(Environment(), {.rule = rule});
    EXPECT_TRUE(none.nodes.empty() && none.order.empty());
    const Topology one = paper_topology<18>(points({{{1, 2, 3}, 1}}), {.rule = rule});
    expect_well_formed(one, 1, kBlockSize);
    EXPECT_EQ(one.nodes.size(), 1U);
  }
}

TEST(PaperTopology, LeavesAreFullOrLess) {
  RandomLinks random(332);
  const Environment room = test::random_room(random, 4, 50, 3.0);
  for (int leaf_size = 1; leaf_size <= kBlockSize; ++leaf_size) {
    for (const SplitPoint split : kSplits) {
      const BuildRules options{.rule = AxisRule::kSplatter, .split = split, .leaf_size = leaf_size};
      expect_well_formed(paper_topology<14>(room, options), 200, leaf_size);
    }
  }
}

TEST(PaperTopology, WhatCoincidesIsHalvedByIndex) {
  for (const AxisRule rule : kRules) {
    for (const SplitPoint split : kSplits) {
      const BuildRules options{.rule = rule, .split = split, .leaf_size = 1};
      // 0.1 has no exact sums: the mean of equal numbers is another number.
      const Topology tree = paper_topology<18>(points({{{0.1F, 0.7F, -0.3F}, 23}}), options);
      expect_well_formed(tree, 23, 1);
      for (std::uint32_t i = 0; i < 23; ++i) EXPECT_EQ(tree.order[i], i);
      const std::vector<int> depth = depths(tree);
      EXPECT_EQ(*std::max_element(depth.begin(), depth.end()), 5);  // 23 <= 2^5
      EXPECT_EQ(tree.nodes[tree.nodes[0].left].count, 11U);
    }
  }
}

TEST(PaperTopology, ZerosOfEitherSignAreOnePlace) {
  const Environment room = points({{{0.0F, 0, 0}, 1}, {{-0.0F, 0, 0}, 1}, {{0.0F, 0, 0}, 2}});
  for (const SplitPoint split : kSplits) {
    const BuildRules options{.rule = AxisRule::kSplatter, .split = split, .leaf_size = 1};
    const Topology tree = paper_topology<6>(room, options);
    expect_well_formed(tree, 4, 1);
    for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(tree.order[i], i);
  }
}

TEST(PaperTopology, FlatPartsAreCutAcrossTheirLength) {
  // A wall in the plane x = 2, 1 m high and 30 m long: no cut leaves any volume, and min sum and
  // min max have no opinion.
  std::vector<Corners> wall;
  for (int i = 0; i < 60; ++i) {
    const float z = 0.5F * static_cast<float>(i);
    for (const float y : {0.0F, 0.5F}) {
      wall.push_back({Vec3f{2, y, z}, Vec3f{2, y + 0.5F, z}, Vec3f{2, y, z + 0.5F}});
    }
  }
  const Environment room = room_of(wall);
  for (const AxisRule rule : {AxisRule::kMinSum, AxisRule::kMinMax}) {
    const Topology tree = paper_topology<18>(room, {.rule = rule});
    const std::vector<std::uint32_t> left = list_of(tree, tree.nodes[0].left);
    ASSERT_EQ(left.size(), 60U);
    EXPECT_EQ(left.back(), 59U);  // the first half of the length
  }
}

/// Clusters along each of three axes in turn, 64 times as far out each time, and each as heavy as a
/// 63rd of all that lie farther in: the mean cuts off one cluster at a time, 84 times.
Environment unbalanced() {
  std::vector<std::pair<Vec3f, int>> clusters;
  int total = 0;
  for (int exponent = -149; exponent < 19; exponent += 2) {
    const float at = static_cast<float>(std::exp2(exponent));
    const int count = total / 63 + 1;
    total += count;
    const int axis = (exponent + 149) / 2 % 3;
    clusters.push_back(
        {{axis == 0 ? at : 0.0F, axis == 1 ? at : 0.0F, axis == 2 ? at : 0.0F}, count});
  }
  return points(clusters);
}

TEST(PaperTopology, DepthIsBounded) {
  const Environment room = unbalanced();
  for (const AxisRule rule : kRules) {
    const BuildRules options{.rule = rule, .split = SplitPoint::kMean, .leaf_size = 1};
    const Topology tree = paper_topology<6>(room, options);
    expect_well_formed(tree, room.triangles().size(), 1);
    const std::vector<int> depth = depths(tree);
    const int deepest = *std::max_element(depth.begin(), depth.end());
    EXPECT_LE(deepest, kMeanDepth + 6);  // some 20 triangles are left then
    if (rule == AxisRule::kSplatter || rule == AxisRule::kLongestSide) {
      EXPECT_GT(deepest, kMeanDepth);  // or the input is not as nasty as it should be
    }
  }
}

TEST(PaperTopology, IsTheSameForAnyNumberOfThreads) {
  RandomLinks random(333);
  const Environment room = test::random_room(random, 10, 400, 6.0);
  for (const AxisRule rule : kRules) {
    for (const SplitPoint split : kSplits) {
      BuildRules options{.rule = rule, .split = split, .threads = 1};
      const Topology one = paper_topology<18>(room, options);
      expect_well_formed(one, 4000, kBlockSize);
      for (const int threads : {2, 5, 0}) {
        options.threads = threads;
        EXPECT_TRUE(same(one, paper_topology<18>(room, options))) << threads;
      }
    }
  }
}

}  // namespace
}  // namespace tocsin::papers::paper_topology_test
