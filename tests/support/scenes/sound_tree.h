// Whether a tree keeps what kdop_tree.h promises of it: walked from the root, without the code that
// builds or reads trees.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "core/bounds/kdop.h"
#include "scene/tree/kdop_tree.h"
#include "tocsin/environment.h"

namespace tocsin::test {

template <int K, int W>
class TreeWalk {
 public:
  TreeWalk(const scene::KdopTree<K, W>& tree, const Environment& room) : tree_(tree), room_(room) {}

  /// What is wrong with the tree; empty if nothing.
  std::string run() {
    seen_.assign(room_.triangles().size(), 0);
    blocks_.assign(tree_.blocks().size(), 0);
    nodes_ = 0;
    if (!tree_.nodes().empty()) visit(0, 1);
    for (const int count : seen_) require(count == 1, "a triangle is not there once");
    for (const int count : blocks_) require(count == 1, "a block is not there once");
    require(nodes_ == tree_.nodes().size(), "a node is out of reach");
    if (room_.triangles().empty()) {
      require(tree_.bounds().lo.x > tree_.bounds().hi.x, "bounds of nothing");
    } else {
      const std::array<Vec3f, 2> bounds = room_.bounds();
      require(tree_.bounds().lo == bounds[0] && tree_.bounds().hi == bounds[1], "bounds differ");
    }
    return wrong_;
  }

 private:
  using Triangles = std::vector<std::uint32_t>;

  void require(bool condition, const char* message) {
    if (!condition && wrong_.empty()) wrong_ = message;
  }

  /// All triangles below a node.
  Triangles visit(std::uint32_t index, int depth) {
    Triangles all;
    ++nodes_;
    require(depth <= scene::kMaxDepth, "too deep");
    require(nodes_ <= tree_.nodes().size(), "a node is reached twice");
    if (!wrong_.empty()) return all;
    const scene::KdopNode<K, W>& node = tree_.nodes()[index];
    require(node.child[0] != scene::kNone, "a node without children");
    for (int c = 0; c < W; ++c) {
      const Triangles below = child(index, node.child[c], depth);
      require((node.child[c] == scene::kNone) == below.empty(), "an empty child");
      require(c == 0 || node.child[c] == scene::kNone || node.child[c - 1] != scene::kNone,
              "a child after an empty lane");
      require_volume(node, c, below);
      all.insert(all.end(), below.begin(), below.end());
    }
    return all;
  }

  Triangles child(std::uint32_t parent, std::uint32_t child, int depth) {
    if (child == scene::kNone) return {};
    if ((child & scene::kLeafBit) != 0) return block(child & ~scene::kLeafBit);
    require(child > parent && child < tree_.nodes().size(), "a child before its parent");
    return wrong_.empty() ? visit(child, depth + 1) : Triangles();
  }

  Triangles block(std::size_t index) {
    require(index < blocks_.size(), "no such block");
    if (!wrong_.empty()) return {};
    ++blocks_[index];
    const scene::TriangleBlock& block = tree_.blocks()[index];
    Triangles out;
    for (int lane = 0; lane < scene::kBlockSize; ++lane) {
      const std::uint32_t triangle = block.triangle[lane];
      if (triangle == scene::kNone) {
        for (const auto& corner : block.v) {
          for (const auto& axis : corner) require(std::isnan(axis[lane]), "a lane not in use");
        }
        continue;
      }
      require(out.size() == static_cast<std::size_t>(lane), "a triangle after an empty lane");
      require(triangle < seen_.size(), "no such triangle");
      if (!wrong_.empty()) return out;
      ++seen_[triangle];
      out.push_back(triangle);
      require_corners(block, lane);
    }
    return out;
  }

  void require_corners(const scene::TriangleBlock& block, int lane) {
    const std::array<Vec3f, 3> corners = room_.corners(block.triangle[lane]);
    for (int c = 0; c < 3; ++c) {
      const Vec3f& p = corners[static_cast<std::size_t>(c)];
      require(same_bits(block.v[c][0][lane], p.x) && same_bits(block.v[c][1][lane], p.y) &&
                  same_bits(block.v[c][2][lane], p.z),
              "a corner differs");
    }
  }
  static bool same_bits(float a, float b) {
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
  }

  /// The volume holds those of all triangles, and is empty if there are none.
  void require_volume(const scene::KdopNode<K, W>& node, int c, const Triangles& below) {
    core::Kdop<K> volume;
    for (std::size_t i = 0; i < K / 2; ++i) {
      volume.lo[i] = node.lo[i][c];
      volume.hi[i] = node.hi[i][c];
    }
    for (const std::uint32_t triangle : below) {
      const std::array<Vec3f, 3> v = room_.corners(triangle);
      require(contains(volume, core::kdop_of<K>(v[0], v[1], v[2])), "a triangle out of its volume");
    }
    if (below.empty()) require(contains(core::Kdop<K>{}, volume), "a volume of nothing");
  }

  const scene::KdopTree<K, W>& tree_;
  const Environment& room_;
  std::vector<int> seen_;    ///< how often each triangle is there
  std::vector<int> blocks_;  ///< how often each block is reached
  std::size_t nodes_ = 0;
  std::string wrong_;
};

/// What is wrong with the tree; empty if nothing.
template <int K, int W>
std::string what_is_wrong(const scene::KdopTree<K, W>& tree, const Environment& room) {
  return TreeWalk<K, W>(tree, room).run();
}

/// Whether two trees are the same to the bit.
template <int K, int W>
bool same_tree(const scene::KdopTree<K, W>& a, const scene::KdopTree<K, W>& b) {
  const auto same = [](const auto& x, const auto& y) {
    return x.size() == y.size() &&
           (x.empty() || std::memcmp(x.data(), y.data(), x.size_bytes()) == 0);
  };
  return same(a.nodes(), b.nodes()) && same(a.blocks(), b.blocks()) &&
         a.bounds().lo == b.bounds().lo && a.bounds().hi == b.bounds().hi;
}

}  // namespace tocsin::test
