// Compares vectors bit for bit. If they are equal, results computed from one hold for the other.
#pragma once

#include <cstring>

#include "tocsin/types.h"

namespace tocsin::core {

/// Unlike ==, -0 differs from 0, and a NaN equals itself. It is also cheaper.
[[nodiscard]] inline bool same_bits(const Vec3& p, const Vec3& q) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));  // no padding
  return std::memcmp(&p, &q, sizeof p) == 0;  // NOLINT(bugprone-suspicious-memory-comparison)
}

}  // namespace tocsin::core
