#include "io/poses/record_head.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/text_file.h"
#include "io/poses/poses.h"
#include "io/report/json_line.h"
#include "io/report/run_reader.h"

namespace tocsin::io {
namespace {

using namespace fields;

constexpr std::string_view kPosesBegin = R"({"type":"motion",)";

TrackerPoses read_tracker(const OrderedJson& json) {
  if (!json.is_object()) refuse_type("tracker", "an object");
  const OrderedJson& axes = list_of(json, "axes", 3);
  std::array<AxisAlong, 3> along{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t axis = to_count(axes[i], "axes");
    if (axis > 5) throw Refused{fmt::format("axes: there is no axis {}", axis)};
    along[i] = static_cast<AxisAlong>(axis);
  }
  if (!Axes::are_axes(along[0], along[1], along[2])) {
    throw Refused{"axes: two are along the same one"};
  }
  return {flag_in(json, "world"), Axes(along[0], along[1], along[2], number_in(json, "unit")),
          flag_in(json, "hold_missing")};
}

void write_tracker(const TrackerPoses& tracker, JsonLine& json) {
  json.key("tracker").open('{').key("world").value(tracker.world);
  json.key("axes").open('[');
  for (std::size_t i = 0; i < 3; ++i) {
    json.value(static_cast<std::int64_t>(tracker.axes.along(i)));
  }
  json.close(']');
  json.key("unit").value(tracker.axes.unit());
  json.key("hold_missing").value(tracker.hold_missing).close('}');
}

SessionHead read_session(const OrderedJson& json) {
  if (!json.is_object()) refuse_type("session", "an object");
  SessionHead out;
  out.id_sha256 = text_in(json, "id_sha256");
  out.principal = text_in(json, "principal");
  out.room = text_in(json, "room");
  // Records of before have neither of these.
  if (json.contains("room_owner")) out.room_owner = text_in(json, "room_owner");
  if (json.contains("room_shared")) out.room_shared = flag_in(json, "room_shared");
  out.label = text_in(json, "label");
  out.coalesce = flag_in(json, "coalesce");
  out.stop_pose = flag_in(json, "stop_pose");
  out.even = flag_in(json, "even");
  out.meets = flag_in(json, "meets");
  if (json.contains("room_changes")) out.room_changes = flag_in(json, "room_changes");
  if (json.contains("frame_seconds")) out.frame_seconds = number_in(json, "frame_seconds");
  if (json.contains("nearest")) {
    out.nearest = number_in(json, "nearest");
    out.most_distances = static_cast<std::uint32_t>(count_in(json, "most_distances"));
  }
  if (json.contains("lookahead")) out.lookahead = number_in(json, "lookahead");
  if (json.contains("tracker")) out.tracker = read_tracker(field(json, "tracker"));
  out.part = count_in(json, "part");
  out.step = static_cast<std::uint64_t>(count_in(json, "step"));
  return out;
}

RecordHead read_head(std::string_view line) {
  const OrderedJson json = parse_line(line);
  if (text_in(json, "type") != "record") {
    throw Refused{
        "a line of type \"record\" is missing: no session's record, or one of before 0.2"};
  }
  const OrderedJson& run = field(json, "run");
  if (!run.is_object()) refuse_type("run", "an object");
  RecordHead out;
  out.run = read_run(run, out.version);
  if (out.run.options.several()) throw Refused{"a record is of one avatar"};
  out.run.options.takes.front().frames = {};  // all that there are
  out.session = read_session(field(json, "session"));
  return out;
}

}  // namespace

std::string record_line(const RunRecord& run, const SessionHead& session) {
  RunRecord unfinished = run;
  unfinished.frames = 0;
  unfinished.options.takes.front().frames = {0, 0, 1};
  std::string out;
  JsonLine json(out);
  json.open('{').key("type").value(std::string_view("record"));
  json.key("run").raw(run_line(unfinished));
  json.key("session").open('{').key("id_sha256").value(session.id_sha256);
  json.key("principal").value(session.principal).key("room").value(session.room);
  json.key("room_owner").value(session.room_owner).key("room_shared").value(session.room_shared);
  json.key("label").value(session.label).key("coalesce").value(session.coalesce);
  json.key("stop_pose").value(session.stop_pose).key("even").value(session.even);
  json.key("meets").value(session.meets);
  if (session.room_changes) json.key("room_changes").value(true);
  if (session.frame_seconds) json.key("frame_seconds").value(*session.frame_seconds);
  if (session.nearest > 0.0) {
    json.key("nearest").value(session.nearest);
    json.key("most_distances").value(std::uint64_t{session.most_distances});
  }
  if (session.lookahead > 0.0) json.key("lookahead").value(session.lookahead);
  if (session.tracker != TrackerPoses{}) write_tracker(session.tracker, json);
  json.key("part").value(session.part);
  json.key("step").value(session.step).close('}');
  json.close('}');
  out += '\n';
  return out;
}

Result<RecordHead> read_record_head(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line;
  if (!in) return base::file_error(file, "cannot be opened");
  if (!std::getline(in, line)) return base::file_error(file, "the file is empty");
  if (!std::string_view(line).starts_with(kPosesBegin)) {
    return base::file_error(file, "not a .poses file of a session");
  }
  if (!std::getline(in, line)) {
    return base::file_error(
        file,
        "says nothing about its check: it is cut off before its second line, or no session's");
  }
  try {
    return read_head(line);
  } catch (const Refused& refused) {
    return {ErrorCode::kInput, fmt::format("{}:2: {}", file.string(), refused.cause)};
  }
}

Result<Skeleton> read_record_skeleton(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text;
  for (int i = 0; i < 3; ++i) {
    std::string line;
    if (!std::getline(in, line) || in.eof()) return base::file_error(file, "has no whole pose");
    text += line + "\n";
  }
  const auto motion = parse_poses(text, file.string());
  if (!motion) return motion.error();
  return motion->skeleton();
}

bool is_poses(const std::filesystem::path& file) {
  std::error_code status;
  if (!std::filesystem::is_regular_file(file, status)) return false;
  std::ifstream in(file, std::ios::binary);
  std::string begin(kPosesBegin.size(), '\0');
  return in.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == kPosesBegin;
}

}  // namespace tocsin::io
