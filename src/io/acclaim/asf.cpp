#include "io/acclaim/asf.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "core/vector/rotation.h"
#include "core/vector/vec.h"
#include "io/acclaim/asf_scanner.h"
#include "io/acclaim/asf_tree.h"
#include "io/pose_parts.h"

namespace tocsin::io {
namespace {

/// Units in an inch, from a unit of 25 km to one of 25 nm. No body is measured in others, and their
/// lengths would overflow or underflow later.
constexpr double kLeastUnit = 1e-6;
constexpr double kMostUnit = 1e6;

/// As many as a Skeleton may have joints.
constexpr std::size_t kMaxBones = std::size_t{1} << 14U;

/// How far a direction's length may be from 1 before a warning says so. Files have six digits.
constexpr double kDirectionTolerance = 1e-3;

/// Three angles about the fixed axes x, y and z, and the order in which they are applied.
struct Turn {
  Vec3 angles;
  std::array<std::uint8_t, 3> order{0, 1, 2};

  [[nodiscard]] Quat rotation(double degrees_per_angle) const {
    Quat q;
    for (const std::uint8_t axis : order) {
      Vec3 degrees = degrees_per_angle * angles;
      q = core::about_axis(axis, component(degrees, axis)) * q;
    }
    return core::normalized(q);
  }
};

/// The fields of a bone, for finding one that is missing or comes twice.
enum Field : std::uint8_t {
  kId,
  kName,
  kDirection,
  kLength,
  kAxis,
  kDof,
  kLimits,
  kBodyMass,
  kCofMass,
  kFieldCount
};
constexpr std::array<std::string_view, kFieldCount> kFieldNames{
    "id", "name", "direction", "length", "axis", "dof", "limits", "bodymass", "cofmass"};

class AsfReader {
 public:
  AsfReader(std::string_view text, std::string_view file) : in_(text) { out_.file = file; }

  Result<AsfSkeleton> read() {
    add_root();
    while (!error_ && !in_.at_text_end()) section();
    if (!error_) finish();
    if (error_) return *error_;
    return std::move(out_);
  }

 private:
  void stop(std::int64_t line, std::string_view text) {  // the first one counts
    if (!error_) error_ = base::input_error(out_.file, line, text);
  }
  void stop(std::string_view text) { stop(in_.line(), text); }
  void warn(std::int64_t line, std::string_view text) {
    out_.warnings.push_back(base::input_error(out_.file, line, text).message);
  }

  void add_root() {
    bones_.emplace_back();
    bones_.front().name = "root";
    turns_.emplace_back();
    lines_.push_back(1);
    out_.names.add("root", 0);
  }

  // ---- sections

  enum Section : std::uint8_t { kUnits, kRoot, kBoneData, kHierarchy, kSectionCount };
  static constexpr std::array<std::string_view, kSectionCount> kSections{":units", ":root",
                                                                         ":bonedata", ":hierarchy"};

  void section() {
    const std::int64_t line = in_.line();
    for (std::size_t i = 0; i < kSectionCount; ++i) {
      if (!in_.accept(kSections[i])) continue;
      if (std::exchange(seen_[i], true)) return stop(fmt::format("a second {}", kSections[i]));
      switch (i) {
        case kUnits:
          return units();
        case kRoot:
          return root();
        case kBoneData:
          return bone_data();
        default:
          return hierarchy(line);
      }
    }
    if (in_.accept(":version") || in_.accept(":name")) {
      in_.next_line();
    } else if (in_.accept(":documentation")) {
      in_.pass_section();
    } else if (in_.accept(":skin")) {
      const std::int64_t lines = in_.pass_section();
      warn(line, fmt::format("the skin ({} lines) is passed over", lines));
    } else if (in_.peek().front() == ':') {
      const std::string_view keyword = in_.token();
      in_.next_line();
      count_passed(line, keyword, 1 + in_.pass_section());
    } else {
      stop("expected a keyword such as :root, found " + in_.found());
    }
  }

  void count_passed(std::int64_t line, std::string_view word, std::int64_t lines) {
    if (passed_lines_ == 0) first_passed_ = {word, line};
    passed_lines_ += lines;
  }

  /// The format requires that readers ignore unknown words.
  void pass_line() {
    count_passed(in_.line(), in_.peek(), 1);
    in_.next_line();
  }

  void units() {
    while (!error_ && !in_.at_section_end()) {
      if (in_.accept("mass")) {
        number("mass");
      } else if (in_.accept("length")) {
        const double length = number("length");
        if (!(length >= kLeastUnit && length <= kMostUnit)) {
          stop(fmt::format("the unit of length is {}, not between {} and {}", length, kLeastUnit,
                           kMostUnit));
        }
        out_.length_unit = length;
      } else if (in_.accept("angle")) {
        angle_unit();
      } else {
        pass_line();
      }
    }
  }

