#include "scene/avatar/motion_evidence.h"

#include <cmath>
#include <cstddef>
#include <span>

#include "core/vector/vec.h"

namespace tocsin::scene {
namespace {

/// Cosine of half the angle of a turn, off 1: about a hundredth of a degree. Exporters' rounding
/// stays below, a moving joint does not.
constexpr double kTurn = 4e-9;

bool has_turned(const Quat& a, const Quat& b) {
  const double cosine = (a.w * b.w + a.x * b.x) + (a.y * b.y + a.z * b.z);
  return std::fabs(cosine) < 1.0 - kTurn;
}

bool has_shifted(const Vec3& a, const Vec3& b) {
  const double off = core::norm(b - a);
  return off > kShiftMetres && off > kShiftShare * core::norm(a);
}

}  // namespace

MotionEvidence evidence_of(const Motion& motion) {
  MotionEvidence out;
  const auto joints = static_cast<std::size_t>(motion.skeleton().size());
  out.turns.assign(joints, 0);
  out.shifts.assign(joints, 0);
  if (motion.frame_count() == 0) return out;
  const std::span<const Transform> first = motion.pose(0);
  for (std::int64_t frame = 1; frame < motion.frame_count(); ++frame) {
    const std::span<const Transform> pose = motion.pose(frame);
    for (std::size_t i = 0; i < joints; ++i) {
      if (has_turned(first[i].rotation, pose[i].rotation)) out.turns[i] = 1;
      if (has_shifted(first[i].translation, pose[i].translation)) out.shifts[i] = 1;
    }
  }
  return out;
}

}  // namespace tocsin::scene
