// The points at which the paper's swept surface is sampled, before they become triangles. Used by
// the tessellation, and by its deviation in bench/papers. docs/gl.md, "The paper's surface".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/motion/link_motion.h"
#include "scene/swept/surface_resolution.h"

namespace tocsin::scene {

/// Normals on a grid of (row of time, column).
class NormalGrid {
 public:
  NormalGrid() = default;
  NormalGrid(int rows, int columns)
      : columns_(static_cast<std::size_t>(columns)),
        normals_(static_cast<std::size_t>(rows) * columns_) {}

  [[nodiscard]] std::size_t index(int row, int column) const {
    return static_cast<std::size_t>(row) * columns_ + static_cast<std::size_t>(column);
  }
  Vec3& at(int row, int column) { return normals_[index(row, column)]; }
  [[nodiscard]] const Vec3& at(int row, int column) const { return normals_[index(row, column)]; }
  [[nodiscard]] const std::vector<Vec3>& all() const { return normals_; }

 private:
  std::size_t columns_ = 0;
  std::vector<Vec3> normals_;
};

/// A grid point of a triangle; `flipped`: it stands on the other side of the ruled surface than
/// its normal in the grid.
struct GridCorner {
  int row = 0;
  int column = 0;
  bool flipped = false;
};
using GridTriangle = std::array<GridCorner, 3>;

struct SurfaceGrid {
  SurfaceResolution resolution;
  double radius = 0.0;                ///< metres
  std::vector<core::AxisState> rows;  ///< at times i / slabs
  NormalGrid sheet;                   ///< slabs + 1 rows, along + 1 columns
  std::array<NormalGrid, 2> pipe;     ///< slabs + 1 rows, around columns; of end a, end b
  /// Of every slab and end: the path runs against the frame's tangent.
  std::array<std::vector<std::uint8_t>, 2> backward;
  std::uint32_t irregular = 0;

  [[nodiscard]] double time(int row) const { return static_cast<double>(row) / resolution.slabs; }
  /// The point of the ruled surface at a corner of the sheets; of the path, at one of a pipe.
  [[nodiscard]] Vec3 on_axis(int row, int column) const {
    const core::AxisState& s = rows[static_cast<std::size_t>(row)];
    const double part = static_cast<double>(column) / resolution.along;
    return (1.0 - part) * s.a + part * s.b;
  }
  [[nodiscard]] const Vec3& on_path(int end, int row) const {
    const core::AxisState& s = rows[static_cast<std::size_t>(row)];
    return end == 0 ? s.a : s.b;
  }

  /// The two triangles of a cell of the sheet on the side of its first corner's normal; the other
  /// sheet has them with all corners flipped. Wherever the normal turns by more than a right angle
  /// from one corner to the next, the two sheets change places: eq. 4's normal changes sign where
  /// the link turns about a point of its own.
  [[nodiscard]] std::array<GridTriangle, 2> sheet_cell(int slab, int column) const;
  [[nodiscard]] std::array<GridTriangle, 2> pipe_cell(int end, int slab, int column) const;
};

SurfaceGrid surface_grid(const core::LinkMotion& link, const SurfaceResolution& resolution);

/// A point of the link's surface: beside end a or b, or beside the axis between them.
struct CapsuleCorner {
  Vec3 normal;  ///< x, y across the axis, z from a to b
  bool at_b = false;
};
/// The link's own surface as triangles: a tube and two half balls.
struct CapsuleShape {
  std::vector<CapsuleCorner> corners;
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< wind outward
};
CapsuleShape capsule_shape(int around);

/// The unit vector across the unit vector u that is nearest to `hint`; any across u, if hint is
/// along it or 0. If u is 0, everything is across it.
Vec3 across(const Vec3& u, const Vec3& hint);

/// p / |p|; 0 for a vector that is `least` long or less.
Vec3 unit_or_zero(const Vec3& p, double least);

}  // namespace tocsin::scene
