// A motion: a skeleton's pose at successive frames, and the steps between them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tocsin/result.h"
#include "tocsin/skeleton.h"
#include "tocsin/types.h"

namespace tocsin {

/// Which steps of a motion to take. Frames count from 0.
struct StepRange {
  std::int64_t first = 0;   ///< first frame
  std::int64_t last = -1;   ///< last frame, inclusive; -1: the motion's last
  std::int64_t stride = 1;  ///< a step joins frames f and f + stride; what is left over at the end
                            ///< forms one last, shorter step
  InBetween in_between = InBetween::kScrew;
  /// True: instead of joining frames f and f + stride, every frame becomes a step {f, f} that does
  /// not move. What a per-frame ("discrete") checker sees; for comparison.
  bool still = false;
};

/// Where an avatar stands: the root moves to R_y(yaw) p + translation. R_y(90 degrees) maps +z to
/// +x.
struct Placement {
  Vec3 translation;  ///< metres
  double yaw_degrees = 0.0;
};

/// Where a motion came from and what was decided while reading it.
struct MotionSource {
  std::string file;                   ///< empty if built from memory
  std::string format;                 ///< "bvh", ...; empty if built from memory
  double unit_metres = 1.0;           ///< one unit of the file in metres
  std::string unit_reason;            ///< why, for a person: "as told", "rest height 1.43 m", ...
  std::vector<std::string> warnings;  ///< what was tolerated, each with file and line
  std::string skeleton_file = {};     ///< the .asf of an .amc; empty: the file holds the skeleton
  std::string clip = {};              ///< which animation of the file; empty if it holds one motion
  std::string skin = {};              ///< which skeleton of the file; empty if it holds one
  /// Why the frame rate is what it is, for a person; empty if the file says it.
  std::string rate_reason = {};
};

namespace detail {
struct MotionData;
class AheadMaker;
class ToldStepMaker;
class TimeLineMaker;
}  // namespace detail

/// The pose at local time t, 0 to 1, of the motion from pose p0 to pose p1: one joint-to-parent
/// transform a joint, metres (paper 004, eq. 6-10, or the screw). It differs from the checked
/// motion by no more than rounding. Empty if the poses have different numbers of joints.
std::vector<Transform> pose_between(std::span<const Transform> p0, std::span<const Transform> p1,
                                    InBetween in_between, double t);

/// The motion from one pose of a skeleton to a later one; local time t runs from 0 to 1.
/// A Step keeps the motion that it came from alive; copying one is cheap.
class Step {
 public:
  Step() = default;

  /// First and last frame. The first is also the step's index in reports.
  [[nodiscard]] std::array<std::int64_t, 2> frames() const { return {first_, last_}; }
  [[nodiscard]] std::int64_t index() const { return first_; }
  /// Seconds since frame 0 at local time t.
  [[nodiscard]] double seconds(double t) const;
  [[nodiscard]] InBetween in_between() const { return in_between_; }

  /// The poses: one joint-to-parent transform a joint, metres.
  [[nodiscard]] std::span<const Transform> pose0() const;
  [[nodiscard]] std::span<const Transform> pose1() const;
  [[nodiscard]] const Skeleton& skeleton() const;

 private:
  friend class Motion;
  friend class LiveMotion;
  friend class detail::AheadMaker;
  friend class detail::ToldStepMaker;
  friend class detail::TimeLineMaker;
  std::shared_ptr<const detail::MotionData> data_;
  std::int64_t first_ = 0;
  std::int64_t last_ = 0;
  InBetween in_between_ = InBetween::kScrew;
};

/// A list of steps that can be iterated over, indexed, and carried in a Result.
class StepList : public std::vector<Step> {
  using std::vector<Step>::vector;
};

/// An immutable motion. Copies share their data.
class Motion {
 public:
  Motion() = default;

  /// Takes poses in frame-major order: poses[frame * skeleton.size() + joint], metres, Y up.
  /// Quaternions are normalised here (their stored values then define the motion).
  /// Errors (kInput), naming frame and joint: a count that does not match; a pose that is not
  /// finite; a quaternion whose length is off 1 by more than 1e-3; a translation beyond 1e6 m; a
  /// frame time that is not between 1e-9 and 1e6 s.
  static Result<Motion> create(Skeleton skeleton, double frame_time, std::vector<Transform> poses,
                               MotionSource source = {});

  /// The same for frames that are not evenly spaced: frame k is at ticks[k] - ticks[0] frame times.
  /// Errors (kInput), besides: not one tick a frame; ticks that are not finite, beyond 2^53, or not
  /// in increasing order.
  static Result<Motion> create_timed(Skeleton skeleton, double frame_time,
                                     std::vector<double> ticks, std::vector<Transform> poses,
                                     MotionSource source = {});

  [[nodiscard]] const Skeleton& skeleton() const;
  [[nodiscard]] std::int64_t frame_count() const;
  /// Seconds from frame to frame; of frames that are not evenly spaced, seconds of a tick.
  [[nodiscard]] double frame_time() const;
  /// Frame times from frame 0 to each frame; empty if frame k is at k, as in most motions.
  [[nodiscard]] std::span<const double> ticks() const;
  /// Seconds from frame 0 to a frame, 0 <= frame < frame_count().
  [[nodiscard]] double seconds(std::int64_t frame) const;
  [[nodiscard]] const MotionSource& source() const;

  /// The pose at a frame, 0 <= frame < frame_count(): one joint-to-parent transform a joint,
  /// metres.
  [[nodiscard]] std::span<const Transform> pose(std::int64_t frame) const;

  /// The steps of a range, in order. One frame gives no step. Errors (kUsage): a range outside the
  /// motion, first > last, stride < 1.
  [[nodiscard]] Result<StepList> steps(const StepRange& range = {}) const;

  /// The same motion with every root moved (see Placement). Errors as in create().
  [[nodiscard]] Result<Motion> placed(const Placement& placement) const;

 private:
  std::shared_ptr<const detail::MotionData> data_;
};

}  // namespace tocsin
