// Divides many items at once: sorts them into the cells of a grid, builds the top of a tree over
// the cells, and returns the items in parts, one for each leaf of the top. Two passes over the
// items replace one for each level, and both run on all threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scene/tree/sah_bins.h"
#include "scene/tree/topology.h"
#include "tocsin/environment.h"

namespace tocsin::scene {

/// Where items come from: an environment's triangles, or items that lie in memory.
class SahSource {
 public:
  explicit SahSource(const Environment& environment);
  explicit SahSource(std::span<const SahItem> items) : items_(items) {}

  [[nodiscard]] std::size_t size() const {
    return items_.empty() ? triangles_.size() : items_.size();
  }
  [[nodiscard]] SahItem operator[](std::size_t i) const {
    return items_.empty() ? item_of(i) : items_[i];
  }

 private:
  [[nodiscard]] SahItem item_of(std::size_t triangle) const;

  std::span<const SahItem> items_;
  std::span<const TriangleIndices> triangles_;
  std::span<const Vec3f> vertices_;
};

/// How the top of a tree is built.
struct SahGridOptions {
  std::uint32_t leaf = 0;   ///< weight that needs no further division here
  std::uint32_t block = 0;  ///< the cost is counted in blocks of so many
  int depth = 0;            ///< of the root
  int sah_depth = 0;        ///< from here on nodes are divided at the median
};

/// Writes the items to `to`, leaf by leaf of the tree that is returned (its `order` is empty). A
/// leaf may be heavier than wanted: one cell. The same for any number of threads.
Topology divide_by_grid(const SahSource& source, const SahDomain& domain,
                        const SahGridOptions& options, std::span<SahItem> to);

}  // namespace tocsin::scene
