#include "scene/swept/swept_surface.h"

#include <cstddef>
#include <utility>

#include "core/vector/vec.h"
#include "scene/swept/surface_grid.h"

namespace tocsin::scene {
namespace {

using Indices = std::array<std::uint32_t, 3>;

/// Lays the grid out: one sheet, the other, pipe a, pipe b, then the caps of both times.
class Tessellation {
 public:
  explicit Tessellation(const SurfaceGrid& grid)
      : grid_(grid), capsule_(capsule_shape(grid.resolution.around)) {
    const SurfaceResolution& r = grid.resolution;
    const std::size_t corners =
        2 * (grid.sheet.all().size() + grid.pipe[0].all().size() + capsule_.corners.size());
    out_.positions.reserve(corners);
    out_.normals.reserve(corners);
    out_.times.reserve(corners);
    const auto cells =
        static_cast<std::size_t>(r.slabs) * static_cast<std::size_t>(r.along + r.around);
    out_.triangles.reserve(4 * cells + 2 * capsule_.triangles.size());
    out_.slab_begin.reserve(static_cast<std::size_t>(r.slabs) + 1);
    out_.irregular = grid.irregular;
  }

  SweptSurface run() {
    const SurfaceResolution& r = grid_.resolution;
    add_sheet(1.0);
    add_sheet(-1.0);
    add_pipe(0);
    add_pipe(1);
    out_.slab_begin.push_back(0);
    for (int i = 0; i < r.slabs; ++i) {
      for (int j = 0; j < r.along; ++j) add_sheet_cell(i, j);
      for (int end = 0; end < 2; ++end) {
        for (int k = 0; k < r.around; ++k) add_pipe_cell(end, i, k);
      }
      if (i == 0) add_caps(0);
      if (i + 1 == r.slabs) add_caps(r.slabs);
      out_.slab_begin.push_back(static_cast<std::uint32_t>(out_.triangles.size()));
    }
    return std::move(out_);
  }

 private:
  void add(const Vec3& centre, const Vec3& normal, int row) {
    out_.positions.push_back(centre + grid_.radius * normal);
    out_.normals.push_back(normal);
    out_.times.push_back(static_cast<float>(grid_.time(row)));
  }

  void add_sheet(double side) {
    for (int i = 0; i <= grid_.resolution.slabs; ++i) {
      for (int j = 0; j <= grid_.resolution.along; ++j) {
        add(grid_.on_axis(i, j), side * grid_.sheet.at(i, j), i);
      }
    }
  }

  void add_pipe(int end) {
    const NormalGrid& normals = grid_.pipe[static_cast<std::size_t>(end)];
    for (int i = 0; i <= grid_.resolution.slabs; ++i) {
      for (int k = 0; k < grid_.resolution.around; ++k) {
        add(grid_.on_path(end, i), normals.at(i, k), i);
      }
    }
  }

  void add_sheet_cell(int slab, int column) {
    const std::size_t size = grid_.sheet.all().size();
    for (const GridTriangle& t : grid_.sheet_cell(slab, column)) {
      Indices front{};
      Indices back{};
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t at = grid_.sheet.index(t[k].row, t[k].column);
        front[k] = static_cast<std::uint32_t>(at + (t[k].flipped ? size : 0));
        back[k] = static_cast<std::uint32_t>(at + (t[k].flipped ? 0 : size));
      }
      out_.triangles.push_back(front);
      out_.triangles.push_back({back[0], back[2], back[1]});
    }
  }

  void add_pipe_cell(int end, int slab, int column) {
    const NormalGrid& normals = grid_.pipe[static_cast<std::size_t>(end)];
    const std::size_t begin =
        2 * grid_.sheet.all().size() + static_cast<std::size_t>(end) * normals.all().size();
    for (const GridTriangle& t : grid_.pipe_cell(end, slab, column)) {
      Indices indices{};
      for (std::size_t k = 0; k < 3; ++k) {
        indices[k] = static_cast<std::uint32_t>(begin + normals.index(t[k].row, t[k].column));
      }
      out_.triangles.push_back(indices);
    }
  }

  /// The link's own surface at the time of a row.
  void add_caps(int row) {
    const core::AxisState& s = grid_.rows[static_cast<std::size_t>(row)];
    Vec3 axis = unit_or_zero(s.b - s.a, 0.0);
    if (axis == Vec3{}) axis = {0.0, 0.0, 1.0};  // a ball
    const Vec3 first = across(axis, grid_.sheet.at(row, 0));
    const Vec3 second = core::cross(axis, first);
    const auto begin = static_cast<std::uint32_t>(out_.positions.size());
    for (const CapsuleCorner& c : capsule_.corners) {
      const Vec3 normal = (c.normal.x * first + c.normal.y * second) + c.normal.z * axis;
      add(c.at_b ? s.b : s.a, normal, row);
    }
    for (const Indices& t : capsule_.triangles) {
      out_.triangles.push_back({begin + t[0], begin + t[1], begin + t[2]});
    }
  }

  const SurfaceGrid& grid_;
  CapsuleShape capsule_;
  SweptSurface out_;
};

}  // namespace

SweptSurface swept_surface(const core::LinkMotion& link, const SurfaceResolution& resolution) {
  const SurfaceGrid grid = surface_grid(link, resolution);
  return Tessellation(grid).run();
}

}  // namespace tocsin::scene
