// A number that counts what is done with it: bench/cuda/cuda_counted.cpp compiles the kernel bodies
// with it in place of double. Same size, same bits, same results.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tocsin::bench {

/// Operations in double precision.
struct Operations {
  std::uint64_t simple = 0;     ///< additions, multiplications, comparisons
  std::uint64_t divisions = 0;  ///< and remainders
  std::uint64_t roots = 0;
};

struct CountedNumber {
  double value = 0.0;

  /// Of all numbers of this thread.
  static Operations& done() {
    thread_local Operations operations;
    return operations;
  }
  static constexpr void count(std::uint64_t Operations::*what) {
    if (!std::is_constant_evaluated()) ++(done().*what);
  }

  constexpr CountedNumber() = default;
  // Implicit, as conversions to double are.
  template <class T>
  requires std::is_arithmetic_v<T>
  constexpr CountedNumber(T x) : value(static_cast<double>(x)) {}  // NOLINT
  template <class T>
  requires std::is_arithmetic_v<T>
  explicit constexpr operator T() const { return static_cast<T>(value); }

  friend constexpr CountedNumber operator+(CountedNumber a, CountedNumber b) {
    count(&Operations::simple);
    return a.value + b.value;
  }
  friend constexpr CountedNumber operator-(CountedNumber a, CountedNumber b) {
    count(&Operations::simple);
    return a.value - b.value;
  }
  friend constexpr CountedNumber operator*(CountedNumber a, CountedNumber b) {
    count(&Operations::simple);
    return a.value * b.value;
  }
  friend constexpr CountedNumber operator/(CountedNumber a, CountedNumber b) {
    count(&Operations::divisions);
    return a.value / b.value;
  }
  constexpr CountedNumber operator-() const { return -value; }  // a bit: no operation
  constexpr CountedNumber& operator+=(CountedNumber b) { return *this = *this + b; }
  constexpr CountedNumber& operator-=(CountedNumber b) { return *this = *this - b; }
  constexpr CountedNumber& operator*=(CountedNumber b) { return *this = *this * b; }
  constexpr CountedNumber& operator/=(CountedNumber b) { return *this = *this / b; }
  friend constexpr bool operator<(CountedNumber a, CountedNumber b) {
    count(&Operations::simple);
    return a.value < b.value;
  }
  friend constexpr bool operator>(CountedNumber a, CountedNumber b) { return b < a; }
  friend constexpr bool operator<=(CountedNumber a, CountedNumber b) {
    count(&Operations::simple);
    return a.value <= b.value;
  }
  friend constexpr bool operator>=(CountedNumber a, CountedNumber b) { return b <= a; }
  friend constexpr bool operator==(CountedNumber a, CountedNumber b) {
    count(&Operations::simple);
    return a.value == b.value;
  }
};

}  // namespace tocsin::bench

// The bodies call these by their full names.
namespace std {  // NOLINT(cert-dcl58-cpp): nobody but this bench sees it
inline tocsin::bench::CountedNumber fabs(tocsin::bench::CountedNumber x) {
  return __builtin_fabs(x.value);
}
inline tocsin::bench::CountedNumber sqrt(tocsin::bench::CountedNumber x) {
  tocsin::bench::CountedNumber::count(&tocsin::bench::Operations::roots);
  return __builtin_sqrt(x.value);
}
inline tocsin::bench::CountedNumber ceil(tocsin::bench::CountedNumber x) {
  tocsin::bench::CountedNumber::count(&tocsin::bench::Operations::simple);
  return __builtin_ceil(x.value);
}
inline tocsin::bench::CountedNumber floor(tocsin::bench::CountedNumber x) {
  tocsin::bench::CountedNumber::count(&tocsin::bench::Operations::simple);
  return __builtin_floor(x.value);
}
inline tocsin::bench::CountedNumber fmod(tocsin::bench::CountedNumber x,
                                         tocsin::bench::CountedNumber y) {
  tocsin::bench::CountedNumber::count(&tocsin::bench::Operations::divisions);
  return __builtin_fmod(x.value, y.value);
}
inline bool isfinite(tocsin::bench::CountedNumber x) { return __builtin_isfinite(x.value); }
}  // namespace std
