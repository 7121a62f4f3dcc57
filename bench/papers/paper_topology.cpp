#include "papers/paper_topology.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/bounds/box.h"
#include "core/bounds/kdop.h"
#include "core/vector/vec.h"
#include "papers/kdop_volume.h"
#include "scene/tree/tree_parallel.h"

namespace tocsin::papers {
namespace {

using core::Kdop;
using scene::in_pieces;
using scene::Topology;

constexpr std::array<std::size_t, 3> kAxes{0, 1, 2};

/// A plane across an axis: below it lie the triangles whose (centroid, index) is less. There is
/// always one on either side.
struct Cut {
  std::size_t axis = 0;
  float centroid = 0.0F;
  std::uint32_t triangle = 0;
};

/// Of the centroids of a list, along one axis.
struct Spread {
  double mean = 0.0;
  float least = HUGE_VALF;
  float greatest = -HUGE_VALF;
};

std::array<float, 3> centroid_of(const Vec3f& a, const Vec3f& b, const Vec3f& c) {
  const Vec3 sum = core::to_double(a) + core::to_double(b) + core::to_double(c);
  return {static_cast<float>(sum.x / 3.0), static_cast<float>(sum.y / 3.0),
          static_cast<float>(sum.z / 3.0)};
}

/// Builds the tree level by level. The nodes of one level share only their parents' list, so any
/// number of threads makes the same tree. Every list is kept in the order of the triangles'
/// indices, so that sums over it are the same everywhere too.
template <int K>
class PaperBuilder {
 public:
  PaperBuilder(const Environment& environment, const BuildRules& options)
      : triangles_(environment.triangles()), vertices_(environment.vertices()), options_(options) {}

  Topology build() {
    const std::size_t count = triangles_.size();
    if (count == 0) return {};
    centroids_.resize(count);
    in_pieces(count, kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const TriangleIndices& t = triangles_[i];
        centroids_[i] = centroid_of(vertices_[t[0]], vertices_[t[1]], vertices_[t[2]]);
      }
    });
    order_.resize(count);
    std::iota(order_.begin(), order_.end(), 0U);
    spare_.resize(count);
    tree_.nodes.push_back({0, static_cast<std::uint32_t>(count), 0, 0});
    for (std::size_t level = 0; level < tree_.nodes.size(); ++depth_) level = divide_level(level);
    tree_.order = std::move(order_);
    return std::move(tree_);
  }

 private:
  /// Triangles that one thread takes at a time where each is a few nanoseconds' work.
  static constexpr std::size_t kGrain = 4096;

  [[nodiscard]] float at(std::uint32_t triangle, std::size_t axis) const {
    return centroids_[triangle][axis];
  }
  [[nodiscard]] bool below(const Cut& cut, std::uint32_t triangle) const {
    const float c = at(triangle, cut.axis);
    return c < cut.centroid || (c == cut.centroid && triangle < cut.triangle);
  }
  [[nodiscard]] std::span<std::uint32_t> list_of(const Topology::Node& node) {
    return std::span(order_).subspan(node.first, node.count);
  }

