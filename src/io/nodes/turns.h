// Rotations about any axis, and the transform of VRML and X3D nodes.
#pragma once

#include "core/vector/vec.h"
#include "io/import/affine.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// The rotation by an angle about an axis of any length, right-handed. A zero angle is no rotation,
/// whatever the axis. False: another angle about (0, 0, 0), or one that is not finite.
bool turn_about(const Vec3& axis, double degrees, core::Mat3& out);

/// The fields of a Transform node.
struct TransformFields {
  Vec3 translation;
  Vec3 center;
  Vec3 scale{1.0, 1.0, 1.0};
  core::Mat3 rotation = kIdentity;
  core::Mat3 scale_orientation = kIdentity;
};

/// T C R SR S -SR -C, as ISO/IEC 14772-1 (6.52) and 19775-1 (10.4.4) define it.
Affine transform_of(const TransformFields& fields);

}  // namespace tocsin::io
