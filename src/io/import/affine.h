// Affine maps in double, as the nodes of a scene have them: any scale, shear and mirroring.
#pragma once

#include "core/vector/vec.h"
#include "tocsin/types.h"

namespace tocsin::io {

inline constexpr core::Mat3 kIdentity{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};

/// x -> linear x + origin.
struct Affine {
  core::Mat3 linear = kIdentity;
  Vec3 origin;
};

inline Vec3 apply(const Affine& map, const Vec3& p) { return map.linear * p + map.origin; }

/// a after b.
inline Affine product(const Affine& a, const Affine& b) {
  return {a.linear * b.linear, apply(a, b.origin)};
}

/// True if a map swaps left and right, and so inside and outside of triangles.
inline bool mirrors(const core::Mat3& m) {
  return core::dot(m.row[0], core::cross(m.row[1], m.row[2])) < 0.0;
}

}  // namespace tocsin::io
