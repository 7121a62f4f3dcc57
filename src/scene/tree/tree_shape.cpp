#include "scene/tree/tree_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "base/large_array.h"
#include "core/bounds/box.h"
#include "scene/tree/tree_parallel.h"

namespace tocsin::scene {

namespace {

using core::Box;

/// Leaves that one thread takes at a time: some 100 us of work.
constexpr std::size_t kLeafGrain = 1024;
/// Triangles of a subtree that one thread opens: some 100 us of work.
constexpr std::uint32_t kSubtree = 16384;

/// The size of a query, metres: a limb of an avatar. A node smaller than a query is met as often as
/// one of its size. Without this, nodes above many small triangles would have few children.
constexpr float kQuerySize = 0.1F;

float surface_of(const Box& b) {
  const float x = b.hi.x - b.lo.x;
  const float y = b.hi.y - b.lo.y;
  const float z = b.hi.z - b.lo.z;
  return x * (y + z) + y * z;
}

/// Which nodes of the topology are leaves, in order.
std::vector<std::uint32_t> leaves_of(const Topology& topology) {
  std::vector<std::uint32_t> leaves;
  leaves.reserve(topology.nodes.size() / 2 + 1);
  for (std::uint32_t i = 0; i < topology.nodes.size(); ++i) {
    if (topology.nodes[i].left == 0) leaves.push_back(i);
  }
  return leaves;
}

/// Proportional to the surface of each node's box: for a builder that did not keep them.
std::vector<float> node_surfaces(const Environment& environment, const Topology& topology,
                                 const std::vector<std::uint32_t>& leaves) {
  std::vector<Box> box(topology.nodes.size());
  in_pieces(leaves.size(), kLeafGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Topology::Node& leaf = topology.nodes[leaves[i]];
      Box& b = box[leaves[i]];
      for (std::uint32_t n = leaf.first; n < leaf.first + leaf.count; ++n) {
        for (const Vec3f& p : environment.corners(topology.order[n])) b = join(b, core::box_of(p));
      }
    }
  });
  std::vector<float> surface(box.size());
  for (std::size_t i = box.size(); i-- > 0;) {  // children come after their parents
    const Topology::Node& node = topology.nodes[i];
    if (node.left != 0) box[i] = join(box[node.left], box[node.right]);
    surface[i] = surface_of(box[i]);
  }
  return surface;
}

/// How often a query meets a box, up to a factor: half the surface of the box, grown by the query's
/// size as of a cube.
float weight_of(float surface) {
  const float side = std::sqrt(surface) + 1.7320508F * kQuerySize;
  return side * side;
}

/// Turns nodes of two children into nodes of up to `width`: of all ways to do so that which makes a
/// query meet the fewest nodes (dynamic programming, from the leaves up).
class Opener {
 public:
  Opener(const Topology& topology, const std::vector<float>& surface,
         const std::vector<std::uint32_t>& leaves, int width)
      : topology_(topology),
        surface_(surface),
        block_(topology.nodes.size()),
        width_(static_cast<std::size_t>(width)) {
    for (std::uint32_t i = 0; i < leaves.size(); ++i) block_[leaves[i]] = i;
  }

