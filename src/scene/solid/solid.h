// One closed object of a room: which points lie in it? docs/exact.md, "Solids".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/bounds/box.h"
#include "scene/solid/crossing.h"
#include "scene/solid/ray_table.h"
#include "tocsin/environment.h"

namespace tocsin::scene {

/// Made of shells: triangles that hang together by edges. A shell whose normals point outward is
/// solid. One whose normals point inward is a cavity if the smallest shell around it is solid, else
/// a hollow (a room's own walls, seen from within), which counts for nothing.
class Solid {
 public:
  /// `shells`: of count_edges(), of a closed object.
  Solid(const Environment& environment, std::uint32_t object,
        std::span<const std::uint32_t> shells);

  [[nodiscard]] std::uint32_t object() const { return object_; }
  /// Around the shells that count; empty if none does.
  [[nodiscard]] const core::Box& box() const { return box_; }
  /// The triangles of the shells that count, as indices into the environment, in order.
  [[nodiscard]] std::span<const std::uint32_t> triangles() const { return triangles_; }

  /// True if the shells that count wind more often around p outward than inward. Exact for the
  /// point on_grid(p), if that does not lie on one; then it may be either. `environment`: the one
  /// it was made of.
  [[nodiscard]] bool holds(const Environment& environment, const Vec3& p) const;

 private:
  void leave_out_hollows(const Environment& environment, std::span<const std::uint32_t> shells);

  std::uint32_t object_;
  core::Box box_;
  std::vector<std::uint32_t> triangles_;
  RayTable rays_;
};

}  // namespace tocsin::scene
