// A motion that grows pose by pose, for live streams.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
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
  /// Its joints.
  [[nodiscard]] std::size_t joint_count() const;

  /// Normalises and places a pose (one joint-to-parent transform a joint, metres): what next()
  /// takes. Errors (kInput), naming the joint: as Motion::create; the pose is useless then.
  Status take(std::vector<Transform>& pose) const;

  /// The step from the pose before to a pose that take() has passed. The first pose gives a step
  /// that does not move, from frame 0 to frame 0. Frames count from 0. Errors (kInput), which
  /// change nothing: a tick that is not finite, beyond 2^53, or not after the last; another number
  /// of joints.
  Result<Step> next(std::vector<Transform> taken, double tick,
                    InBetween in_between = InBetween::kScrew);

  /// The same, which leaves memory of a pose in `taken`, to be used again: of the last that no step
  /// of this thread needed any more, of whatever motion; or none. Unchanged after an error.
  Result<Step> next_from(std::vector<Transform>& taken, double tick,
                         InBetween in_between = InBetween::kScrew);

  /// Poses that next() has taken.
  [[nodiscard]] std::int64_t frame_count() const;

  /// Where that lies which the next take() and next() use: who has many motions in turn may ask the
  /// caches for it ahead. Empty parts: nothing. Valid until a function of this motion is called
  /// that is not const.
  using Memory = std::array<std::span<const std::byte>, 4>;
  [[nodiscard]] Memory memory() const;

 private:
  std::shared_ptr<detail::LiveMotionState> state_;
};

}  // namespace tocsin
