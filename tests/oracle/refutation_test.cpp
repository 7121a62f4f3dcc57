// The oracle must refute: answers that are shifted, swapped, or made by sampling instead of
// proving.
#include <gtest/gtest.h>

#include <limits>

#include "false_claims.h"
#include "oracle/verify_bracket.h"
#include "sweep.h"

namespace tocsin::oracle::test::refutation_test {
namespace {

using Fault = Verdict::Fault;
using Kind = Verdict::Kind;
using Status = Claim::Status;

constexpr double kTolerance = 1e-9;

void spoil_hit(const LinkQuery& q, const core::Certificate& c, std::uint64_t i, Tally& tally) {
  tally.refute(q, {Status::kFree, 0.0, 0.0}, Fault::kMissedContact, "a hit called free", i);
  if (c.lo > 0.0) {
    tally.refute(q, {Status::kOverlap, 0.0, 0.0}, Fault::kNoOverlap, "a hit called overlap", i);
    tally.refute(q, {Status::kHit, 0.5 * c.lo, c.lo}, Fault::kWrongHi, "a bracket too early", i);
  }
  if (c.hi < 0.999) {
    // Freedom claimed past the first touch: by a lot, and by a millionth.
    tally.refute(q, {Status::kGraze, c.hi + 0.9 * (1.0 - c.hi), 1.0}, Fault::kWrongLo, "lo late",
                 i);
    tally.refute(q, {Status::kGraze, c.hi + 1e-6, 1.0}, Fault::kWrongLo, "lo a little late", i);
  }
  if (c.lo > 0.0)
    tally.refute(q, {Status::kGraze, 0.0, 0.5 * c.lo}, Fault::kWrongHi, "hi early", i);
}

void spoil_overlap(const LinkQuery& q, std::uint64_t i, Tally& tally) {
  tally.refute(q, {Status::kFree, 0.0, 0.0}, Fault::kMissedContact, "an overlap called free", i);
  tally.refute(q, {Status::kGraze, 0.5, 1.0}, Fault::kWrongLo, "an overlap called late", i);
}

void spoil_free(const LinkQuery& q, std::uint64_t i, Tally& tally) {
  tally.refute(q, {Status::kOverlap, 0.0, 0.0}, Fault::kNoOverlap, "free called overlap", i);
  tally.refute(q, {Status::kHit, 0.25, 0.25 + 1e-9}, Fault::kWrongHi, "free called hit", i);
}

TEST(OracleRefutes, SpoiltAnswersOfEveryClass) {
  Tally tally;
  for (int k = 0; k < kClassCount; ++k) {
    const auto query_class = static_cast<QueryClass>(k);
    SCOPED_TRACE(name_of(query_class));
    const QueryGenerator generator(query_class, 51);
    for (std::uint64_t i = 0; i < 300; ++i) {
      const LinkQuery q = generator.make(i);
      const core::Certificate c = certify_query(q, kTolerance);
      if (c.outcome == core::Outcome::kHit) spoil_hit(q, c, i, tally);
      if (c.outcome == core::Outcome::kOverlap) spoil_overlap(q, i, tally);
      if (c.outcome == core::Outcome::kFree) spoil_free(q, i, tally);
    }
  }
  EXPECT_EQ(tally.refuted, tally.made);
  EXPECT_GT(tally.made, 10000);
}

TEST(OracleRefutes, MalformedBrackets) {
  const LinkQuery q = QueryGenerator(QueryClass::kMix, 52).make(0);
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const Claim malformed[] = {
      {Status::kHit, 0.5, 0.25}, {Status::kHit, -0.1, 0.5},   {Status::kHit, 0.5, 1.5},
      {Status::kHit, kNan, 0.5}, {Status::kGraze, 0.5, kNan}, {Status::kOverlap, 0.0, 0.5},
  };
  for (const Claim& claim : malformed) {
    EXPECT_EQ(verify(q, claim).fault, Fault::kMalformed);
  }
}

// A checker that looks at 64 poses in between and calls a link free if none of them touches.
Claim sampled(const LinkQuery& q) {
  const LinkPath path(q.chain, q.kind, q.a, q.b);
  Prover prover(path, q.triangle, q.radius);
  for (int k = 0; k <= 64; ++k) {
    const double t = k / 64.0;
    if (!prover.touches(t)) continue;
    if (k == 0) return {Status::kOverlap, 0.0, 0.0};
    return {Status::kHit, t, t};  // the wrong lo of those who take a sample for the first touch
  }
  return {Status::kFree, 0.0, 0.0};
}

TEST(OracleRefutes, AnswersMadeBySampling) {
  int missed = 0;
  int late = 0;
  for (const QueryClass c : {QueryClass::kGrazing, QueryClass::kTiny, QueryClass::kMix}) {
    const QueryGenerator generator(c, 53);
    for (std::uint64_t i = 0; i < 1000; ++i) {
      const LinkQuery q = generator.make(i);
      const Verdict v = verify(q, sampled(q));
      if (v.fault == Fault::kMissedContact) ++missed;
      if (v.fault == Fault::kWrongLo) ++late;
    }
  }
  EXPECT_GT(missed, 50);
  EXPECT_GT(late, 500);
}

// A link made thinner by a billionth of a metre is another link: its answers must not pass for the
// first.
TEST(OracleRefutes, AnswersAboutAThinnerLink) {
  int hits = 0;
  int refuted = 0;
  const QueryGenerator generator(QueryClass::kMix, 54);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const LinkQuery q = generator.make(i);
    LinkQuery thinner = q;
    thinner.radius -= 1e-9;
    const core::Certificate c = certify_query(thinner, 1e-12);
    if (c.outcome != core::Outcome::kHit || c.lo == 0.0) continue;
    ++hits;
    if (verify(q, claim_of(c)).fault == Fault::kWrongLo) ++refuted;
  }
  EXPECT_GT(hits, 500);
  EXPECT_EQ(refuted, hits);
}

}  // namespace
}  // namespace tocsin::oracle::test::refutation_test
