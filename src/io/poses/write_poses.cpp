// Writing .poses files, whole or line by line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <utility>

#include "base/json_text.h"
#include "base/output_file.h"
#include "io/poses/poses.h"

namespace tocsin::io {
namespace {

/// w, x, y, z, tx, ty, tz; no bracket around them.
void append_transform(std::string& out, const Transform& t) {
  const Quat& q = t.rotation;
  const Vec3& p = t.translation;
  const char* before = "";
  for (const double number : {q.w, q.x, q.y, q.z, p.x, p.y, p.z}) {
    out += std::exchange(before, ",");
    base::append_json(out, number);
  }
}

/// A member, unless there are none.
void append_ranges(std::string& out, std::string_view name, std::span<const IdPair> ranges) {
  if (ranges.empty()) return;
  out += fmt::format(",\"{}\":[", name);
  const char* before = "";
  for (const auto& [first, last] : ranges) {
    out += fmt::format("{}[{},{}]", std::exchange(before, ","), first, last);
  }
  out += ']';
}

/// What had to be mended, for a person.
SaveNotes notes_of(const Skeleton& skeleton) {
  std::size_t mended = 0;
  for (const Joint& joint : skeleton.joints()) mended += base::valid_utf8(joint.name) != joint.name;
  SaveNotes notes;
  if (mended > 0) {
    notes.warnings.push_back(
        fmt::format("the names of {} joints are not UTF-8 and were mended", mended));
  }
  return notes;
}

}  // namespace

std::string poses_header(const Skeleton& skeleton, double frame_time, std::string_view source) {
  std::string out = R"({"type":"motion","format":"tocsin.poses.v1","frame_time":)";
  base::append_json(out, frame_time);
  out += ",\"joints\":[";
  const char* before = "";
  for (const Joint& joint : skeleton.joints()) {
    out += std::exchange(before, ",");
    out += "{\"name\":";
    base::append_json(out, std::string_view(joint.name));
    out += ",\"parent\":";
    base::append_json(out, std::int64_t{joint.parent});
    out += ",\"rest\":[";
    append_transform(out, joint.rest);
    out += "]}";
  }
  out += "],\"source\":";
  base::append_json(out, source);
  out += "}\n";
  return out;
}

std::string pose_line(std::span<const Transform> local, double tick,
                      std::optional<std::uint64_t> id, const PoseNotes& notes) {
  std::string out = R"({"type":"pose","tick":)";
  // A number in seven is a zero or short; the others take some 19 bytes.
  out.reserve(64 + local.size() * 128);
  base::append_json(out, tick);
  if (id) {
    out += ",\"id\":";
    base::append_json(out, *id);
  }
  if (notes.index) {
    out += ",\"index\":";
    base::append_json(out, *notes.index);
  }
  if (notes.time) {
    out += ",\"time\":";
    base::append_json(out, *notes.time);
  }
  append_ranges(out, "skipped", notes.skipped);
  append_ranges(out, "bad", notes.bad);
  if (notes.counts != PoseCounts{}) {
    const char* before_count = ",\"counts\":[";
    for (const std::uint64_t count : notes.counts) {
      out += std::exchange(before_count, ",");
      base::append_json(out, count);
    }
    out += ']';
  }
  if (!notes.first_bad.empty()) {
    out += ",\"first_bad\":";
    base::append_json(out, notes.first_bad);
  }
  if (notes.scene != nullptr) {
    out += fmt::format(",\"scene\":[{},\"{}\"]", notes.scene->bytes, notes.scene->sha256);
  }
  if (notes.floats) out += ",\"floats\":true";
  if (notes.linked_only) out += ",\"linked_only\":true";
  if (!notes.held.empty()) out += fmt::format(",\"held\":[{}]", fmt::join(notes.held, ","));
  out += ",\"local\":[";
  const char* before = "";
  for (const Transform& transform : local) {
    out += std::exchange(before, ",");
    append_transform(out, transform);
  }
  out += "]}\n";
  return out;
}

std::string poses_end(std::int64_t poses) {
  std::string out = R"({"type":"end","poses":)";
  base::append_json(out, poses);
  out += "}\n";
  return out;
}

Result<SaveNotes> save_poses(const Motion& motion, const std::filesystem::path& file) {
  if (motion.frame_count() == 0) {
    return {ErrorCode::kInput, fmt::format("{}: an empty motion cannot be written", file.string())};
  }
  base::OutputFile out;
  if (Status opened = out.open(file.string()); !opened.ok()) return opened.error();
  const std::string source = std::filesystem::path(motion.source().file).filename().string();
  bool written = out.write(poses_header(motion.skeleton(), motion.frame_time(), source));
  const std::span<const double> ticks = motion.ticks();
  for (std::int64_t frame = 0; written && frame < motion.frame_count(); ++frame) {
    const double tick =
        ticks.empty() ? static_cast<double>(frame) : ticks[static_cast<std::size_t>(frame)];
    written = out.write(pose_line(motion.pose(frame), tick, std::nullopt));
  }
  if (!written || !out.write(poses_end(motion.frame_count()))) return out.error();
  if (Status finished = out.finish(); !finished.ok()) return finished.error();
  return notes_of(motion.skeleton());
}

}  // namespace tocsin::io
