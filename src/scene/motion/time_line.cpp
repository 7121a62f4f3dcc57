#include "tocsin/time_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "scene/motion/motion_data.h"

namespace tocsin {
namespace {

/// Seconds. Nearer instants are one: no take is recorded that fast, and the same moment of two
/// takes differs by rounding only. Greater, and motion that was recorded would be left out.
constexpr double kSameInstant = 1e-9;

/// Bytes of poses: as much as the longest take that is made or read. More is not refused by a
/// system that promises memory it does not have: it ends the process when it is used.
constexpr double kMostBytes = 0x1p34;
/// Seconds, as far as the header allows: eleven days, where a double still tells a nanosecond.
constexpr double kFarthestStart = 1e6;

constexpr std::size_t kMostInstants = std::size_t{1} << 31U;

/// A frame of a take that is selected.
struct TimedFrame {
  std::int64_t frame = 0;
  double seconds = 0.0;     ///< on the time line
  std::size_t instant = 0;  ///< index of the instant that it is at
};

/// The selected frames of a take, at least one, in order.
Result<std::vector<TimedFrame>> selected_frames(const TakePart& take) {
  if (take.motion.frame_count() == 0) return {ErrorCode::kInput, "the motion is empty"};
  if (take.range.still) {
    return {ErrorCode::kUsage, "single frames have no place on a time line of steps"};
  }
  if (!(std::fabs(take.start) <= kFarthestStart)) {
    return {ErrorCode::kUsage, fmt::format("it starts at {} s; that is to be from {} to {} s",
                                           take.start, -kFarthestStart, kFarthestStart)};
  }
  const auto steps = take.motion.steps(take.range);
  if (!steps) return steps.error();
  std::vector<TimedFrame> out;
  out.reserve(steps->size() + 1);
  const auto add = [&out, &take](std::int64_t frame) {
    out.push_back({frame, take.start + take.motion.seconds(frame)});
  };
  add(take.range.first);
  for (const Step& step : *steps) add(step.frames()[1]);
  return out;
}

/// The instants of all frames: each is the first of those that are one.
std::vector<double> instants_of(std::span<const std::vector<TimedFrame>> takes) {
  std::vector<double> times;
  for (const auto& frames : takes) {
    for (const TimedFrame& frame : frames) times.push_back(frame.seconds);
  }
  std::sort(times.begin(), times.end());
  std::vector<double> out;
  for (const double time : times) {
    if (out.empty() || time - out.back() >= kSameInstant) out.push_back(time);
  }
  return out;
}

/// Finds every frame's instant. A take whose frames are one there would not move as recorded.
Status find_instants(std::span<const double> instants, std::vector<TimedFrame>& frames) {
  for (std::size_t j = 0; j < frames.size(); ++j) {
    TimedFrame& frame = frames[j];
    const auto after = std::upper_bound(instants.begin(), instants.end(), frame.seconds);
    frame.instant = static_cast<std::size_t>(after - instants.begin()) - 1;
    if (j > 0 && frame.instant == frames[j - 1].instant) {
      return {ErrorCode::kInput,
              fmt::format("frames {} and {} are less than a nanosecond apart on the time line",
                          frames[j - 1].frame, frame.frame)};
    }
  }
  return Nothing{};
}

Error of_take(std::size_t take, const Error& error) {
  return {error.code, fmt::format("take {}: {}", take, error.message)};
}

}  // namespace

namespace detail {

/// Makes the steps of one take.
class TimeLineMaker {
 public:
  TimeLineMaker(const TakePart& take, std::span<const TimedFrame> frames,
                std::span<const double> instants, Absence absence)
      : take_(take),
        frames_(frames),
        instants_(instants),
        begin_(absence == Absence::kGone ? frames.front().instant : 0),
        end_(absence == Absence::kGone ? frames.back().instant : instants.size() - 1) {}

  /// Memory that steps() will take, bytes.
  [[nodiscard]] double bytes() const {
    return static_cast<double>(end_ - begin_ + 1) *
           static_cast<double>(take_.motion.skeleton().size()) * sizeof(Transform);
  }

