#include "scene/tree/clusters.h"

#include <array>
#include <utility>

#include "scene/tree/may_touch.h"
#include "scene/tree/tree_parallel.h"

namespace tocsin::scene {

namespace {

using core::Box;

/// Clusters that one thread takes at a time: some 20 us of work.
constexpr std::size_t kClusterGrain = 64;

/// Cuts a tree into groups of triangles.
class Gatherer {
 public:
  explicit Gatherer(const RoomTree& tree) : tree_(tree), sizes_(tree.nodes().size()) {
    for (std::size_t i = sizes_.size(); i-- > 0;) {  // children come after their parents
      for (const std::uint32_t child : tree.nodes()[i].child) sizes_[i] += size(child);
    }
  }

  void gather() {
    if (sizes_.empty()) return;
    order.reserve(sizes_[0]);
    gather(0);
  }

  std::vector<std::uint32_t> order;  ///< triangles, group after group
  std::vector<std::uint32_t> ends;   ///< where each group ends in `order`

 private:
  [[nodiscard]] std::uint32_t size(std::uint32_t child) const {
    if (child == kNone) return 0;
    if ((child & kLeafBit) == 0) return sizes_[child];
    const auto& triangles = tree_.blocks()[child & ~kLeafBit].triangle;
    return static_cast<std::uint32_t>(
        kBlockSize - std::count(std::begin(triangles), std::end(triangles), kNone));
  }

  /// The groups below a node, at most kMaxDepth deep.
  void gather(std::uint32_t node) {
    // Successive siblings lie near each other, because they come from a tree of two children a
    // node. Siblings that fit into one group are joined. Otherwise nodes of eight children would
    // give groups of half the size that nodes of two give. Only sizes decide, so the groups of a
    // refitted tree are the same.
    std::uint32_t begin = static_cast<std::uint32_t>(order.size());
    for (const std::uint32_t child : tree_.nodes()[node].child) {
      if (child == kNone) continue;
      const std::uint32_t end = static_cast<std::uint32_t>(order.size());
      if (end > begin && end - begin + size(child) > kMostClusterTriangles) {
        ends.push_back(end);
        begin = end;
      }
      if (size(child) <= kMostClusterTriangles) {
        append(child);
      } else {
        gather(child);
        begin = static_cast<std::uint32_t>(order.size());
      }
    }
    if (order.size() > begin) ends.push_back(static_cast<std::uint32_t>(order.size()));
  }

  void append(std::uint32_t child) {
    if (child == kNone) return;
    if ((child & kLeafBit) == 0) {
      for (const std::uint32_t below : tree_.nodes()[child].child) append(below);
      return;
    }
    for (const std::uint32_t triangle : tree_.blocks()[child & ~kLeafBit].triangle) {
      if (triangle != kNone) order.push_back(triangle);
    }
  }

  const RoomTree& tree_;
  std::vector<std::uint32_t> sizes_;  ///< triangles below each node
};

}  // namespace

Clusters::Clusters(const RoomTree& tree, const Environment& environment) {
  Gatherer gatherer(tree);
  gatherer.gather();
  set_clusters(std::move(gatherer.order), gatherer.ends, environment);
}

void Clusters::set_clusters(std::vector<std::uint32_t> order,
                            std::span<const std::uint32_t> group_ends,
                            const Environment& environment) {
  struct Owned {
    std::uint32_t triangle = 0;
    std::uint32_t object = 0;
  };
  std::vector<Owned> group;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : group_ends) {
    group.clear();
    for (std::uint32_t i = begin; i < end; ++i) {
      group.push_back({order[i], environment.object_of(order[i])});
    }
    const auto by_object = [](const Owned& p, const Owned& q) { return p.object < q.object; };
    if (!std::is_sorted(group.begin(), group.end(), by_object)) {
      std::stable_sort(group.begin(), group.end(), by_object);
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      const std::uint32_t at = begin + static_cast<std::uint32_t>(i);
      order[at] = group[i].triangle;
      if (i == 0 || group[i].object != group[i - 1].object) {
        clusters_.push_back({{}, at, 0, group[i].object});
      }
      ++clusters_.back().count;
    }
    begin = end;
  }
  order_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(order));
  refit(environment);
}

void Clusters::refit(const Environment& environment) {
  const std::span<const std::uint32_t> order = triangles();
  in_pieces(clusters_.size(), kClusterGrain, [&](std::size_t begin, std::size_t end) {
    for (Cluster& cluster : std::span(clusters_).subspan(begin, end - begin)) {
      cluster.box = {};
      for (const std::uint32_t triangle : order.subspan(cluster.first, cluster.count)) {
        cluster.box = join(cluster.box, box_of_corners(environment.corners(triangle)));
      }
    }
  });
  set_levels();
}

void Clusters::set_levels() {
  levels_.clear();
  if (clusters_.empty()) return;
  const auto fans = [](std::size_t count) { return (count + kFan - 1) / kFan; };
  levels_.emplace_back(fans(clusters_.size()));
  for (std::size_t i = 0; i < clusters_.size(); ++i) {
    Box& above = levels_[0][i / kFan];
    above = join(above, clusters_[i].box);
  }
  while (levels_.back().size() > 1) {
    const std::vector<Box>& below = levels_.back();
    std::vector<Box> above(fans(below.size()));
    for (std::size_t i = 0; i < below.size(); ++i) {
      above[i / kFan] = join(above[i / kFan], below[i]);
    }
    levels_.push_back(std::move(above));
  }
}

}  // namespace tocsin::scene
