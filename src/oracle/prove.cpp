#include "oracle/prove.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace tocsin::oracle {
namespace {

// Most pieces of the axis for one interval of time. Larger: pieces are tried where halving the time
// is cheaper. Smaller: a pivoting link costs more intervals.
constexpr int kMostAxisPieces = 16;

// Margins of the two ends of the axis to a plane, and of any point between them.
struct Margins {
  Real a;
  Real b;
  [[nodiscard]] Real at(Real s) const { return a + s * (b - a); }
};

}  // namespace

Prover::Instant Prover::at(Real t) const {
  Instant i{t, path_.at(t), {}, {}};
  i.apart = separation(i.axis, triangle_);
  return i;
}

// One plane, across seen.direction. A point with margins g0 and g1 at the two times stays clear of
// it in between if sqrt(g0) + sqrt(g1) > duration * sqrt(A / 2). Along the axis the left side is
// concave and A linear: if two points pass with the greater A of both, all points between them
// pass. `cleared`: the part of `whole` around s that passes.
bool Prover::clear_piece(const Instant& left, const Instant& right, const Separation& seen, Real s,
                         const Piece& whole, Piece& cleared) const {
  const RealVec& n = seen.direction;
  const Real plane = support(triangle_, n) + radius() + 2.0L * slack();
  const Margins g0{inner(n, left.axis.a) - plane, inner(n, left.axis.b) - plane};
  const Margins g1{inner(n, right.axis.a) - plane, inner(n, right.axis.b) - plane};
  const Real duration = (right.t - left.t) * (1.0L + 0x1p-40L);
  const auto passes = [&](Real at, Real acceleration) {
    const Real m0 = g0.at(at);
    const Real m1 = g1.at(at);
    return m0 > 0.0L && m1 > 0.0L &&
           std::sqrt(m0) + std::sqrt(m1) > duration * std::sqrt(0.5L * acceleration);
  };
  const Real here = path_.bounds().acceleration(s);
  const auto passes_up_to = [&](Real at) {
    const Real most = std::max(here, path_.bounds().acceleration(at));
    return passes(s, most) && passes(at, most);
  };
  if (!passes(s, here)) return false;
  cleared = whole;
  for (Real* end : {&cleared.from, &cleared.to}) {
    if (passes_up_to(*end)) continue;
    Real good = s;
    Real bad = *end;
    for (int i = 0; i < 12; ++i) {
      const Real middle = 0.5L * (good + bad);
      (passes_up_to(middle) ? good : bad) = middle;
    }
    *end = good;
  }
  return true;
}

// Covers the axis with pieces. Each is separated from the triangle by its own plane.
bool Prover::clear_between(const Instant& left, const Instant& right) const {
  const bool right_is_nearer = right.apart.lower < left.apart.lower;
  const Instant& near = right_is_nearer ? right : left;
  const Instant& far = right_is_nearer ? left : right;

  std::array<Piece, kMostAxisPieces> open{};
  int count = 0;
  open[static_cast<std::size_t>(count++)] = {0.0L, 1.0L};
  for (int tried = 0; count > 0; ++tried) {
    if (tried == kMostAxisPieces) return false;
    const Piece piece = open[static_cast<std::size_t>(--count)];
    const bool whole = tried == 0;
    bool passed = false;
    Piece cleared;
    for (const Instant* at : {&near, &far}) {
      const Axis<Real> part{between(at->axis, piece.from), between(at->axis, piece.to)};
      const Separation seen = whole ? at->apart : separation(part, triangle_);
      const Real s = piece.from + seen.s * (piece.to - piece.from);
      passed = clear_piece(left, right, seen, s, piece, cleared);
      if (passed) break;
    }
    if (!passed) return false;
    if (cleared.to == cleared.from && piece.to > piece.from) return false;
    if (count + 2 > kMostAxisPieces) return false;
    if (cleared.from > piece.from) {
      open[static_cast<std::size_t>(count++)] = {piece.from, cleared.from};
    }
    if (cleared.to < piece.to) open[static_cast<std::size_t>(count++)] = {cleared.to, piece.to};
  }
  return true;
}

}  // namespace tocsin::oracle
