// Upper bounds on how far the tessellated surface deviates. The derivation is in docs/gl.md, "The
// paper's surface".
#include <array>
#include <cmath>
#include <cstddef>

#include "core/vector/vec.h"
#include "papers/axis_range.h"
#include "papers/surface_deviation.h"
#include "scene/swept/surface_grid.h"

namespace tocsin::papers {
namespace {

using core::dot;
using core::max_of;
using core::min_of;
using core::norm;
using scene::GridCorner;
using scene::GridTriangle;
using scene::SurfaceGrid;

/// Normals of a triangle's corners, on one side of the ruled surface; unit.
using Normals = std::array<Vec3, 3>;

/// A unit vector n (or 0), and the least n.v over all means v of three normals.
struct Support {
  Vec3 n;
  double least = 0.0;  ///< n.v >= least
};
/// Along the mids of the edges of the triangle that the normals form, and along its own normal. The
/// greatest `least` is the least |v|: that triangle's distance from 0.
std::array<Support, 4> supports(const Normals& normals) {
  const auto& [p, q, r] = normals;
  std::array<Support, 4> out{
      {{p + q, 0.0}, {q + r, 0.0}, {r + p, 0.0}, {core::cross(q - p, r - p), 0.0}}};
  for (Support& s : out) {
    s.n = scene::unit_or_zero(s.n, 0.0);
    if (dot(s.n, p) < 0.0) s.n = -s.n;
    s.least = core::min_of(dot(s.n, p), core::min_of(dot(s.n, q), dot(s.n, r)));
  }
  return out;
}

/// X - x at any point of a triangle: x the point of the ruled surface or path, X where linear
/// interpolation between the triangle's corners has it. In the hull of `extremes`, but for
/// `radius`.
struct Sag {
  std::array<Vec3, 6> extremes{};
  std::size_t count = 0;
  double radius = 0.0;

  void add(const Vec3& e) { extremes[count++] = e; }
  /// For |X - x| <= most, however far this reaches.
  void limit(double most) {
    double reach = 0.0;
    for (std::size_t i = 0; i < count; ++i) reach = max_of(reach, norm(extremes[i]));
    if (reach + radius <= most) return;
    count = 0;
    add({});
    radius = most;
  }
};

/// The most by which a point of the triangle is nearer than d: |e + d v| >= m.e + d m.v for every
/// unit vector m.
double shortfall(const Sag& sag, const Normals& n, double d) {
  double best = d;  // no distance is negative
  for (const Support& m : supports(n)) {
    double along = 0.0;
    for (std::size_t i = 0; i < sag.count; ++i) along = max_of(along, -dot(m.n, sag.extremes[i]));
    best = min_of(best, d * (1.0 - m.least) + along + sag.radius);
  }
  return best;
}

/// The most by which a point of the triangle is farther than d: |e + d v| is convex, so it is
/// greatest at extremes of both.
double excess(const Sag& sag, const Normals& n, double d) {
  double greatest = 0.0;
  for (std::size_t i = 0; i < sag.count; ++i) {
    for (const Vec3& normal : n) greatest = max_of(greatest, norm(sag.extremes[i] + d * normal));
  }
  return greatest + sag.radius - d;
}

double deviation_of(const Sag& sag, const Normals& n, double d) {
  return max_of(excess(sag, n, d), shortfall(sag, n, d));
}

/// A ball that holds a derivative whose length is at most `bound`, and its computed mid's rounding.
Ball limited(const Ball& ball, double bound) {
  // A wide ball says less than the bound alone, which knows no direction. Where one ends is a
  // guess; both hold.
  if (2.0 * ball.radius > bound) return {{}, bound};
  return {ball.mid, ball.radius + 0x1p-32 * bound};
}

class Bounds {
 public:
  Bounds(const core::LinkMotion& link, const SurfaceResolution& resolution)
      : link_(link), grid_(surface_grid(link, resolution)) {}

