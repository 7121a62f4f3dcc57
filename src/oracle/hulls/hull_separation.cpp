#include "oracle/hulls/hull_separation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tocsin::oracle {
namespace {

// What is found about two hulls: Separation, over any number type.
template <class T>
struct Apart {
  T upper = T(0.0);
  T lower = T(0.0);
  Vec<T> direction;
  Vec<T> point;
  std::array<T, 3> weight{};
  std::array<T, 3> other_weight{};
  bool pierced = false;
};

// A segment between two corners.
template <class T>
struct Side {
  Vec<T> from;
  Vec<T> along;
  T square = T(0.0);
};

// A hull with its sides and, of a triangle that has one, its normal.
template <class T>
struct SidedHull {
  const CornersOf<T>& corners;
  std::array<Side<T>, 3> side;
  std::size_t sides = 0;
  Vec<T> normal;
  T normal_square = T(0.0);

  explicit SidedHull(const CornersOf<T>& c) : corners(c) {
    if (c.count >= 2) {
      sides = c.count == 3 ? 3 : 1;
      for (std::size_t i = 0; i < sides; ++i) {
        const Vec<T> along = c.at[(i + 1) % c.count] - c.at[i];
        side[i] = {c.at[i], along, inner(along, along)};
      }
    }
    if (c.count == 3) {
      normal = outer(side[0].along, side[1].along);
      normal_square = inner(normal, normal);
    }
  }
};

// A point of a hull, and the weights of the corners that make it.
template <class T>
struct HullPoint {
  Vec<T> point;
  std::array<T, 3> weight{};
};

template <class T>
HullPoint<T> corner_of(const CornersOf<T>& c, std::size_t i) {
  HullPoint<T> out{c.at[i], {}};
  out.weight[i] = T(1.0);
  return out;
}

// The place at the part s of a side.
template <class T>
HullPoint<T> along(const SidedHull<T>& shape, std::size_t i, T s) {
  HullPoint<T> out{shape.side[i].from + s * shape.side[i].along, {}};
  out.weight[i] = T(1.0) - s;
  out.weight[(i + 1) % shape.corners.count] = s;
  return out;
}

// Keeps the nearest pair. Places are made for pairs that are nearer only: to copy them takes longer
// than to compare.
template <class T>
struct NearestHulls {
  T square = std::numeric_limits<T>::infinity();
  HullPoint<T> y;
  HullPoint<T> x;

