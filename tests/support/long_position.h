// Where a link's end is, in long double, for the tests of the core: root to leaf by matrices, from
// the stored numbers alone.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "core/motion/link_motion.h"

namespace tocsin::test {

using LongVec = Eigen::Matrix<long double, 3, 1>;

inline LongVec wide(const Vec3& v) { return {v.x, v.y, v.z}; }

/// `end`: of the axis, in the joint's frame; the position is relative to link.ref, metres.
inline LongVec long_position(const core::LinkMotion& link, const Vec3& end, long double t) {
  using Mat = Eigen::Matrix<long double, 3, 3>;
  const auto crossing = [](const LongVec& u) {
    Mat m;
    m << 0, -u.z(), u.y(), u.z(), 0, -u.x(), -u.y(), u.x(), 0;
    return m;
  };
  Mat rotation = Mat::Identity();
  LongVec translation = LongVec::Zero();
  for (int k = 0; k < link.chain_length; ++k) {
    const core::JointMotion& m = link.joints[link.chain[k]];
    const LongVec u = wide(m.u);
    const long double w = m.w;
    Mat r0;
    r0 << m.r0.row[0].x, m.r0.row[0].y, m.r0.row[0].z, m.r0.row[1].x, m.r0.row[1].y, m.r0.row[1].z,
        m.r0.row[2].x, m.r0.row[2].y, m.r0.row[2].z;
    const long double s = std::sin(w * t);
    const long double half = std::sin(w * t / 2);
    const Mat turn =
        Mat::Identity() + s * crossing(u) + 2 * half * half * crossing(u) * crossing(u);
    LongVec moved = wide(m.c);
    if (k == 0) moved -= wide(link.ref);  // first: far from the origin nothing else may round away
    if (link.kind == InBetween::kTranslateRotate) {
      moved += t * wide(m.s);
    } else {
      const LongVec v = wide(m.v);
      const long double along = w > 0 ? s / w : t;
      const long double beside = w > 0 ? 2 * half * half / w : 0;
      moved += t * m.h * u + along * v + beside * u.cross(v);
    }
    translation += rotation * moved;
    rotation = rotation * (turn * r0);
  }
  return translation + rotation * wide(end);
}

}  // namespace tocsin::test
