// A million random link-triangle queries of every class, in matched pairs: nothing missed, no wrong
// bracket.
//
// TOCSIN_ORACLE_QUERIES sets how many; `oracle_sweep` does more on demand (docs/oracle.md).
#include "sweep.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asked_queries.h"

namespace tocsin::oracle::test::sweep_test {
namespace {

constexpr std::uint64_t kQueries = 1'020'000;  // 60,000 of each class

void expect_right(std::string_view name, const ClassCounts& c) {
  SCOPED_TRACE(name);
  EXPECT_EQ(c.missed, 0U);
  EXPECT_EQ(c.wrong, 0U);
  EXPECT_EQ(c.undecided, 0U);
  // A class that hardly touches, or hardly misses, tests nothing.
  const double contacts = static_cast<double>(c.contacts()) / static_cast<double>(c.queries);
  EXPECT_GE(contacts, 0.2);
  EXPECT_LE(contacts, 0.8);
  // An answer that proves little is allowed, but rare. (A twentieth of the grazing queries is made
  // to pass within certify's rounding margin of a touch.)
  const double share = name == "grazing" ? 0.1 : 1e-3;
  EXPECT_LE(static_cast<double>(c.graze), kFew + share * static_cast<double>(c.queries));
  EXPECT_LE(static_cast<double>(c.loose), kFew + 1e-3 * static_cast<double>(c.hit));
}

TEST(OracleSweep, NothingMissedAndNoWrongBracket) {
  SweepOptions options;
  options.queries = asked_queries("TOCSIN_ORACLE_QUERIES", kQueries);
  ASSERT_GE(options.queries, static_cast<std::uint64_t>(kClassCount) * 100);
  const SweepResult result = sweep(options);
  fmt::print("{}", table(result));
  for (const Refutation& r : result.refutations) {
    ADD_FAILURE() << describe(r) << "  oracle_sweep --class " << name_of(r.query_class)
                  << " --seed " << r.seed << " --index " << r.index;
  }
  for (int i = 0; i < kClassCount; ++i) {
    expect_right(name_of(static_cast<QueryClass>(i)), result.counts[static_cast<std::size_t>(i)]);
  }
}

// The bracket's width must not matter to its truth: none asked for, and more than doubles can give.
TEST(OracleSweep, NothingWrongAtOtherTolerances) {
  for (const double tolerance : {1.0, 1e-3, 1e-16}) {
    SweepOptions options;
    options.queries = asked_queries("TOCSIN_ORACLE_QUERIES", kQueries) / 30;
    options.seed = 4;
    options.tolerance = tolerance;
    const SweepResult result = sweep(options);
    for (const Refutation& r : result.refutations)
      ADD_FAILURE() << tolerance << ": " << describe(r);
  }
}

TEST(OracleSweep, DoesNotDependOnThreads) {
  SweepOptions options;
  options.queries = 17 * 300;
  options.seed = 2;
  options.threads = 1;
  const std::string alone = table(sweep(options));
  options.threads = 3;
  EXPECT_EQ(table(sweep(options)), alone);
}

TEST(OracleSweep, QueriesAreReproducibleOnTheirOwn) {
  const QueryGenerator generator(QueryClass::kMix, 3);
  const LinkQuery in_order = [&] {
    for (std::uint64_t i = 0; i < 77; ++i) static_cast<void>(generator.make(i));
    return generator.make(77);
  }();
  EXPECT_EQ(describe(in_order), describe(QueryGenerator(QueryClass::kMix, 3).make(77)));
  // The other half of the pair: the same motion.
  const LinkQuery other = generator.make(76);
  EXPECT_EQ(other.chain.size(), in_order.chain.size());
  EXPECT_EQ(other.a, in_order.a);
}

}  // namespace
}  // namespace tocsin::oracle::test::sweep_test
