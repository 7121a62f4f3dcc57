// Checks one certified answer about one link and one triangle, two links, or two hulls.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/motion/joint_motion.h"
#include "oracle/hulls/prove_hulls.h"
#include "oracle/prove.h"
#include "oracle/prove_pair.h"
#include "tocsin/motion.h"
#include "tocsin/types.h"

namespace tocsin::oracle {

/// A question: one link over one step against one triangle.
struct LinkQuery {
  std::vector<core::JointMotion> chain;  ///< stored parameters, root first; at least one
  InBetween kind = InBetween::kScrew;
  Vec3 a;  ///< end points in the last joint's frame, metres
  Vec3 b;
  double radius = 0.0;            ///< metres, margin included
  std::array<Vec3f, 3> triangle;  ///< world frame, metres
};

/// One of two links over one step.
struct MovingAxis {
  std::vector<core::JointMotion> chain;  ///< stored parameters, root first; at least one
  InBetween kind = InBetween::kScrew;
  Vec3 a;  ///< end points in the last joint's frame, metres
  Vec3 b;
  double radius = 0.0;  ///< metres, margin included
};

/// A question: two links, both moving. They touch where the axes' distance is at most the sum of
/// the radii.
struct PairQuery {
  MovingAxis first;
  MovingAxis second;
};

LinkPath path_of(const MovingAxis& axis);

/// The sum of the radii, exactly as far as Real can hold it.
Real radius_of(const PairQuery& query);
Real radius_of(const HullQuery& query);

/// A claim to be checked. docs/exact.md, "Outcomes".
struct Claim {
  enum class Status : std::uint8_t {
    kFree,     ///< distance > r on [0, 1]
    kOverlap,  ///< distance <= r at 0
    kHit,      ///< free on [0, lo), distance <= r at hi
    kGraze,    ///< free on [0, lo) and on (hi, 1]
  };
  Status status = Status::kFree;
  double lo = 0.0;
  double hi = 0.0;
};

/// The oracle's opinion. A claim is refuted only if it is wrong by more than the oracle's own
/// slack.
struct Verdict {
  enum class Kind : std::uint8_t { kConfirmed, kRefuted, kUndecided };
  enum class Fault : std::uint8_t {
    kNone,
    kMalformed,      ///< times not finite, out of [0, 1] or out of order
    kMissedContact,  ///< claimed free on all of the step, but touches at `time`
    kWrongLo,        ///< claimed free on [0, lo), but touches at `time` < lo
    kWrongHi,        ///< a hit that does not touch at hi, or a graze that touches at `time` > hi
    kNoOverlap,      ///< an overlap that does not touch at 0
  };
  Kind kind = Kind::kConfirmed;
  Fault fault = Fault::kNone;
  Real time = 0.0L;      ///< the time that refutes, or where it was too close to call
  Real distance = 0.0L;  ///< at that time, metres
  std::int64_t evaluations = 0;
};

/// A name for a person: "missed contact", "wrong lo", ...
const char* name_of(Verdict::Fault fault);

/// How hard to try.
struct Effort {
  std::int64_t budget = 20000;  ///< evaluations per interval; beyond: undecided
};

/// Checks a claim. `prover` fixes what moves, and the radius.
Verdict verify(BodyProver& prover, const Claim& claim, const Effort& effort = {});

/// The same, from the question itself.
Verdict verify(const LinkQuery& query, const Claim& claim, const Effort& effort = {});
Verdict verify(const PairQuery& query, const Claim& claim, const Effort& effort = {});
Verdict verify(const HullQuery& query, const Claim& claim, const Effort& effort = {});

}  // namespace tocsin::oracle
