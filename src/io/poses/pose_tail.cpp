#include "io/poses/pose_tail.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
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

/// None are zeros: no count was above 0, or the record is of before they were written.
PoseCounts counts_in(const OrderedJson& json) {
  PoseCounts out{};
  if (!json.contains("counts")) return out;
  const OrderedJson& counts = list_in(json, "counts");
  if (counts.size() != out.size()) refuse_type("counts", "five numbers");
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<std::uint64_t>(to_count(counts[i], "counts"));
  }
  return out;
}

/// Joints that were held.
std::vector<std::uint32_t> joints_in(const OrderedJson& json, std::size_t joints) {
  std::vector<std::uint32_t> out;
  for (const OrderedJson& one : list_in(json, "held")) {
    const std::int64_t joint = to_count(one, "held");
    const bool in_order = out.empty() || joint > static_cast<std::int64_t>(out.back());
    if (!in_order || joint >= static_cast<std::int64_t>(joints)) {
      throw Refused{fmt::format("held: there is no joint {}, or not in its place", joint)};
    }
    out.push_back(static_cast<std::uint32_t>(joint));
  }
  return out;
}

/// Bytes of a pose's line at most: seven numbers a joint of 24 characters, its index among those
/// that were held, and 2,048 ranges of ids.
std::size_t longest_line(std::size_t joints) {
  constexpr std::size_t kRest = std::size_t{128} << 10U;
  return kRest + joints * (kPoseNumbers * 26 + 6);
}

/// `index`: the pose's number in the file.
RecordedPose read_pose(std::string_view line, std::size_t joints, std::int64_t index) {
  const OrderedJson json = parse_line(line);
  if (const std::int64_t found = count_in(json, "index"); found != index) {
    throw Refused{fmt::format("pose {} is missing: pose {} is in its place", index, found)};
  }
  RecordedPose out;
  out.local.resize(joints);
  // The numbers as the motion's reader takes them, to the bit.
  if (!read_usual_pose_line(line, out.tick, out.local)) throw Refused{"not a session's pose"};
  out.id = static_cast<std::uint64_t>(count_in(json, "id"));
  if (json.contains("time")) out.time = number_in(json, "time");
  out.skipped = ranges_in(json, "skipped");
  out.bad = ranges_in(json, "bad");
  out.counts = counts_in(json);
  if (json.contains("first_bad")) out.first_bad = text_in(json, "first_bad");
  if (json.contains("floats")) out.floats = flag_in(json, "floats");
  if (json.contains("linked_only")) out.linked_only = flag_in(json, "linked_only");
  if (json.contains("held")) out.held = joints_in(json, joints);
  return out;
}

std::int64_t index_of(std::string_view line) { return count_in(parse_line(line), "index"); }

/// The whole lines of poses of a file, one at a time, in a buffer of one.
class PoseLines {
 public:
  PoseLines(std::ifstream& in, std::size_t longest) : in_(in), line_(longest, '\0') {}

  /// Goes to the first line that begins at `at` or behind it.
  void seek(std::int64_t at) {
    in_.clear();
    in_.seekg(at > 0 ? at - 1 : 0);
    if (at > 0) skip_line();
  }
  /// The next one, valid until the next call; empty: there is none. What is no pose is passed over.
  std::string_view next() {
    while (in_.good()) {
      in_.getline(line_.data(), static_cast<std::streamsize>(line_.size()));
      const auto count = static_cast<std::size_t>(in_.gcount());
      if (in_.eof() || in_.bad() || count == 0) return {};  // at the end: without its newline
      const std::string_view line(line_.data(), count - (in_.fail() ? 0 : 1));
      const bool is_pose = line.starts_with(kPoseBegin);
      if (!in_.fail() && is_pose) return line;
      if (!in_.fail()) continue;
      if (is_pose) throw Refused{fmt::format("a pose's line of {} bytes or more", count)};
      in_.clear();
      skip_line();
    }
    return {};
  }

