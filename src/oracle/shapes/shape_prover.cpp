#include "oracle/shapes/shape_prover.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tocsin::oracle {
namespace {

// Spheres are not asked about shorter intervals: HullProver goes on. Shorter: features that move
// along each other cost more pairs of spheres.
constexpr Real kLeastSpan = 0x1p-8L;

Real slack_of(const MovingShape& first, const MovingShape& second) {
  return rounding_slack(first.frame(), first.features().reach(), second.frame(),
                        second.features().reach());
}

}  // namespace

// What two spheres are held against. A sphere is the same however its frame turns, up to the
// stretch of the stored rotations: only the motion of the centres counts.
struct ShapeProver::Spheres {
  Real size = 0.0L;    // both radii
  Real needed = 0.0L;  // what the centres must be apart
  Real speed = 0.0L;   // of both centres
  Real bend = 0.0L;
};

ShapeProver::ShapeProver(const MovingShape& first, const MovingShape& second, Real radius,
                         const TwoFeatures& named)
    : BodyProver(radius),
      first_(first),
      second_(second),
      shift_(widen<Real>(second.frame().origin()) - widen<Real>(first.frame().origin())),
      slack_(slack_of(first, second)),
      named_(named) {}

ShapeProver::Spheres ShapeProver::spheres(const Open& open) const {
  const SphereNode& a = first_.features().nodes()[open.first];
  const SphereNode& b = second_.features().nodes()[open.second];
  const FrameBounds& f = first_.frame().bounds();
  const FrameBounds& g = second_.frame().bounds();
  const MotionBounds p = f.of(a.arm);
  const MotionBounds q = g.of(b.arm);
  Spheres out;
  out.size = (f.stretch * a.radius + g.stretch * b.radius) * (1.0L + 0x1p-45L);
  out.needed = out.size + radius() + 2.0L * slack_;
  out.speed = p.speed + q.speed;
  out.bend = p.acceleration_a + q.acceleration_a;
  return out;
}

RealVec ShapeProver::gap(const Open& open, Real t) const {
  const RealVec a = first_.frame().at(t)(first_.features().nodes()[open.first].centre);
  const RealVec b = second_.frame().at(t)(second_.features().nodes()[open.second].centre);
  return b + shift_ - a;
}

// The two tests of IntervalProver, for two points with a radius.
bool ShapeProver::apart(const Open& open, const Spheres& s) const {
  const Real half = 0.5L * (open.t1 - open.t0);
  const RealVec middle = gap(open, open.t0 + half);
  const Real distance = length(middle);
  const Real travel = s.speed * (half + kUnit) * (1.0L + 0x1p-60L);
  if (distance - travel > s.needed) return true;
  if (!(distance > s.needed)) return false;
  const RealVec n = (1.0L / distance) * middle;
  const Real duration = (open.t1 - open.t0) * (1.0L + 0x1p-40L);
  return stay_apart(inner(n, gap(open, open.t0)) - s.needed,
                    inner(n, gap(open, open.t1)) - s.needed, s.bend, duration);
}

// How far the spheres go, seen from each other.
Real ShapeProver::way(const Open& open, const Spheres& s) const {
  const Real span = open.t1 - open.t0;
  const Real chord = length(gap(open, open.t1) - gap(open, open.t0));
  return std::min(s.speed * span, chord + 0.125L * s.bend * span * span);
}

Proof ShapeProver::ask(const TwoFeatures& two, Real t0, Real t1, std::int64_t budget) {
  const HullPath f = first_.feature(two.first);
  const HullPath g = second_.feature(two.second);
  HullProver prover(f, g, radius());
  const Proof proof = prover.prove_free(t0, t1, budget);
  count(prover.evaluations());
  ++asked_;
  return proof;
}

Proof ShapeProver::prove_free(Real t0, Real t1, std::int64_t budget) {
  Proof out{Proof::Kind::kFree, 0.0L, 0.0L, t1, t1};
  std::vector<Open> open = {{0, 0, t0, t1}};
  while (!open.empty()) {
    const Open now = open.back();
    open.pop_back();
    const Spheres s = spheres(now);
    if (apart(now, s)) continue;
    const SphereNode& a = first_.features().nodes()[now.first];
    const SphereNode& b = second_.features().nodes()[now.second];
    const Real span = now.t1 - now.t0;
    if (span > kLeastSpan && way(now, s) > 0.5L * s.size) {
      // The time is too long for spheres of this size.
      const Real middle = now.t0 + 0.5L * span;
      open.push_back({now.first, now.second, middle, now.t1});
      open.push_back({now.first, now.second, now.t0, middle});
    } else if (a.child >= 0 && (b.child < 0 || a.radius >= b.radius)) {
      const auto child = static_cast<std::size_t>(a.child);
      open.push_back({child, now.second, now.t0, now.t1});
      open.push_back({child + 1, now.second, now.t0, now.t1});
    } else if (b.child >= 0) {
      const auto child = static_cast<std::size_t>(b.child);
      open.push_back({now.first, child, now.t0, now.t1});
      open.push_back({now.first, child + 1, now.t0, now.t1});
    } else {
      const TwoFeatures two{a.feature, b.feature};
      const Proof proof = ask(two, now.t0, now.t1, budget);
      if (proof.kind == Proof::Kind::kFree) continue;
      if (proof.kind == Proof::Kind::kTouch) {
        last_ = two;
        return {proof.kind, proof.time, proof.distance, t0, proof.time};
      }
      if (out.kind == Proof::Kind::kUndecided && proof.from >= out.from) continue;
      last_ = two;
      out = proof;
    }
  }
  return out;
}

BodyProver::Distance ShapeProver::distance(Real t) {
  const HullPath f = first_.feature(named_.first);
  const HullPath g = second_.feature(named_.second);
  HullProver prover(f, g, radius());
  last_ = named_;
  const Distance out = prover.distance(t);
  count(1);
  return out;
}

std::string ShapeProver::parts() const {
  return fmt::format("features {} and {}", last_.first, last_.second);
}

}  // namespace tocsin::oracle
