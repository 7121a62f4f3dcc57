// Sums and products of doubles without any error, and the signs of small determinants. Shewchuk
// 1997, "Adaptive precision floating-point arithmetic and fast robust geometric predicates".
#pragma once

#include <cmath>
#include <cstddef>
#include <initializer_list>

#include "core/vector/hd.h"

namespace tocsin::core {

/// Two doubles whose exact sum is meant; `low` is at most half an ulp of `high`.
struct Pair {
  double high = 0.0;
  double low = 0.0;
};

/// a + b without error (Knuth's two-sum).
TOCSIN_HD inline Pair exact_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  const double a_part = sum - b_part;
  return {sum, (a - a_part) + (b - b_part)};
}

/// a - b without error.
TOCSIN_HD inline Pair exact_difference(double a, double b) { return exact_sum(a, -b); }

/// a * b without error, while it is at least 2^-960 or zero. fma is correctly rounded everywhere,
/// so this is not a question of contraction.
TOCSIN_HD inline Pair exact_product(double a, double b) {
  const double product = a * b;
  return {product, std::fma(a, b, -product)};
}

/// A sum of at most N doubles, kept without error as parts that do not overlap (Shewchuk's
/// grow-expansion), the least first.
template <std::size_t N>
class Expansion {
 public:
  TOCSIN_HD void add(double value) {
    for (std::size_t i = 0; i < size_; ++i) {
      const Pair sum = exact_sum(value, parts_[i]);
      parts_[i] = sum.low;
      value = sum.high;
    }
    parts_[size_++] = value;
  }
  TOCSIN_HD void add(const Pair& value) {
    add(value.low);
    add(value.high);
  }
  /// -1, 0 or 1: parts that do not overlap have the sign of the greatest that is not zero.
  [[nodiscard]] TOCSIN_HD int sign() const {
    for (std::size_t i = size_; i-- > 0;) {
      if (parts_[i] != 0.0) return parts_[i] < 0.0 ? -1 : 1;
    }
    return 0;
  }

 private:
  double parts_[N];
  std::size_t size_ = 0;
};

TOCSIN_HD inline int sign_of(double x) { return x > 0.0 ? 1 : (x < 0.0 ? -1 : 0); }

/// The sign of a b - c d, exactly. The factors are exact differences of numbers that are zero or
/// multiples of 2^-149 (floats are), at most 2^21: no product comes near an end of a double's
/// range.
TOCSIN_HD inline int determinant_sign(const Pair& a, const Pair& b, const Pair& c, const Pair& d) {
  const double first = a.high * b.high;
  const double second = c.high * d.high;
  // Each factor and each operation is off by at most one part in 2^53: eight of these in all.
  const double error = 0x1p-49 * (std::fabs(first) + std::fabs(second));
  if (std::fabs(first - second) > error) return first > second ? 1 : -1;
  Expansion<16> sum;
  for (const double x : {a.high, a.low}) {
    for (const double y : {b.high, b.low}) sum.add(exact_product(x, y));
  }
  for (const double x : {c.high, c.low}) {
    for (const double y : {d.high, d.low}) sum.add(exact_product(-x, y));
  }
  return sum.sign();
}

}  // namespace tocsin::core
