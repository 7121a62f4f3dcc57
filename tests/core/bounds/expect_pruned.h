// What certify may answer when it is told to stop early.
#pragma once

#include <gtest/gtest.h>

#include "core/query/query.h"

namespace tocsin::core {

/// True if `some`, asked for with stop_after = `stop`, is pruned: rightly then, as `all`, asked for
/// without, is free until after it. Otherwise they must be the same.
inline bool expect_pruned_soundly(const Certificate& all, const Certificate& some, double stop) {
  if (some.outcome == Outcome::kPruned) {
    EXPECT_GT(some.lo, stop);
    EXPECT_TRUE(all.outcome == Outcome::kFree || all.lo > stop);
    return true;
  }
  EXPECT_EQ(some.outcome, all.outcome);
  EXPECT_EQ(some.lo, all.lo);
  EXPECT_EQ(some.hi, all.hi);
  return false;
}

}  // namespace tocsin::core
