// Which triangles of one closed object a ray along +x may cross.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/bounds/box.h"
#include "scene/solid/cut.h"
#include "tocsin/environment.h"
#include "tocsin/types.h"

namespace tocsin::scene {

/// Triangles by where they lie in the plane across x: a grid of cells over y and z, each with the
/// triangles whose boxes reach into it. A ray along x stays in one cell.
class RayTable {
 public:
  RayTable() = default;
  /// Of these triangles (indices into the environment), in `box`.
  RayTable(const Environment& environment, std::span<const std::uint32_t> triangles,
           const core::Box& box);

  /// All triangles that a ray along x from p can cross, and others.
  [[nodiscard]] std::span<const std::uint32_t> near(const Vec3& p) const {
    const std::size_t cell = std::size_t{z_.of(p.z)} * y_.count() + y_.of(p.y);
    return std::span(triangles_).subspan(begin_[cell], begin_[cell + 1] - begin_[cell]);
  }

 private:
  /// Calls f(first cell, last cell) for each row of cells that the corners' box reaches into.
  template <class F>
  void for_each_row(const std::array<Vec3f, 3>& corners, const F& f) const;
  [[nodiscard]] std::uint64_t entries(const Environment& environment,
                                      std::span<const std::uint32_t> triangles) const;

  Cut y_;
  Cut z_;
  std::vector<std::uint32_t> begin_ = {0, 0};  ///< per cell, z by z, into triangles_; and the end
  std::vector<std::uint32_t> triangles_;
};

}  // namespace tocsin::scene
