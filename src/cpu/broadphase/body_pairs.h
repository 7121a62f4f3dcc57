// Pairs of bodies whose boxes overlap.
#pragma once

#include <cstdint>

namespace tocsin::cpu {

/// A body's number: insert() returns it (SweepAndPrune), or it is an index (IntervalSweep).
using BodyId = std::int32_t;

/// Two different bodies, first < second.
struct BodyPair {
  BodyId first = 0;
  BodyId second = 0;
  friend constexpr bool operator==(const BodyPair&, const BodyPair&) = default;
  friend constexpr bool operator<(const BodyPair& a, const BodyPair& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  }
};

}  // namespace tocsin::cpu
