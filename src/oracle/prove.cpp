#include "oracle/prove.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace tocsin::oracle {
namespace {

// Intervals of time below this are left undecided. Above the spacing of Real near 1, so that a
// middle is always between its ends; far below any bracket that is ever asked for.
constexpr Real kShortest = 0x1p-56L;

// Pieces that the axis may be cut into for one interval of time. More would go on where halving the
// time is cheaper; fewer would make a pivoting link cost more intervals.
constexpr int kMostPieces = 16;

RealVec between(const Axis<Real>& axis, Real s) { return axis.a + s * (axis.b - axis.a); }

// Margins of the two ends of the axis to a plane, and of any point between them.
struct Margins {
  Real a;
  Real b;
  [[nodiscard]] Real at(Real s) const { return a + s * (b - a); }
};

}  // namespace

Prover::Instant Prover::look(Real t) {
  ++evaluations_;
  Instant i{t, path_.at(t), {}};
  i.apart = separation(i.axis, triangle_);
  return i;
}

Prover::Distance Prover::distance(Real t) {
  const Instant i = look(t);
  return {std::max(i.apart.lower - slack_, 0.0L), i.apart.upper + slack_};
}

Proof Prover::touch_at(const Instant& i, Real free_until) {
  return {Proof::Kind::kTouch, i.t, i.apart.upper, free_until, i.t};
}

// The plain test: nothing moves farther than speed * half away from where it is in the middle.
bool Prover::clear_around(const Instant& middle, Real half) const {
  const Real travel = path_.bounds().speed * half * (1.0L + 0x1p-60L);
  return middle.apart.lower - travel - slack_ > radius_;
}

// One plane, across seen.direction. A point with margins g0 and g1 at the two times stays clear of
// it in between if sqrt(g0) + sqrt(g1) > duration * sqrt(A / 2). Along the axis the left side is
// concave and A linear: two points that pass with the greater A of both vouch for all between them.
// `cleared`: the part of `whole` around s that passes.
bool Prover::clear_piece(const Instant& left, const Instant& right, const Separation& seen, Real s,
                         const Piece& whole, Piece& cleared) const {
  const RealVec& n = seen.direction;
  const Real plane = support(triangle_, n) + radius_ + 2.0L * slack_;
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

// Covers the axis with pieces, each kept from the triangle by a plane of its own.
bool Prover::clear_between(const Instant& left, const Instant& right) const {
  const bool right_is_nearer = right.apart.lower < left.apart.lower;
  const Instant& near = right_is_nearer ? right : left;
  const Instant& far = right_is_nearer ? left : right;

  std::array<Piece, kMostPieces> open{};
  int count = 0;
  open[static_cast<std::size_t>(count++)] = {0.0L, 1.0L};
  for (int tried = 0; count > 0; ++tried) {
    if (tried == kMostPieces) return false;
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
    if (count + 2 > kMostPieces) return false;
    if (cleared.from > piece.from) {
      open[static_cast<std::size_t>(count++)] = {piece.from, cleared.from};
    }
    if (cleared.to < piece.to) open[static_cast<std::size_t>(count++)] = {cleared.to, piece.to};
  }
  return true;
}

Proof Prover::prove_free(Real t0, Real t1, std::int64_t budget) {
  struct Span {
    std::optional<Instant> left;
    std::optional<Instant> right;
    Real t0;
    Real t1;
  };
  const std::int64_t limit = evaluations_ + budget;
  std::vector<Span> open;
  open.push_back({{}, {}, t0, t1});
  while (!open.empty()) {
    Span span = open.back();
    open.pop_back();
    const Real half = 0.5L * (span.t1 - span.t0);
    const Real middle = span.t0 + half;
    const Instant seen = look(middle);
    if (touching(seen)) return touch_at(seen, span.t0);
    // The two halves need not be equal to the last bit.
    if (clear_around(seen, half + kUnit)) continue;
    if (!span.left) span.left = look(span.t0);
    if (touching(*span.left)) return touch_at(*span.left, span.t0);
    if (!span.right) span.right = look(span.t1);
    if (touching(*span.right)) return touch_at(*span.right, span.t0);
    if (tests_ == Tests::kLipschitzAndPlanes) {
      const bool first = clear_between(*span.left, seen);
      const bool second = clear_between(seen, *span.right);
      if (first && second) continue;
      if (first) {
        span.left = seen;
        span.t0 = middle;
      } else if (second) {
        span.right = seen;
        span.t1 = middle;
      }
      if (first || second) {
        if (span.t1 - span.t0 < kShortest || evaluations_ >= limit) {
          return {Proof::Kind::kUndecided, 0.0L, 0.0L, span.t0, span.t1};
        }
        open.push_back(span);
        continue;
      }
    }
    if (span.t1 - span.t0 < kShortest || evaluations_ >= limit) {
      return {Proof::Kind::kUndecided, 0.0L, 0.0L, span.t0, span.t1};
    }
    Span later{seen, span.right, middle, span.t1};
    open.push_back(later);
    open.push_back({span.left, seen, span.t0, middle});
  }
  return {Proof::Kind::kFree, 0.0L, 0.0L, t1, t1};
}

Proof Prover::first_touch(Real t0, Real t1, Real width, std::int64_t budget) {
  const std::int64_t limit = evaluations_ + budget;
  Proof best = prove_free(t0, t1, budget);
  if (best.kind != Proof::Kind::kTouch) return best;
  Real tried = best.from;  // nothing more can be proved between best.from and this
  while (best.time - best.from > width && best.time - tried > kShortest && evaluations_ < limit) {
    const Real middle = 0.5L * (tried + best.time);
    const Distance d = distance(middle);
    if (d.most <= radius_) {
      best = {Proof::Kind::kTouch, middle, d.most, best.from, middle};
      continue;
    }
    const Proof before = prove_free(best.from, middle, limit - evaluations_);
    if (before.kind == Proof::Kind::kTouch) {
      best = before;
      tried = best.from;
    } else {
      best.from = before.from;
      tried = middle;
    }
  }
  return best;
}

}  // namespace tocsin::oracle
