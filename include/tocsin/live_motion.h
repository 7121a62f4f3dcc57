// A motion that grows pose by pose, for live streams.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tocsin/motion.h"
#include "tocsin/result.h"
#include "tocsin/skeleton.h"
#include "tocsin/types.h"

namespace tocsin {

namespace detail {
struct LiveMotionState;
}

/// Each pose makes a step from the pose before. The step is that of
/// Motion::create_timed(...).placed(...).steps() for the same poses and ticks, bit for bit. Keeps
/// two poses, however long it lasts. take() may be called by many threads, next() by one at a time.
class LiveMotion {
 public:
  LiveMotion() = default;
  /// `place`: where the avatar stands, as Motion::placed. `frame_time`: seconds of a tick. Errors:
  /// as Motion::create and Motion::placed.
  static Result<LiveMotion> create(Skeleton skeleton, const Placement& place = {},
                                   double frame_time = 1.0);

  /// The skeleton, placed.
  [[nodiscard]] const Skeleton& skeleton() const;

  /// Normalises and places a pose (one joint-to-parent transform a joint, metres): what next()
  /// takes. Errors (kInput), naming the joint: as Motion::create; the pose is useless then.
  Status take(std::vector<Transform>& pose) const;

  /// The step from the pose before to a pose that take() has passed. The first pose gives a step
  /// that does not move, from frame 0 to frame 0. Frames count from 0. Errors (kInput), which
  /// change nothing: a tick that is not finite, beyond 2^53, or not after the last; another number
  /// of joints.
  Result<Step> next(std::vector<Transform> taken, double tick,
                    InBetween in_between = InBetween::kScrew);

  /// The same, which leaves memory of such a pose in `taken`, to be used again, or none where steps
  /// before still need it; unchanged after an error.
  Result<Step> next_from(std::vector<Transform>& taken, double tick,
                         InBetween in_between = InBetween::kScrew);

  /// Poses that next() has taken.
  [[nodiscard]] std::int64_t frame_count() const;

 private:
  std::shared_ptr<detail::LiveMotionState> state_;
};

}  // namespace tocsin
