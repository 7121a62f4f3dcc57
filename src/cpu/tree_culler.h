// The CPU's culler: a k-DOP tree of the environment, walked with SIMD; and the other questions that
// the exact step asks it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/box.h"
#include "scene/candidates.h"
#include "scene/clusters.h"
#include "scene/culler.h"
#include "scene/topology.h"
#include "tocsin/environment.h"

namespace tocsin::cpu {

/// Which tree. The defaults are what bench/trees found best (docs/trees.md); every choice gives the
/// same contacts.
struct TreeChoice {
  int k = 6;      ///< 6, 14, 18 or 26
  int width = 8;  ///< children a node: 2, 4 or 8
  scene::TreeOptions build;
};

/// Immutable after construction and safe to share between threads.
class TreeCuller : public scene::Culler {
 public:
  /// The box around all triangles; empty if there are none.
  [[nodiscard]] virtual const core::Box& bounds() const = 0;

  /// True if no triangle's box overlaps `box`.
  [[nodiscard]] virtual bool clear_of(const core::Box& box) const = 0;

  /// The least distance, metres, from segment a-b (world) to a triangle for which `wanted` is true,
  /// if that is below `limit`; otherwise `limit`. A lower bound (core::separation); the caller pays
  /// for rounding.
  [[nodiscard]] virtual double nearest(const Vec3& a, const Vec3& b, double limit,
                                       const std::function<bool(std::uint32_t)>& wanted) const = 0;

  /// A box that holds `inner`, reaches at most `reach` metres beyond it on every side, and overlaps
  /// the box of no triangle for which `wanted` is true; large, not the largest. Empty if there is
  /// none, because `inner` itself overlaps one.
  [[nodiscard]] virtual core::Box empty_box(
      const core::Box& inner, float reach,
      const std::function<bool(std::uint32_t)>& wanted) const = 0;

  /// The same tree fitted to moved vertices (Environment::with_vertices of the environment it was
  /// built from).
  [[nodiscard]] virtual std::unique_ptr<TreeCuller> refitted(
      const Environment& environment) const = 0;

  /// The tree's triangles in clusters, for a device that asks about many at once. Precondition: the
  /// environment it was built from or fitted to.
  [[nodiscard]] virtual scene::Clusters clusters(const Environment& environment) const = 0;

  [[nodiscard]] std::string backend() const override { return "cpu"; }
  [[nodiscard]] std::string device() const override;
};

/// Builds the tree. Precondition: `choice` names one of the trees there are. Throws std::bad_alloc
/// only.
std::unique_ptr<TreeCuller> make_tree_culler(const Environment& environment,
                                             const TreeChoice& choice = {});

}  // namespace tocsin::cpu
