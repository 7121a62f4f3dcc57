#include "io/bvh/bvh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text_scanner.h"
#include "core/vector/rotation.h"
#include "core/vector/vec.h"
#include "io/bvh/bvh_hierarchy.h"
#include "io/pose_parts.h"
#include "io/unit.h"
#include "scene/motion/motion_data.h"

namespace tocsin::io {
namespace {

class BvhReader {
 public:
  BvhReader(std::string_view text, std::string_view file, const MotionOptions& options,
            const UnitChoice* unit)
      : in_(text), size_(text.size()), file_(file), options_(options), unit_(unit) {}

  Result<Motion> read() {
    Result<BvhHierarchy> hierarchy = read_bvh_hierarchy(in_, file_);
    if (!hierarchy.ok()) return hierarchy.error();
    channels_ = std::move(hierarchy->channels);
    source_.file = file_;
    source_.format = "bvh";
    source_.warnings = std::move(hierarchy->warnings);
    if (Status status = scale(std::move(hierarchy->joints)); !status.ok()) return status.error();
    if (Status status = read_header(); !status.ok()) return status.error();
    if (Status status = read_frames(); !status.ok()) return status.error();
    return in_file(
        Motion::create(std::move(skeleton_), frame_time_, std::move(poses_), std::move(source_)));
  }

 private:
  Error fail(std::string_view text) const { return base::input_error(file_, in_.line(), text); }

  /// An error that does not know where its input came from, with the file's name.
  template <class T>
  Result<T> in_file(Result<T> result) const {
    if (result.ok() || result.error().code != ErrorCode::kInput) return result;
    return {ErrorCode::kInput, fmt::format("{}: {}", file_, result.error().message)};
  }

  /// Chooses the unit, and takes the rest pose to metres and Y up.
  Status scale(std::vector<Joint> joints) {
    Result<Skeleton> as_written = in_file(Skeleton::create(std::move(joints)));
    if (!as_written.ok()) return as_written.error();
    const Result<UnitChoice> unit =
        unit_ != nullptr
            ? Result<UnitChoice>(*unit_)
            : in_file(choose_unit(options_.unit_metres, as_written->rest_height(options_.up)));
    if (!unit.ok()) return unit.error();
    source_.unit_metres = unit->metres;
    source_.unit_reason = unit->reason;
    if (!unit->warning.empty()) {
      source_.warnings.push_back(fmt::format("{}: {}", file_, unit->warning));
    }

    std::vector<Joint> scaled(as_written->joints().begin(), as_written->joints().end());
    offsets_.reserve(scaled.size());
    for (Joint& joint : scaled) {
      joint.rest.translation = unit->metres * joint.rest.translation;
      offsets_.push_back(joint.rest);
      if (joint.parent < 0) joint.rest = turned_up_root(joint.rest, options_.up);
    }
    Result<Skeleton> skeleton = in_file(Skeleton::create(std::move(scaled)));
    if (!skeleton.ok()) return skeleton.error();
    skeleton_ = std::move(skeleton).value();
    return Nothing{};
  }

  Status expect_line_end() {
    if (in_.at_line_end() || at_bvh_comment(in_)) return Nothing{};
    return fail("expected the end of the line, found " + in_.found());
  }

  /// "Frames:" and "Frame Time:", with or without the colon and the blank.
  Status read_header() {
    at_bvh_end(in_);
    if (!in_.accept_word("Frames")) return fail("expected Frames:, found " + in_.found());
    in_.accept(':');
    const std::optional<std::int64_t> frames = in_.count();
    if (!frames) {
      return fail("expected the number of frames, found " + in_.found());
    }
    announced_ = *frames;
    announced_at_ = in_.line();
    if (Status status = expect_line_end(); !status.ok()) return status;

    at_bvh_end(in_);
    const bool named = in_.accept_word("FrameTime") || in_.accept_word("Frame_Time") ||
                       (in_.accept_word("Frame") && in_.accept_word("Time"));
    if (!named) return fail("expected Frame Time:, found " + in_.found());
    in_.accept(':');
    const std::optional<double> seconds = in_.number();
    if (!seconds) return fail("Frame Time: " + in_.number_problem());
    if (const std::string problem = detail::frame_time_problem(*seconds); !problem.empty()) {
      return fail(problem);
    }
    frame_time_ = *seconds;
    return expect_line_end();
  }

