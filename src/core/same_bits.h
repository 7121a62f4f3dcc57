// Whether two vectors are the same, bit for bit: whatever is computed from one holds for the other.
#pragma once

#include <cstring>

#include "tocsin/types.h"

namespace tocsin::core {

/// Unlike as numbers, -0 is not 0, and a NaN is itself. Cheaper, too.
[[nodiscard]] inline bool same_bits(const Vec3& p, const Vec3& q) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));  // no padding
  return std::memcmp(&p, &q, sizeof p) == 0;  // NOLINT(bugprone-suspicious-memory-comparison)
}

}  // namespace tocsin::core
