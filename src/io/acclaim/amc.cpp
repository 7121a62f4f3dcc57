#include "io/acclaim/amc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text_scanner.h"
#include "core/vector/rotation.h"
#include "core/vector/vec.h"
#include "io/acclaim/amc_joints.h"
#include "io/pose_parts.h"
#include "scene/motion/motion_data.h"

namespace tocsin::io {
namespace {

class AmcReader {
 public:
  AmcReader(std::string_view text, std::string_view file, const AsfSkeleton& asf,
            const MotionOptions& options, const UnitChoice* unit)
      : in_(text),
        size_(text.size()),
        most_pose_bytes_(kMaxPoseBytesPerByte * text.size() + kFreePoseBytes),
        file_(file),
        asf_(asf),
        options_(options),
        unit_(unit),
        degrees_per_angle_(asf.radians ? core::kDegreesPerRadian : 1.0) {}

  Result<Motion> read() {
    Result<AmcJoints> joints = make_amc_joints(asf_, options_, unit_);
    if (!joints.ok()) return joints.error();
    joints_ = std::move(joints).value();
    if (Status status = read_header(); !status.ok()) return status.error();
    if (Status status = choose_rate(); !status.ok()) return status.error();
    if (Status status = read_frames(); !status.ok()) return status.error();
    const double frame_time = 1.0 / rate_;
    Result<Motion> motion =
        Motion::create(std::move(joints_.skeleton), frame_time, std::move(poses_), describe());
    if (motion.ok() || motion.error().code != ErrorCode::kInput) return motion;
    return {ErrorCode::kInput, fmt::format("{}: {}", file_, motion.error().message)};
  }

 private:
  Error fail(std::int64_t line, std::string_view text) const {
    return base::input_error(file_, line, text);
  }
  Error fail(std::string_view text) const { return fail(in_.line(), text); }

  MotionSource describe() {
    MotionSource source;
    source.file = file_;
    source.format = "amc";
    source.unit_metres = joints_.unit.metres;
    source.unit_reason = joints_.unit.reason;
    source.skeleton_file = asf_.file;
    source.rate_reason = rate_reason_;
    source.warnings = asf_.warnings;
    if (!joints_.warning.empty()) source.warnings.push_back(joints_.warning);
    if (passed_ > 0) {
      source.warnings.push_back(
          fail(first_passed_, fmt::format("{} lines before the first frame are passed over, as "
                                          "their keywords are not known",
                                          passed_))
              .message);
    }
    if (std::string text = describe_unnamed(); !text.empty()) {
      source.warnings.push_back(fmt::format("{}: {}", file_, text));
    }
    return source;
  }

  /// The bones that could move but never do.
  std::string describe_unnamed() const {
    std::size_t count = 0;
    std::string_view first;
    for (std::size_t b = 0; b < asf_.bones.size(); ++b) {
      if (asf_.bones[b].dofs.empty() || in_frame_[b] >= 0) continue;
      if (count++ == 0) first = asf_.bones[b].name;
    }
    if (count == 0) return {};
    return fmt::format("{} bones that can move are in no frame and stay at rest, the first is {}",
                       count, base::in_quotes(first));
  }

  // ---- before the first frame

  /// Moves to the next line that is no comment; true if there is none.
  bool at_end() {
    while (!in_.at_text_end()) {
      if (in_.rest().front() != '#') return false;
      in_.next_line();
    }
    return true;
  }

  Status read_header() {
    while (!at_end() && in_.rest().front() == ':') {
      const std::string_view word = in_.token();
      if (base::same_ignoring_case(word, ":degrees")) degrees_per_angle_ = 1.0;
      if (base::same_ignoring_case(word, ":radians")) degrees_per_angle_ = core::kDegreesPerRadian;
      const bool rate = base::same_ignoring_case(word, ":samples-per-second");
      if (rate) {
        const std::optional<double> value = in_.number();
        if (!value) return fail(fmt::format("{}: {}", word, in_.number_problem()));
        if (std::string problem = rate_problem(*value); !problem.empty()) return fail(problem);
        written_rate_ = value;
      }
      if (rate || base::same_ignoring_case(word, ":degrees") ||
          base::same_ignoring_case(word, ":radians") ||
          base::same_ignoring_case(word, ":fully-specified")) {
        if (!in_.at_line_end()) {
          return fail(fmt::format("expected the end of the line, found {}", in_.found()));
        }
      } else if (passed_++ == 0) {
        first_passed_ = in_.line();
      }
      in_.next_line();
    }
    return Nothing{};
  }

