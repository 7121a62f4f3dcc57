#include "io/poses/pose_tail.h"

#include <fmt/format.h>

#include <algorithm>
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

std::int64_t index_of(std::string_view line) { return count_in(parse_line(line), "index"); }

/// The whole lines of poses in the file's bytes from `begin` on. A line that began before is not
/// whole, unless it begins there.
std::vector<std::string> lines_from(std::ifstream& in, std::int64_t begin) {
  in.clear();
  in.seekg(begin > 0 ? begin - 1 : 0);
  std::string line;
  if (begin > 0) std::getline(in, line);
  std::vector<std::string> out;
  while (std::getline(in, line) && !in.eof()) {  // at the end: a line without its newline
    if (std::string_view(line).starts_with(kPoseBegin)) out.push_back(std::move(line));
  }
  return out;
}

PoseTail read_tail(std::ifstream& in, std::size_t joints, std::int64_t first, std::size_t most) {
  in.seekg(0, std::ios::end);
  const std::int64_t size = in.tellg();
  std::int64_t bytes = std::int64_t{1} << 16U;
  std::vector<std::string> lines;
  do {
    lines = lines_from(in, std::max<std::int64_t>(size - bytes, 0));
    bytes *= 4;
  } while (bytes / 4 < size && (lines.empty() || index_of(lines.front()) > first));
  PoseTail out;
  if (lines.empty()) throw Refused{"has no whole pose"};
  out.poses = index_of(lines.back()) + 1;
  for (const std::string& line : lines) {
    if (index_of(line) < first) continue;
    if (out.last.size() == most) {
      throw Refused{fmt::format("has more than {} poses from number {} on", most, first)};
    }
    out.last.push_back(read_pose(line, joints));
  }
  return out;
}

}  // namespace

Result<PoseTail> read_pose_tail(const std::filesystem::path& file, std::size_t joints,
                                std::int64_t first, std::size_t most) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return base::file_error(file, "cannot be opened");
  try {
    return read_tail(in, joints, first, most);
  } catch (const Refused& refused) {
    return base::file_error(file, refused.cause);
  }
}

}  // namespace tocsin::io
