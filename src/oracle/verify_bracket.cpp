#include "oracle/verify_bracket.h"

#include <cmath>

namespace tocsin::oracle {
namespace {

using Fault = Verdict::Fault;
using Kind = Verdict::Kind;

bool malformed(const Claim& c) {
  if (c.status == Claim::Status::kFree) return false;
  if (!(c.lo >= 0.0 && c.lo <= c.hi && c.hi <= 1.0)) return true;
  return c.status == Claim::Status::kOverlap && c.hi != 0.0;
}

// Free on [from, to], or else `fault`. The claim leaves one end out. But the distance is
// continuous, so a touch that is proved with slack has other touches on either side.
Verdict check_free(BodyProver& prover, Real from, Real to, Fault fault, const Effort& effort) {
  const Proof proof = prover.prove_free(from, to, effort.budget);
  if (proof.kind == Proof::Kind::kFree) return {};
  if (proof.kind == Proof::Kind::kTouch) {
    return {Kind::kRefuted, fault, proof.time, proof.distance, 0};
  }
  return {Kind::kUndecided, Fault::kNone, proof.from, prover.distance(proof.from).most, 0};
}

// Touching at `time`, or else `fault`.
Verdict check_touch(BodyProver& prover, Real time, Fault fault) {
  const BodyProver::Distance d = prover.distance(time);
  if (d.most <= prover.radius()) return {};
  const bool apart = d.least > prover.radius();
  return {apart ? Kind::kRefuted : Kind::kUndecided, apart ? fault : Fault::kNone, time, d.least,
          0};
}

Verdict check_hit(BodyProver& prover, const Claim& claim, const Effort& effort) {
  const Real lo = claim.lo;
  const Verdict touch = check_touch(prover, claim.hi, Fault::kWrongHi);
  if (touch.kind == Kind::kRefuted || claim.lo == 0.0) return touch;
  const Verdict before = check_free(prover, 0.0L, lo, Fault::kWrongLo, effort);
  return before.kind == Kind::kConfirmed ? touch : before;
}

Verdict check_graze(BodyProver& prover, const Claim& claim, const Effort& effort) {
  const Real lo = claim.lo;
  const Real hi = claim.hi;
  Verdict before;
  Verdict after;
  if (lo > 0.0L) before = check_free(prover, 0.0L, lo, Fault::kWrongLo, effort);
  if (before.kind == Kind::kRefuted) return before;
  if (hi < 1.0L) after = check_free(prover, hi, 1.0L, Fault::kWrongHi, effort);
  return after.kind == Kind::kConfirmed ? before : after;
}

Verdict check(BodyProver& prover, const Claim& claim, const Effort& effort) {
  if (malformed(claim)) return {Kind::kRefuted, Fault::kMalformed, claim.hi, 0.0L, 0};
  switch (claim.status) {
    case Claim::Status::kFree:
      return check_free(prover, 0.0L, 1.0L, Fault::kMissedContact, effort);
    case Claim::Status::kOverlap:
      return check_touch(prover, 0.0L, Fault::kNoOverlap);
    case Claim::Status::kHit:
      return check_hit(prover, claim, effort);
    case Claim::Status::kGraze:
      return check_graze(prover, claim, effort);
  }
  return {Kind::kRefuted, Fault::kMalformed, 0.0L, 0.0L, 0};
}

}  // namespace

const char* name_of(Verdict::Fault fault) {
  switch (fault) {
    case Fault::kNone:
      return "none";
    case Fault::kMalformed:
      return "malformed";
    case Fault::kMissedContact:
      return "missed contact";
    case Fault::kWrongLo:
      return "wrong lo";
    case Fault::kWrongHi:
      return "wrong hi";
    case Fault::kNoOverlap:
      return "no overlap";
  }
  return "?";
}

Verdict verify(BodyProver& prover, const Claim& claim, const Effort& effort) {
  const std::int64_t before = prover.evaluations();
  Verdict verdict = check(prover, claim, effort);
  verdict.evaluations = prover.evaluations() - before;
  return verdict;
}

Verdict verify(const LinkQuery& query, const Claim& claim, const Effort& effort) {
  const LinkPath path(query.chain, query.kind, query.a, query.b);
  Prover prover(path, query.triangle, query.radius);
  return verify(prover, claim, effort);
}

Verdict verify(const PairQuery& query, const Claim& claim, const Effort& effort) {
  const LinkPath first = path_of(query.first);
  const LinkPath second = path_of(query.second);
  PairProver prover(first, second, radius_of(query));
  return verify(prover, claim, effort);
}

Verdict verify(const HullQuery& query, const Claim& claim, const Effort& effort) {
  const HullPath first(query.first);
  const HullPath second(query.second);
  HullProver prover(first, second, radius_of(query));
  return verify(prover, claim, effort);
}

LinkPath path_of(const MovingAxis& axis) { return {axis.chain, axis.kind, axis.a, axis.b}; }

Real radius_of(const PairQuery& query) {
  return static_cast<Real>(query.first.radius) + static_cast<Real>(query.second.radius);
}

Real radius_of(const HullQuery& query) {
  return static_cast<Real>(query.first.radius) + static_cast<Real>(query.second.radius);
}

}  // namespace tocsin::oracle