  /// Divides the nodes from `begin` on; returns where the next level begins.
  std::size_t divide_level(std::size_t begin) {
    const std::size_t end = tree_.nodes.size();
    left_counts_.assign(end - begin, 0);
    in_pieces(end - begin, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const Topology::Node& node = tree_.nodes[begin + i];
        if (node.count > static_cast<std::uint32_t>(options_.leaf_size)) {
          left_counts_[i] = divide(node);
        }
      }
    });
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t count = left_counts_[i - begin];
      if (count == 0) continue;
      Topology::Node& node = tree_.nodes[i];
      node.left = static_cast<std::uint32_t>(tree_.nodes.size());
      node.right = node.left + 1;
      const Topology::Node left{node.first, count, 0, 0};
      const Topology::Node right{node.first + count, node.count - count, 0, 0};
      tree_.nodes.push_back(left);
      tree_.nodes.push_back(right);
    }
    return end;
  }

  /// Puts the triangles below the rule's cut first; returns how many they are.
  std::uint32_t divide(const Topology::Node& node) {
    const std::span<std::uint32_t> list = list_of(node);
    const Cut cut = choose(node, list);
    std::uint32_t kept = 0;
    std::uint32_t moved = node.first;
    for (const std::uint32_t triangle : list) {
      if (below(cut, triangle)) {
        list[kept++] = triangle;
      } else {
        spare_[moved++] = triangle;
      }
    }
    std::copy(spare_.begin() + node.first, spare_.begin() + moved, list.begin() + kept);
    return kept;
  }

  Cut choose(const Topology::Node& node, std::span<const std::uint32_t> list) {
    const std::array<Spread, 3> spread = spread_of(list);
    switch (options_.rule) {
      case AxisRule::kSplatter:
        return cut(node, list, spread, greatest_of(variance_of(list, spread)));
      case AxisRule::kLongestSide:
        return cut(node, list, spread, greatest_of(sides_of(list)));
      default:
        return least_volume(node, list, spread);
    }
  }

  [[nodiscard]] std::array<Spread, 3> spread_of(std::span<const std::uint32_t> list) const {
    std::array<Spread, 3> out{};
    for (const std::uint32_t triangle : list) {
      for (const std::size_t axis : kAxes) {
        const float c = at(triangle, axis);
        out[axis].mean += static_cast<double>(c);
        out[axis].least = std::min(out[axis].least, c);
        out[axis].greatest = std::max(out[axis].greatest, c);
      }
    }
    for (Spread& s : out) s.mean /= static_cast<double>(list.size());
    return out;
  }

  /// Times the number of triangles.
  [[nodiscard]] std::array<double, 3> variance_of(std::span<const std::uint32_t> list,
                                                  const std::array<Spread, 3>& spread) const {
    std::array<double, 3> out{};
    for (const std::uint32_t triangle : list) {
      for (const std::size_t axis : kAxes) {
        const double off = static_cast<double>(at(triangle, axis)) - spread[axis].mean;
        out[axis] += off * off;
      }
    }
    return out;
  }

  /// How long the list's k-DOP is along the axes.
  [[nodiscard]] std::array<double, 3> sides_of(std::span<const std::uint32_t> list) const {
    core::Box box;
    for (const std::uint32_t triangle : list) {
      for (const std::uint32_t v : triangles_[triangle])
        box = join(box, core::box_of(vertices_[v]));
    }
    return sides_of(box);
  }
  [[nodiscard]] static std::array<double, 3> sides_of(const core::Box& box) {
    const Vec3 side = core::to_double(box.hi) - core::to_double(box.lo);
    return {side.x, side.y, side.z};
  }

  /// The first of the greatest.
  [[nodiscard]] static std::size_t greatest_of(const std::array<double, 3>& x) {
    return static_cast<std::size_t>(std::max_element(x.begin(), x.end()) - x.begin());
  }

  Cut cut(const Topology::Node& node, std::span<const std::uint32_t> list,
          const std::array<Spread, 3>& spread, std::size_t axis) {
    if (options_.split == SplitPoint::kMean && depth_ < kMeanDepth) {
      // All that do not lie above the mean, whatever their index.
      const float mean = core::float_below(spread[axis].mean);
      if (spread[axis].least <= mean && mean < spread[axis].greatest) {
        return {axis, mean, 0xFFFFFFFF};
      }
    }
    return median_cut(node, list, axis);
  }

  /// Half of the list, rounded down, below. Also where all centroids coincide or the mean rounds
  /// to the least or greatest of them.
  Cut median_cut(const Topology::Node& node, std::span<const std::uint32_t> list,
                 std::size_t axis) {
    std::copy(list.begin(), list.end(), spare_.begin() + node.first);
    const auto first = spare_.begin() + node.first;
    const auto middle = first + node.count / 2;
    std::nth_element(first, middle, first + node.count, [&](std::uint32_t p, std::uint32_t q) {
      return std::pair(at(p, axis), p) < std::pair(at(q, axis), q);
    });
    return {axis, at(*middle, axis), *middle};
  }

  /// Min sum and min max. Rooms are full of flat things, whose parts have no volume whichever way
  /// they are cut: of equals the axis along which the node is longest is taken, then the first.
  Cut least_volume(const Topology::Node& node, std::span<const std::uint32_t> list,
                   const std::array<Spread, 3>& spread) {
    std::array<Cut, 3> cuts;
    for (const std::size_t axis : kAxes) cuts[axis] = cut(node, list, spread, axis);
    const auto halves = halves_of(list, cuts);
    const std::array<double, 3> sides = sides_of(core::box_of(join(halves[0][0], halves[0][1])));
    std::array<double, 3> cost{};
    for (const std::size_t axis : kAxes) cost[axis] = cost_of(halves[axis]);
    return *std::min_element(cuts.begin(), cuts.end(), [&](const Cut& a, const Cut& b) {
      return std::pair(cost[a.axis], -sides[a.axis]) < std::pair(cost[b.axis], -sides[b.axis]);
    });
  }

  [[nodiscard]] double cost_of(const std::array<Kdop<K>, 2>& halves) const {
    const double a = measure(halves[0]).volume;
    const double b = measure(halves[1]).volume;
    return options_.rule == AxisRule::kMinMax ? std::max(a, b) : a + b;
  }

  /// Per cut: the k-DOPs of what lies below and above.
  [[nodiscard]] std::array<std::array<Kdop<K>, 2>, 3> halves_of(
      std::span<const std::uint32_t> list, const std::array<Cut, 3>& cuts) const {
    std::array<std::array<Kdop<K>, 2>, 3> out;
    for (const std::uint32_t triangle : list) {
      const TriangleIndices& t = triangles_[triangle];
      const auto kdop = core::kdop_of<K>(vertices_[t[0]], vertices_[t[1]], vertices_[t[2]]);
      for (const std::size_t axis : kAxes) {
        Kdop<K>& half = out[axis][below(cuts[axis], triangle) ? 0 : 1];
        half = join(half, kdop);
      }
    }
    return out;
  }

  std::span<const TriangleIndices> triangles_;
  std::span<const Vec3f> vertices_;
  BuildRules options_;
  int depth_ = 0;  ///< of the level that is being divided
  std::vector<std::array<float, 3>> centroids_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> spare_;  ///< every node uses what lies beside its own list
  std::vector<std::uint32_t> left_counts_;
  Topology tree_;
};

}  // namespace

template <int K>
Topology paper_topology(const Environment& environment, const BuildRules& options) {
  Topology out;
  scene::with_threads(options.threads,
                      [&] { out = PaperBuilder<K>(environment, options).build(); });
  return out;
}

template Topology paper_topology<6>(const Environment&, const BuildRules&);
template Topology paper_topology<14>(const Environment&, const BuildRules&);
template Topology paper_topology<18>(const Environment&, const BuildRules&);
template Topology paper_topology<26>(const Environment&, const BuildRules&);

}  // namespace tocsin::papers
