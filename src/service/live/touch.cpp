#include "service/live/touch.h"

#include <algorithm>
#include <span>
#include <vector>

#include "core/vector/compose.h"
#include "core/vector/vec.h"

namespace tocsin::service {
namespace {

/// Half of the time over which a speed is measured, in step time. Smaller: rounding shows (1e-13 m
/// in 5e-4 of 10 ms is below 1e-7 m/s). Larger: it is the speed of a longer while.
constexpr double kHalf = 2.5e-4;

/// The joint's frame in the world.
Transform world_of(const Skeleton& skeleton, std::span<const Transform> pose, int joint) {
  Transform out;
  for (; joint >= 0; joint = skeleton.joints()[static_cast<std::size_t>(joint)].parent) {
    out = core::compose(pose[static_cast<std::size_t>(joint)], out);
  }
  return out;
}

}  // namespace

double approach_speed(const Avatar& avatar, const Step& step, const Contact& contact) {
  const double seconds = step.seconds(1.0) - step.seconds(0.0);
  if (!(seconds > 0.0)) return 0.0;
  const int joint = avatar.links()[static_cast<std::size_t>(contact.link)].joint;
  const double touch = contact.place_time();
  const double before = std::max(touch - kHalf, 0.0);
  const double after = std::min(touch + kHalf, 1.0);
  const auto at = [&](double t) {
    return world_of(step.skeleton(), pose_between(step.pose0(), step.pose1(), step.in_between(), t),
                    joint);
  };
  const Transform then = at(touch);
  const Vec3 own = core::rotate(core::conjugate(then.rotation), contact.point - then.translation);
  const auto moved = [&](double t) {
    const Transform place = at(t);
    return core::rotate(place.rotation, own) + place.translation;
  };
  const Vec3 velocity = 1.0 / ((after - before) * seconds) * (moved(after) - moved(before));
  return contact.normal ? -core::dot(velocity, *contact.normal) : core::norm(velocity);
}

std::optional<double> depth_at_end(const Room& room, const Avatar& avatar, const Step& step,
                                   std::int32_t link, std::uint32_t object) {
  if (room.scene) return std::nullopt;
  const auto depth = room.detector.depth(avatar, step, 1.0, link, object);
  if (!depth || depth->depth < 0.0) return std::nullopt;
  return depth->depth;
}

}  // namespace tocsin::service
