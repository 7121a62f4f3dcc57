// Clusters: the parts of a room that a GPU tests at once. Leaf clusters of its tree.
// docs/gl.md, "The room".
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/bounds/box.h"
#include "scene/tree/kdop_tree.h"
#include "tocsin/environment.h"

namespace tocsin::scene {

/// Most triangles of a cluster. Larger: less is culled. Smaller: more pairs have to be tested.
inline constexpr std::uint32_t kMostClusterTriangles = 128;

/// Triangles of one object that lie near each other.
struct Cluster {
  core::Box box;            ///< around its triangles; metres, world
  std::uint32_t first = 0;  ///< index into Clusters::triangles()
  std::uint32_t count = 0;
  std::uint32_t object = 0;
};

/// All triangles of a room in clusters, and boxes around boxes of clusters to find them by. Copies
/// share the order of the triangles.
class Clusters {
 public:
  Clusters() = default;

  /// The greatest subtrees of at most kMostClusterTriangles triangles, in the tree's depth-first
  /// order, small siblings together; cut where the object changes. The same for any number of
  /// threads, and for a tree and its refitted versions. Throws std::bad_alloc only.
  Clusters(const RoomTree& tree, const Environment& environment);

  /// Boxes for moved vertices; which triangles form a cluster stays. Precondition: the same
  /// triangles (Environment::with_vertices).
  void refit(const Environment& environment);

  [[nodiscard]] std::span<const Cluster> clusters() const { return clusters_; }
  /// Indices in the environment, cluster after cluster.
  [[nodiscard]] std::span<const std::uint32_t> triangles() const {
    return order_ ? std::span<const std::uint32_t>(*order_) : std::span<const std::uint32_t>();
  }

  /// Calls f(cluster index) for every cluster whose box overlaps `box`, in order. Returns how many
  /// boxes were compared.
  template <class F>
  std::uint64_t for_each_overlapping(const core::Box& box, const F& f) const {
    if (levels_.empty()) return 0;
    return visit(levels_.size(), 0, box, f);
  }

 private:
  /// Boxes that one box of the level above holds. 4 measured the same, 16 slower.
  static constexpr std::size_t kFan = 8;

  void set_clusters(std::vector<std::uint32_t> order, std::span<const std::uint32_t> group_ends,
                    const Environment& environment);
  void set_levels();

  /// core::overlap without a branch: 1 or 0.
  static unsigned overlap_bit(const core::Box& a, const core::Box& b) {
    const auto bit = [](bool yes) { return static_cast<unsigned>(yes); };
    return bit(a.lo.x <= b.hi.x) & bit(b.lo.x <= a.hi.x) & bit(a.lo.y <= b.hi.y) &
           bit(b.lo.y <= a.hi.y) & bit(a.lo.z <= b.hi.z) & bit(b.lo.z <= a.hi.z);
  }

  /// The boxes of one fan: of clusters at level 0, of levels_[level - 1] above. Returns how many
  /// boxes were compared.
  template <class F>
  std::uint64_t visit(std::size_t level, std::size_t first, const core::Box& box,
                      const F& f) const {
    const std::size_t all = level == 0 ? clusters_.size() : levels_[level - 1].size();
    const std::size_t count = std::min(kFan, all - first);
    // All of them at once and then the hits, because a processor cannot predict which box overlaps.
    unsigned hits = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const core::Box& at = level == 0 ? clusters_[first + i].box : levels_[level - 1][first + i];
      hits |= overlap_bit(at, box) << i;
    }
    std::uint64_t compared = count;
    for (; hits != 0; hits &= hits - 1) {
      const std::size_t hit = first + static_cast<std::size_t>(std::countr_zero(hits));
      if (level == 0) {
        f(static_cast<std::uint32_t>(hit));
      } else {
        compared += visit(level - 1, hit * kFan, box, f);
      }
    }
    return compared;
  }

  std::vector<Cluster> clusters_;
  /// levels_[0]: boxes around kFan clusters each; every further one around kFan of the one before;
  /// the last is a single box.
  std::vector<std::vector<core::Box>> levels_;
  std::shared_ptr<const std::vector<std::uint32_t>> order_;
};

}  // namespace tocsin::scene
