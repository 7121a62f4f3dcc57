// Random pairs of shapes of every class, touching and moved clear: nothing missed, no wrong
// bracket, and the features that are named are those that touch.
//
// TOCSIN_ORACLE_SHAPES sets how many (docs/oracle.md).
#include "shapes/shape_sweep.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "asked_queries.h"

namespace tocsin::oracle::test::shape_sweep_test {
namespace {

constexpr std::uint64_t kQueries = 10'000;  // 400 of each class

/// Share of answers that may prove little, as of two hulls: needles, and sheets in one plane, touch
/// surely only where an edge goes through a face by some rounding margins.
double graze_share(PairClass c) { return c == PairClass::kGrazing ? 0.25 : 0.1; }

void expect_right(PairClass pair_class, const ClassCounts& c) {
  SCOPED_TRACE(name_of(pair_class));
  EXPECT_EQ(c.missed, 0U);
  EXPECT_EQ(c.wrong, 0U);
  // The oracle gives up where a pair comes close over a long time.
  EXPECT_LE(static_cast<double>(c.undecided), kFew + 5e-3 * static_cast<double>(c.queries));
  // A class that hardly touches, or hardly misses, tests nothing.
  const double contacts = static_cast<double>(c.contacts()) / static_cast<double>(c.queries);
  EXPECT_GE(contacts, 0.2);
  EXPECT_LE(contacts, 0.8);
  EXPECT_LE(static_cast<double>(c.graze),
            kFew + graze_share(pair_class) * static_cast<double>(c.queries));
  EXPECT_LE(static_cast<double>(c.limited), kFew + 0.02 * static_cast<double>(c.queries));
  EXPECT_LE(static_cast<double>(c.loose), kFew + 5e-3 * static_cast<double>(c.hit));
}

std::uint64_t asked() { return asked_queries("TOCSIN_ORACLE_SHAPES", kQueries); }

TEST(OracleShapeSweep, NothingMissedAndNoWrongBracket) {
  ShapeSweepOptions options;
  options.queries = asked();
  ASSERT_GE(options.queries, static_cast<std::uint64_t>(kPairClassCount) * 100);
  const ShapeSweepResult result = sweep(options);
  fmt::print("{}", table(result));
  for (const auto& r : result.refutations) ADD_FAILURE() << describe(r);
  for (int i = 0; i < kPairClassCount; ++i) {
    expect_right(static_cast<PairClass>(i), result.counts[static_cast<std::size_t>(i)]);
  }
}

// The bracket's width must not matter to its truth: none asked for, and more than doubles can give.
TEST(OracleShapeSweep, NothingWrongAtOtherTolerances) {
  for (const double tolerance : {1.0, 1e-16}) {
    ShapeSweepOptions options;
    options.queries = asked() / 20;
    options.seed = 4;
    options.tolerance = tolerance;
    const ShapeSweepResult result = sweep(options);
    for (const auto& r : result.refutations) ADD_FAILURE() << tolerance << ": " << describe(r);
  }
}

// The oracle must notice what is wrong: a search that sees the first feature only, one that answers
// too early, one too late, and one that names another feature than the one that touches.
TEST(OracleShapeSweep, TheOracleRefutesWhatIsWrong) {
  using Answer = decltype(&ShapeQueries::certify);
  struct Wrong {
    const char* what;
    Answer answer;
  };
  const Wrong wrong[] = {
      {"one feature only",
       [](const ShapeQuery& q, double tolerance) {
         ShapeQuery one = q;
         const auto corners = q.first.shape.corners();
         one.first.shape =
             Shape::mesh({corners.begin(), corners.end()}, {q.first.shape.features().front()})
                 .value();
         return answer_query(one, tolerance);
       }},
      {"too early",
       [](const ShapeQuery& q, double tolerance) {
         ShapeAnswer a = answer_query(q, tolerance);
         if (a.outcome == core::Outcome::kHit) {
           a.hi = 0.5 * a.lo;
           a.lo = 0.25 * a.lo;
         }
         return a;
       }},
      {"lo too late",
       [](const ShapeQuery& q, double tolerance) {
         ShapeAnswer a = answer_query(q, tolerance);
         if (a.outcome == core::Outcome::kHit) a.lo = a.hi;
         return a;
       }},
      {"another feature",
       [](const ShapeQuery& q, double tolerance) {
         ShapeAnswer a = answer_query(q, tolerance);
         const auto features = static_cast<std::uint32_t>(q.first.shape.features().size());
         a.touching.first = (a.touching.first + features / 2) % features;
         return a;
       }},
      {"a feature that is not", [](const ShapeQuery& q, double tolerance) {
         ShapeAnswer a = answer_query(q, tolerance);
         a.touching.second += static_cast<std::uint32_t>(q.second.shape.features().size());
         return a;
       }}};
  for (const Wrong& w : wrong) {
    ShapeSweepOptions options;
    options.queries = static_cast<std::uint64_t>(kPairClassCount) * 20;
    options.certify = w.answer;
    EXPECT_GE(sweep(options).refutations.size(), 50U) << w.what;
  }
}

}  // namespace
}  // namespace tocsin::oracle::test::shape_sweep_test
