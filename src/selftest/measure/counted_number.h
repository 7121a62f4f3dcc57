// A number that counts what is done with it: cuda_counted.cpp compiles the kernel bodies
// with it in place of double. Same size, same bits, same results.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tocsin::selftest {

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

}  // namespace tocsin::selftest

// The bodies call these by their full names.
namespace std {  // NOLINT(cert-dcl58-cpp): only cuda_counted.cpp includes it
inline tocsin::selftest::CountedNumber fabs(tocsin::selftest::CountedNumber x) {
  return __builtin_fabs(x.value);
}
inline tocsin::selftest::CountedNumber sqrt(tocsin::selftest::CountedNumber x) {
  tocsin::selftest::CountedNumber::count(&tocsin::selftest::Operations::roots);
  return __builtin_sqrt(x.value);
}
inline tocsin::selftest::CountedNumber ceil(tocsin::selftest::CountedNumber x) {
  tocsin::selftest::CountedNumber::count(&tocsin::selftest::Operations::simple);
  return __builtin_ceil(x.value);
}
inline tocsin::selftest::CountedNumber floor(tocsin::selftest::CountedNumber x) {
  tocsin::selftest::CountedNumber::count(&tocsin::selftest::Operations::simple);
  return __builtin_floor(x.value);
}
inline tocsin::selftest::CountedNumber fmod(tocsin::selftest::CountedNumber x,
                                            tocsin::selftest::CountedNumber y) {
  tocsin::selftest::CountedNumber::count(&tocsin::selftest::Operations::divisions);
  return __builtin_fmod(x.value, y.value);
}
inline bool isfinite(tocsin::selftest::CountedNumber x) { return __builtin_isfinite(x.value); }
}  // namespace std
