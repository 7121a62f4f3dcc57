#include "oracle/pair_separation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tocsin::oracle {
namespace {

// The quadratic |p + s d - f e|^2 over the unit square.
struct Square {
  RealVec p;  // axis.a - other.a
  RealVec d;
  RealVec e;
  Real dd;
  Real ee;

  [[nodiscard]] RealVec gap(Real s, Real f) const { return p + (s * d - f * e); }
};

struct Candidate {
  Real square = std::numeric_limits<Real>::infinity();
  Real s = 0.0L;
  Real f = 0.0L;
  RealVec gap;  // y - x

  void offer(const Square& q, Real at, Real other) {
    const RealVec between = q.gap(at, other);
    const Real least = inner(between, between);
    if (least < square) *this = {least, at, other, between};
  }
};

bool inside(Real x) { return x > 0.0L && x < 1.0L; }

// The corners and edges of the square.
Candidate best_on_boundary(const Square& q) {
  Candidate best;
  for (const Real f : {0.0L, 1.0L}) {
    for (const Real s : {0.0L, 1.0L}) best.offer(q, s, f);
    if (!(q.dd > 0.0L)) continue;
    const Real s = -inner(q.gap(0.0L, f), q.d) / q.dd;
    if (inside(s)) best.offer(q, s, f);
  }
  if (!(q.ee > 0.0L)) return best;
  for (const Real s : {0.0L, 1.0L}) {
    const Real f = inner(q.gap(s, 0.0L), q.e) / q.ee;
    if (inside(f)) best.offer(q, s, f);
  }
  return best;
}

// The inside: where both derivatives vanish. |d x e|^2 is the determinant of the two equations
// without the cancellation of dd ee - (d.e)^2.
Candidate best_inside(const Square& q, const RealVec& across, Real across_square) {
  Candidate best;
  if (!(across_square > 0.0L)) return best;
  const Real s = inner(outer(q.e, q.p), across) / across_square;
  const Real f = inner(outer(q.d, q.p), across) / across_square;
  if (inside(s) && inside(f)) best.offer(q, s, f);
  return best;
}

RealVec unit(const RealVec& v) {
  const Real l = length(v);
  return l > 0.0L ? (1.0L / l) * v : RealVec{};
}

// v without its part along w.
RealVec without(const RealVec& v, const RealVec& w) {
  const Real ww = inner(w, w);
  return ww > 0.0L ? v - (inner(v, w) / ww) * w : v;
}

// n without its rounding errors along d and e. If these are nearly parallel, their cross product
// loses digits that a plane across long segments needs.
RealVec across_both(RealVec n, const Square& q) {
  n = unit(n);
  const RealVec beside = without(q.e, q.d);
  for (int i = 0; i < 2; ++i) n = without(without(n, beside), q.d);
  return unit(n);
}

// Gap between the supporting planes across the unit vector n.
Real gap_of_square(const Square& q, const RealVec& n) {
  const Real near = inner(n, q.p) + std::min(0.0L, inner(n, q.d));
  return near - std::max(0.0L, inner(n, q.e));
}

void raise(Separation& out, const Square& q, const RealVec& n) {
  const Real gap = gap_of_square(q, n);
  if (!(gap > out.lower)) return;
  out.lower = gap;
  out.direction = n;
}

}  // namespace

Separation separation(const Axis<Real>& axis, const Axis<Real>& other) {
  Square q{axis.a - other.a, axis.b - axis.a, other.b - other.a, 0.0L, 0.0L};
  q.dd = inner(q.d, q.d);
  q.ee = inner(q.e, q.e);
  const RealVec across = outer(q.d, q.e);
  const Candidate rim = best_on_boundary(q);
  const Candidate middle = best_inside(q, across, inner(across, across));
  const Candidate& best = middle.square < rim.square ? middle : rim;

  Separation out;
  out.upper = std::sqrt(best.square);
  out.s = best.s;
  out.other_s = best.f;
  out.point = other.a + best.f * q.e;
  if (!(out.upper > 0.0L)) return out;
  out.direction = (1.0L / out.upper) * best.gap;
  // A plane across any of these is a proof. Which is best depends on the face, and on the rounding
  // of its right angles.
  raise(out, q, out.direction);
  const auto meets = [&] { return out.upper - out.lower <= 0x1p-61L * out.upper; };
  if (meets()) return out;
  raise(out, q, unit(without(best.gap, q.d)));
  raise(out, q, unit(without(best.gap, q.e)));
  if (meets() || !(length(across) > 0.0L)) return out;
  raise(out, q, unit(without(rim.gap, q.d)));
  raise(out, q, unit(without(rim.gap, q.e)));
  const Real side = inner(across, best.gap) < 0.0L ? -1.0L : 1.0L;
  raise(out, q, across_both(side * across, q));
  return out;
}

}  // namespace tocsin::oracle