 private:
  void skip_line() { in_.ignore(std::numeric_limits<std::streamsize>::max(), '\n'); }

  std::ifstream& in_;
  std::string line_;
};

/// Where in a file the poses' lines are looked for: its last bytes, from 64 KiB to as many as the
/// poses that are asked for can have.
class Window {
 public:
  Window(std::int64_t size, std::int64_t most) : size_(size), most_(most) {}

  [[nodiscard]] std::int64_t begin() const { return std::max<std::int64_t>(size_ - bytes_, 0); }
  [[nodiscard]] bool may_grow() const { return bytes_ < std::min(size_, most_); }
  void grow() { bytes_ *= 4; }

 private:
  std::int64_t size_;
  std::int64_t most_;
  std::int64_t bytes_ = std::int64_t{1} << 16U;
};

std::string last_line(PoseLines& lines, Window window) {
  for (;; window.grow()) {
    lines.seek(window.begin());
    std::string last;
    for (auto line = lines.next(); !line.empty(); line = lines.next()) last = line;
    if (!last.empty()) return last;
    if (!window.may_grow()) throw Refused{"has no whole pose"};
  }
}

/// Goes to the line of pose `first`, or one before. If there is none, the next has another index.
void seek_pose(PoseLines& lines, Window window, std::int64_t first) {
  for (;; window.grow()) {
    lines.seek(window.begin());
    const std::string_view line = lines.next();
    const bool is_before = !line.empty() && index_of(line) <= first;
    if (is_before || !window.may_grow()) return lines.seek(window.begin());
  }
}

PoseTail read_tail(std::ifstream& in, std::size_t joints, std::int64_t first, std::size_t most) {
  if (first < 0) throw Refused{"has no poses of negative numbers"};
  in.seekg(0, std::ios::end);
  const std::size_t longest = longest_line(joints);
  const Window window(in.tellg(), static_cast<std::int64_t>((most + 1) * longest));
  PoseLines lines(in, longest);
  PoseTail out;
  const std::int64_t last = index_of(last_line(lines, window));
  out.poses = last + 1;
  if (last < first) return out;
  if (static_cast<std::uint64_t>(last - first) >= most) {
    throw Refused{fmt::format("has more than {} poses from number {} on", most, first)};
  }
  seek_pose(lines, window, first);
  std::string_view line = lines.next();
  while (!line.empty() && index_of(line) < first) line = lines.next();
  for (std::int64_t index = first; index <= last; ++index, line = lines.next()) {
    if (line.empty()) throw Refused{fmt::format("pose {} is missing", index)};
    out.last.push_back(read_pose(line, joints, index));
  }
  return out;
}

SceneMark last_mark(std::ifstream& in, std::size_t joints) {
  in.seekg(0, std::ios::end);
  const std::size_t longest = longest_line(joints);
  PoseLines lines(in, longest);
  const std::string last =
      last_line(lines, Window(in.tellg(), static_cast<std::int64_t>(2 * longest)));
  const OrderedJson json = parse_line(last);
  if (!json.contains("scene")) {
    throw Refused{
        "its last pose does not say how much of the .scene file belongs to it: an earlier Tocsin "
        "wrote it. The session's report (.jsonl), if there is one, names the file by its sha256: "
        "check that"};
  }
  const OrderedJson& mark = list_of(json, "scene", 2);
  if (!mark[1].is_string()) refuse_type("scene", "a number of bytes and their SHA-256");
  return {static_cast<std::uint64_t>(to_count(mark[0], "scene")), mark[1].get<std::string>()};
}

}  // namespace

Result<SceneMark> read_scene_mark(const std::filesystem::path& file, std::size_t joints) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return base::file_error(file, "cannot be opened");
  try {
    return last_mark(in, joints);
  } catch (const Refused& refused) {
    return base::file_error(file, refused.cause);
  }
}

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
