// On which side of a plane through three points a fourth lies, exactly.
#pragma once

#include "scene/solid/crossing.h"
#include "tocsin/types.h"

namespace tocsin::scene {

/// The sign of ((b - a) x (c - a)) . (d - a): above 0 where d is on the side from which a, b, c are
/// seen counterclockwise, 0 where the four are in one plane. Exact, while no product of three
/// coordinates or of their roundings underflows: each is 0 or has a magnitude of 2^-200 to 2^200.
inline int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto from = [&d](const Vec3& p) {
    return detail::Corner{core::exact_difference(p.x, d.x), core::exact_difference(p.y, d.y),
                          core::exact_difference(p.z, d.z)};
  };
  return -detail::volume_sign(from(a), from(b), from(c));
}

}  // namespace tocsin::scene
