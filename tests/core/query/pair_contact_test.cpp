// Folding triangles' certificates: any order gives the same pair.
#include "core/query/pair_contact.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tocsin::core::pair_contact_test {
namespace {

PairContact fold(const std::vector<std::pair<std::uint32_t, Certificate>>& all) {
  PairContact pair;
  for (const auto& [triangle, c] : all) pair.add(triangle, c);
  return pair;
}

TEST(PairContact, NothingIsNothing) {
  const PairContact pair =
      fold({{3, {Outcome::kFree, 1, 1, false, 1}}, {4, {Outcome::kPruned, 0.5, 1, false, 1}}});
  EXPECT_FALSE(pair.any());
  EXPECT_EQ(pair.stop_after(), kToEnd);
}

TEST(PairContact, TheBracketIsTheLeastOfBothEnds) {
  const PairContact pair =
      fold({{7, {Outcome::kHit, 0.4, 0.6, false, 1}}, {2, {Outcome::kHit, 0.5, 0.55, false, 1}}});
  EXPECT_EQ(pair.touch(), Touch::kHit);
  EXPECT_EQ(pair.lo(), 0.4);
  EXPECT_EQ(pair.hi(), 0.55);
  EXPECT_EQ(pair.triangle(), 2U);
  EXPECT_EQ(pair.stop_after(), 0.55);
}

TEST(PairContact, TiesGoToTheLeastTriangle) {
  const Certificate same{Outcome::kHit, 0.25, 0.25, false, 1};
  EXPECT_EQ(fold({{9, same}, {4, same}, {6, same}}).triangle(), 4U);
}

TEST(PairContact, AGrazeBeforeAHitMovesOnlyLo) {
  const PairContact pair =
      fold({{1, {Outcome::kGraze, 0.2, 0.3, false, 1}}, {2, {Outcome::kHit, 0.5, 0.5, false, 1}}});
  EXPECT_EQ(pair.touch(), Touch::kHit);
  EXPECT_EQ(pair.lo(), 0.2);
  EXPECT_EQ(pair.hi(), 0.5);
  EXPECT_EQ(pair.triangle(), 2U);
}

TEST(PairContact, GrazesAloneEndWithTheLast) {
  const PairContact pair =
      fold({{1, {Outcome::kGraze, 0.2, 0.3, false, 1}}, {2, {Outcome::kGraze, 0.6, 0.7, true, 1}}});
  EXPECT_EQ(pair.touch(), Touch::kGraze);
  EXPECT_EQ(pair.lo(), 0.2);
  EXPECT_EQ(pair.hi(), 0.7);
  EXPECT_EQ(pair.triangle(), 1U);
  EXPECT_TRUE(pair.limited());
  EXPECT_EQ(pair.stop_after(), kToEnd) << "a graze proves no touch: it must not prune";
}

TEST(PairContact, AnOverlapWins) {
  const PairContact pair =
      fold({{5, {Outcome::kHit, 0.1, 0.1, false, 1}}, {8, {Outcome::kOverlap, 0, 0, false, 1}}});
  EXPECT_EQ(pair.touch(), Touch::kOverlap);
  EXPECT_EQ(pair.lo(), 0.0);
  EXPECT_EQ(pair.hi(), 0.0);
  EXPECT_EQ(pair.triangle(), 8U);
}

TEST(PairContact, OrderDoesNotMatter) {
  std::mt19937 engine(71);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::pair<std::uint32_t, Certificate>> all;
    for (std::uint32_t t = 0; t < 6; ++t) {
      Certificate c;
      c.outcome = static_cast<Outcome>(engine() % 5);
      c.lo = c.outcome == Outcome::kOverlap ? 0 : static_cast<double>(engine() % 8) / 8;
      c.hi = c.outcome == Outcome::kOverlap
                 ? 0
                 : std::min(1.0, c.lo + static_cast<double>(engine() % 3) / 8);
      c.limited = c.outcome == Outcome::kGraze && engine() % 3 == 0;
      all.emplace_back(t, c);
    }
    const PairContact want = fold(all);
    std::shuffle(all.begin(), all.end(), engine);
    const PairContact got = fold(all);
    EXPECT_EQ(got.any(), want.any());
    if (!want.any()) continue;
    EXPECT_EQ(got.touch(), want.touch());
    EXPECT_EQ(got.lo(), want.lo());
    EXPECT_EQ(got.hi(), want.hi());
    EXPECT_EQ(got.triangle(), want.triangle());
    EXPECT_EQ(got.limited(), want.limited());
  }
}

}  // namespace
}  // namespace tocsin::core::pair_contact_test
