// The greatest deviation of the tessellated surface as the paper finds it: by Newton's method.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/vector/vec.h"
#include "papers/axis_range.h"
#include "papers/surface_deviation.h"
#include "scene/swept/surface_grid.h"

namespace tocsin::papers {
namespace {

using core::clamp_to;
using core::dot;
using core::norm;
using scene::GridCorner;
using scene::GridTriangle;
using scene::SurfaceGrid;

/// In how many triangles of either kind the maximum is sought, those that deviate most at their
/// starts. More, and a maximum that looks lesser from all starts is still found; each costs some
/// twenty evaluations of the chain.
constexpr std::size_t kCandidates = 12;
/// Newton's method doubles the digits each time; it starts within a cell, with one or two.
constexpr int kNewtonSteps = 4;

/// Parameters within a cell, each in [0, 1]; a triangle is the half of it below or above q = p.
struct Place {
  double p = 0.0;  ///< of time
  double q = 0.0;  ///< along the axis, or around the pipe
};

/// A triangle over its half of a cell, and what it approximates.
struct Patch {
  int slab = 0;
  int end = -1;     ///< of a pipe; -1: of a sheet
  double s = 0.0;   ///< of a sheet: where the cell begins on the axis
  double ds = 0.0;  ///< its size; 0 for a pipe
  std::array<Place, 3> corners{};
  Vec3 origin;  ///< the triangle's point at (p, q) is origin + p * by_p + q * by_q
  Vec3 by_p;
  Vec3 by_q;
  double found = 0.0;  ///< the greatest deviation at its starts
};

Place between(const Place& x, const Place& y, double part) {
  return {x.p + part * (y.p - x.p), x.q + part * (y.q - x.q)};
}
Place centre(const Patch& patch) {
  const auto& c = patch.corners;
  return {(c[0].p + c[1].p + c[2].p) / 3.0, (c[0].q + c[1].q + c[2].q) / 3.0};
}
bool inside(const Patch& patch, const Place& at) {
  const bool below = patch.corners[1].q < patch.corners[1].p;
  return at.p >= 0.0 && at.p <= 1.0 && at.q >= 0.0 && at.q <= 1.0 &&
         (below ? at.q <= at.p : at.q >= at.p);
}

/// r = (point of the triangle) - (point of the ruled surface or path), and its derivatives; |r| is
/// to be d.
struct Residual {
  Vec3 r;
  Vec3 r_p;
  Vec3 r_q;
  Vec3 r_pp;
  Vec3 r_pq;
};

class Search {
 public:
  Search(const core::LinkMotion& link, const SurfaceResolution& resolution)
      : link_(link), grid_(surface_grid(link, resolution)) {}

  SurfaceDeviation run() {
    const SurfaceResolution& r = grid_.resolution;
    std::vector<Patch> sheets;
    std::vector<Patch> pipes;
    for (int i = 0; i < r.slabs; ++i) {
      // All starts of a slab's triangles have one of four times.
      for (std::size_t k = 0; k < kTimes.size(); ++k) at_[k] = axis_at(i, kTimes[k]);
      for (int j = 0; j < r.along; ++j) add_sheet_cell(i, j, sheets);
      for (int end = 0; end < 2; ++end) {
        for (int k = 0; k < r.around; ++k) add_pipe_cell(end, i, k, pipes);
      }
    }
    return {greatest(sheets), greatest(pipes),
            grid_.radius * capsule_deviation(scene::capsule_shape(r.around))};
  }

 private:
  static constexpr std::array<double, 5> kTimes{0.0, 1.0 / 3.0, 0.5, 2.0 / 3.0, 1.0};

  [[nodiscard]] AxisRange axis_at(int slab, double p) const {
    const double t = clamp_to((slab + p) / grid_.resolution.slabs, 0.0, 1.0);
    return axis_range(link_, t, t);
  }

  [[nodiscard]] Residual residual(const Patch& patch, const Place& at, const AxisRange& x) const {
    const Vec3 on_triangle = patch.origin + (at.p * patch.by_p + at.q * patch.by_q);
    const PointRange& c = patch.end == 1 ? x.b : x.a;
    const double h = 1.0 / grid_.resolution.slabs;
    const double s = patch.end < 0 ? patch.s + at.q * patch.ds : 0.0;
    Residual out;
    out.r = on_triangle - (c.position.mid + s * x.along.position.mid);
    out.r_p = patch.by_p - h * (c.velocity.mid + s * x.along.velocity.mid);
    out.r_q = patch.by_q - patch.ds * x.along.position.mid;
    out.r_pp = (-h * h) * (c.acceleration.mid + s * x.along.acceleration.mid);
    out.r_pq = (-h * patch.ds) * x.along.velocity.mid;
    return out;
  }
  [[nodiscard]] double deviation(const Residual& x) const {
    return std::fabs(norm(x.r) - grid_.radius);
  }