  void angle_unit() {
    const bool degrees = in_.accept("deg") || in_.accept("degrees");
    out_.radians = !degrees && (in_.accept("rad") || in_.accept("radians"));
    if (!degrees && !out_.radians) stop("expected the unit deg or rad, found " + in_.found());
  }

  void root() {
    lines_.front() = in_.line();
    bool has_order = false;
    while (!error_ && !in_.at_section_end()) {
      if (in_.accept("order")) {
        if (std::exchange(has_order, true)) stop("a second order of the root");
        dofs(bones_.front());
      } else if (in_.accept("axis")) {
        axis_order(turns_.front());
      } else if (in_.accept("position")) {
        out_.position = vector("position");
      } else if (in_.accept("orientation")) {
        turns_.front().angles = vector("orientation");
      } else {
        pass_line();
      }
    }
    if (!has_order) stop(lines_.front(), "the root has no order");
  }

  void bone_data() {
    while (!error_ && !in_.at_section_end()) {
      if (!in_.accept("begin")) return stop("expected begin, found " + in_.found());
      bone(in_.line());
    }
  }

  void hierarchy(std::int64_t begins_at) {
    if (in_.at_text_end() || !in_.accept("begin")) {
      return stop("expected begin, found " + in_.found());
    }
    while (true) {
      if (in_.at_section_end()) {
        return stop(fmt::format("the hierarchy of line {} has no end", begins_at));
      }
      if (in_.accept("end")) return;
      const std::string_view parent = in_.token();
      if (in_.at_line_end()) links_.push_back({parent, {}, in_.line()});
      while (!error_ && !in_.at_line_end()) {
        if (links_.size() >= kMaxBones) return stop(too_many());
        const std::int64_t line = in_.line();
        links_.push_back({parent, in_.token(), line});
      }
    }
  }

  void bone(std::int64_t line) {
    if (bones_.size() == kMaxBones) return stop(too_many());
    bones_.emplace_back();
    turns_.emplace_back();
    lines_.push_back(line);
    std::array<bool, kFieldCount> seen{};
    while (!error_) {
      if (in_.at_section_end() || in_.accept("begin")) {
        return stop(fmt::format("the bone of line {} has no end", line));
      }
      if (in_.accept("end")) break;
      field(seen);
    }
    for (const Field needed : {kName, kDirection, kLength, kAxis}) {
      if (seen[needed]) continue;
      return stop(line,
                  fmt::format("the bone{} has no {}", name_after_blank(), kFieldNames[needed]));
    }
    note_direction(line);
  }

  static std::string too_many() {
    return fmt::format("more than {} bones, the root included", kMaxBones);
  }

  std::string name_after_blank() const {
    const std::string& name = bones_.back().name;
    return name.empty() ? name : " " + base::in_quotes(name);
  }

  void field(std::array<bool, kFieldCount>& seen) {
    std::size_t which = 0;
    while (which < kFieldCount && !in_.accept(kFieldNames[which])) ++which;
    if (which == kFieldCount) return pass_line();
    if (std::exchange(seen[which], true)) {
      return stop(fmt::format("a second {} in the bone{}", kFieldNames[which], name_after_blank()));
    }
    AsfBone& bone = bones_.back();
    switch (which) {
      case kName:
        return name(bone);
      case kDirection:
        bone.direction = vector("direction");
        return;
      case kLength:
        bone.length = number("length");
        if (bone.length < 0.0) stop(fmt::format("the length {} is negative", bone.length));
        return;
      case kAxis:
        turns_.back().angles = vector("axis");
        return axis_order(turns_.back());
      case kDof:
        return dofs(bone);
      case kLimits:
        return limits();
      default:  // id, bodymass, cofmass
        in_.token();
    }
  }

  void name(AsfBone& bone) {
    const std::string_view raw = in_.token();
    if (raw.empty()) return stop("expected a bone's name, found " + in_.found());
    if (raw.size() > kMaxJointNameBytes) {
      return stop(fmt::format("the name {} is longer than {} bytes", base::in_quotes(raw),
                              kMaxJointNameBytes));
    }
    bool changed = false;
    bone.name = base::clean_name(raw, changed);
    if (changed)
      warn(in_.line(), fmt::format("the name {} is not UTF-8 text", base::in_quotes(raw)));
    if (!out_.names.add(bone.name, static_cast<std::int32_t>(bones_.size()) - 1)) {
      stop(fmt::format("a second bone named {}", base::in_quotes(raw)));
    }
  }