  /// All of the tree: its subtrees side by side, then its top.
  std::vector<std::uint32_t> open_all() {
    cost_.resize(topology_.nodes.size());
    const std::vector<std::uint32_t> subtrees = find_subtrees();
    in_pieces(subtrees.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) set_costs(below(subtrees[i]));
    });
    set_costs(top_);
    std::vector<Task> later;
    std::vector<std::uint32_t> children = open(0, &later);
    std::vector<std::vector<std::uint32_t>> parts(later.size());
    in_pieces(later.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) parts[i] = open(later[i].node, nullptr);
    });
    std::vector<std::size_t> base(later.size() + 1, children.size());
    for (std::size_t i = 0; i < parts.size(); ++i) base[i + 1] = base[i] + parts[i].size();
    children.resize(base.back());
    in_pieces(parts.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto node = static_cast<std::uint32_t>(base[i] / width_);
        children[later[i].slot] = node;
        std::ranges::transform(
            parts[i], children.begin() + static_cast<std::ptrdiff_t>(base[i]),
            [node](std::uint32_t child) { return (child & kLeafBit) == 0 ? child + node : child; });
        parts[i] = {};
      }
    });
    return children;
  }

 private:
  struct Task {
    std::uint32_t node = 0;  ///< of the topology
    std::size_t slot = 0;    ///< of the parent's children
  };
  /// Entry i: the least weight of the nodes in a forest of at most i + 1 trees that has the node's
  /// leaves. Entry 0 is of the node as a single one.
  using Costs = std::array<float, 8>;

  [[nodiscard]] bool is_leaf(std::uint32_t node) const { return topology_.nodes[node].left == 0; }
  [[nodiscard]] bool is_small(std::uint32_t node) const {
    return topology_.nodes[node].count <= kSubtree;
  }

  /// The largest subtrees that are small; the nodes above them go to top_, parents first.
  std::vector<std::uint32_t> find_subtrees() {
    std::vector<std::uint32_t> found;
    if (is_small(0)) return {0};
    top_.push_back(0);
    for (std::size_t i = 0; i < top_.size(); ++i) {
      const Topology::Node& node = topology_.nodes[top_[i]];
      for (const std::uint32_t child : {node.left, node.right}) {
        (is_small(child) ? found : top_).push_back(child);
      }
    }
    return found;
  }

  /// A node and all below it, parents first.
  [[nodiscard]] std::vector<std::uint32_t> below(std::uint32_t root) const {
    std::vector<std::uint32_t> nodes{root};
    nodes.reserve(topology_.nodes[root].count);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Topology::Node& node = topology_.nodes[nodes[i]];
      if (node.left == 0) continue;
      nodes.push_back(node.left);
      nodes.push_back(node.right);
    }
    return nodes;
  }

  /// The cheapest forest of `trees` + 1 trees, at least two, below a node that is no leaf: its
  /// cost, and how many of them, less one, are left.
  [[nodiscard]] std::pair<float, std::size_t> best_forest(const Topology::Node& node,
                                                          std::size_t trees) const {
    const Costs& left = cost_[node.left];
    const Costs& right = cost_[node.right];
    std::pair<float, std::size_t> best{HUGE_VALF, 0};
    for (std::size_t i = 0; i < trees; ++i) {
      const float cost = left[i] + right[trees - 1 - i];
      if (cost < best.first) best = {cost, i};
    }
    return best;
  }

  /// Of nodes whose children, unless they are among them, are done. Parents come first.
  void set_costs(const std::vector<std::uint32_t>& nodes) {
    for (std::size_t n = nodes.size(); n-- > 0;) {
      Costs& cost = cost_[nodes[n]];
      if (is_leaf(nodes[n])) {
        cost.fill(0.0F);  // its cost does not depend on its parent
        continue;
      }
      const Topology::Node& node = topology_.nodes[nodes[n]];
      for (std::size_t i = 1; i < width_; ++i) cost[i] = best_forest(node, i).first;
      cost[0] = weight_of(surface_[nodes[n]]) + cost[width_ - 1];
      for (std::size_t i = 1; i < width_; ++i) cost[i] = std::min(cost[i], cost[i - 1]);
    }
  }

  /// Appends the roots of the cheapest forest of at most `trees` + 1 trees below `node`.
  void gather(std::uint32_t node, std::size_t trees, std::vector<std::uint32_t>& taken) const {
    const Costs& cost = cost_[node];
    while (trees > 0 && !(cost[trees] < cost[trees - 1])) --trees;
    if (trees == 0 || is_leaf(node)) {
      taken.push_back(node);
    } else {
      split(node, trees, taken);
    }
  }
  void split(std::uint32_t node, std::size_t trees, std::vector<std::uint32_t>& taken) const {
    const Topology::Node& inner = topology_.nodes[node];
    const std::size_t left = best_forest(inner, trees).second;
    gather(inner.left, left, taken);
    gather(inner.right, trees - 1 - left, taken);
  }

  /// The nodes below `root`, depth first. Subtrees that are small go to `later`, unless that is
  /// null.
  std::vector<std::uint32_t> open(std::uint32_t root, std::vector<Task>* later) const {
    constexpr std::size_t kNoParent = ~std::size_t{0};
    std::vector<Task> tasks{{root, kNoParent}};
    std::vector<std::uint32_t> children;
    std::vector<std::uint32_t> taken;
    children.reserve(topology_.nodes[root].count / 4);
    while (!tasks.empty()) {
      const Task task = tasks.back();
      tasks.pop_back();
      if (later != nullptr && task.slot != kNoParent && is_small(task.node)) {
        later->push_back(task);
        continue;
      }
      const std::size_t first = children.size();
      if (task.slot != kNoParent) children[task.slot] = static_cast<std::uint32_t>(first / width_);
      children.resize(first + width_, kNone);
      taken.clear();
      if (is_leaf(task.node)) {
        taken.push_back(task.node);  // the whole tree
      } else {
        split(task.node, width_ - 1, taken);
      }
      for (std::size_t i = taken.size(); i-- > 0;) {  // so that the first comes off the stack first
        if (is_leaf(taken[i])) {
          children[first + i] = kLeafBit | block_[taken[i]];
        } else {
          tasks.push_back({taken[i], first + i});
        }
      }
    }
    return children;
  }

  const Topology& topology_;
  const std::vector<float>& surface_;
  std::vector<std::uint32_t> block_;  ///< of each leaf
  std::vector<std::uint32_t> top_;    ///< nodes that are not small
  base::LargeArray<Costs> cost_;
  std::size_t width_;
};

}  // namespace

TreeShape shape_tree(const Environment& environment, const Topology& topology, int width) {
  TreeShape shape;
  if (topology.nodes.empty()) return shape;
  shape.leaves = leaves_of(topology);
  if (topology.surface.size() == topology.nodes.size()) {
    shape.children = Opener(topology, topology.surface, shape.leaves, width).open_all();
  } else {
    const std::vector<float> surface = node_surfaces(environment, topology, shape.leaves);
    shape.children = Opener(topology, surface, shape.leaves, width).open_all();
  }
  return shape;
}

}  // namespace tocsin::scene