  void add(Patch patch, const GridTriangle& t, const std::array<Vec3, 3>& points,
           std::vector<Patch>& out) const {
    for (std::size_t k = 0; k < 3; ++k) {
      patch.corners[k] = {t[k].row == patch.slab ? 0.0 : 1.0,
                          t[k].column == t[0].column ? 0.0 : 1.0};
    }
    // Corner 0 is (0, 0), one other is (1, 1); from the third to it only one parameter changes.
    const std::size_t far = patch.corners[1].p + patch.corners[1].q > 1.5 ? 1 : 2;
    const std::size_t third = 3 - far;
    const Vec3 first = points[third] - points[0];
    const Vec3 second = points[far] - points[third];
    const bool p_first = patch.corners[third].p > 0.5;
    patch.origin = points[0];
    patch.by_p = p_first ? first : second;
    patch.by_q = p_first ? second : first;
    if (third == 2) std::swap(patch.corners[1], patch.corners[2]);
    for (const Place& at : starts(patch)) {
      const auto k =
          static_cast<std::size_t>(std::find(kTimes.begin(), kTimes.end(), at.p) - kTimes.begin());
      const AxisRange x = k < kTimes.size() ? at_[k] : axis_at(patch.slab, at.p);
      patch.found = std::max(patch.found, deviation(residual(patch, at, x)));
    }
    out.push_back(patch);
  }

  static std::array<Place, 4> starts(const Patch& patch) {
    const auto& c = patch.corners;
    return {centre(patch), between(c[0], c[1], 0.5), between(c[1], c[2], 0.5),
            between(c[2], c[0], 0.5)};
  }

  void add_sheet_cell(int slab, int column, std::vector<Patch>& out) const {
    Patch patch;
    patch.slab = slab;
    patch.s = static_cast<double>(column) / grid_.resolution.along;
    patch.ds = 1.0 / grid_.resolution.along;
    for (const GridTriangle& t : grid_.sheet_cell(slab, column)) {
      for (const double side : {1.0, -1.0}) {
        std::array<Vec3, 3> points{};
        for (std::size_t k = 0; k < 3; ++k) {
          const double d = t[k].flipped ? -side * grid_.radius : side * grid_.radius;
          points[k] =
              grid_.on_axis(t[k].row, t[k].column) + d * grid_.sheet.at(t[k].row, t[k].column);
        }
        add(patch, t, points, out);
      }
    }
  }

  void add_pipe_cell(int end, int slab, int column, std::vector<Patch>& out) const {
    Patch patch;
    patch.slab = slab;
    patch.end = end;
    const scene::NormalGrid& normals = grid_.pipe[static_cast<std::size_t>(end)];
    for (const GridTriangle& t : grid_.pipe_cell(end, slab, column)) {
      std::array<Vec3, 3> points{};
      for (std::size_t k = 0; k < 3; ++k) {
        points[k] = grid_.on_path(end, t[k].row) + grid_.radius * normals.at(t[k].row, t[k].column);
      }
      add(patch, t, points, out);
    }
  }

  double greatest(std::vector<Patch>& patches) const {
    const std::size_t count = std::min(kCandidates, patches.size());
    const auto middle = patches.begin() + static_cast<std::ptrdiff_t>(count);
    std::partial_sort(patches.begin(), middle, patches.end(),
                      [](const Patch& x, const Patch& y) { return x.found > y.found; });
    double best = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
      const Patch& patch = patches[i];
      best = std::max({best, patch.found, from_centre(patch)});
      for (std::size_t k = 0; k < 3; ++k) {
        best = std::max(best, on_edge(patch, patch.corners[k], patch.corners[(k + 1) % 3]));
      }
    }
    return best;
  }

  /// Where the gradient of |r|^2 / 2 vanishes inside the triangle.
  [[nodiscard]] double from_centre(const Patch& patch) const {
    double best = 0.0;
    Place at = centre(patch);
    for (int i = 0; i < kNewtonSteps; ++i) {
      const Residual x = residual(patch, at, axis_at(patch.slab, at.p));
      best = std::max(best, deviation(x));
      const double g_p = dot(x.r, x.r_p);
      const double g_q = dot(x.r, x.r_q);
      const double h_pp = dot(x.r_p, x.r_p) + dot(x.r, x.r_pp);
      const double h_pq = dot(x.r_p, x.r_q) + dot(x.r, x.r_pq);
      const double h_qq = dot(x.r_q, x.r_q);
      const double det = h_pp * h_qq - h_pq * h_pq;
      if (!(std::fabs(det) > 0.0)) break;
      at.p -= (h_qq * g_p - h_pq * g_q) / det;
      at.q -= (h_pp * g_q - h_pq * g_p) / det;
      if (!inside(patch, at)) break;  // it then lies on an edge
    }
    return best;
  }

  /// The same along an edge.
  [[nodiscard]] double on_edge(const Patch& patch, const Place& from, const Place& to) const {
    const double p = to.p - from.p;
    const double q = to.q - from.q;
    double best = 0.0;
    double u = 0.5;
    for (int i = 0; i < kNewtonSteps; ++i) {
      const Place at = between(from, to, u);
      const Residual x = residual(patch, at, axis_at(patch.slab, at.p));
      best = std::max(best, deviation(x));
      const Vec3 r_u = p * x.r_p + q * x.r_q;
      const Vec3 r_uu = (p * p) * x.r_pp + (2.0 * p * q) * x.r_pq;
      const double slope = dot(r_u, r_u) + dot(x.r, r_uu);
      if (!(std::fabs(slope) > 0.0)) break;
      u = clamp_to(u - dot(x.r, r_u) / slope, 0.0, 1.0);
    }
    return best;
  }

  const core::LinkMotion& link_;
  SurfaceGrid grid_;
  std::array<AxisRange, 5> at_{};
};

}  // namespace

SurfaceDeviation deviation_by_newton(const core::LinkMotion& link,
                                     const SurfaceResolution& resolution) {
  return Search(link, resolution).run();
}

}  // namespace tocsin::papers
