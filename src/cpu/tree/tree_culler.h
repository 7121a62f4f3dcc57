// The CPU's culler: a k-DOP tree of the environment, walked with SIMD; and the other questions that
// the exact step asks it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "core/bounds/box.h"
#include "scene/swept/swept_link.h"
#include "scene/tree/candidates.h"
#include "scene/tree/clusters.h"
#include "tocsin/environment.h"

namespace tocsin::cpu {

/// Immutable after construction and safe to share between threads. An interface, so that tests and
/// benches can put other trees in a room's place (bench/papers).
class TreeCuller {
 public:
  TreeCuller() = default;
  TreeCuller(const TreeCuller&) = delete;
  TreeCuller& operator=(const TreeCuller&) = delete;
  virtual ~TreeCuller() = default;

  /// Appends to `candidates` the environment's triangles that the link may touch, each once, in any
  /// order. May keep too much; must never drop a triangle that certify would not call free. Adds to
  /// `counters`.
  virtual void cull(const scene::SweptLink& link, scene::Candidates& candidates,
                    scene::CullCounters& counters) const = 0;

  /// The box around all triangles; empty if there are none.
  [[nodiscard]] virtual const core::Box& bounds() const = 0;

  /// True if no triangle's box overlaps `box`.
  [[nodiscard]] virtual bool clear_of(const core::Box& box) const = 0;

  /// The least distance, metres, from segment a-b (world) to a triangle for which `wanted` is true,
  /// if that is below `limit`; otherwise `limit`. A lower bound (core::separation), up to rounding,
  /// which the caller must allow for.
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
};

}  // namespace tocsin::cpu
