// Angles from a rotation.
#pragma once

#include "tocsin/types.h"

namespace tocsin::io {

/// Degrees, in (-180, 180]; y in [-90, 90].
struct EulerZyx {
  double z = 0.0;
  double y = 0.0;
  double x = 0.0;
};

/// The angles with q = Rz Ry Rx, for any unit quaternion. Rebuilt from them, q comes out to 1e-15
/// or minus that, also where y is at its end and only the sum or difference of z and x is
/// determined (one of them is as good as another there). Identical bits everywhere.
EulerZyx euler_zyx(const Quat& q);

}  // namespace tocsin::io