  SurfaceDeviation run() {
    SurfaceDeviation out;
    const SurfaceResolution& r = grid_.resolution;
    for (int i = 0; i < r.slabs; ++i) {
      take_slab(i);
      for (int j = 0; j < r.along; ++j) out.offsets = max_of(out.offsets, sheet_cell(i, j));
      for (int end = 0; end < 2; ++end) {
        const Sag sag = path_sag(end == 0 ? bend_a_ : bend_b_);
        for (int k = 0; k < r.around; ++k) {
          for (const GridTriangle& t : grid_.pipe_cell(end, i, k)) {
            out.pipes = max_of(out.pipes, deviation_of(sag, pipe_normals(end, t), grid_.radius));
          }
        }
      }
    }
    out.caps = grid_.radius * capsule_deviation(scene::capsule_shape(r.around));
    // Positions err by less than eta; sums and square roots above, by parts in 2^50.
    const double rounding = core::rounding_margin(link_, 0.0);
    for (double* const d : {&out.offsets, &out.pipes, &out.caps}) {
      *d = (*d + rounding + 0x1p-48 * grid_.radius) * (1.0 + 0x1p-40);
    }
    return out;
  }

 private:
  /// Second derivatives over a slab, times what linear interpolation makes of them: at most
  /// |x_tt| h^2/8 + |x_ts| h k/4, for steps h of t and k of s.
  void take_slab(int i) {
    const AxisRange range = axis_range(link_, grid_.time(i), grid_.time(i + 1));
    const double h = 1.0 / grid_.resolution.slabs;
    way_ = 0.5 * h * link_.speed;
    const double tt = 0.125 * h * h;
    const double ts = 0.25 * h / grid_.resolution.along;
    const auto scaled = [](double by, const Ball& b) { return Ball{by * b.mid, by * b.radius}; };
    bend_a_ = scaled(tt, limited(range.a.acceleration, link_.acceleration_a));
    bend_b_ = scaled(tt, limited(range.b.acceleration, link_.acceleration_b));
    twist_ = scaled(ts, limited(range.along.velocity, 2.0 * link_.speed));
  }

  /// x = a + s (b - a) is linear in s, so x_tt is between those at both ends of the column.
  [[nodiscard]] Sag sheet_sag(int column) const {
    Sag sag;
    sag.add({});
    sag.add(twist_.mid);
    for (const int at : {column, column + 1}) {
      const double s = static_cast<double>(at) / grid_.resolution.along;
      const Vec3 bend = (1.0 - s) * bend_a_.mid + s * bend_b_.mid;
      sag.add(bend);
      sag.add(bend + twist_.mid);
      sag.radius = max_of(sag.radius, (1.0 - s) * bend_a_.radius + s * bend_b_.radius);
    }
    sag.radius += twist_.radius;
    sag.limit(way_);
    return sag;
  }

  [[nodiscard]] Sag path_sag(const Ball& bend) const {
    Sag sag;
    sag.add({});
    sag.add(bend.mid);
    sag.radius = bend.radius;
    sag.limit(way_);
    return sag;
  }

  double sheet_cell(int slab, int column) const {
    const Sag sag = sheet_sag(column);
    double greatest = 0.0;
    for (const GridTriangle& t : grid_.sheet_cell(slab, column)) {
      Normals front{};
      Normals back{};
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& n = grid_.sheet.at(t[k].row, t[k].column);
        front[k] = t[k].flipped ? -n : n;
        back[k] = -front[k];
      }
      greatest = max_of(greatest, max_of(deviation_of(sag, front, grid_.radius),
                                         deviation_of(sag, back, grid_.radius)));
    }
    return greatest;
  }

  [[nodiscard]] Normals pipe_normals(int end, const GridTriangle& t) const {
    const scene::NormalGrid& normals = grid_.pipe[static_cast<std::size_t>(end)];
    return {normals.at(t[0].row, t[0].column), normals.at(t[1].row, t[1].column),
            normals.at(t[2].row, t[2].column)};
  }

  const core::LinkMotion& link_;
  SurfaceGrid grid_;
  Ball bend_a_;
  Ball bend_b_;
  Ball twist_;
  /// No more than half the way that a point goes: X is a mean of points at the slab's two times,
  /// each with its own share of the way to x.
  double way_ = 0.0;
};

}  // namespace

double capsule_deviation(const scene::CapsuleShape& shape) {
  double greatest = 0.0;
  for (const auto& t : shape.triangles) {
    double nearest = 0.0;
    for (const Support& s : supports({shape.corners[t[0]].normal, shape.corners[t[1]].normal,
                                      shape.corners[t[2]].normal})) {
      nearest = core::max_of(nearest, s.least);
    }
    greatest = core::max_of(greatest, 1.0 - nearest);
  }
  return greatest;
}

SurfaceDeviation deviation_by_intervals(const core::LinkMotion& link,
                                        const SurfaceResolution& resolution) {
  return Bounds(link, resolution).run();
}

}  // namespace tocsin::papers
