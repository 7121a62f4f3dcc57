#include "io/poses/poses.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/quoted.h"
#include "base/text_file.h"
#include "io/json/json_value.h"
#include "io/poses/usual_pose_line.h"
#include "scene/motion/motion_data.h"

namespace tocsin::io {
namespace {

/// True if a bracket or a string that the line opens is not closed in it: it was cut off.
bool is_open(std::string_view line) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (in_string) {
      i += c == '\\' ? 1 : 0;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return in_string || depth > 0;
}

/// Values in the first line, and in a record's: 11 for each of 16,384 joints, and some.
constexpr std::size_t kMostHeadValues = 200'000;
/// In a pose's line besides its numbers: names, and ranges of ids (FrameQueue::kMostRanges twice).
constexpr std::size_t kOtherValues = 6'500;

class PosesReader {
 public:
  PosesReader(std::string_view text, const std::string& file) : rest_(text), file_(file) {
    if (rest_.starts_with(base::kByteOrderMark)) rest_.remove_prefix(base::kByteOrderMark.size());
  }

  Result<Motion> read() {
    if (!next_line()) return fail("the file is empty");
    if (Status status = read_header(); !status.ok()) return status.error();
    while (!cut_off_ && next_line()) {
      if (Status status = read_line(); !status.ok()) return status.error();
    }
    const std::int64_t poses = pose_count();
    if (poses == 0) return fail("there are no poses");
    if (!ended_) {
      warnings_.push_back(fmt::format(
          "{}:{}: the recording was cut off{}; the {} before it {} read", file_, number_,
          cut_off_ ? " in this line" : " behind this line: the last one, \"end\", is missing",
          poses == 1 ? "pose" : fmt::format("{} poses", poses), poses == 1 ? "was" : "were"));
    }
    return finish();
  }

 private:
  [[nodiscard]] Error fail(std::string_view cause) const {
    return {ErrorCode::kInput,
            fmt::format("{}:{}: {}", file_, std::max<std::size_t>(number_, 1), cause)};
  }

  [[nodiscard]] std::int64_t pose_count() const { return static_cast<std::int64_t>(ticks_.size()); }

  // ---- lines

  /// Moves to the next line that is not blank; false if there is none.
  bool next_line() {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      ++number_;
      whole_ = end != std::string_view::npos;
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(whole_ ? end + 1 : rest_.size());
      if (line_.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      return true;
    }
    return false;
  }

  /// The line as a document, an object of a given number of values at most.
  Result<JsonValue> document(std::size_t values) {
    Result<JsonValue> json = parse_json(line_, file_, {4, values, number_});
    if (json.ok() && json->kind != JsonKind::kObject) return fail("expected an object");
    return json;
  }

  Status read_line() {
    if (ended_) return fail("there is something behind the line \"end\"");
    const std::size_t first = poses_.size();
    poses_.resize(first + joints_);
    double tick = 0.0;
    if (read_usual_pose_line(line_, tick, std::span(poses_).subspan(first))) return add_pose(tick);
    poses_.resize(first);
    if (!whole_ && is_open(line_)) {
      cut_off_ = true;
      return Nothing{};
    }
    if (line_.starts_with(R"({"type":"record")")) return pass_record();
    const Result<JsonValue> json = document((kPoseNumbers + 1) * joints_ + kOtherValues);
    if (!json.ok()) return json.error();
    const JsonValue* const type = json->member("type");
    if (type == nullptr) return fail("field \"type\" is missing");
    if (type->kind == JsonKind::kString && type->text == "pose") return read_pose(*json);
    if (type->kind == JsonKind::kString && type->text == "end") return read_end(*json);
    return fail(fmt::format("expected type \"pose\" or \"end\", found {}",
                            type->kind == JsonKind::kString
                                ? base::in_quotes(type->text)
                                : std::string(json_kind_name(type->kind))));
  }

  // ---- fields

  Status known_fields(const JsonValue& json, std::span<const std::string_view> known) const {
    for (const std::string& name : json.names) {
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      return fail(fmt::format("unknown field {} (known: {})", base::in_quotes(name),
                              fmt::join(known, ", ")));
    }
    return Nothing{};
  }

  /// A member, or null: `problem` says why then.
  const JsonValue* field(const JsonValue& json, std::string_view name, JsonKind kind,
                         std::optional<Error>& problem, std::string_view path = {}) const {
    if (problem) return nullptr;
    const JsonValue* const value = json.member(name);
    const std::string where = json_path(path, name);
    if (value == nullptr) {
      problem = fail(fmt::format("field \"{}\" is missing", where));
    } else if (value->kind != kind) {
      problem = fail(fmt::format("{}: must be {}, is {}", where, json_kind_name(kind),
                                 json_kind_name(value->kind)));
    }
    return problem ? nullptr : value;
  }

