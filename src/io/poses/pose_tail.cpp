#include "io/poses/pose_tail.h"

#include <fmt/format.h>

#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "base/text_file.h"
#include "io/poses/usual_pose_line.h"
#include "io/report/report_fields.h"

namespace tocsin::io {
namespace {

using namespace fields;

constexpr std::string_view kPoseBegin = R"({"type":"pose",)";

std::vector<IdPair> ranges_in(const OrderedJson& json, std::string_view name) {
  std::vector<IdPair> out;
  if (!json.contains(name)) return out;
  for (const OrderedJson& range : list_in(json, name)) {
    if (!range.is_array() || range.size() != 2) refuse_type(name, "pairs of ids");
    out.push_back({static_cast<std::uint64_t>(to_count(range[0], name)),
                   static_cast<std::uint64_t>(to_count(range[1], name))});
  }
  return out;
}

RecordedPose read_pose(std::string_view line, std::size_t joints) {
  RecordedPose out;
  out.local.resize(joints);
  // The numbers as the motion's reader takes them, to the bit.
  if (!read_usual_pose_line(line, out.tick, out.local)) throw Refused{"not a session's pose"};
  const OrderedJson json = parse_line(line);
  out.id = static_cast<std::uint64_t>(count_in(json, "id"));
  out.skipped = ranges_in(json, "skipped");
  out.bad = ranges_in(json, "bad");
  return out;
}

}  // namespace

Result<PoseTail> read_pose_tail(const std::filesystem::path& file, std::size_t joints,
                                std::int64_t first, std::size_t most) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return base::file_error(file, "cannot be opened");
  PoseTail out;
  std::string line;
  while (std::getline(in, line) && !in.eof()) {  // at the end: a line without its newline
    if (!std::string_view(line).starts_with(kPoseBegin)) continue;
    if (out.poses++ < first) continue;
    if (out.last.size() == most) {
      return base::file_error(file,
                              fmt::format("has more than {} poses from number {} on", most, first));
    }
    try {
      out.last.push_back(read_pose(line, joints));
    } catch (const Refused& refused) {
      return base::file_error(file, fmt::format("pose {}: {}", out.poses - 1, refused.cause));
    }
  }
  return out;
}

}  // namespace tocsin::io