  bool nearer(const Vec<T>& p, const Vec<T>& q) {
    const Vec<T> gap = p - q;
    const T candidate = inner(gap, gap);
    if (!(candidate < square)) return false;
    square = candidate;
    return true;
  }
  void keep(const HullPoint<T>& on_one, const HullPoint<T>& on_other, bool flipped) {
    y = flipped ? on_other : on_one;
    x = flipped ? on_one : on_other;
  }
};

// The foot of p on the shape's plane, in parts of the way along two sides; false if it is outside.
template <class T>
bool foot_inside(const SidedHull<T>& s, const Vec<T>& p, T& f, T& g) {
  const Vec<T> r = p - s.corners.at[0];
  f = inner(outer(s.side[2].along, r), s.normal) / s.normal_square;
  if (!(f >= T(0.0))) return false;
  g = inner(outer(s.side[0].along, r), s.normal) / s.normal_square;
  return g >= T(0.0) && f + g <= T(1.0);
}

template <class T>
void offer_foot(const SidedHull<T>& g, const HullPoint<T>& p, bool flipped,
                NearestHulls<T>& nearest) {
  T e = T(0.0);
  T d = T(0.0);
  if (!(g.normal_square > T(0.0)) || !foot_inside(g, p.point, e, d)) return;
  const Vec<T> foot = g.corners.at[0] + e * g.side[0].along - d * g.side[2].along;
  if (nearest.nearer(p.point, foot)) {
    nearest.keep(p, {foot, {T(1.0) - e - d, e, d}}, flipped);
  }
}

template <class T>
void offer_corners(const SidedHull<T>& f, const SidedHull<T>& g, bool flipped,
                   NearestHulls<T>& nearest) {
  for (std::size_t i = 0; i < f.corners.count; ++i) {
    const HullPoint<T> p = corner_of(f.corners, i);
    for (std::size_t j = 0; j < g.corners.count && !flipped; ++j) {
      if (nearest.nearer(p.point, g.corners.at[j])) nearest.keep(p, corner_of(g.corners, j), false);
    }
    for (std::size_t j = 0; j < g.sides; ++j) {
      const Side<T>& side = g.side[j];
      const T at = inner(p.point - side.from, side.along);
      if (!(at > T(0.0) && at < side.square)) continue;
      const T s = at / side.square;
      if (nearest.nearer(p.point, side.from + s * side.along)) {
        nearest.keep(p, along(g, j, s), flipped);
      }
    }
    offer_foot(g, p, flipped, nearest);
  }
}

template <class T>
void offer_sides(const SidedHull<T>& f, const SidedHull<T>& g, NearestHulls<T>& nearest) {
  for (std::size_t i = 0; i < f.sides; ++i) {
    for (std::size_t j = 0; j < g.sides; ++j) {
      const Side<T>& a = f.side[i];
      const Side<T>& b = g.side[j];
      const Vec<T> r = a.from - b.from;
      const T ab = inner(a.along, b.along);
      const T det = a.square * b.square - ab * ab;
      if (!(det > T(0.0))) continue;
      const T ra = inner(r, a.along);
      const T rb = inner(r, b.along);
      const T s = (ab * rb - b.square * ra) / det;
      if (!(s > T(0.0) && s < T(1.0))) continue;
      const T t = (rb + s * ab) / b.square;
      if (!(t > T(0.0) && t < T(1.0))) continue;
      if (nearest.nearer(a.from + s * a.along, b.from + t * b.along)) {
        nearest.keep(along(f, i, s), along(g, j, t), false);
      }
    }
  }
}

// On which side of the line p + d an edge passes, seen along d: 1 or -1, or 0 if it is not sure.
// The volume that they span is off by at most 2 slack for each of its three lengths; 4 pays for
// rounding.
template <class T>
int side_of(const Vec<T>& d, const Vec<T>& from, const Vec<T>& to, T slack) {
  const T volume = inner(d, outer(from, to));
  const T a = length(from);
  const T b = length(to);
  const T off = T(4.0) * slack * (a * b + length(d) * (a + b));
  return volume > off ? 1 : volume < -off ? -1 : 0;
}

// The side passes through the inside of the triangle, not beside it.
template <class T>
bool surely_inside(const Side<T>& side, const CornersOf<T>& triangle, T slack) {
  std::array<Vec<T>, 3> from;
  for (std::size_t i = 0; i < 3; ++i) from[i] = triangle.at[i] - side.from;
  const int first = side_of(side.along, from[0], from[1], slack);
  return first != 0 && side_of(side.along, from[1], from[2], slack) == first &&
         side_of(side.along, from[2], from[0], slack) == first;
}

// Where sides of f meet the face of g, and whether one surely goes through it.
template <class T>
bool offer_crossings(const SidedHull<T>& f, const SidedHull<T>& g, bool flipped, T slack,
                     NearestHulls<T>& nearest) {
  if (!(g.normal_square > T(0.0))) return false;
  const T size = std::sqrt(g.normal_square);
  const Vec<T> n = (T(1.0) / size) * g.normal;
  T longest = T(0.0);
  for (const Side<T>& side : g.side) longest = std::max(longest, side.square);
  longest = std::sqrt(longest);
  const T flat = size / longest;  // the least height of the triangle
  bool pierced = false;
  for (std::size_t i = 0; i < f.sides; ++i) {
    const Side<T>& side = f.side[i];
    const T h0 = inner(side.from - g.corners.at[0], n);
    const T h1 = h0 + inner(side.along, n);
    if ((h0 < T(0.0)) == (h1 < T(0.0))) continue;
    const T at = h0 / (h0 - h1);
    T e = T(0.0);
    T d = T(0.0);
    if (!foot_inside(g, side.from + at * side.along, e, d)) continue;
    offer_foot(g, along(f, i, at), flipped, nearest);
    // The plane turns by slack / flat; what is `far` away moves with it.
    const T far = length(side.from - g.corners.at[0]) + std::sqrt(side.square) + longest;
    const T off = T(4.0) * slack * (T(1.0) + far / flat);
    const bool through = std::min(std::fabs(h0), std::fabs(h1)) > off;
    pierced = pierced || (through && surely_inside(side, g.corners, slack));
  }
  return pierced;
}

template <class T>
T gap_across(const CornersOf<T>& f, const CornersOf<T>& g, const Vec<T>& x, const Vec<T>& n) {
  T least = std::numeric_limits<T>::infinity();
  T most = -least;
  for (std::size_t i = 0; i < f.count; ++i) least = std::min(least, inner(n, f.at[i] - x));
  for (std::size_t j = 0; j < g.count; ++j) most = std::max(most, inner(n, g.at[j] - x));
  return least - most;
}

// Keeps the direction if the gap across it, either way, is greater.
template <class T>
void try_across(const CornersOf<T>& f, const CornersOf<T>& g, const Vec<T>& x,
                const Vec<T>& direction, Apart<T>& out) {
  const T size = length(direction);
  if (!(size > T(0.0))) return;
  for (const T sign : {T(1.0), -T(1.0)}) {
    const Vec<T> n = (sign / size) * direction;
    const T gap = gap_across(f, g, x, n);
    if (gap > out.lower) {
      out.lower = gap;
      out.direction = n;
    }
  }
}

template <class T>
void try_all_across(const SidedHull<T>& f, const SidedHull<T>& g, const Vec<T>& x, Apart<T>& out) {
  try_across(f.corners, g.corners, x, f.normal, out);
  try_across(f.corners, g.corners, x, g.normal, out);
  for (std::size_t i = 0; i < f.sides; ++i) {
    for (std::size_t j = 0; j < g.sides; ++j) {
      try_across(f.corners, g.corners, x, outer(f.side[i].along, g.side[j].along), out);
    }
  }
}

template <class T>
Apart<T> apart(const CornersOf<T>& f, const CornersOf<T>& g, T slack) {
  const SidedHull<T> first(f);
  const SidedHull<T> second(g);
  NearestHulls<T> nearest;
  offer_corners(first, second, false, nearest);
  offer_corners(second, first, true, nearest);
  offer_sides(first, second, nearest);
  const bool one = offer_crossings(first, second, false, slack, nearest);
  const bool other = offer_crossings(second, first, true, slack, nearest);

  Apart<T> out;
  out.pierced = one || other;
  out.upper = std::sqrt(nearest.square);
  out.point = nearest.x.point;
  out.weight = nearest.y.weight;
  out.other_weight = nearest.x.weight;
  if (out.upper > T(0.0)) {
    out.direction = (T(1.0) / out.upper) * (nearest.y.point - nearest.x.point);
    out.lower = gap_across(f, g, nearest.x.point, out.direction);
  }
  // Nothing is gained by a better direction where this one is good to a millionth.
  if (!out.pierced && out.lower < out.upper * T(1.0 - 1e-6)) {
    try_all_across(first, second, nearest.x.point, out);
  }
  out.lower = std::max(out.lower, T(0.0));
  return out;
}

// In double, relative to a corner, so that little is lost.
CornersOf<double> narrowed(const Corners& c, const RealVec& origin) {
  CornersOf<double> out;
  out.count = c.count;
  for (std::size_t i = 0; i < c.count; ++i) {
    const RealVec p = c.at[i] - origin;
    out.at[i] = {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
  }
  return out;
}

}  // namespace

HullSeparation separation(const Corners& f, const Corners& g, Real slack) {
  const Apart<Real> a = apart<Real>(f, g, slack);
  return {{a.upper, a.lower, 0.0L, a.direction, a.point, 0.0L, a.pierced},
          {a.direction, a.weight, a.other_weight}};
}

PartingPlanes parting_planes(const Corners& f, const Corners& g) {
  const Apart<double> a = apart<double>(narrowed(f, f.at[0]), narrowed(g, f.at[0]), 0.0);
  PartingPlanes out;
  for (std::size_t i = 0; i < 3; ++i) {
    out.weight[i] = a.weight[i];
    out.other_weight[i] = a.other_weight[i];
  }
  const RealVec n{a.direction.x, a.direction.y, a.direction.z};
  const Real size = length(n);
  if (size > 0.0L) out.direction = (1.0L / size) * n;
  return out;
}

}  // namespace tocsin::oracle
