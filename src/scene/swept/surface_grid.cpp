#include "scene/swept/surface_grid.h"

#include <cmath>

#include "core/bounds/near_test.h"
#include "core/vector/trig.h"
#include "core/vector/vec.h"

namespace tocsin::scene {
namespace {

using core::cross;
using core::dot;
using core::norm;

/// A hint this short, once made to lie across a unit vector, says nothing but rounding. Greater,
/// and a frame jumps where it could have followed; both are right.
constexpr double kLeastAcross = 0x1p-20;

/// Velocities and lengths up to `noise` are rounding: they have no direction.
class SheetNormals {
 public:
  SheetNormals(SurfaceGrid& grid, double noise) : grid_(grid), noise_(noise) {}

  void set() {
    const int rows = grid_.resolution.slabs + 1;
    int first = 0;
    while (first < rows && !set_row(first)) ++first;
    // Rows without a normal take that of the row before, the leading ones that of the row after.
    for (int i = first + 1; i < rows; ++i) {
      if (!set_row(i)) follow(i, i - 1);
    }
    for (int i = (first < rows ? first : rows) - 1; i >= 0; --i) follow(i, i + 1);
  }

 private:
  /// The normals of eq. 4; false if no point of the row has one.
  bool set_row(int row) {
    const core::AxisState& s = grid_.rows[static_cast<std::size_t>(row)];
    const Vec3 along = s.b - s.a;
    const double length = norm(along);
    const Vec3 from_a = cross(s.va, along);
    const Vec3 from_b = cross(s.vb, along);
    const double least = length > noise_ ? noise_ * length : HUGE_VAL;
    const int columns = grid_.resolution.along + 1;
    int regular = -1;
    for (int j = 0; j < columns; ++j) {
      const double part = static_cast<double>(j) / grid_.resolution.along;
      const Vec3 n = unit_or_zero((1.0 - part) * from_a + part * from_b, least);
      const bool found = n != Vec3{};
      if (!found) ++grid_.irregular;
      grid_.sheet.at(row, j) = found || regular < 0 ? n : grid_.sheet.at(row, regular);
      if (!found) continue;
      for (int k = regular < 0 ? 0 : j; k < j; ++k) grid_.sheet.at(row, k) = n;
      regular = j;
    }
    return regular >= 0;
  }

  /// Any normals, as near to those of the row `other` as can be (if that is one of the grid).
  void follow(int row, int other) {
    const core::AxisState& s = grid_.rows[static_cast<std::size_t>(row)];
    Vec3 axis = unit_or_zero(s.b - s.a, noise_);
    if (axis == Vec3{}) axis = unit_or_zero(s.va, noise_);
    for (int j = 0; j <= grid_.resolution.along; ++j) {
      const Vec3 hint = other > grid_.resolution.slabs ? Vec3{} : grid_.sheet.at(other, j);
      grid_.sheet.at(row, j) = across(axis, hint);
    }
  }

  SurfaceGrid& grid_;
  double noise_;
};

std::vector<core::SinCos> circle(int around) {
  std::vector<core::SinCos> out(static_cast<std::size_t>(around));
  for (int k = 0; k < around; ++k) {
    out[static_cast<std::size_t>(k)] = core::sincos_degrees(360.0 * k / around);
  }
  return out;
}

/// Circles across the path of an end, each with the frame of the one before, turned by the least
/// rotation that brings it across the new tangent. It needs no second derivative, so paths may be
/// straight, bend the other way or rest, where eq. 12's frame jumps or does not exist.
class PipeNormals {
 public:
  PipeNormals(SurfaceGrid& grid, int end, double noise, const std::vector<core::SinCos>& points)
      : grid_(grid), end_(end), noise_(noise), points_(points) {}

  void set() {
    const int rows = grid_.resolution.slabs + 1;
    NormalGrid& normals = grid_.pipe[static_cast<std::size_t>(end_)];
    normals = NormalGrid(rows, grid_.resolution.around);
    start();
    for (int i = 0; i < rows; ++i) {
      advance(i);
      meet_sheet(i);
      const Vec3 second = cross(tangent_, first_);
      for (int k = 0; k < grid_.resolution.around; ++k) {
        const core::SinCos& p = points_[static_cast<std::size_t>(k)];
        normals.at(i, k) = p.cos * first_ + p.sin * second;
      }
      if (i + 1 == rows) return;
      const Vec3 way = grid_.on_path(end_, i + 1) - grid_.on_path(end_, i);
      grid_.backward[static_cast<std::size_t>(end_)].push_back(dot(way, tangent_) < 0.0 ? 1 : 0);
    }
  }

 private:
  /// 0 where the end rests.
  [[nodiscard]] Vec3 tangent_at(int row) const {
    const core::AxisState& s = grid_.rows[static_cast<std::size_t>(row)];
    return unit_or_zero(end_ == 0 ? s.va : s.vb, noise_);
  }

  void start() {
    for (int i = 0; i <= grid_.resolution.slabs && tangent_ == Vec3{}; ++i) {
      tangent_ = tangent_at(i);
    }
    const core::AxisState& s = grid_.rows.front();
    if (tangent_ == Vec3{}) tangent_ = unit_or_zero(s.b - s.a, noise_);  // it rests all the time
    if (tangent_ == Vec3{}) tangent_ = {0.0, 0.0, 1.0};
    first_ = across(tangent_, grid_.sheet.at(0, 0));
  }