  // Limits do not clip anything, so they are only skipped.
  void limits() {
    while (!in_.at_text_end()) {
      const std::string_view word = in_.peek();
      const bool number = std::string_view("+-.0123456789").find(word.front()) != std::string::npos;
      if (!number && !base::same_ignoring_case(word, "inf") &&
          !base::same_ignoring_case(word, "infinity")) {
        return;
      }
      in_.token();
    }
  }

  void note_direction(std::int64_t line) {
    const AsfBone& bone = bones_.back();
    const double length = core::norm(bone.direction);
    if (bone.length == 0.0 || std::fabs(length - 1.0) <= kDirectionTolerance) return;
    if (odd_directions_++ == 0) first_odd_ = {bone.name, line};
  }

  double number(std::string_view what) {
    const std::optional<double> value = in_.number();
    if (!value) stop(fmt::format("{}: {}", what, in_.number_problem()));
    return value.value_or(1.0);
  }

  Vec3 vector(std::string_view what) {
    const double x = number(what);
    const double y = number(what);
    return {x, y, number(what)};
  }

  /// "XYZ" and the like: each axis once.
  void axis_order(Turn& turn) {
    const std::string_view word = in_.peek();
    std::array<bool, 3> seen{};
    for (std::size_t i = 0; i < word.size() && word.size() == 3; ++i) {
      const std::size_t axis = std::string_view("XYZxyz").find(word[i]);
      if (axis == std::string_view::npos || std::exchange(seen[axis % 3], true)) break;
      turn.order[i] = static_cast<std::uint8_t>(axis % 3);
    }
    if (!seen[0] || !seen[1] || !seen[2]) {
      return stop("expected an order of the axes, such as XYZ, found " + in_.found());
    }
    in_.token();
  }

  void dofs(AsfBone& bone) {
    static constexpr std::array<std::string_view, 7> kNames{"rx", "ry", "rz", "tx",
                                                            "ty", "tz", "l"};
    const bool is_root = &bone == &bones_.front();
    std::array<bool, 7> seen{};
    while (!in_.at_line_end()) {
      std::size_t which = 0;
      while (which < kNames.size() && !base::same_ignoring_case(kNames[which], in_.peek())) ++which;
      if (which == kNames.size() || (is_root && which == 6)) {
        return stop(fmt::format("expected rx, ry, rz, tx, ty{} tz{}, found {}",
                                is_root ? " or" : ",", is_root ? "" : " or l", in_.found()));
      }
      if (std::exchange(seen[which], true)) return stop(in_.found() + " is listed twice");
      bone.dofs.push_back(static_cast<AsfDof>(which));
      in_.token();
    }
  }

  // ---- the end

  void finish() {
    for (const Section needed : {kRoot, kBoneData, kHierarchy}) {
      if (!seen_[needed]) return stop(fmt::format("there is no {}", kSections[needed]));
    }
    const double degrees_per_angle = out_.radians ? core::kDegreesPerRadian : 1.0;
    for (std::size_t i = 0; i < bones_.size(); ++i) {
      if (!core::is_finite(degrees_per_angle * turns_[i].angles)) {
        return stop(lines_[i], "an angle is too large");
      }
      bones_[i].axis = turns_[i].rotation(degrees_per_angle);
    }
    Status grown = grow_asf_tree(std::move(bones_), lines_, links_, out_);
    if (!grown.ok()) {
      error_ = grown.error();
      return;
    }
    warn_at_the_end();
  }

  void warn_at_the_end() {
    if (passed_lines_ > 0) {
      warn(first_passed_.second, fmt::format("{} lines that are not the format's are passed over, "
                                             "the first starts with {}",
                                             passed_lines_, base::in_quotes(first_passed_.first)));
    }
    if (odd_directions_ > 0) {
      warn(first_odd_.second,
           fmt::format("{} directions are not of length 1 and taken as written, the first is "
                       "that of bone {}",
                       odd_directions_, base::in_quotes(first_odd_.first)));
    }
  }

  AsfScanner in_;
  AsfSkeleton out_;
  std::array<bool, kSectionCount> seen_{};

  // One entry a bone, the root first.
  std::vector<AsfBone> bones_;
  std::vector<Turn> turns_;  ///< what becomes AsfBone::axis, once the unit of angles is known
  std::vector<std::int64_t> lines_;

  std::vector<AsfLink> links_;
  std::int64_t passed_lines_ = 0;
  std::pair<std::string_view, std::int64_t> first_passed_{};  ///< word, line
  std::size_t odd_directions_ = 0;
  std::pair<std::string, std::int64_t> first_odd_{};  ///< name, line
  std::optional<Error> error_;
};

}  // namespace

Result<AsfSkeleton> parse_asf(std::string_view text, std::string_view file) {
  return AsfReader(text, file).read();
}

}  // namespace tocsin::io
