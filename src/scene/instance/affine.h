// Where an instance of a mesh stands.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "core/bounds/box.h"
#include "core/vector/vec.h"
#include "tocsin/result.h"
#include "tocsin/shape.h"

namespace tocsin::scene {

/// x -> m x + t, from a mesh's own coordinates to the world, metres.
struct Affine {
  std::array<Vec3, 3> m = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};  ///< rows
  Vec3 t;
  bool mirrors = false;  ///< its determinant is below 0

  /// A corner in the world: rounded to floats, as the corners of every environment are. The order
  /// of operations is fixed, so that all who place a corner get the same bits.
  [[nodiscard]] Vec3f place(const Vec3f& v) const {
    const double x = v.x;
    const double y = v.y;
    const double z = v.z;
    const auto along = [&](const Vec3& row, double shift) {
      return static_cast<float>(((row.x * x + row.y * y) + row.z * z) + shift);
    };
    return {along(m[0], t.x), along(m[1], t.y), along(m[2], t.z)};
  }
};

/// Where a point of the world is in the mesh's own coordinates. `at`: of affine_of(). Off by some
/// 2^-50 of its distance from at.t, seen in the world.
Vec3 to_mesh(const Affine& at, const Vec3& p);

/// Errors (kInput): numbers that are not finite; a translation beyond 1e6 m; a rotation whose
/// length is off 1 by more than 1e-3; a scale of 0, or beyond 1e6.
Result<Affine> affine_of(const ShapePlacement& at);

}  // namespace tocsin::scene
