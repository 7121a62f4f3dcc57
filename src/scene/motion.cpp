#include "tocsin/motion.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/trig.h"
#include "core/vec.h"
#include "scene/motion_data.h"

namespace tocsin {
namespace {

/// How far a pose's quaternion may be from unit length before it is taken for a mistake (a scale,
/// or angles in the wrong slots) instead of a rounding. 1e-6 lets quaternions that were stored as
/// floats in.
constexpr double kUnitLengthTolerance = 1e-6;

/// A quaternion this close to unit length is kept as it is. One normalisation always gets this
/// close (each of its operations is good to 2^-53), so normalising is idempotent: poses that were
/// once in a Motion come back out of another with the same bits.
constexpr double kUnitLengthExact = 0x1p-50;

/// Metres. Beyond, the rounding margins of certify (proportional to coordinates) exceed a
/// micrometre.
constexpr double kMaxTranslation = 1e6;

/// Normalises the pose in place. Returns what is wrong with it, or an empty string.
std::string take(Transform& pose) {
  if (!core::is_finite(pose.translation)) return "the translation is not finite";
  const Vec3& t = pose.translation;
  if (std::max({std::fabs(t.x), std::fabs(t.y), std::fabs(t.z)}) > kMaxTranslation) {
    return fmt::format("the translation ({}, {}, {}) m is beyond {} m", t.x, t.y, t.z,
                       kMaxTranslation);
  }
  const double length = core::norm(pose.rotation);
  if (!std::isfinite(length)) return "the rotation is not finite";
  if (std::fabs(length - 1.0) > kUnitLengthTolerance) {
    return fmt::format("the quaternion has length {}, not 1", length);
  }
  if (std::fabs(length - 1.0) > kUnitLengthExact) pose.rotation = core::normalized(pose.rotation);
  return {};
}

}  // namespace

std::string detail::frame_time_problem(double seconds) {
  if (seconds >= kLeastFrameTime && seconds <= kMostFrameTime) return {};
  return fmt::format("the frame time is {} s; it must be between {} and {} s", seconds,
                     kLeastFrameTime, kMostFrameTime);
}

double Step::seconds(double t) const {
  if (!data_) return 0.0;
  const auto first = static_cast<double>(first_);
  const auto last = static_cast<double>(last_);
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
  return data_ ? data_->skeleton : kNone;
}

Result<Motion> Motion::create(Skeleton skeleton, double frame_time, std::vector<Transform> poses,
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
  for (std::size_t i = 0; i < poses.size(); ++i) {
    if (const std::string problem = take(poses[i]); !problem.empty()) {
      return {ErrorCode::kInput, fmt::format("frame {}, joint \"{}\": {}", i / joints,
                                             skeleton.joints()[i % joints].name, problem)};
    }
  }
  Motion motion;
  motion.data_ = std::make_shared<const detail::MotionData>(
      detail::MotionData{std::move(skeleton), frame_time, std::move(poses), std::move(source)});
  return motion;
}

const Skeleton& Motion::skeleton() const {
  static const Skeleton kNone;
  return data_ ? data_->skeleton : kNone;
}

std::int64_t Motion::frame_count() const {
  if (!data_) return 0;
  return static_cast<std::int64_t>(data_->poses.size()) / data_->skeleton.size();
}

double Motion::frame_time() const { return data_ ? data_->frame_time : 0.0; }

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
  using core::operator*;
  if (!data_) return {ErrorCode::kInput, "an empty motion cannot be placed"};
  if (!core::is_finite(placement.translation) || !std::isfinite(placement.yaw_degrees)) {
    return {ErrorCode::kUsage, "a placement must be finite"};
  }
  const bool stays = placement.translation == Vec3{} && placement.yaw_degrees == 0.0;
  if (stays) return *this;  // not even a zero changes its sign

  const core::SinCos full = core::sincos_degrees(placement.yaw_degrees);
  const core::SinCos half = core::sincos_degrees(0.5 * placement.yaw_degrees);
  const Quat yaw{half.cos, 0.0, half.sin, 0.0};
  const auto moved = [&](const Transform& root) {
    const Vec3& p = root.translation;
    const Vec3 turned{full.cos * p.x + full.sin * p.z, p.y, full.cos * p.z - full.sin * p.x};
    return Transform{core::normalized(yaw * root.rotation), turned + placement.translation};
  };

  const std::span<const Joint> old = skeleton().joints();
  std::vector<Joint> joints(old.begin(), old.end());
  std::vector<Transform> poses = data_->poses;
  for (std::size_t joint = 0; joint < joints.size(); ++joint) {
    if (joints[joint].parent >= 0) continue;
    joints[joint].rest = moved(joints[joint].rest);
    for (std::size_t i = joint; i < poses.size(); i += joints.size()) poses[i] = moved(poses[i]);
  }
  Result<Skeleton> skeleton = Skeleton::create(std::move(joints));
  if (!skeleton.ok()) return skeleton.error();
  return create(std::move(skeleton).value(), frame_time(), std::move(poses), source());
}

}  // namespace tocsin
