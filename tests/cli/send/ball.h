// A mesh for tests: a ball, longer than it is wide.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace tocsin::test {

/// A ball of n x n quads as a room's file, 1.2 m long.
inline std::string ball_text(int n) {
  std::string out = "o ball\n";
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double down = 3.14159265 * i / n;
      const double around = 6.2831853 * j / n;
      out += fmt::format("v {} {} {}\n", 0.2 * std::sin(down) * std::cos(around),
                         0.6 * std::cos(down), 0.2 * std::sin(down) * std::sin(around));
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      out += fmt::format("f {} {} {} {}\n", i * n + j + 1, i * n + (j + 1) % n + 1,
                         (i + 1) * n + (j + 1) % n + 1, (i + 1) * n + j + 1);
    }
  }
  return out;
}

}  // namespace tocsin::test