  static std::string rate_problem(double rate) {
    const double frame_time = 1.0 / rate;
    if (std::isfinite(rate) && detail::frame_time_problem(frame_time).empty()) return {};
    return fmt::format(
        "a rate of {} frames a second makes no sense; it must be between {:g} and {:g}", rate,
        1.0 / detail::kMostFrameTime, 1.0 / detail::kLeastFrameTime);
  }

  Status choose_rate() {
    if (options_.rate) {
      if (std::string problem = rate_problem(*options_.rate); !problem.empty()) {
        return {ErrorCode::kUsage, std::move(problem)};
      }
      rate_ = *options_.rate;
      rate_reason_ = "as told";
    } else if (written_rate_) {
      rate_ = *written_rate_;
    } else {
      rate_ = kAmcRate;
      rate_reason_ = fmt::format("{} Hz, as .amc files do not say their rate", kAmcRate);
    }
    return Nothing{};
  }

  // ---- frames

  Status read_frames() {
    in_frame_.assign(asf_.bones.size(), -1);
    while (!at_end()) {
      const std::int64_t line = in_.line();
      base::TextScanner ahead = in_;
      const std::optional<std::int64_t> number = ahead.integer();
      const bool starts_frame = number && ahead.at_line_end();
      if (!starts_frame && frames_ == 0) {
        return fail("expected the number of the first frame, found " + in_.found());
      }
      Status status = starts_frame ? start_frame(*number, line) : read_bone();
      if (!status.ok()) return status;
      if (starts_frame) in_ = ahead;
    }
    if (frames_ == 0) return fail("there are no frames");
    return finish_frame();
  }

  Status start_frame(std::int64_t number, std::int64_t line) {
    if (Status status = finish_frame(); !status.ok()) return status;
    if (frames_ > 0 &&
        (number_ == std::numeric_limits<std::int64_t>::max() || number != number_ + 1)) {
      return fail(fmt::format("frame {} comes after frame {}; the numbers must rise by 1", number,
                              number_));
    }
    number_ = number;
    line_ = line;
    named_ = 0;
    const std::size_t joints = joints_.rest.size();
    if ((static_cast<std::size_t>(frames_) + 1) * joints * sizeof(Transform) > most_pose_bytes_) {
      return fail(
          fmt::format("{} frames of {} joints take more than {} times the file's size: "
                      "too many bones that are in no frame",
                      frames_ + 1, joints, kMaxPoseBytesPerByte));
    }
    if (frames_ == 1) {  // the others are about as long as the first was
      const std::size_t likely = size_ / (size_ - in_.rest().size() - first_frame_) + 1;
      poses_.reserve(std::min(likely, most_pose_bytes_ / (joints * sizeof(Transform))) * joints);
    }
    if (frames_ == 0) first_frame_ = size_ - in_.rest().size();
    ++frames_;
    poses_.insert(poses_.end(), joints_.rest.begin(), joints_.rest.end());
    pose_ = poses_.data() + (poses_.size() - joints);
    return Nothing{};
  }

  /// Every frame must name the bones that the first one names.
  Status finish_frame() {
    if (frames_ == 0) return Nothing{};
    if (frames_ == 1 && named_ == 0) {
      return fail(line_, fmt::format("frame {} names no bone", number_));
    }
    if (named_ < order_.size()) {
      const auto missing = std::find_if(order_.begin(), order_.end(), [&](std::int32_t bone) {
        return in_frame_[static_cast<std::size_t>(bone)] != frames_;
      });
      const AsfBone& bone = asf_.bones[static_cast<std::size_t>(*missing)];
      return fail(line_, fmt::format("frame {} does not name the bone {}", number_,
                                     base::in_quotes(bone.name)));
    }
    *pose_ = turned_up_root(*pose_, options_.up);
    return Nothing{};
  }

  /// The bone that a line is about: nearly always the one that came here in the first frame.
  std::int32_t find_bone(std::string_view word) const {
    if (frames_ > 1 && named_ < order_.size()) {
      const std::int32_t likely = order_[named_];
      if (asf_.bones[static_cast<std::size_t>(likely)].name == word) return likely;
    }
    return asf_.names.find(word);
  }

