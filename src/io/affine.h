// Affine maps in double, as the nodes of a scene have them: any scale, shear and mirroring.
#pragma once

#include <array>
#include <cstddef>

#include "tocsin/types.h"

namespace tocsin::io {

/// x -> M x + t: the rows of the 3x4 matrix (M | t).
struct Affine {
  std::array<std::array<double, 4>, 3> row{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
};

inline Vec3 apply(const Affine& m, const Vec3& v) {
  const auto one = [&](std::size_t i) {
    const std::array<double, 4>& r = m.row[i];
    return ((r[0] * v.x + r[1] * v.y) + r[2] * v.z) + r[3];
  };
  return {one(0), one(1), one(2)};
}

/// a after b.
inline Affine product(const Affine& a, const Affine& b) {
  Affine out;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      out.row[i][j] =
          ((a.row[i][0] * b.row[0][j] + a.row[i][1] * b.row[1][j]) + a.row[i][2] * b.row[2][j]) +
          (j == 3 ? a.row[i][3] : 0.0);
    }
  }
  return out;
}

}  // namespace tocsin::io
