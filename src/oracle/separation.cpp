#include "oracle/separation.h"

#include <algorithm>
#include <cmath>

namespace tocsin::oracle {
namespace {

Real clamp_unit(Real x) { return x > 0.0L ? (x < 1.0L ? x : 1.0L) : 0.0L; }

// The segment's side of the problem.
struct Segment {
  RealVec a;
  RealVec d;
  Real square;
};

// The nearest feasible pair so far. `across` is a direction that is exactly perpendicular to both
// faces of the pair, where there is one: y - x itself loses it when the two are very close.
struct Nearest {
  Real square = std::numeric_limits<Real>::infinity();
  Real s = 0.0L;
  RealVec gap;    // y - x
  RealVec point;  // x
  RealVec across;

  void offer(const Segment& segment, Real at, const RealVec& x, const RealVec& perpendicular) {
    const RealVec y = segment.a + at * segment.d;
    const RealVec between = y - x;
    const Real candidate = inner(between, between);
    if (candidate < square) *this = {candidate, at, between, x, perpendicular};
  }
};

void offer_corners(const Segment& segment, const TriangleFrame& t, Nearest& nearest) {
  for (const RealVec& corner : t.corner) {
    Real s = 0.0L;
    if (segment.square > 0.0L)
      s = clamp_unit(inner(corner - segment.a, segment.d) / segment.square);
    nearest.offer(segment, s, corner, {});
  }
}

void offer_edges(const Segment& segment, const TriangleFrame& t, Nearest& nearest) {
  for (std::size_t i = 0; i < 3; ++i) {
    const RealVec& e = t.edge[i];
    const Real ee = t.edge_square[i];
    if (!(ee > 0.0L)) continue;
    const RealVec r = segment.a - t.corner[i];
    const Real re = inner(r, e);
    const Real de = inner(segment.d, e);
    // An end of the segment, and the inside of the edge. (Solutions outside are left to other
    // faces.)
    const Real at_a = re / ee;
    if (at_a > 0.0L && at_a < 1.0L) nearest.offer(segment, 0.0L, t.corner[i] + at_a * e, {});
    const Real at_b = (re + de) / ee;
    if (at_b > 0.0L && at_b < 1.0L) nearest.offer(segment, 1.0L, t.corner[i] + at_b * e, {});
    // Inside of both.
    const Real det = segment.square * ee - de * de;
    if (!(det > 0.0L)) continue;
    const Real s = (de * re - ee * inner(r, segment.d)) / det;
    if (!(s > 0.0L && s < 1.0L)) continue;
    const Real f = (re + s * de) / ee;
    if (!(f > 0.0L && f < 1.0L)) continue;
    nearest.offer(segment, s, t.corner[i] + f * e, outer(segment.d, e));
  }
}

// The corner[0] + f edge[0] - g edge[2] nearest to p in the triangle's plane, if it lies inside.
bool foot_inside(const TriangleFrame& t, const RealVec& p, RealVec& foot) {
  const RealVec r = p - t.corner[0];
  const Real f = inner(outer(t.edge[2], r), t.normal) / t.normal_square;
  const Real g = inner(outer(t.edge[0], r), t.normal) / t.normal_square;
  if (!(f >= 0.0L && g >= 0.0L && f + g <= 1.0L)) return false;
  foot = t.corner[0] + f * t.edge[0] - g * t.edge[2];
  return true;
}

void offer_inside(const Segment& segment, const TriangleFrame& t, Nearest& nearest) {
  if (!(t.normal_square > 0.0L)) return;
  RealVec foot;
  if (foot_inside(t, segment.a, foot)) nearest.offer(segment, 0.0L, foot, t.normal);
  if (foot_inside(t, segment.a + segment.d, foot)) nearest.offer(segment, 1.0L, foot, t.normal);
  // Inside of both: the minimum is 0, where the segment's line meets the plane.
  const Real height = inner(segment.a - t.corner[0], t.normal);
  const Real slope = inner(segment.d, t.normal);
  if (slope == 0.0L) return;
  const Real s = -height / slope;
  if (!(s >= 0.0L && s <= 1.0L)) return;
  if (foot_inside(t, segment.a + s * segment.d, foot)) nearest.offer(segment, s, foot, {});
}

// Gap between the supporting planes across the unit vector n.
Real gap_across(const Axis<Real>& axis, const TriangleFrame& t, const RealVec& x,
                const RealVec& n) {
  Real triangle_side = inner(n, t.corner[0] - x);
  triangle_side = std::max(triangle_side, inner(n, t.corner[1] - x));
  triangle_side = std::max(triangle_side, inner(n, t.corner[2] - x));
  return std::min(inner(n, axis.a - x), inner(n, axis.b - x)) - triangle_side;
}

}  // namespace

TriangleFrame::TriangleFrame(const std::array<Vec3f, 3>& corners, const Vec3& origin) {
  for (std::size_t i = 0; i < 3; ++i) {
    corner[i] = widen<Real>({corners[i].x, corners[i].y, corners[i].z}) - widen<Real>(origin);
    extent = std::max(extent, length(corner[i]));
  }
  for (std::size_t i = 0; i < 3; ++i) {
    edge[i] = corner[(i + 1) % 3] - corner[i];
    edge_square[i] = inner(edge[i], edge[i]);
  }
  normal = outer(edge[2], edge[0]);
  normal_square = inner(normal, normal);
}

Real support(const TriangleFrame& triangle, const RealVec& n) {
  return std::max(
      {inner(n, triangle.corner[0]), inner(n, triangle.corner[1]), inner(n, triangle.corner[2])});
}

Separation separation(const Axis<Real>& axis, const TriangleFrame& triangle) {
  Segment segment{axis.a, axis.b - axis.a, 0.0L};
  segment.square = inner(segment.d, segment.d);
  Nearest nearest;
  offer_corners(segment, triangle, nearest);
  offer_edges(segment, triangle, nearest);
  offer_inside(segment, triangle, nearest);

  Separation out;
  out.upper = std::sqrt(nearest.square);
  out.s = nearest.s;
  out.point = nearest.point;
  if (!(out.upper > 0.0L)) return out;
  out.direction = (1.0L / out.upper) * nearest.gap;
  out.lower = gap_across(axis, triangle, nearest.point, out.direction);
  const Real across = length(nearest.across);
  if (across > 0.0L) {
    const Real sign = inner(nearest.across, nearest.gap) < 0.0L ? -1.0L : 1.0L;
    const RealVec n = (sign / across) * nearest.across;
    const Real gap = gap_across(axis, triangle, nearest.point, n);
    if (gap > out.lower) {
      out.lower = gap;
      out.direction = n;
    }
  }
  out.lower = std::max(out.lower, 0.0L);
  return out;
}

}  // namespace tocsin::oracle
