#include "oracle/prove_pair.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "oracle/pair_separation.h"

namespace tocsin::oracle {
namespace {

// Most pieces of the pair of axes for one interval of time. Larger: pieces are tried where halving
// the time is cheaper. Smaller: links that pivot cost more intervals.
constexpr int kMostPairPieces = 24;

// Heights of the ends of an axis across a plane, and of any point between them.
struct Heights {
  Real a;
  Real b;
  [[nodiscard]] Real at(Real s) const { return a + s * (b - a); }
};

Heights heights(const RealVec& n, const Axis<Real>& axis) {
  return {inner(n, axis.a), inner(n, axis.b)};
}

}  // namespace

// One direction at two times. Two points, one of each axis, with margins g0 and g1 then, stay apart
// in between if sqrt(g0) + sqrt(g1) > duration * sqrt(A / 2), A the sum of their accelerations.
// Over a rectangle of parameters the left side is concave and A linear: if four corners pass with
// the greatest A among them, all pairs of points between pass.
struct PairProver::Plane {
  Heights here0;
  Heights here1;
  Heights other0;
  Heights other1;
  Real needed;    // radius and slack
  Real duration;  // rounded up
  MotionBounds here;
  MotionBounds other;

  [[nodiscard]] Real acceleration(Real s, Real f) const {
    return here.acceleration(s) + other.acceleration(f);
  }
  [[nodiscard]] bool passes(Real s, Real f, Real most) const {
    const Real m0 = here0.at(s) - other0.at(f) - needed;
    const Real m1 = here1.at(s) - other1.at(f) - needed;
    return m0 > 0.0L && m1 > 0.0L &&
           std::sqrt(m0) + std::sqrt(m1) > duration * std::sqrt(0.5L * most);
  }
  [[nodiscard]] bool passes(const Piece& p) const {
    const Real most =
        std::max({acceleration(p.from, p.other_from), acceleration(p.from, p.other_to),
                  acceleration(p.to, p.other_from), acceleration(p.to, p.other_to)});
    return passes(p.from, p.other_from, most) && passes(p.from, p.other_to, most) &&
           passes(p.to, p.other_from, most) && passes(p.to, p.other_to, most);
  }
};

PairProver::Instant PairProver::at(Real t) const {
  Instant i{t, path_.at(t), other_.at(t), {}};
  i.other = {i.other.a + shift_, i.other.b + shift_};
  i.apart = separation(i.axis, i.other);
  return i;
}

// `cleared`: the part of `whole` around (s, f) that passes; false if not even that point does.
bool PairProver::clear_piece(const Plane& plane, Real s, Real f, const Piece& whole,
                             Piece& cleared) const {
  cleared = whole;
  if (plane.passes(whole)) return true;
  if (!plane.passes(s, f, plane.acceleration(s, f))) return false;
  const auto shrunk = [&](Real by) {
    return Piece{s + by * (whole.from - s), s + by * (whole.to - s),
                 f + by * (whole.other_from - f), f + by * (whole.other_to - f)};
  };
  Real good = 0.0L;
  Real bad = 1.0L;
  for (int i = 0; i < 10; ++i) {
    const Real middle = 0.5L * (good + bad);
    (plane.passes(shrunk(middle)) ? good : bad) = middle;
  }
  cleared = shrunk(good);
  // If one side fails, another may pass.
  for (Real Piece::*side : {&Piece::from, &Piece::to, &Piece::other_from, &Piece::other_to}) {
    Piece wider = cleared;
    wider.*side = whole.*side;
    if (plane.passes(wider)) cleared = wider;
  }
  return good > 0.0L;
}

// Covers the pair of axes with pieces. Each is separated by its own plane.
bool PairProver::clear_between(const Instant& left, const Instant& right) const {
  const bool right_is_nearer = right.apart.lower < left.apart.lower;
  const Instant& near = right_is_nearer ? right : left;
  const Instant& far = right_is_nearer ? left : right;

  std::array<Piece, kMostPairPieces + 4> open{};
  int count = 1;
  for (int tried = 0; count > 0; ++tried) {
    if (tried == kMostPairPieces) return false;
    const Piece piece = open[static_cast<std::size_t>(--count)];
    bool passed = false;
    Piece cleared;
    for (const Instant* at : {&near, &far}) {
      const Separation seen =
          tried == 0
              ? at->apart
              : separation(Axis<Real>{between(at->axis, piece.from), between(at->axis, piece.to)},
                           Axis<Real>{between(at->other, piece.other_from),
                                      between(at->other, piece.other_to)});
      const RealVec& n = seen.direction;
      const Plane plane{heights(n, left.axis),
                        heights(n, right.axis),
                        heights(n, left.other),
                        heights(n, right.other),
                        radius() + 2.0L * slack(),
                        (right.t - left.t) * (1.0L + 0x1p-40L),
                        path_.bounds(),
                        other_.bounds()};
      const Real s = piece.from + seen.s * (piece.to - piece.from);
      const Real f = piece.other_from + seen.other_s * (piece.other_to - piece.other_from);
      passed = clear_piece(plane, s, f, piece, cleared);
      if (passed) break;
    }
    if (!passed || count + 4 > kMostPairPieces) return false;
    // What is left: beside it on this axis, then beside it on the other.
    const auto push = [&](const Piece& p) { open[static_cast<std::size_t>(count++)] = p; };
    if (cleared.from > piece.from) {
      push({piece.from, cleared.from, piece.other_from, piece.other_to});
    }
    if (cleared.to < piece.to) push({cleared.to, piece.to, piece.other_from, piece.other_to});
    if (cleared.other_from > piece.other_from) {
      push({cleared.from, cleared.to, piece.other_from, cleared.other_from});
    }
    if (cleared.other_to < piece.other_to) {
      push({cleared.from, cleared.to, cleared.other_to, piece.other_to});
    }
  }
  return true;
}

}  // namespace tocsin::oracle
