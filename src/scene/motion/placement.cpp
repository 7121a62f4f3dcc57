// Where an avatar stands: Motion::placed and LiveMotion.
#include <cmath>
#include <utility>

#include "core/vector/trig.h"
#include "core/vector/vec.h"
#include "scene/motion/motion_data.h"

namespace tocsin::detail {

Placing::Placing(const Placement& placement)
    : moves_(!(placement.translation == Vec3{} && placement.yaw_degrees == 0.0)),
      translation_(placement.translation) {
  const core::SinCos full = core::sincos_degrees(placement.yaw_degrees);
  const core::SinCos half = core::sincos_degrees(0.5 * placement.yaw_degrees);
  sin_ = full.sin;
  cos_ = full.cos;
  yaw_ = {half.cos, 0.0, half.sin, 0.0};
}

Transform Placing::operator()(const Transform& root) const {
  using core::operator*;
  const Vec3& p = root.translation;
  const Vec3 turned{cos_ * p.x + sin_ * p.z, p.y, cos_ * p.z - sin_ * p.x};
  return {core::normalized(yaw_ * root.rotation), turned + translation_};
}

Result<Skeleton> placed_skeleton(const Skeleton& skeleton, const Placement& placement) {
  if (!core::is_finite(placement.translation) || !std::isfinite(placement.yaw_degrees)) {
    return {ErrorCode::kUsage, "a placement must be finite"};
  }
  const Placing place(placement);
  if (!place.moves()) return skeleton;
  std::vector<Joint> joints(skeleton.joints().begin(), skeleton.joints().end());
  for (Joint& joint : joints) {
    if (joint.parent < 0) joint.rest = place(joint.rest);
  }
  return Skeleton::create(std::move(joints));
}

}  // namespace tocsin::detail
