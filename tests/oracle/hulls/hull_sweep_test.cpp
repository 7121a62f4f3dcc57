// Random pairs of hulls of every class, touching and moved clear: nothing missed, no wrong bracket.
//
// TOCSIN_ORACLE_HULLS sets how many; `oracle_sweep --hulls` does more on demand (docs/oracle.md).
#include "hulls/hull_sweep.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asked_queries.h"

namespace tocsin::oracle::test::hull_sweep_test {
namespace {

constexpr std::uint64_t kQueries = 1'000'000;  // 40,000 of each class

/// Share of answers that may prove little. Surfaces without thickness touch surely only where an
/// edge goes through a face by some rounding margins: many of the grazing pairs do not, nor do
/// those that lie in one plane, needles, and what is pushed in by less than the margin of a far
/// root.
double graze_share(PairClass c) {
  switch (c) {
    case PairClass::kGrazing:
    case PairClass::kCollinear:
      return 0.2;
    case PairClass::kParallel:
      return 0.1;
    default:
      return 0.05;
  }
}

void expect_right(PairClass pair_class, const ClassCounts& c) {
  SCOPED_TRACE(name_of(pair_class));
  EXPECT_EQ(c.missed, 0U);
  EXPECT_EQ(c.wrong, 0U);
  // The oracle gives up where a pair comes close over a long time.
  EXPECT_LE(static_cast<double>(c.undecided), kFew + 1e-3 * static_cast<double>(c.queries));
  // A class that hardly touches, or hardly misses, tests nothing.
  const double contacts = static_cast<double>(c.contacts()) / static_cast<double>(c.queries);
  EXPECT_GE(contacts, 0.2);
  EXPECT_LE(contacts, 0.8);
  EXPECT_LE(static_cast<double>(c.graze),
            kFew + graze_share(pair_class) * static_cast<double>(c.queries));
  EXPECT_LE(static_cast<double>(c.limited), kFew + 0.01 * static_cast<double>(c.queries));
  EXPECT_LE(static_cast<double>(c.loose), kFew + 5e-3 * static_cast<double>(c.hit));
}

std::uint64_t asked() { return asked_queries("TOCSIN_ORACLE_HULLS", kQueries); }

TEST(OracleHullSweep, NothingMissedAndNoWrongBracket) {
  HullSweepOptions options;
  options.queries = asked();
  ASSERT_GE(options.queries, static_cast<std::uint64_t>(kPairClassCount) * 100);
  const HullSweepResult result = sweep(options);
  fmt::print("{}", table(result));
  for (const auto& r : result.refutations) ADD_FAILURE() << describe(r);
  for (int i = 0; i < kPairClassCount; ++i) {
    expect_right(static_cast<PairClass>(i), result.counts[static_cast<std::size_t>(i)]);
  }
}

// The bracket's width must not matter to its truth: none asked for, and more than doubles can give.
TEST(OracleHullSweep, NothingWrongAtOtherTolerances) {
  for (const double tolerance : {1.0, 1e-3, 1e-16}) {
    HullSweepOptions options;
    options.queries = asked() / 400;
    options.seed = 4;
    options.tolerance = tolerance;
    const HullSweepResult result = sweep(options);
    for (const auto& r : result.refutations) ADD_FAILURE() << tolerance << ": " << describe(r);
  }
}

// Asked the other way round, the numbers round otherwise; what is proved must be as true.
TEST(OracleHullSweep, NothingWrongTheOtherWayRound) {
  HullSweepOptions options;
  options.queries = asked() / 200;
  options.seed = 5;
  options.certify = [](const HullQuery& q, double tolerance) {
    return certify_query(HullQuery{q.second, q.first}, tolerance);
  };
  const HullSweepResult result = sweep(options);
  for (const auto& r : result.refutations) ADD_FAILURE() << describe(r);
}

// The oracle must notice what is wrong: a certify that sees no edges, one that answers too early,
// and one that takes every touch for granted.
TEST(OracleHullSweep, TheOracleRefutesWhatIsWrong) {
  using Certify = core::Certificate (*)(const HullQuery&, double);
  const Certify wrong[] = {[](const HullQuery& q, double tolerance) {
                             HullQuery corners = q;
                             for (MovingHull* hull : {&corners.first, &corners.second})
                               hull->corners.resize(1);
                             return certify_query(corners, tolerance);
                           },
                           [](const HullQuery& q, double tolerance) {
                             core::Certificate c = certify_query(q, tolerance);
                             if (c.outcome == core::Outcome::kHit) {
                               c.hi = 0.5 * c.lo;
                               c.lo = 0.25 * c.lo;
                             }
                             return c;
                           },
                           [](const HullQuery& q, double tolerance) {
                             core::Certificate c = certify_query(q, tolerance);
                             if (c.outcome == core::Outcome::kHit) c.lo = c.hi = 0.5 + 0.5 * c.hi;
                             return c;
                           }};
  for (const Certify certify : wrong) {
    HullSweepOptions options;
    options.queries = static_cast<std::uint64_t>(kPairClassCount) * 40;
    options.certify = certify;
    EXPECT_GE(sweep(options).refutations.size(), 100U);
  }
}

}  // namespace
}  // namespace tocsin::oracle::test::hull_sweep_test
