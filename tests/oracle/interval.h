// A number type for oracle/kinematics.h whose every result is an interval that is proved to hold
// the true value: MPFI at 192 bits. Only for the tests; slow.
#pragma once

#include <mpfi.h>
#include <mpfi_io.h>
#include <mpfr.h>

#include "oracle/number.h"

namespace tocsin::oracle::test {

class Interval {
 public:
  Interval() : Interval(0.0) {}
  explicit Interval(double x) {
    mpfi_init2(value_, kBits);
    mpfi_set_d(value_, x);
  }
  explicit Interval(Real x) : Interval(static_cast<double>(x)) {
    // The rest of a 64-bit mantissa fits another double.
    mpfi_add_d(value_, value_, static_cast<double>(x - static_cast<Real>(static_cast<double>(x))));
  }
  Interval(const Interval& other) : Interval(0.0) { mpfi_set(value_, other.value_); }
  Interval& operator=(const Interval& other) {
    mpfi_set(value_, other.value_);
    return *this;
  }
  ~Interval() { mpfi_clear(value_); }

  friend Interval operator+(const Interval& a, const Interval& b) { return apply(mpfi_add, a, b); }
  friend Interval operator-(const Interval& a, const Interval& b) { return apply(mpfi_sub, a, b); }
  friend Interval operator*(const Interval& a, const Interval& b) { return apply(mpfi_mul, a, b); }
  friend Interval operator/(const Interval& a, const Interval& b) { return apply(mpfi_div, a, b); }
  friend bool operator>(const Interval& a, double b) { return mpfi_cmp_d(a.value_, b) > 0; }
  friend Interval sqrt(const Interval& a) {
    Interval out;
    mpfi_sqrt(out.value_, a.value_);
    return out;
  }
  friend void sine_cosine(const Interval& x, Interval& sine, Interval& cosine) {
    mpfi_sin(sine.value_, x.value_);
    mpfi_cos(cosine.value_, x.value_);
  }

  /// Largest |x - y| over all y in the interval, rounded up.
  [[nodiscard]] Real farthest_from(Real x) const {
    const Interval off = *this - Interval(x);
    mpfr_t largest;
    mpfr_init2(largest, 64);
    mpfi_mag(largest, off.value_);
    const Real out = mpfr_get_ld(largest, MPFR_RNDU);
    mpfr_clear(largest);
    return out;
  }

 private:
  static constexpr mpfr_prec_t kBits = 192;

  template <class Operation>
  static Interval apply(Operation operation, const Interval& a, const Interval& b) {
    Interval out;
    operation(out.value_, a.value_, b.value_);
    return out;
  }

  mpfi_t value_;
};

}  // namespace tocsin::oracle::test