  Status read_frames() {
    const std::size_t most =
        kMaxPoseBytesPerByte * size_ + kFreePoseBytes;  // bytes of poses; size_ is at most 2^32
    const std::size_t frame_bytes = offsets_.size() * sizeof(Transform);
    // Whatever was announced, a frame takes at least two bytes a channel.
    const std::size_t possible = in_.rest().size() / (2 * channels_.size()) + 1;
    const std::size_t likely = std::min(possible, static_cast<std::size_t>(announced_));
    poses_.reserve(std::min(likely, most / frame_bytes) * offsets_.size());

    std::int64_t frames = 0;
    for (; !at_bvh_end(in_); ++frames) {
      if ((static_cast<std::size_t>(frames) + 1) * frame_bytes > most) {
        return fail(
            fmt::format("{} frames of {} joints take more than {} times the file's size: too "
                        "many joints without channels",
                        frames + 1, offsets_.size(), kMaxPoseBytesPerByte));
      }
      if (Status status = read_frame(frames); !status.ok()) return status;
    }
    if (frames == 0) return fail("there are no frames");
    if (frames != announced_) {
      const std::string text = fmt::format("{} frames announced, {} read", announced_, frames);
      source_.warnings.push_back(base::input_error(file_, announced_at_, text).message);
    }
    return Nothing{};
  }

  Status read_frame(std::int64_t frame) {
    const std::size_t first = poses_.size();
    poses_.insert(poses_.end(), offsets_.begin(), offsets_.end());
    for (std::size_t i = 0; i < channels_.size(); ++i) {
      const std::optional<double> value = in_.number();
      if (!value) {
        return fail(fmt::format("frame {}, number {} of {}: {}", frame, i + 1, channels_.size(),
                                in_.number_problem()));
      }
      apply(channels_[i], *value, poses_[first + static_cast<std::size_t>(channels_[i].joint)]);
    }
    if (!in_.at_line_end() && !at_bvh_comment(in_)) {
      return fail(fmt::format("frame {} has more numbers than the {} channels: {}", frame,
                              channels_.size(), in_.found()));
    }
    for (std::size_t i = first; i < poses_.size(); ++i) {
      poses_[i].rotation = core::normalized(poses_[i].rotation);
      if (skeleton_.joints()[i - first].parent < 0)
        poses_[i] = turned_up_root(poses_[i], options_.up);
    }
    return Nothing{};
  }

  void apply(const BvhChannel& channel, double value, Transform& pose) const {
    using core::operator*;
    if (channel.rotation) {
      pose.rotation = pose.rotation * core::about_axis(channel.axis, value);
    } else {
      component(pose.translation, channel.axis) = value * source_.unit_metres;
    }
  }

  base::TextScanner in_;
  std::size_t size_;
  std::string_view file_;
  const MotionOptions& options_;
  const UnitChoice* unit_;

  std::vector<BvhChannel> channels_;
  std::vector<Transform> offsets_;  ///< the rest pose in metres and the file's axes
  Skeleton skeleton_;               ///< in metres, Y up
  std::int64_t announced_ = 0;
  std::int64_t announced_at_ = 0;  ///< line
  double frame_time_ = 0.0;        ///< seconds
  std::vector<Transform> poses_;
  MotionSource source_;
};

}  // namespace

Result<Motion> parse_bvh(std::string_view text, std::string_view file, const MotionOptions& options,
                         const UnitChoice* unit) {
  return BvhReader(text, file, options, unit).read();
}

}  // namespace tocsin::io