  /// The transforms that an array of numbers holds.
  Status transforms(const JsonValue& json, std::string_view path, std::span<Transform> out) const {
    if (json.items.size() != kPoseNumbers * out.size()) {
      return fail(fmt::format("{}: must be {} numbers, {} a joint, are {}", path,
                              kPoseNumbers * out.size(), kPoseNumbers, json.items.size()));
    }
    std::array<double, kPoseNumbers> n{};
    for (std::size_t i = 0; i < json.items.size(); ++i) {
      const JsonValue& item = json.items[i];
      if (item.kind != JsonKind::kNumber) {
        return fail(fmt::format("{}: must be a number, is {}", json_path(path, i),
                                json_kind_name(item.kind)));
      }
      n[i % kPoseNumbers] = item.number;
      if (i % kPoseNumbers == kPoseNumbers - 1) out[i / kPoseNumbers] = pose_transform(n);
    }
    return Nothing{};
  }

  // ---- the first line

  Status read_header() {
    if (!whole_ && is_open(line_)) return fail("the file is cut off in its first line");
    const Result<JsonValue> json = document(kMostHeadValues);
    if (!json.ok()) return json.error();
    constexpr std::string_view kFormat = "tocsin.poses.v1";
    const JsonValue* const format = json->member("format");
    if (format == nullptr || format->kind != JsonKind::kString || format->text != kFormat) {
      return fail(fmt::format("not a .poses file: expected format \"{}\"{}", kFormat,
                              format == nullptr || format->kind != JsonKind::kString
                                  ? ""
                                  : ", found " + base::in_quotes(format->text)));
    }
    constexpr std::array<std::string_view, 5> kKnown{"type", "format", "frame_time", "joints",
                                                     "source"};
    if (Status status = known_fields(*json, kKnown); !status.ok()) return status;
    std::optional<Error> problem;
    const JsonValue* const type = field(*json, "type", JsonKind::kString, problem);
    const JsonValue* const frame_time = field(*json, "frame_time", JsonKind::kNumber, problem);
    const JsonValue* const joints = field(*json, "joints", JsonKind::kArray, problem);
    if (json->member("source") != nullptr) field(*json, "source", JsonKind::kString, problem);
    if (problem) return *problem;
    if (type->text != "motion") {
      return fail("expected type \"motion\", found " + base::in_quotes(type->text));
    }
    frame_time_ = frame_time->number;
    if (const std::string bad = detail::frame_time_problem(frame_time_); !bad.empty()) {
      return fail(bad);
    }
    return read_joints(*joints);
  }

  Status read_joints(const JsonValue& json) {
    std::vector<Joint> joints;
    for (std::size_t i = 0; i < json.items.size(); ++i) {
      auto joint = read_joint(json.items[i], json_path("joints", i));
      if (!joint.ok()) return joint.error();
      joints.push_back(std::move(joint).value());
    }
    auto skeleton = Skeleton::create(std::move(joints));
    if (!skeleton.ok()) return fail(skeleton.error().message);
    skeleton_ = std::move(skeleton).value();
    joints_ = static_cast<std::size_t>(skeleton_.size());
    return Nothing{};
  }

  Result<Joint> read_joint(const JsonValue& json, const std::string& path) const {
    constexpr std::array<std::string_view, 3> kKnown{"name", "parent", "rest"};
    if (json.kind != JsonKind::kObject) {
      return fail(fmt::format("{}: must be an object, is {}", path, json_kind_name(json.kind)));
    }
    if (Status status = known_fields(json, kKnown); !status.ok()) return status.error();
    std::optional<Error> problem;
    const JsonValue* const name = field(json, "name", JsonKind::kString, problem, path);
    const JsonValue* const parent = field(json, "parent", JsonKind::kNumber, problem, path);
    const JsonValue* const rest = field(json, "rest", JsonKind::kArray, problem, path);
    if (problem) return *problem;
    const double index = parent->number;
    if (!(index >= -1.0 && index <= std::numeric_limits<int>::max()) ||
        index != std::floor(index)) {
      return fail(fmt::format("{}.parent: must be a joint's index or -1, is {}", path, index));
    }
    Joint joint{name->text, static_cast<int>(index), {}};
    if (Status status = transforms(*rest, path + ".rest", {&joint.rest, 1}); !status.ok()) {
      return status.error();
    }
    return joint;
  }

  // ---- the others

