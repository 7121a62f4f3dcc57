// A binary tree of axis-aligned boxes over an environment's triangles: the plain CPU culler, and
// the nearest-triangle queries that proved clearances need.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/box.h"
#include "scene/culler.h"
#include "tocsin/environment.h"

namespace tocsin::cpu {

/// Built top-down: the widest axis of the centroids' box, split at the median (paper 001,
/// section 3.3.3, "longest side" and median). Depth is at most log2 of the triangle count, rounded
/// up.
class AabbTree final : public scene::Culler {
 public:
  explicit AabbTree(Environment environment);

  void cull(const scene::SweptLink& link, std::vector<std::uint32_t>& candidates) const override;
  [[nodiscard]] std::string backend() const override { return "cpu"; }
  [[nodiscard]] std::string device() const override;

  /// True if no triangle's box overlaps `box`.
  [[nodiscard]] bool clear_of(const core::Box& box) const;

  /// The box around all triangles; empty if there are none.
  [[nodiscard]] core::Box bounds() const;

  /// The least distance, metres, from segment a-b (world) to a triangle for which `wanted` is true,
  /// if that is below `limit`; otherwise `limit`. A lower bound (core::separation); the caller pays
  /// for rounding.
  [[nodiscard]] double nearest(const Vec3& a, const Vec3& b, double limit,
                               const std::function<bool(std::uint32_t)>& wanted) const;

 private:
  struct Node {
    core::Box box;
    std::uint32_t first = 0;  ///< leaf: first entry of order_; else: index of the right child
    std::uint32_t count = 0;  ///< leaf: number of triangles; 0: inner node, left child comes next
  };

  void build();

  /// Gives `take` every triangle whose box, and all boxes above it, `touches`; until it returns
  /// false.
  template <class Touches, class Visit>
  void visit(const Touches& touches, const Visit& take) const;

  Environment environment_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> order_;
  std::vector<core::Box> boxes_;  ///< of the triangles, in the order of order_
};

}  // namespace tocsin::cpu
