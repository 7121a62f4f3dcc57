// Random shapes: closed bumpy balls, soups of triangles, and single features. Fixed seeds only.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/scenes/random_link.h"
#include "tocsin/shape.h"

namespace tocsin::test {

/// `count` triangles in a ball of `size` metres; every seventh is a needle, every eleventh a point.
inline Shape random_soup(RandomLinks& random, int count, double size, double radius) {
  std::vector<Vec3> corners;
  std::vector<TriangleIndices> triangles;
  for (int i = 0; i < count; ++i) {
    const Vec3 at = random.vector(0, size);
    const auto first = static_cast<std::uint32_t>(corners.size());
    const double edge = random.uniform(0.1, 0.6) * size;
    for (int k = 0; k < 3; ++k) corners.push_back(at + random.vector(0.2 * edge, edge));
    if (i % 7 == 3) corners.back() = at + 1e-3 * (corners.back() - at);
    if (i % 11 == 5) {
      triangles.push_back({first, first, first});
    } else {
      triangles.push_back({first, first + 1, first + 2});
    }
  }
  return Shape::mesh(std::move(corners), std::move(triangles), radius).value();
}

/// A closed ball of 2 * rings * around triangles or so, with bumps of a fifth of its size.
inline Shape bumpy_ball(RandomLinks& random, int rings, int around, double size, double radius) {
  std::vector<Vec3> corners{{0, size, 0}, {0, -size, 0}};
  for (int i = 1; i < rings; ++i) {
    const double polar = 3.14159265358979 * i / rings;
    for (int j = 0; j < around; ++j) {
      const double turn = 2 * 3.14159265358979 * j / around;
      const double r = size * random.uniform(0.9, 1.1);
      corners.push_back({r * std::sin(polar) * std::cos(turn), r * std::cos(polar),
                         r * std::sin(polar) * std::sin(turn)});
    }
  }
  const auto at = [&](int i, int j) {
    return static_cast<std::uint32_t>(2 + (i - 1) * around + j % around);
  };
  std::vector<TriangleIndices> triangles;
  for (int j = 0; j < around; ++j) {
    triangles.push_back({0, at(1, j + 1), at(1, j)});
    for (int i = 1; i + 1 < rings; ++i) {
      triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
      triangles.push_back({at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)});
    }
    triangles.push_back({1, at(rings - 1, j), at(rings - 1, j + 1)});
  }
  return Shape::mesh(std::move(corners), std::move(triangles), radius).value();
}

/// One of all kinds, about `size` metres large.
inline Shape random_shape(RandomLinks& random, int kind, double size) {
  const double radius = kind % 2 == 0 ? 0.0 : random.uniform(0.0, 0.1) * size;
  switch (kind % 5) {
    case 0:
      return random_soup(random, 12, size, radius);
    case 1:
      return bumpy_ball(random, 4, 6, size, radius);
    case 2:
      return Shape::box({random.uniform(0.2, 1) * size, random.uniform(0.2, 1) * size,
                         random.uniform(0.02, 1) * size},
                        radius)
          .value();
    case 3:
      return Shape::capsule(random.vector(0, size), random.vector(0, size), 0.2 * size).value();
    default:
      return Shape::sphere(random.vector(0, 0.3 * size), 0.5 * size).value();
  }
}

}  // namespace tocsin::test
