#include "scene/tree/sah_grid.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "scene/tree/sah_subtree.h"
#include "scene/tree/tree_parallel.h"

namespace tocsin::scene {

namespace {

/// Cells along the longest side, for many items and for few: small beside the items, and finer than
/// the bins of the nodes that the cells are for.
constexpr std::size_t kManyCells = 64;
constexpr std::size_t kFewCells = 32;
constexpr std::size_t kMany = std::size_t{1} << 19U;
/// Items that a thread takes at least: the table of the cells costs as much as so many.
constexpr std::size_t kSliceSize = std::size_t{1} << 16U;
/// Cells that a thread merges at a time.
constexpr std::size_t kCellGrain = 4096;

/// Cells side by side over a domain.
class Grid {
 public:
  Grid(const SahDomain& domain, std::size_t most) {
    float longest = 0.0F;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      longest = std::max(longest, domain.high[axis] - domain.low[axis]);
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
      low_[axis] = domain.low[axis];
      if (domain.scale[axis] == 0.0F) continue;
      const float extent = domain.high[axis] - domain.low[axis];
      const auto wanted = static_cast<std::size_t>(static_cast<float>(most) * extent / longest);
      width_[axis] = std::clamp(wanted, std::size_t{1}, most);
      scale_[axis] = static_cast<float>(width_[axis]) / extent;
    }
  }

  [[nodiscard]] std::size_t size() const { return width_[0] * width_[1] * width_[2]; }

  [[nodiscard]] std::size_t cell_of(const SahItem& item) const {
    return along(item, 0) + width_[0] * (along(item, 1) + width_[1] * along(item, 2));
  }

 private:
  [[nodiscard]] std::size_t along(const SahItem& item, std::size_t axis) const {
    const float at = (item.lo[axis] - item.minus_hi[axis] - low_[axis]) * scale_[axis];
    const auto last = static_cast<float>(width_[axis] - 1);
    return static_cast<std::size_t>(static_cast<int>(std::clamp(at, 0.0F, last)));
  }

  std::array<float, 3> low_{};
  std::array<float, 3> scale_{};
  std::array<std::size_t, 3> width_{1, 1, 1};
};

/// What lies in each cell. Slices of the items have a table each.
struct Cells {
  std::vector<SahBound> bound;
  std::vector<std::uint32_t> weight;
};

class Divider {
 public:
  Divider(const SahSource& source, const SahDomain& domain, std::span<SahItem> to)
      : source_(source),
        grid_(domain, source.size() >= kMany ? kManyCells : kFewCells),
        to_(to),
        slices_(std::clamp(source.size() / kSliceSize, std::size_t{1},
                           static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()))),
        cells_(slices_) {}

  Topology run(const SahGridOptions& options) {
    for_slices([&](std::size_t slice) { count(slice); });
    std::vector<SahItem> occupied = merge();
    std::vector<SahItem> spare(occupied.size());
    Topology top = SahSubtree(options.leaf, options.block, options.sah_depth)
                       .build(occupied, spare, options.depth);
    place(top);
    for_slices([&](std::size_t slice) { scatter(slice); });
    top.order.clear();
    return top;
  }

 private:
  template <class Work>
  void for_slices(const Work& work) const {
    in_pieces(slices_, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t slice = begin; slice < end; ++slice) work(slice);
    });
  }
  [[nodiscard]] std::size_t begin_of(std::size_t slice) const {
    return source_.size() * slice / slices_;
  }

  void count(std::size_t slice) {
    Cells& cells = cells_[slice];
    cells.bound.assign(grid_.size(), no_bound());
    cells.weight.assign(grid_.size(), 0);
    for (std::size_t i = begin_of(slice); i < begin_of(slice + 1); ++i) {
      const SahItem item = source_[i];
      const std::size_t cell = grid_.cell_of(item);
      add(item, cells.bound[cell]);
      cells.weight[cell] += item.weight;
    }
  }

  /// An item for every cell with something in it.
  std::vector<SahItem> merge() {
    in_pieces(grid_.size(), kCellGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t slice = 1; slice < slices_; ++slice) {
        for (std::size_t i = begin; i < end; ++i) {
          join_into(cells_[slice].bound[i], cells_[0].bound[i]);
        }
      }
    });
    std::vector<SahItem> occupied;
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      std::uint32_t weight = 0;
      for (const Cells& cells : cells_) weight += cells.weight[i];
      if (weight == 0) continue;
      occupied.push_back(item_of(cells_[0].bound[i], static_cast<std::uint32_t>(i), weight));
    }
    return occupied;
  }

  /// Turns the places of the top's nodes from cells to items, and decides where each slice writes
  /// its items of each leaf.
  void place(Topology& top) {
    std::vector<std::uint32_t> before(top.order.size() + 1, 0);
    for (std::size_t i = 0; i < top.order.size(); ++i) {
      before[i + 1] = before[i];
      for (const Cells& cells : cells_) before[i + 1] += cells.weight[top.order[i]];
    }
    leaf_.resize(grid_.size());
    std::uint32_t leaves = 0;
    next_.resize(slices_);
    for (Topology::Node& node : top.nodes) {
      if (node.left == 0) {
        std::uint32_t at = before[node.first];
        for (std::size_t slice = 0; slice < slices_; ++slice) {
          next_[slice].push_back(at);
          for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            at += cells_[slice].weight[top.order[i]];
          }
        }
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
          leaf_[top.order[i]] = leaves;
        }
        ++leaves;
      }
      const std::uint32_t first = before[node.first];
      node.count = before[node.first + node.count] - first;
      node.first = first;
    }
  }

  void scatter(std::size_t slice) {
    std::vector<std::uint32_t>& next = next_[slice];
    for (std::size_t i = begin_of(slice); i < begin_of(slice + 1); ++i) {
      const SahItem item = source_[i];
      to_[next[leaf_[grid_.cell_of(item)]]++] = item;
    }
  }

  const SahSource& source_;
  Grid grid_;
  std::span<SahItem> to_;
  std::size_t slices_;
  std::vector<Cells> cells_;
  std::vector<std::uint32_t> leaf_;               ///< of each cell
  std::vector<std::vector<std::uint32_t>> next_;  ///< of each slice: where a leaf's next item goes
};

}  // namespace

SahSource::SahSource(const Environment& environment)
    : triangles_(environment.triangles()), vertices_(environment.vertices()) {}

SahItem SahSource::item_of(std::size_t triangle) const {
  const TriangleIndices& t = triangles_[triangle];
  const Vec3f& a = vertices_[t[0]];
  const Vec3f& b = vertices_[t[1]];
  const Vec3f& c = vertices_[t[2]];
  return {{std::min(a.x, std::min(b.x, c.x)), std::min(a.y, std::min(b.y, c.y)),
           std::min(a.z, std::min(b.z, c.z))},
          static_cast<std::uint32_t>(triangle),
          {-std::max(a.x, std::max(b.x, c.x)), -std::max(a.y, std::max(b.y, c.y)),
           -std::max(a.z, std::max(b.z, c.z))},
          1};
}

Topology divide_by_grid(const SahSource& source, const SahDomain& domain,
                        const SahGridOptions& options, std::span<SahItem> to) {
  return Divider(source, domain, to).run(options);
}

}  // namespace tocsin::scene
