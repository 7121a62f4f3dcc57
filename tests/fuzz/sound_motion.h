// What every motion promises, whatever file it was read from.
#pragma once

#include <cmath>

#include "require.h"
#include "tocsin/motion.h"

namespace tocsin::test {

inline void require_sound(const Transform& pose) {
  const Quat& q = pose.rotation;
  const Vec3& t = pose.translation;
  const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
  TOCSIN_REQUIRE(std::fabs(square - 1.0) < 1e-12);
  TOCSIN_REQUIRE(std::fabs(t.x) <= 1e6 && std::fabs(t.y) <= 1e6 && std::fabs(t.z) <= 1e6);
}

inline void require_sound(const Motion& motion) {
  TOCSIN_REQUIRE(motion.frame_count() >= 1 && motion.frame_time() > 0.0);
  for (std::int64_t frame = 0; frame < motion.frame_count(); ++frame) {
    for (const Transform& pose : motion.pose(frame)) require_sound(pose);
  }
}

}  // namespace tocsin::test
