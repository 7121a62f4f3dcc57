// What HullProver proves free is free wherever one looks, also where the planes that prove it turn.
#include "oracle/hulls/prove_hulls.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "hulls/hull_generator.h"

namespace tocsin::oracle::test::prove_hulls_test {
namespace {

// The least distance at times that no halving of the step meets.
Real least_seen(const HullPath& first, const HullPath& second) {
  constexpr int kTimes = 151;
  HullProver prover(first, second, 0.0L);
  Real least = 1e300L;
  for (int i = 0; i < kTimes; ++i) {
    const Real t = (static_cast<Real>(i) + 0.37L) / static_cast<Real>(kTimes);
    least = std::min(least, prover.distance(t).most);
  }
  return least;
}

TEST(OracleHullProver, ProvesNothingFreeThatSamplesTouch) {
  int asked = 0;
  int free = 0;
  for (int c = 0; c < kPairClassCount; ++c) {
    for (std::uint64_t number = 0; number < 24; ++number) {
      for (const HullQuery& q : make_hulls(static_cast<PairClass>(c), 91, number)) {
        const HullPath first(q.first);
        const HullPath second(q.second);
        const Real least = least_seen(first, second);
        if (!(least > 0.0L)) continue;
        ++asked;
        HullProver touching(first, second, least * (1.0L + 0x1p-30L));
        EXPECT_NE(touching.prove_free(0.0L, 1.0L, 300).kind, Proof::Kind::kFree)
            << name_of(static_cast<PairClass>(c)) << " " << number;
        HullProver clear(first, second, 0.99L * least);
        if (clear.prove_free(0.0L, 1.0L, 300).kind == Proof::Kind::kFree) ++free;
      }
    }
  }
  EXPECT_GE(asked, 900);
  EXPECT_GE(free, asked / 2) << "a prover that proves nothing passes the rest";
}

}  // namespace
}  // namespace tocsin::oracle::test::prove_hulls_test
