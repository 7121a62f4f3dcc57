// Compares vectors and transforms bit for bit. If they are equal, results computed from one hold
// for the other.
#pragma once

#include <cstring>
#include <span>

#include "tocsin/types.h"

namespace tocsin::core {

/// Unlike ==, -0 differs from 0, and a NaN equals itself. It is also cheaper.
[[nodiscard]] inline bool same_bits(const Vec3& p, const Vec3& q) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));  // no padding
  return std::memcmp(&p, &q, sizeof p) == 0;  // NOLINT(bugprone-suspicious-memory-comparison)
}

[[nodiscard]] inline bool same_bits(std::span<const Transform> p, std::span<const Transform> q) {
  static_assert(sizeof(Transform) == 7 * sizeof(double));  // no padding
  if (p.size() != q.size()) return false;
  return p.data() == q.data() || std::memcmp(p.data(), q.data(), p.size_bytes()) == 0;
}

[[nodiscard]] inline bool same_bits(const Transform& p, const Transform& q) {
  return same_bits(std::span(&p, 1), std::span(&q, 1));
}

}  // namespace tocsin::core
