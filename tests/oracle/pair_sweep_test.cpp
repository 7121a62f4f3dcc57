// Random pairs of links of every class, touching and moved clear: nothing missed, no wrong bracket.
//
// TOCSIN_ORACLE_PAIRS sets how many; `oracle_sweep --pairs` does more on demand (docs/oracle.md).
#include "pair_sweep.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asked_queries.h"

namespace tocsin::oracle::test::pair_sweep_test {
namespace {

constexpr std::uint64_t kQueries = 50'000;  // 2,000 of each class

/// Share of answers that may prove little. Of the grazing pairs many pass within certify_pair's
/// rounding margin of a touch, which is wide where a root is far; links that turn about where they
/// nearly touch, or lie along each other, are where it is slow.
double graze_share(PairClass c) {
  switch (c) {
    case PairClass::kGrazing:
      return 0.15;
    case PairClass::kParallel:
    case PairClass::kPivoting:
      return 0.02;
    case PairClass::kPivotingBoth:
    case PairClass::kFarRoots:
    case PairClass::kTogether:
    case PairClass::kOneAvatar:
      return 0.01;
    default:
      return 0.003;
  }
}

void expect_right(PairClass pair_class, const ClassCounts& c) {
  SCOPED_TRACE(name_of(pair_class));
  EXPECT_EQ(c.missed, 0U);
  EXPECT_EQ(c.wrong, 0U);
  EXPECT_EQ(c.undecided, 0U);
  // A class that hardly touches, or hardly misses, tests nothing.
  const double contacts = static_cast<double>(c.contacts()) / static_cast<double>(c.queries);
  EXPECT_GE(contacts, 0.2);
  EXPECT_LE(contacts, 0.8);
  EXPECT_LE(static_cast<double>(c.graze),
            kFew + graze_share(pair_class) * static_cast<double>(c.queries));
  EXPECT_LE(static_cast<double>(c.loose), kFew + 1e-3 * static_cast<double>(c.hit));
}

TEST(OraclePairSweep, NothingMissedAndNoWrongBracket) {
  PairSweepOptions options;
  options.queries = asked_queries("TOCSIN_ORACLE_PAIRS", kQueries);
  ASSERT_GE(options.queries, static_cast<std::uint64_t>(kPairClassCount) * 100);
  const PairSweepResult result = sweep(options);
  fmt::print("{}", table(result));
  for (const auto& r : result.refutations) ADD_FAILURE() << describe(r);
  for (int i = 0; i < kPairClassCount; ++i) {
    expect_right(static_cast<PairClass>(i), result.counts[static_cast<std::size_t>(i)]);
  }
}

// The bracket's width must not matter to its truth: none asked for, and more than doubles can give.
TEST(OraclePairSweep, NothingWrongAtOtherTolerances) {
  for (const double tolerance : {1.0, 1e-3, 1e-16}) {
    PairSweepOptions options;
    options.queries = asked_queries("TOCSIN_ORACLE_PAIRS", kQueries) / 20;
    options.seed = 4;
    options.tolerance = tolerance;
    const PairSweepResult result = sweep(options);
    for (const auto& r : result.refutations) ADD_FAILURE() << tolerance << ": " << describe(r);
  }
}

// Asked the other way round, the numbers round otherwise; what is proved must be as true.
TEST(OraclePairSweep, NothingWrongTheOtherWayRound) {
  PairSweepOptions options;
  options.queries = asked_queries("TOCSIN_ORACLE_PAIRS", kQueries) / 5;
  options.seed = 5;
  options.certify = [](const PairQuery& q, double tolerance) {
    return certify_query(PairQuery{q.second, q.first}, tolerance);
  };
  const PairSweepResult result = sweep(options);
  for (const auto& r : result.refutations) ADD_FAILURE() << describe(r);
}

}  // namespace
}  // namespace tocsin::oracle::test::pair_sweep_test