  Status read_bone() {
    const std::string_view word = in_.peek();
    const std::int32_t index = find_bone(word);
    if (index < 0) {
      return fail(
          fmt::format("frame {}: {} is no bone of {}", number_, base::in_quotes(word), asf_.file));
    }
    const AsfBone& bone = asf_.bones[static_cast<std::size_t>(index)];
    std::int64_t& in_frame = in_frame_[static_cast<std::size_t>(index)];
    if (in_frame == frames_) {
      return fail(
          fmt::format("frame {} names the bone {} twice", number_, base::in_quotes(bone.name)));
    }
    if (frames_ > 1 && in_frame < 0) {
      return fail(fmt::format("frame {} names the bone {}, which the first frame does not", number_,
                              base::in_quotes(bone.name)));
    }
    in_frame = frames_;
    ++named_;
    if (frames_ == 1) order_.push_back(index);
    in_.token();
    return read_values(bone, static_cast<std::size_t>(index));
  }

  Status read_values(const AsfBone& bone, std::size_t index) {
    const auto where = [&] {
      return fmt::format("frame {}, bone {}", number_, base::in_quotes(bone.name));
    };
    Quat turn;
    Vec3 shift;
    std::optional<double> length;
    for (std::size_t i = 0; i < bone.dofs.size(); ++i) {
      const std::optional<double> value = in_.number();
      if (!value) {
        return fail(fmt::format("{}, value {} of {}: {}", where(), i + 1, bone.dofs.size(),
                                in_.number_problem()));
      }
      const AsfDof dof = bone.dofs[i];
      const int axis = static_cast<int>(dof) % 3;
      if (dof == AsfDof::kLength) {
        length = value;
      } else if (dof >= AsfDof::kTx) {
        component(shift, axis) = *value;
      } else {
        const double degrees = degrees_per_angle_ * *value;
        if (!std::isfinite(degrees)) return fail(where() + ": the angle is too large");
        turn = core::about_axis(axis, degrees) * turn;
      }
    }
    if (!in_.at_line_end()) {
      return fail(fmt::format("{} has more values than the {} of the .asf: {}", where(),
                              bone.dofs.size(), in_.found()));
    }
    move(bone, index, turn, shift, length);
    return Nothing{};
  }

  void move(const AsfBone& bone, std::size_t index, const Quat& turn, const Vec3& shift,
            std::optional<double> length) {
    Transform& pose = pose_[joints_.of[index]];
    const double unit = joints_.unit.metres;
    if (bone.parent < 0) {
      pose.rotation = core::normalized(bone.axis * turn);
      pose.translation = pose.translation + unit * shift;
      return;
    }
    pose.rotation = core::normalized((bone.axis * turn) * core::conjugate(bone.axis));
    if (shift != Vec3{}) {
      pose.translation = pose.translation + unit * core::rotate(bone.axis, shift);
    }
    if (!length) return;
    for (const std::int32_t joint : joints_.at_end[index]) {
      Vec3& end = pose_[joint].translation;
      end = end + (unit * (*length - bone.length)) * bone.direction;
    }
  }

  base::TextScanner in_;
  std::size_t size_;
  std::size_t most_pose_bytes_;
  std::string_view file_;
  const AsfSkeleton& asf_;
  const MotionOptions& options_;
  const UnitChoice* unit_;
  double degrees_per_angle_;
  AmcJoints joints_;

  std::optional<double> written_rate_;  ///< Hz
  double rate_ = kAmcRate;              ///< Hz
  std::string rate_reason_;
  std::int64_t passed_ = 0;
  std::int64_t first_passed_ = 0;

  std::vector<Transform> poses_;
  std::size_t first_frame_ = 0;  ///< where it begins, in bytes
  std::int64_t frames_ = 0;      ///< begun so far
  std::int64_t number_ = 0;      ///< of the current frame, as written
  std::int64_t line_ = 0;        ///< where it begins
  Transform* pose_ = nullptr;
  std::size_t named_ = 0;               ///< bones in the current frame
  std::vector<std::int64_t> in_frame_;  ///< the last frame, from 1, that names a bone; or -1
  std::vector<std::int32_t> order_;     ///< bones in the order of the first frame
};

}  // namespace

Result<Motion> parse_amc(std::string_view text, std::string_view file, const AsfSkeleton& asf,
                         const MotionOptions& options, const UnitChoice* unit) {
  return AmcReader(text, file, asf, options, unit).read();
}

}  // namespace tocsin::io
