// The oracle must refute: answers about two links that are shifted, swapped, or made by a
// certify_pair with one of its parts broken.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "false_claims.h"
#include "pair_sweep.h"

namespace tocsin::oracle::test::pair_refutation_test {
namespace {

using Fault = Verdict::Fault;
using Kind = Verdict::Kind;
using Status = Claim::Status;

constexpr double kTolerance = 1e-9;

void spoil_hit(const PairQuery& q, const core::Certificate& c, std::uint64_t i, Tally& tally) {
  tally.refute(q, {Status::kFree, 0.0, 0.0}, Fault::kMissedContact, "a hit called free", i);
  if (c.lo > 0.0) {
    tally.refute(q, {Status::kOverlap, 0.0, 0.0}, Fault::kNoOverlap, "a hit called overlap", i);
    tally.refute(q, {Status::kHit, 0.5 * c.lo, c.lo}, Fault::kWrongHi, "a bracket too early", i);
    tally.refute(q, {Status::kGraze, 0.0, 0.5 * c.lo}, Fault::kWrongHi, "hi early", i);
  }
  if (c.hi < 0.999) {
    // Freedom claimed past the first touch: by a lot, and by a millionth.
    tally.refute(q, {Status::kGraze, c.hi + 0.9 * (1.0 - c.hi), 1.0}, Fault::kWrongLo, "lo late",
                 i);
    tally.refute(q, {Status::kGraze, c.hi + 1e-6, 1.0}, Fault::kWrongLo, "lo a little late", i);
  }
}

TEST(OraclePairRefutes, SpoiltAnswersOfEveryClass) {
  Tally tally;
  for (int k = 0; k < kPairClassCount; ++k) {
    const auto pair_class = static_cast<PairClass>(k);
    SCOPED_TRACE(name_of(pair_class));
    for (std::uint64_t i = 0; i < 100; ++i) {
      for (const PairQuery& q : make_pair(pair_class, 51, i)) {
        const core::Certificate c = certify_query(q, kTolerance);
        if (c.outcome == core::Outcome::kHit) spoil_hit(q, c, i, tally);
        if (c.outcome == core::Outcome::kOverlap) {
          tally.refute(q, {Status::kFree, 0.0, 0.0}, Fault::kMissedContact, "overlap called free",
                       i);
          tally.refute(q, {Status::kGraze, 0.5, 1.0}, Fault::kWrongLo, "overlap called late", i);
        }
        if (c.outcome == core::Outcome::kFree) {
          tally.refute(q, {Status::kOverlap, 0.0, 0.0}, Fault::kNoOverlap, "free called overlap",
                       i);
          tally.refute(q, {Status::kHit, 0.25, 0.25 + 1e-9}, Fault::kWrongHi, "free called hit", i);
        }
      }
    }
  }
  EXPECT_EQ(tally.refuted, tally.made);
  EXPECT_GT(tally.made, 8000);
}

// --- certify_pair with one of its parts broken, by what it is told about the links ---------------

core::Certificate one_acceleration(const PairQuery& q, double tolerance) {
  PairInput in(q);
  in.second.acceleration_a = in.second.acceleration_b = 0.0;
  return in.certify(tolerance);
}

core::Certificate no_rounding_margin(const PairQuery& q, double tolerance) {
  PairInput in(q);
  // eta is proportional to the sum of these and of the way between the refs.
  const double apart = core::norm(in.second.ref - in.first.ref);
  in.first.reach = -apart - in.first.speed;
  in.second.reach = -apart - in.second.speed;
  return in.certify(tolerance);
}

core::Certificate one_end_only(const PairQuery& q, double tolerance) {
  PairInput in(q);
  in.first.b = in.first.a;
  return in.certify(tolerance);
}

core::Certificate one_radius_only(const PairQuery& q, double tolerance) {
  PairInput in(q);
  in.second.radius = 0.0;
  return in.certify(tolerance);
}

// The second's coordinates stay relative to its own ref, but are taken for the first's.
core::Certificate ref_not_carried(const PairQuery& q, double tolerance) {
  PairQuery moved = q;
  const PairInput in(q);
  moved.second.chain.front().c = moved.second.chain.front().c - (in.second.ref - in.first.ref);
  PairInput wrong(moved);
  wrong.second.ref = in.first.ref;
  return wrong.certify(tolerance);
}

// The second stands still.
core::Certificate one_moves_only(const PairQuery& q, double tolerance) {
  PairQuery still = q;
  for (core::JointMotion& m : still.second.chain) {
    m.s = m.v = {};
    m.w = m.h = 0.0;
  }
  return certify_query(still, tolerance);
}

struct Mutant {
  const char* name;
  core::Certificate (*certify)(const PairQuery&, double);
  std::uint64_t least;  // refutations that a sweep of 2,400 must find at least
};

TEST(OraclePairRefutes, EveryMutant) {
  constexpr Mutant kMutants[] = {
      {"acceleration of one link only", one_acceleration, 20},
      {"no rounding margin", no_rounding_margin, 20},
      {"one end only", one_end_only, 400},
      {"radius of one link only", one_radius_only, 400},
      {"ref not carried", ref_not_carried, 400},
      {"only one moves", one_moves_only, 400},
  };
  for (const Mutant& mutant : kMutants) {
    PairSweepOptions options;
    options.queries = 2'400;
    options.seed = 7;
    options.certify = mutant.certify;
    options.classes = {PairClass::kMix,     PairClass::kGrazing,  PairClass::kPivoting,
                       PairClass::kAtStart, PairClass::kFarRoots, PairClass::kOneAvatar};
    const PairSweepResult result = sweep(options);
    ClassCounts all;
    for (const ClassCounts& c : result.counts) all.add(c);
    RecordProperty(mutant.name, std::to_string(all.missed + all.wrong));
    fmt::print("{:<32} missed {:>6} wrong {:>6}\n", mutant.name, all.missed, all.wrong);
    EXPECT_GE(all.missed + all.wrong, mutant.least) << mutant.name;
  }
}

}  // namespace
}  // namespace tocsin::oracle::test::pair_refutation_test
