#include "service/records/past_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "base/text_file.h"
#include "io/avatar/load_avatar_model.h"
#include "io/poses/pose_tail.h"
#include "io/poses/record_head.h"

namespace tocsin::service {
namespace {

namespace fs = std::filesystem;

std::vector<IdRange> ranges_of(const std::vector<io::IdPair>& pairs) {
  std::vector<IdRange> out;
  for (const auto& [first, last] : pairs) out.push_back({first, last});
  return out;
}

/// Bytes of the client's own model and of the files that it names.
std::uint64_t bytes_of_model(const io::RecordHead& head, const fs::path& folder) {
  std::uint64_t out = 0;
  for (const io::InputRecord& input : head.run.inputs) {
    const bool shipped = io::embedded_avatar_model(input.file) != nullptr;
    if (input.role != "mesh" && (input.role != "avatar" || shipped)) continue;
    std::error_code none;
    const std::uint64_t bytes = fs::file_size(folder / input.file, none);
    if (!none) out += bytes;
  }
  return out;
}

/// The client's own model, with its meshes as they were.
Status set_model(const io::RecordHead& head, const fs::path& folder,
                 const io::InputRecord& recorded, PastSession& out) {
  const std::string file = (folder / fs::path(recorded.file).filename()).string();
  io::InputLog read;
  auto model = io::load_avatar_model(file, &read);
  if (!model) return model.error();
  RecordedModel kept;
  for (const io::InputRecord& input : head.run.inputs) {
    if (input.role == "mesh") kept.meshes.push_back(input);
  }
  std::erase_if(read, [](const io::InputRecord& input) { return input.role != "mesh"; });
  const auto same = [](const io::InputRecord& a, const io::InputRecord& b) {
    return a.sha256 == b.sha256;
  };
  if (!std::equal(read.begin(), read.end(), kept.meshes.begin(), kept.meshes.end(), same)) {
    return Error{ErrorCode::kInput, file + ": a mesh that it names has changed"};
  }
  out.options.model = std::move(model).value();
  out.options.avatar.model = "auto";
  if (kept.meshes.empty()) return Nothing{};
  auto text = base::read_file(file);
  if (!text) return text.error();
  kept.text = std::move(text).value();
  out.model = std::move(kept);
  return Nothing{};
}

/// As the client's were, with what "auto" was resolved to.
Status set_options(const io::RecordHead& head, const fs::path& folder, PastSession& past) {
  TrackOptions& out = past.options;
  const io::CheckOptions& run = head.run.options;
  out.environment = head.session.room;
  out.avatar = run.takes.front().avatar;
  out.spec = run.spec;
  out.coalesce = head.session.coalesce;
  out.stop_pose = head.session.stop_pose;
  out.nearest = head.session.nearest;
  out.most_distances = head.session.most_distances;
  out.lookahead = head.session.lookahead;
  out.tracker = head.session.tracker;
  if (head.session.even) out.frame_seconds = head.run.frame_time;
  if (head.session.meets) {
    out.meet = true;
    out.frame_seconds = head.session.frame_seconds;
  }
  out.label = head.session.label;
  for (const io::InputRecord& input : head.run.inputs) {
    if (input.role != "avatar" || io::embedded_avatar_model(input.file) != nullptr) continue;
    if (Status set = set_model(head, folder, input, past); !set) return set;
  }
  return Nothing{};
}

/// Where the rooms' files are, if this server keeps them itself.
void set_room(const io::RecordHead& head, const fs::path& folder, PastSession& out) {
  out.room = head.run.options.room;
  out.room_owner = head.session.room_owner;
  out.room_shared = head.session.room_shared;
  bool kept = true;
  for (const io::InputRecord& input : head.run.inputs) {
    if (input.role != "environment" && input.role != "buffer") continue;
    out.room_hashes.push_back(input.sha256);
    const fs::path file = fs::path(input.file).lexically_normal();
    kept = kept && file.is_relative() && !file.empty() && *file.begin() == "rooms";
    if (kept && input.role == "environment") out.room_files.push_back(folder / file);
  }
  if (!kept) out.room_files.clear();
}

/// Where a session that met others goes on. False: its record is of before 0.2.
bool set_meeting(const io::RecordHead& head, io::PoseTail& tail, const fs::path& file,
                 PastSession& out) {
  if (tail.last.empty()) return true;
  tail.last.resize(1);
  io::RecordedPose& pose = tail.last.front();
  if (!pose.time) return false;
  std::error_code error;
  const auto grew = fs::last_write_time(file, error);
  const std::chrono::duration<double> left = fs::file_time_type::clock::now() - grew;
  out.meeting = {static_cast<std::uint64_t>(pose.tick), head.run.frame_time,
                 error ? 0.0 : std::max(left.count(), 0.0)};
  pose.tick = *pose.time;
  return true;
}

void set_frames(const io::RecordHead& head, io::PoseTail tail, PastSession& out) {
  for (io::RecordedPose& pose : tail.last) {
    PastFrame& past = out.frames.emplace_back();
    past.frame = {pose.id, pose.tick, std::move(pose.local)};
    past.frame.floats = pose.floats;
    past.frame.linked_only = pose.linked_only;
    if (head.session.even) {
      past.frame.capture_time = static_cast<double>(pose.id) * head.run.frame_time;
    }
    past.skipped = ranges_of(pose.skipped);
    past.bad = ranges_of(pose.bad);
    past.counts = pose.counts;
    past.first_bad = std::move(pose.first_bad);
    past.held = std::move(pose.held);
  }
}

/// Reads what is asked. Errors name files.
Result<PastSession> read(const io::RecordHead& head, const fs::path& folder, const fs::path& file,
                         std::int64_t first, std::size_t most, PastSession out) {
  out.part = head.session.part;
  if (Status set = set_options(head, folder, out); !set) return set.error();
  set_room(head, folder, out);
  auto skeleton = io::read_record_skeleton(file);
  if (!skeleton) return skeleton.error();
  out.options.skeleton = std::move(skeleton).value();
  auto tail = io::read_pose_tail(file, out.options.skeleton.joints().size(), first, most);
  if (!tail) return tail.error();
  if (head.session.meets && !set_meeting(head, *tail, file, out)) {
    return Error{ErrorCode::kInput, fmt::format("{}: of before 0.2", file.string())};
  }
  set_frames(head, std::move(tail).value(), out);
  return out;
}

}  // namespace

bool belongs_to(const fs::path& folder, const std::string& stem, const std::string& id_sha256,
                const std::string& principal) {
  const auto head = io::read_record_head(folder / (stem + ".poses"));
  return head.ok() && head->session.id_sha256 == id_sha256 && head->session.principal == principal;
}

std::optional<PastSession> read_past_session(const RecordStore& records, const std::string& stem,
                                             std::uint64_t received, std::size_t most,
                                             Problem& problem, MemoryBudget* memory) {
  const fs::path file = records.folder() / (stem + ".poses");
  const auto head = io::read_record_head(file);
  if (!head) {
    problem = {Refusal::kNotFound, "the session cannot be taken over"};
    return std::nullopt;
  }
  if (head->session.room_changes) {
    problem = {Refusal::kNotFound,
               "the session was in a room that changes, which ended with its server"};
    return std::nullopt;
  }
  if (received < head->session.step) {
    problem = {Refusal::kOutOfRange,
               fmt::format("reports from {} on were asked for; the record begins with {}", received,
                           head->session.step)};
    return std::nullopt;
  }
  const auto first = static_cast<std::int64_t>(received - head->session.step);
  PastSession begun;
  const std::uint64_t bytes = bytes_of_model(*head, records.folder());
  if (memory != nullptr && bytes > 0) {
    begun.hold = memory->take(kReaderMemory * bytes);
    if (!begun.hold) {
      problem = {Refusal::kOverloaded,
                 "the server has no memory left for the session's avatar (--memory)"};
      return std::nullopt;
    }
  }
  auto out = read(*head, records.folder(), file, first, most, std::move(begun));
  if (!out) {
    problem = {Refusal::kOutOfRange,
               "the session's record does not hold what comes after the client's reports"};
    return std::nullopt;
  }
  if (out->frames.empty()) {
    problem = {Refusal::kOutOfRange,
               fmt::format("reports from {} on were asked for; the record ends before", received)};
    return std::nullopt;
  }
  return std::move(out).value();
}

}  // namespace tocsin::service
