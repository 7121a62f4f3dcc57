// What a PairMask must answer, kept the plain way: a matrix of all pairs.
#pragma once

#include <cstddef>
#include <vector>

#include "cpu/broadphase/pair_mask.h"
#include "make/random.h"

namespace tocsin::test {

class MaskMatrix {
 public:
  explicit MaskMatrix(int bodies)
      : n_(static_cast<std::size_t>(bodies)), pair_(n_ * n_, true), body_(n_, true) {}

  [[nodiscard]] bool active(cpu::BodyId a, cpu::BodyId b) const {
    return body_[index(a)] && body_[index(b)] && pair_[n_ * index(a) + index(b)];
  }
  void set_body(cpu::BodyId a, bool on) { body_[index(a)] = on; }
  void set_pair(cpu::BodyId a, cpu::BodyId b, bool on) {
    pair_[n_ * index(a) + index(b)] = on;
    pair_[n_ * index(b) + index(a)] = on;
  }
  void set_pairs_of(cpu::BodyId a, bool on) {
    for (std::size_t b = 0; b < n_; ++b) set_pair(a, static_cast<cpu::BodyId>(b), on);
  }
  void activate_all() {
    pair_.assign(n_ * n_, true);
    body_.assign(n_, true);
    all_ = true;
  }
  void deactivate_all() {
    pair_.assign(n_ * n_, false);
    all_ = false;
  }
  void renew(cpu::BodyId a) {
    set_body(a, true);
    set_pairs_of(a, all_);
  }

 private:
  static std::size_t index(cpu::BodyId a) { return static_cast<std::size_t>(a); }

  std::size_t n_;
  std::vector<bool> pair_;
  std::vector<bool> body_;
  bool all_ = true;
};

/// Says the same random word to both. `bodies`: numbers are below it; at least 2.
inline void say_anything(make::Random& random, int bodies, cpu::PairMask& mask, MaskMatrix& matrix,
                         bool renew = true) {
  const cpu::BodyId a = random.integer(0, bodies - 1);
  const cpu::BodyId b = (a + random.integer(1, bodies - 1)) % bodies;
  const bool on = random.chance(0.5);
  const int what = random.integer(0, 99);
  if (what < 60) {
    on ? mask.activate_pair(a, b) : mask.deactivate_pair(a, b);
    matrix.set_pair(a, b, on);
  } else if (what < 75) {
    on ? mask.activate_pairs_of(a) : mask.deactivate_pairs_of(a);
    matrix.set_pairs_of(a, on);
  } else if (what < 92 || (what < 97 && !renew)) {
    on ? mask.activate(a) : mask.deactivate(a);
    matrix.set_body(a, on);
  } else if (what < 97) {
    mask.renew(a);
    matrix.renew(a);
  } else {
    on ? mask.activate_all() : mask.deactivate_all();
    on ? matrix.activate_all() : matrix.deactivate_all();
  }
}

}  // namespace tocsin::test
