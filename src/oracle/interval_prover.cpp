#include "oracle/interval_prover.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace tocsin::oracle {
namespace {

// Intervals of time below this are left undecided. Above the spacing of Real near 1, so that a
// middle is always between its ends; far below any bracket that is ever asked for.
constexpr Real kShortest = 0x1p-56L;

}  // namespace

IntervalProver::Distance IntervalProver::distance(Real t) {
  const Instant i = look(t);
  // Of bodies that pierce each other the distance is 0, however it was computed.
  const Real most = i.apart.pierced ? 0.0L : i.apart.upper + slack_;
  return {std::max(i.apart.lower - slack_, 0.0L), most};
}

Proof IntervalProver::touch_at(const Instant& i, Real free_until) {
  return {Proof::Kind::kTouch, i.t, i.apart.upper, free_until, i.t};
}

// The plain test: nothing moves farther than speed * half away from where it is in the middle.
bool IntervalProver::clear_around(const Instant& middle, Real half) const {
  const Real travel = speed_ * half * (1.0L + 0x1p-60L);
  return middle.apart.lower - travel - slack_ > radius();
}

Proof IntervalProver::prove_free(Real t0, Real t1, std::int64_t budget) {
  struct Span {
    std::optional<Instant> left;
    std::optional<Instant> right;
    Real t0;
    Real t1;
  };
  const std::int64_t limit = evaluations() + budget;
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
        if (span.t1 - span.t0 < kShortest || evaluations() >= limit) {
          return {Proof::Kind::kUndecided, 0.0L, 0.0L, span.t0, span.t1};
        }
        open.push_back(span);
        continue;
      }
    }
    if (span.t1 - span.t0 < kShortest || evaluations() >= limit) {
      return {Proof::Kind::kUndecided, 0.0L, 0.0L, span.t0, span.t1};
    }
    Span later{seen, span.right, middle, span.t1};
    open.push_back(later);
    open.push_back({span.left, seen, span.t0, middle});
  }
  return {Proof::Kind::kFree, 0.0L, 0.0L, t1, t1};
}

Proof IntervalProver::first_touch(Real t0, Real t1, Real width, std::int64_t budget) {
  const std::int64_t limit = evaluations() + budget;
  Proof best = prove_free(t0, t1, budget);
  if (best.kind != Proof::Kind::kTouch) return best;
  Real tried = best.from;  // nothing more can be proved between best.from and this
  while (best.time - best.from > width && best.time - tried > kShortest && evaluations() < limit) {
    const Real middle = 0.5L * (tried + best.time);
    const Distance d = distance(middle);
    if (d.most <= radius()) {
      best = {Proof::Kind::kTouch, middle, d.most, best.from, middle};
      continue;
    }
    const Proof before = prove_free(best.from, middle, limit - evaluations());
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
