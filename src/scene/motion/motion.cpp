#include "tocsin/motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/vector/vec.h"
#include "scene/motion/motion_data.h"

namespace tocsin {
namespace {

/// How far a pose's quaternion may be from unit length before it is taken for a mistake (a scale,
/// or angles in the wrong slots) instead of a rounding. 1e-3 lets in what was stored as floats,
/// with four decimals, or filtered without normalising. Larger: a wrong convention may pass.
constexpr double kPoseLengthTolerance = 1e-3;

/// A quaternion this close to unit length is kept as it is. One normalisation always gets this
/// close (each of its operations is good to 2^-53), so normalising is idempotent: poses that were
/// once in a Motion come back out of another with the same bits.
constexpr double kUnitLengthExact = 0x1p-50;

/// Metres. Beyond, the rounding margins of certify (proportional to coordinates) exceed a
/// micrometre.
constexpr double kMaxTranslation = 1e6;

/// Frame numbers up to here are doubles without rounding.
constexpr double kMostTick = 0x1p53;

/// What is wrong with a pose that take() refuses.
std::string fault_of(const Transform& pose) {
  if (!core::is_finite(pose.translation)) return "the translation is not finite";
  const Vec3& t = pose.translation;
  if (std::max({std::fabs(t.x), std::fabs(t.y), std::fabs(t.z)}) > kMaxTranslation) {
    return fmt::format("the translation ({}, {}, {}) m is beyond {} m", t.x, t.y, t.z,
                       kMaxTranslation);
  }
  const double length = core::norm(pose.rotation);
  if (!std::isfinite(length)) return "the rotation is not finite";
  return fmt::format("the quaternion has length {}, not 1", length);
}

/// Normalises the pose in place. False: it has a fault. Every joint of every frame comes here: NaN
/// fails each comparison, and no text is made where there is no fault.
bool take(Transform& pose) {
  const Vec3& t = pose.translation;
  if (!(std::fabs(t.x) <= kMaxTranslation && std::fabs(t.y) <= kMaxTranslation &&
        std::fabs(t.z) <= kMaxTranslation)) {
    return false;
  }
  const double off = std::fabs(core::norm(pose.rotation) - 1.0);
  if (!(off <= kPoseLengthTolerance)) return false;
  if (off > kUnitLengthExact) pose.rotation = core::normalized(pose.rotation);
  return true;
}

}  // namespace

std::string detail::take_pose(std::span<Transform> pose, std::size_t& joint) {
  for (joint = 0; joint < pose.size(); ++joint) {
    if (!take(pose[joint])) return fault_of(pose[joint]);
  }
  return {};
}

std::string detail::tick_problem(double tick) {
  if (std::fabs(tick) <= kMostTick) return {};
  return fmt::format("tick {} is not a number between -2^53 and 2^53", tick);
}

std::string detail::ticks_problem(std::span<const double> ticks) {
  for (std::size_t k = 0; k < ticks.size(); ++k) {
    if (!tick_problem(ticks[k]).empty()) {
      return fmt::format("frame {} is at tick {}; that is not a number between -2^53 and 2^53", k,
                         ticks[k]);
    }
    // As they are stored, too: over 2^53 from the first, two ticks may become one.
    if (k > 0 && !(ticks[k] > ticks[k - 1] && ticks[k] - ticks[0] > ticks[k - 1] - ticks[0])) {
      return fmt::format("frame {} is at tick {}, which is not after the frame before, at {}", k,
                         ticks[k], ticks[k - 1]);
    }
  }
  return {};
}

std::string detail::frame_time_problem(double seconds) {
  if (seconds >= kLeastFrameTime && seconds <= kMostFrameTime) return {};
  return fmt::format("the frame time is {} s; it must be between {} and {} s", seconds,
                     kLeastFrameTime, kMostFrameTime);
}

double Step::seconds(double t) const {
  if (!data_) return 0.0;
  const double first = data_->tick(first_);
  const double last = data_->tick(last_);
  return (first + t * (last - first)) * data_->frame_time;
}

std::span<const Transform> Step::pose0() const {
  return data_ ? data_->pose(first_) : std::span<const Transform>();
}

std::span<const Transform> Step::pose1() const {
  return data_ ? data_->pose(last_) : std::span<const Transform>();
}

const Skeleton& Step::skeleton() const {
  static const Skeleton kNone;
  return data_ ? *data_->skeleton : kNone;
}

namespace {

/// The data that create() makes, before it is shared.
Result<std::shared_ptr<detail::MotionData>> motion_data(Skeleton skeleton, double frame_time,
                                                        std::vector<Transform> poses,
                                                        MotionSource source) {
  const auto joints = static_cast<std::size_t>(skeleton.size());
  if (joints == 0) return {ErrorCode::kInput, "a motion needs a skeleton with at least one joint"};
  if (poses.empty()) return {ErrorCode::kInput, "a motion needs at least one frame"};
  if (poses.size() % joints != 0) {
    return {ErrorCode::kInput,
            fmt::format("{} transforms are not a whole number of frames of {} joints", poses.size(),
                        joints)};
  }
  if (std::string problem = detail::frame_time_problem(frame_time); !problem.empty()) {
    return {ErrorCode::kInput, std::move(problem)};
  }
  std::size_t i = 0;
  if (const std::string problem = detail::take_pose(poses, i); !problem.empty()) {
    return {ErrorCode::kInput, fmt::format("frame {}, joint \"{}\": {}", i / joints,
                                           skeleton.joints()[i % joints].name, problem)};
  }
  return std::make_shared<detail::MotionData>(
      detail::MotionData{std::make_shared<const Skeleton>(std::move(skeleton)), joints, frame_time,
                         std::move(poses), std::move(source)});
}

}  // namespace

Result<Motion> Motion::create(Skeleton skeleton, double frame_time, std::vector<Transform> poses,
                              MotionSource source) {
  auto data = motion_data(std::move(skeleton), frame_time, std::move(poses), std::move(source));
  if (!data) return data.error();
  Motion motion;
  motion.data_ = std::move(data).value();
  return motion;
}

Result<Motion> Motion::create_timed(Skeleton skeleton, double frame_time, std::vector<double> ticks,
                                    std::vector<Transform> poses, MotionSource source) {
  auto data = motion_data(std::move(skeleton), frame_time, std::move(poses), std::move(source));
  if (!data) return data.error();
  const std::size_t frames = data.value()->poses.size() / data.value()->joints;
  if (ticks.size() != frames) {
    return {ErrorCode::kInput, fmt::format("{} ticks for {} frames", ticks.size(), frames)};
  }
  if (std::string problem = detail::ticks_problem(ticks); !problem.empty()) {
    return {ErrorCode::kInput, std::move(problem)};
  }
  const double origin = ticks.front();
  for (double& tick : ticks) tick -= origin;
  data.value()->ticks = std::move(ticks);
  Motion motion;
  motion.data_ = std::move(data).value();
  return motion;
}

const Skeleton& Motion::skeleton() const {
  static const Skeleton kNone;
  return data_ ? *data_->skeleton : kNone;
}

std::int64_t Motion::frame_count() const {
  if (!data_) return 0;
  return static_cast<std::int64_t>(data_->poses.size() / data_->joints);
}

double Motion::frame_time() const { return data_ ? data_->frame_time : 0.0; }

std::span<const double> Motion::ticks() const {
  return data_ ? std::span(data_->ticks) : std::span<const double>();
}

double Motion::seconds(std::int64_t frame) const {
  return data_ ? data_->tick(frame) * data_->frame_time : 0.0;
}

const MotionSource& Motion::source() const {
  static const MotionSource kNone;
  return data_ ? data_->source : kNone;
}

std::span<const Transform> Motion::pose(std::int64_t frame) const {
  return data_ ? data_->pose(frame) : std::span<const Transform>();
}

Result<StepList> Motion::steps(const StepRange& range) const {
  const std::int64_t count = frame_count();
  const std::int64_t last = range.last == -1 ? count - 1 : range.last;
  if (range.stride < 1) {
    return {ErrorCode::kUsage,
            fmt::format("the stride is {}; it must be at least 1", range.stride)};
  }
  if (range.first < 0 || last >= count || range.first > last) {
    return {ErrorCode::kUsage,
            fmt::format("frames {} to {} are not a range of the motion's {} frames (0 to {})",
                        range.first, last, count, count - 1)};
  }
  // Both ends of a still step are the frame at which a moving step would start or end.
  StepList steps;
  steps.reserve(static_cast<std::size_t>((last - range.first) / range.stride) + 2);
  for (std::int64_t frame = range.first;;) {
    const std::int64_t next = range.stride > last - frame ? last : frame + range.stride;
    if (!range.still && frame == last) break;
    Step step;
    step.data_ = data_;
    step.first_ = frame;
    step.last_ = range.still ? frame : next;
    step.in_between_ = range.in_between;
    steps.push_back(std::move(step));
    if (frame == last) break;
    frame = next;
  }
  return steps;
}

Result<Motion> Motion::placed(const Placement& placement) const {
  if (!data_) return {ErrorCode::kInput, "an empty motion cannot be placed"};
  auto skeleton = detail::placed_skeleton(*data_->skeleton, placement);
  if (!skeleton) return skeleton.error();
  const detail::Placing place(placement);
  if (!place.moves()) return *this;
  std::vector<Transform> poses = data_->poses;
  const std::span<const Joint> joints = skeleton->joints();
  for (std::size_t joint = 0; joint < joints.size(); ++joint) {
    if (joints[joint].parent >= 0) continue;
    for (std::size_t i = joint; i < poses.size(); i += joints.size()) poses[i] = place(poses[i]);
  }
  auto data = motion_data(std::move(skeleton).value(), frame_time(), std::move(poses), source());
  if (!data) return data.error();
  data.value()->ticks = data_->ticks;
  Motion motion;
  motion.data_ = std::move(data).value();
  return motion;
}

}  // namespace tocsin
