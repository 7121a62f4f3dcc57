// Claims that are false, and whether the oracle refutes them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "oracle/verify_bracket.h"

namespace tocsin::oracle::test {

/// Counts verdicts on claims that are false.
struct Tally {
  int made = 0;
  int refuted = 0;
  /// Query: what verify() takes.
  template <class Query>
  void refute(const Query& q, const Claim& claim, Verdict::Fault fault, const char* what,
              std::uint64_t i) {
    ++made;
    const Verdict v = verify(q, claim);
    EXPECT_EQ(v.kind, Verdict::Kind::kRefuted) << what << " " << i;
    EXPECT_EQ(v.fault, fault) << what << " " << i;
    if (v.kind == Verdict::Kind::kRefuted) ++refuted;
  }
};

}  // namespace tocsin::oracle::test
