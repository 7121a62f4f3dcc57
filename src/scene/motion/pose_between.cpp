#include "core/motion/joint_motion.h"
#include "core/vector/trig.h"
#include "core/vector/vec.h"
#include "tocsin/motion.h"

namespace tocsin {
namespace {

using core::cross;
using core::operator*;

/// joint_motion.h has the formulas.
Transform at(const Transform& p0, const Transform& p1, InBetween in_between, double t) {
  const core::JointMotion m = core::joint_motion(p0, p1, in_between);
  const core::SinCos half = core::sincos_quadrant(0.5 * (m.w * t));
  const Quat turn{half.cos, half.sin * m.u.x, half.sin * m.u.y, half.sin * m.u.z};
  Transform out{core::normalized(turn * p0.rotation), m.c};
  if (in_between == InBetween::kTranslateRotate) {
    out.translation = m.c + t * m.s;
    return out;
  }
  const double sin = 2.0 * half.sin * half.cos;
  const double one_less_cos = 2.0 * half.sin * half.sin;
  const double along = m.w > 0.0 ? sin / m.w : t;
  const double across = m.w > 0.0 ? one_less_cos / m.w : 0.0;
  out.translation = m.c + (t * m.h) * m.u + along * m.v + across * cross(m.u, m.v);
  return out;
}

}  // namespace

std::vector<Transform> pose_between(std::span<const Transform> p0, std::span<const Transform> p1,
                                    InBetween in_between, double t) {
  std::vector<Transform> out;
  if (p0.size() != p1.size()) return out;
  out.reserve(p0.size());
  for (std::size_t i = 0; i < p0.size(); ++i) out.push_back(at(p0[i], p1[i], in_between, t));
  return out;
}

}  // namespace tocsin
