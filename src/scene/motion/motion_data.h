// The poses, frame-major, that a Motion and its Steps share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tocsin/motion.h"

namespace tocsin::detail {

/// Seconds. No recording has frames of less than a nanosecond or more than eleven days. Beyond that
/// a file is damaged, and times and rates would overflow in a report.
inline constexpr double kLeastFrameTime = 1e-9;
inline constexpr double kMostFrameTime = 1e6;

/// The fault of a frame time, or an empty string.
std::string frame_time_problem(double seconds);

/// The fault of a tick, or of a list of ticks, or an empty string.
std::string tick_problem(double tick);
std::string ticks_problem(std::span<const double> ticks);

/// Normalises a pose's transforms in place. Returns the fault of a transform, whose index is then
/// in `joint`, or an empty string.
std::string take_pose(std::span<Transform> pose, std::size_t& joint);

/// Moves roots to their placement (Motion::placed).
class Placing {
 public:
  explicit Placing(const Placement& placement);
  /// False: nothing changes, not even the sign of a zero.
  [[nodiscard]] bool moves() const { return moves_; }
  [[nodiscard]] Transform operator()(const Transform& root) const;

 private:
  bool moves_ = false;
  double sin_ = 0.0;
  double cos_ = 1.0;
  Quat yaw_;
  Vec3 translation_;
};

/// The skeleton with its roots placed. Errors: kUsage: a placement that is not finite; as
/// Skeleton::create.
Result<Skeleton> placed_skeleton(const Skeleton& skeleton, const Placement& placement);

/// How much larger memory that goes on from another pose may be than a pose needs. Smaller: more is
/// allocated where avatars differ. Larger: an avatar of few joints keeps more than it needs.
inline constexpr std::size_t kMostRoom = 4;

/// Memory of a pose that nobody needs any more, to be used again. It is the thread's: what a
/// crowd's last step has used is still in the caches, and what this avatar's had used is not. Of
/// one pose: more are freed.
class PoseBin {
 public:
  static void put(std::vector<Transform>&& pose) noexcept;
  /// For a pose of so many joints. Empty: there is none, or it is too large (kMostRoom).
  static std::vector<Transform> take(std::size_t joints) noexcept;
};

/// A pose that steps share. The last of them leaves its memory in its thread's bin.
struct SharedPose {
  explicit SharedPose(std::vector<Transform>&& from) noexcept : pose(std::move(from)) {}
  SharedPose(const SharedPose&) = delete;
  SharedPose& operator=(const SharedPose&) = delete;
  ~SharedPose() { PoseBin::put(std::move(pose)); }

  std::vector<Transform> pose;
};

/// Immutable once a Motion or a Step holds it. Invariants: the skeleton has joints; poses.size() is
/// a multiple of their number, at least one frame, or the first and the last pose are `ends`;
/// everything is finite, quaternions are of unit length.
struct MotionData {
  std::shared_ptr<const Skeleton> skeleton;
  std::size_t joints = 0;        ///< of the skeleton
  double frame_time = 0.0;       ///< seconds of a tick
  std::vector<Transform> poses;  ///< frame-major, from first_frame on; metres, joint to parent
  MotionSource source = {};
  std::vector<double> ticks = {};  ///< per frame, from frame 0 on; empty: frame k is at k
  std::int64_t first_frame = 0;    ///< the frame of the first pose that is kept
  /// Of a live step, in place of `poses`: those at first_frame and after it. The steps beside it
  /// share them, so that none is copied, and who knows one pose by its address need not compare it.
  std::array<std::shared_ptr<const SharedPose>, 2> ends = {};

  [[nodiscard]] std::span<const Transform> pose(std::int64_t frame) const {
    if (ends[0]) return ends[frame == first_frame ? 0 : 1]->pose;
    return std::span(poses).subspan(static_cast<std::size_t>(frame - first_frame) * joints, joints);
  }
  [[nodiscard]] double tick(std::int64_t frame) const {
    return ticks.empty() ? static_cast<double>(frame)
                         : ticks[static_cast<std::size_t>(frame - first_frame)];
  }
};

}  // namespace tocsin::detail
