#include "io/rest_frame.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "core/vector/rotation.h"
#include "core/vector/trig.h"
#include "core/vector/vec.h"

namespace tocsin::io {
namespace {

constexpr double kSameDegrees = 1e-6;  // text with six decimals of a degree is closer
// Some T poses are not quite the rest pose: conversions of CMU's takes turn four joints by 17.
constexpr double kMostOffDegrees = 20.0;
constexpr double kLeastDegrees = 6.0;   // less is no jump that anybody would see
constexpr double kTimesTheUsual = 4.0;  // a start from rest takes some frames to get this fast
constexpr std::int64_t kFramesAfter = 10;

/// The angle between two rotations.
double degrees_between(const Quat& a, const Quat& b) {
  using core::operator*;
  const Quat turn = core::conjugate(a) * b;
  const double sine = std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
  const double cosine = std::fabs(turn.w);
  return 2.0 * core::kDegreesPerRadian * core::atan2_quadrant(sine, cosine);
}

/// The largest turn of a joint below a root; negative if there is none.
template <class First, class Second>
double largest_turn(const Skeleton& skeleton, First first, Second second) {
  double largest = -1.0;
  for (std::size_t i = 0; i < skeleton.joints().size(); ++i) {
    if (skeleton.joints()[i].parent < 0) continue;
    largest = std::max(largest, degrees_between(first(i), second(i)));
  }
  return largest;
}

}  // namespace

std::optional<RestFrame> rest_frame(const Motion& motion) {
  if (motion.frame_count() < 3) return std::nullopt;
  const Skeleton& skeleton = motion.skeleton();
  const auto at = [&](std::int64_t frame) {
    return [pose = motion.pose(frame)](std::size_t i) { return pose[i].rotation; };
  };
  const auto at_rest = [&](std::size_t i) { return skeleton.joints()[i].rest.rotation; };
  if (largest_turn(skeleton, at_rest, at(0)) > kMostOffDegrees) return std::nullopt;
  std::int64_t turning = 0;  // joints that turn to frame 1, and those of them that are at rest
  std::int64_t resting = 0;
  for (std::size_t i = 0; i < skeleton.joints().size(); ++i) {
    if (skeleton.joints()[i].parent < 0) continue;
    if (degrees_between(at(0)(i), at(1)(i)) <= kSameDegrees) continue;
    ++turning;
    if (degrees_between(at_rest(i), at(0)(i)) <= kSameDegrees) ++resting;
  }
  if (2 * resting < turning || turning == 0) return std::nullopt;
  RestFrame out;
  out.degrees = largest_turn(skeleton, at(0), at(1));
  const std::int64_t last = std::min(motion.frame_count() - 1, kFramesAfter + 1);
  for (std::int64_t frame = 1; frame < last; ++frame) {
    out.usual = std::max(out.usual, largest_turn(skeleton, at(frame), at(frame + 1)));
  }
  const bool jumps = out.degrees > kLeastDegrees && out.degrees > kTimesTheUsual * out.usual;
  return jumps ? std::optional(out) : std::nullopt;
}

}  // namespace tocsin::io
