// Runs a test body at every SIMD target that this machine has.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "cpu/kernels/only_simd_target.h"

namespace tocsin::test {

/// Calls body() once per target.
template <class Body>
void at_every_simd_target(const Body& body) {
  const std::vector<cpu::SimdTarget> targets = cpu::simd_targets();
  ASSERT_FALSE(targets.empty());
  for (const cpu::SimdTarget& target : targets) {
    SCOPED_TRACE(target.name);
    const cpu::OnlySimdTarget only(target.id);
    body();
  }
}

}  // namespace tocsin::test