  void advance(int row) {
    Vec3 next = tangent_at(row);
    if (next == Vec3{}) return;
    if (dot(next, tangent_) < 0.0) next = -next;  // the same circle, and no half turn
    // Maps the tangent to next, and `first` with it; the divisor is at least 1.
    first_ = first_ - (dot(first_, next) / (1.0 + dot(tangent_, next))) * (tangent_ + next);
    first_ = across(next, first_);
    tangent_ = next;
  }

  /// Turns the circle, by half a part or less, so that one of its corners is the sheet's: no slit
  /// is left along the seam.
  void meet_sheet(int row) {
    const Vec3& n = grid_.sheet.at(row, end_ == 0 ? 0 : grid_.resolution.along);
    if (std::fabs(dot(n, tangent_)) > kLeastAcross) return;  // a neighbour's normal
    const Vec3 beside = cross(tangent_, n);
    const double x = dot(n, first_);
    const double y = -dot(beside, first_);
    core::SinCos best = points_.front();
    for (const core::SinCos& p : points_) {
      if (p.cos * x + p.sin * y > best.cos * x + best.sin * y) best = p;
    }
    first_ = across(tangent_, best.cos * n - best.sin * beside);
  }

  SurfaceGrid& grid_;
  int end_;
  double noise_;
  const std::vector<core::SinCos>& points_;
  Vec3 tangent_;
  Vec3 first_;
};

}  // namespace

Vec3 unit_or_zero(const Vec3& p, double least) {
  const double length = norm(p);
  return length > least && length > core::kLeastLength ? (1.0 / length) * p : Vec3{};
}

Vec3 across(const Vec3& u, const Vec3& hint) {
  const Vec3 wanted = unit_or_zero(hint - dot(hint, u) * u, kLeastAcross);
  if (wanted != Vec3{}) return wanted;
  if (u == Vec3{}) return {1.0, 0.0, 0.0};
  return unit_or_zero(cross(u, core::detail::axis_across(u)), 0.0);
}

SurfaceGrid surface_grid(const core::LinkMotion& link, const SurfaceResolution& resolution) {
  SurfaceGrid grid;
  grid.resolution = resolution;
  grid.radius = link.radius;
  grid.rows.reserve(static_cast<std::size_t>(resolution.slabs) + 1);
  for (int i = 0; i <= resolution.slabs; ++i) {
    grid.rows.push_back(core::evaluate(link, grid.time(i)));
  }
  const double noise = core::rounding_margin(link, 0.0);
  grid.sheet = NormalGrid(resolution.slabs + 1, resolution.along + 1);
  SheetNormals(grid, noise).set();
  const std::vector<core::SinCos> points = circle(resolution.around);
  for (int end = 0; end < 2; ++end) PipeNormals(grid, end, noise, points).set();
  return grid;
}

std::array<GridTriangle, 2> SurfaceGrid::sheet_cell(int slab, int column) const {
  const Vec3& n = sheet.at(slab, column);
  const auto corner = [&](int row, int col) {
    return GridCorner{row, col, dot(sheet.at(row, col), n) < 0.0};
  };
  const GridCorner here{slab, column, false};
  const GridCorner later = corner(slab + 1, column);
  const GridCorner beside = corner(slab, column + 1);
  const GridCorner across = corner(slab + 1, column + 1);
  return {GridTriangle{here, later, across}, GridTriangle{here, across, beside}};
}

std::array<GridTriangle, 2> SurfaceGrid::pipe_cell(int end, int slab, int column) const {
  const int next = column + 1 == resolution.around ? 0 : column + 1;
  const GridCorner here{slab, column, false};
  const GridCorner later{slab + 1, column, false};
  const GridCorner beside{slab, next, false};
  const GridCorner across{slab + 1, next, false};
  if (backward[static_cast<std::size_t>(end)][static_cast<std::size_t>(slab)] != 0) {
    return {GridTriangle{here, later, across}, GridTriangle{here, across, beside}};
  }
  return {GridTriangle{here, across, later}, GridTriangle{here, beside, across}};
}

CapsuleShape capsule_shape(int around) {
  CapsuleShape out;
  const std::vector<core::SinCos> points = circle(around);
  const int rings = around < 4 ? 1 : around / 4;  // of a half ball: cells about as high as wide
  const auto n = static_cast<std::uint32_t>(around);
  const auto pole = static_cast<std::uint32_t>(rings) * n;
  for (const bool at_b : {false, true}) {
    const double side = at_b ? 1.0 : -1.0;
    for (int i = 0; i < rings; ++i) {
      const core::SinCos height = core::sincos_degrees(90.0 * i / rings);
      for (const core::SinCos& p : points) {
        out.corners.push_back({{height.cos * p.cos, height.cos * p.sin, side * height.sin}, at_b});
      }
    }
    out.corners.push_back({{0.0, 0.0, side}, at_b});
  }
  const std::uint32_t b = pole + 1;  // where end b's corners begin
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t next = k + 1 == n ? 0 : k + 1;
    out.triangles.push_back({k, next, b + next});
    out.triangles.push_back({k, b + next, b + k});
    for (std::uint32_t low = 0; low + n < pole; low += n) {
      const std::uint32_t high = low + n;
      out.triangles.push_back({low + k, high + next, low + next});
      out.triangles.push_back({low + k, high + k, high + next});
      out.triangles.push_back({b + low + k, b + low + next, b + high + next});
      out.triangles.push_back({b + low + k, b + high + next, b + high + k});
    }
    const std::uint32_t last = pole - n;
    out.triangles.push_back({last + k, pole, last + next});
    out.triangles.push_back({b + last + k, b + last + next, b + pole});
  }
  return out;
}

}  // namespace tocsin::scene
