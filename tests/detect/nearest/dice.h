// Random numbers, vectors and turns with a seed.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <random>

#include "tocsin/types.h"

namespace tocsin::test {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}
  double uniform(double lo, double hi) {
    return lo + (hi - lo) * (static_cast<double>(engine_() >> 11U) * 0x1p-53);
  }
  std::size_t index(std::size_t count) { return static_cast<std::size_t>(engine_() % count); }
  Vec3 vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Quat turn() {
    for (;;) {
      const Quat q{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      const double n = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
      if (n > 0.1 && n < 1.0) return {q.w / n, q.x / n, q.y / n, q.z / n};
    }
  }
  /// One of the 24 turns of a cube, as far as doubles have it.
  Quat right_turn() {
    const double h = std::sqrt(0.5);
    const std::array<Quat, 6> some{{{1, 0, 0, 0},
                                    {h, h, 0, 0},
                                    {0, 1, 0, 0},
                                    {h, 0, h, 0},
                                    {h, 0, 0, h},
                                    {0.5, 0.5, 0.5, 0.5}}};
    return some[index(some.size())];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace tocsin::test