  Status read_pose(const JsonValue& json) {
    constexpr std::array<std::string_view, 14> kKnown{
        "type",   "tick",      "id",    "index",  "time",        "skipped", "bad",
        "counts", "first_bad", "scene", "floats", "linked_only", "held",    "local"};
    if (Status status = known_fields(json, kKnown); !status.ok()) return status;
    std::optional<Error> problem;
    const JsonValue* const tick = field(json, "tick", JsonKind::kNumber, problem);
    const JsonValue* const local = field(json, "local", JsonKind::kArray, problem);
    for (const char* const name : {"id", "index", "time"}) {
      if (json.member(name) != nullptr) field(json, name, JsonKind::kNumber, problem);
    }
    for (const char* const name : {"skipped", "bad", "counts", "scene", "held"}) {
      if (json.member(name) != nullptr) field(json, name, JsonKind::kArray, problem);
    }
    if (json.member("first_bad") != nullptr) field(json, "first_bad", JsonKind::kString, problem);
    for (const char* const name : {"floats", "linked_only"}) {
      if (json.member(name) != nullptr) field(json, name, JsonKind::kBoolean, problem);
    }
    if (problem) return *problem;
    const std::size_t first = poses_.size();
    poses_.resize(first + joints_);
    if (Status status = transforms(*local, "local", std::span(poses_).subspan(first));
        !status.ok()) {
      return status;
    }
    return add_pose(tick->number);
  }

  /// The pose that was put behind the others.
  Status add_pose(double tick) {
    const std::span<Transform> pose = std::span(poses_).last(joints_);
    std::size_t joint = 0;
    if (const std::string problem = detail::take_pose(pose, joint); !problem.empty()) {
      return fail(fmt::format("pose {}, joint {}: {}", pose_count(),
                              base::in_quotes(skeleton_.joints()[joint].name), problem));
    }
    if (!detail::tick_problem(tick).empty()) {
      return fail(fmt::format("tick {} is not between -2^53 and 2^53", tick));
    }
    const bool is_later =
        ticks_.empty() || (tick > ticks_.back() && tick - ticks_[0] > ticks_.back() - ticks_[0]);
    if (!is_later) {
      return fail(
          fmt::format("tick {} is not after the one of the pose before, {}", tick, ticks_.back()));
    }
    if (ticks_.empty()) reserve();
    ticks_.push_back(tick);
    return Nothing{};
  }

  /// Space for as many poses as there are if all lines are as long as this one.
  void reserve() {
    const std::size_t likely = rest_.size() / (line_.size() + 1) + 2;
    ticks_.reserve(likely);
    poses_.reserve(likely * joints_);
  }

  /// How a session was checked: record_head.h reads it.
  Status pass_record() const {
    constexpr std::size_t kDepth = 8;
    constexpr std::array<std::string_view, 3> kKnown{"type", "run", "session"};
    if (number_ != 2) return fail("a line \"record\" that is not the second");
    const Result<JsonValue> json = parse_json(line_, file_, {kDepth, kMostHeadValues, number_});
    if (!json.ok()) return json.error();
    return known_fields(*json, kKnown);
  }

  Status read_end(const JsonValue& json) {
    constexpr std::array<std::string_view, 2> kKnown{"type", "poses"};
    if (Status status = known_fields(json, kKnown); !status.ok()) return status;
    std::optional<Error> problem;
    const JsonValue* const poses = field(json, "poses", JsonKind::kNumber, problem);
    if (problem) return *problem;
    if (poses->number != static_cast<double>(pose_count())) {
      return fail(fmt::format("{} poses announced, {} read", poses->number, pose_count()));
    }
    ended_ = true;
    return Nothing{};
  }

  Result<Motion> finish() {
    MotionSource source;
    source.file = file_;
    source.format = "poses";
    source.unit_reason = ".poses is in metres";
    source.warnings = std::move(warnings_);
    bool even = true;
    for (std::size_t k = 0; k < ticks_.size() && even; ++k) {
      even = ticks_[k] - ticks_[0] == static_cast<double>(k);
    }
    auto motion = even ? Motion::create(std::move(skeleton_), frame_time_, std::move(poses_),
                                        std::move(source))
                       : Motion::create_timed(std::move(skeleton_), frame_time_, std::move(ticks_),
                                              std::move(poses_), std::move(source));
    if (motion.ok()) return motion;
    return fail(motion.error().message);
  }

  std::string_view rest_;  ///< behind the line
  const std::string& file_;
  std::string_view line_;
  std::size_t number_ = 0;  ///< of the line, from 1
  bool whole_ = false;      ///< a newline ends it
  bool cut_off_ = false;
  bool ended_ = false;

  double frame_time_ = 0.0;
  Skeleton skeleton_;
  std::size_t joints_ = 0;
  std::vector<double> ticks_;
  std::vector<Transform> poses_;
  std::vector<std::string> warnings_;
};

}  // namespace

Result<Motion> parse_poses(std::string_view text, const std::string& file) {
  return PosesReader(text, file).read();
}

}  // namespace tocsin::io