  [[nodiscard]] StepList steps() const {
    StepList out;
    if (begin_ == end_) return out;
    const std::shared_ptr<const MotionData> data = cut_motion();
    out.reserve(end_ - begin_);
    for (std::size_t k = begin_; k < end_; ++k) {
      Step& step = out.emplace_back();
      step.data_ = data;
      step.first_ = static_cast<std::int64_t>(k);
      step.last_ = static_cast<std::int64_t>(k + 1);
      step.in_between_ = take_.range.in_between;
    }
    return out;
  }

 private:
  /// The pose at every instant from begin_ to end_, as a motion of which these are the frames.
  [[nodiscard]] std::shared_ptr<const MotionData> cut_motion() const {
    MotionData data{std::make_shared<const Skeleton>(take_.motion.skeleton()),
                    static_cast<std::size_t>(take_.motion.skeleton().size()), 1.0,
                    std::vector<Transform>()};
    const auto own = instants_.subspan(begin_, end_ - begin_ + 1);
    data.first_frame = static_cast<std::int64_t>(begin_);
    data.ticks.assign(own.begin(), own.end());
    std::vector<Transform>& poses = data.poses;
    if (own.size() > poses.max_size() / data.joints) throw std::bad_alloc();
    poses.reserve(own.size() * data.joints);
    const auto append = [&poses](std::span<const Transform> pose) {
      poses.insert(poses.end(), pose.begin(), pose.end());
    };
    for (std::size_t k = begin_; k < frames_.front().instant; ++k) append(pose_of(frames_.front()));
    for (std::size_t j = 0; j < frames_.size(); ++j) {
      append(pose_of(frames_[j]));
      if (j + 1 == frames_.size()) break;
      for (std::size_t k = frames_[j].instant + 1; k < frames_[j + 1].instant; ++k) {
        append(pose_at(frames_[j], frames_[j + 1], instants_[k]));
      }
    }
    for (std::size_t k = frames_.back().instant; k < end_; ++k) append(pose_of(frames_.back()));
    return std::make_shared<const MotionData>(std::move(data));
  }

  [[nodiscard]] std::span<const Transform> pose_of(const TimedFrame& frame) const {
    return take_.motion.pose(frame.frame);
  }
  [[nodiscard]] std::vector<Transform> pose_at(const TimedFrame& from, const TimedFrame& to,
                                               double seconds) const {
    const double t = (seconds - from.seconds) / (to.seconds - from.seconds);
    return pose_between(pose_of(from), pose_of(to), take_.range.in_between,
                        std::clamp(t, 0.0, 1.0));
  }

  const TakePart& take_;
  std::span<const TimedFrame> frames_;
  std::span<const double> instants_;
  std::size_t begin_;  ///< the take has steps from this instant
  std::size_t end_;    ///< to this one
};

}  // namespace detail

namespace {

Result<TimeLine> make_time_line(std::span<const TakePart> takes, Absence absence) {
  if (takes.empty()) return {ErrorCode::kUsage, "a time line needs at least one take"};
  std::vector<std::vector<TimedFrame>> frames;
  for (std::size_t i = 0; i < takes.size(); ++i) {
    auto selected = selected_frames(takes[i]);
    if (!selected) return of_take(i, selected.error());
    frames.push_back(std::move(selected).value());
  }
  TimeLine out;
  out.instants = instants_of(frames);
  if (out.instants.size() > kMostInstants) {
    return {ErrorCode::kUsage, "a time line has at most 2^31 instants"};
  }
  std::vector<detail::TimeLineMaker> makers;
  double bytes = 0.0;
  for (std::size_t i = 0; i < takes.size(); ++i) {
    if (const Status found = find_instants(out.instants, frames[i]); !found) {
      return of_take(i, found.error());
    }
    bytes += makers.emplace_back(takes[i], frames[i], out.instants, absence).bytes();
  }
  if (bytes > kMostBytes) {
    return {ErrorCode::kResource,
            fmt::format("the time line has {} instants, and every take a pose at each: {:.0f} GiB, "
                        "where 16 are allowed; takes whose frames fall together need less",
                        out.instants.size(), bytes * 0x1p-30)};
  }
  for (const detail::TimeLineMaker& maker : makers) out.steps.push_back(maker.steps());
  return out;
}

}  // namespace

Result<TimeLine> on_one_time_line(std::span<const TakePart> takes, Absence absence) {
  try {
    return make_time_line(takes, absence);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, "out of memory: every take has a pose at every instant"};
  }
}

}  // namespace tocsin
