#include "service/recorder.h"

#include <fmt/format.h>

#include <new>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "io/avatar_json.h"
#include "io/embedded_avatar_models.h"
#include "io/output_file.h"
#include "io/poses.h"
#include "io/report.h"
#include "io/sha256.h"
#include "service/appended_file.h"

namespace tocsin::service {
namespace {

namespace fs = std::filesystem;

/// Where the motion came from, for people.
std::string source_text(const Room& room, const TrackOptions& options) {
  return fmt::format("tocsin serve, room {}{}{}{}", room.name,
                     options.meet ? ", at the ticks of its meeting" : "",
                     options.label.empty() ? "" : ": ", options.label);
}

/// How a record names a room's file: by its place in the folder of records, so that the folder may
/// be moved, or else from the root.
std::string input_name(const RoomFile& file, const fs::path& folder) {
  if (file.stored.empty()) return file.shown;
  std::error_code error;
  const fs::path whole = fs::absolute(file.stored, error).lexically_normal();
  const fs::path inside = whole.lexically_relative(fs::absolute(folder, error).lexically_normal());
  const bool is_inside = !inside.empty() && *inside.begin() != "..";
  return (is_inside ? inside : whole).string();
}

std::vector<io::InputRecord> room_inputs(const Room& room, const fs::path& folder) {
  std::vector<io::InputRecord> out;
  for (const RoomFile& file : room.files) {
    out.push_back(
        {file.referenced ? "buffer" : "environment", input_name(file, folder), file.sha256});
  }
  return out;
}

/// As `tocsin check` would have resolved them.
io::ReportOptions report_options(const TrackOptions& options, const Avatar& avatar,
                                 const Room& room) {
  io::ReportOptions out;
  out.avatar = options.avatar;
  out.scale_radii = avatar.radius_factor();
  out.env_up = room.options.up;
  out.env_scale = room.options.scale;
  out.place = options.place;
  out.in_between = options.in_between;
  out.margin = options.margin;
  out.ignore = options.ignore;
  out.contacts = options.contacts;
  out.clearance = options.clearance;
  out.tolerance = options.tolerance;
  out.self = options.self;
  return out;
}

Error no_memory(const fs::path& file) {
  return {ErrorCode::kResource, fmt::format("cannot write {}: out of memory", file.string())};
}

/// The model without names for joints that no link has: they bind nothing, and model files may not
/// have them.
AvatarModel without_idle_names(AvatarModel model) {
  std::set<std::string_view> used;
  for (const LinkModel& link : model.links) {
    used.insert({link.joint, link.a.joint, link.b.joint, link.a.beyond, link.b.beyond});
  }
  const auto is_idle = [&used](const auto& names) { return used.count(names.first) == 0; };
  std::erase_if(model.aliases, is_idle);
  for (NamingScheme& scheme : model.schemes) std::erase_if(scheme.joints, is_idle);
  return model;
}

class FileRecorder final : public Recorder {
 public:
  FileRecorder(fs::path folder, std::string stem, const TrackOptions& options, const Avatar& avatar,
               const Room& room)
      : folder_(std::move(folder)),
        stem_(std::move(stem)),
        writer_(
            io::link_names(avatar), io::object_names(room.environment),
            [this](std::string_view line) { return take_line(line); },
            // A session may have no end.
            io::EpisodeTracker::Keep::kCount) {
    const EnvironmentInfo now = room.info();
    run_.backend = now.backend;
    run_.device = now.device;
    run_.options = report_options(options, avatar, room);
    run_.frame_time = options.frame_seconds.value_or(1.0);
    run_.links = io::link_names(avatar);
    run_.objects = room.environment.objects().size();
    run_.triangles = room.environment.triangles().size();
  }

  ~FileRecorder() override {
    if (poses_count_ == 0) remove_files();
  }

  Status open(const TrackOptions& options, const Avatar& avatar, const Room& room) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) {
      return {ErrorCode::kResource,
              fmt::format("cannot make the folder {}: {}", folder_.string(), error.message())};
    }
    if (Status opened = poses_.open(path(".poses")); !opened) return opened;
    made_ = true;
    run_.inputs.push_back({"motion", name(".poses"), {}});
    if (Status kept = keep_avatar(options, avatar); !kept) return kept;
    for (io::InputRecord& input : room_inputs(room, folder_)) {
      run_.inputs.push_back(std::move(input));
    }
    // Gone from the folder at once, so that a crash leaves nothing of it.
    const fs::path lines = path(".lines");
    if (Status opened = lines_.open(lines); !opened) return opened;
    fs::remove(lines, error);
    const std::string header =
        io::poses_header(options.skeleton, run_.frame_time, source_text(room, options));
    if (Status wrote = poses_.write(header); !wrote) return wrote;
    hash_.update(header);
    return poses_.flush();
  }

  Status pose(const TrackFrame& frame, double tick) override {
    const std::string line = io::pose_line(frame.pose, tick, frame.id);
    if (Status wrote = poses_.write(line); !wrote) return wrote;
    hash_.update(line);
    poses_count_ += 1;
    return Nothing{};
  }

  Status step(const Step& step, const StepReport& report) override {
    const auto [first, last] = step.frames();
    if (first == last) return Nothing{};
    const std::int64_t next = writer_.tally().steps;
    if (first != next || last != next + 1) {
      return {ErrorCode::kUsage,
              fmt::format("a record was given the step from frame {} to {}, not from {} to {}",
                          first, last, next, next + 1)};
    }
    in_step_ = true;
    if (!writer_.step(step, report)) return failed_;
    in_step_ = false;
    return Nothing{};
  }

  Status finish() override {
    if (poses_count_ == 0) {
      remove_files();
      return Nothing{};
    }
    try {
      const std::string end = io::poses_end(poses_count_);
      Status ended = poses_.write(end);
      hash_.update(end);
      if (ended) ended = poses_.flush();
      if (ended) ended = poses_.close();
      return ended ? write_report() : ended;
    } catch (const std::bad_alloc&) {
      return no_memory(path(".jsonl"));
    }
  }

  [[nodiscard]] std::string shown() const override {
    return made_ ? path(".poses").string() : std::string();
  }

 private:
  [[nodiscard]] std::string name(std::string_view ending) const {
    return fmt::format("{}{}", stem_, ending);
  }
  [[nodiscard]] fs::path path(std::string_view ending) const { return folder_ / name(ending); }

  void remove_files() {
    if (!std::exchange(made_, false)) return;
    std::error_code ignored;
    fs::remove(path(".poses"), ignored);
    if (own_model_) fs::remove(path(".avatar.json"), ignored);
  }

  /// The model that the avatar was made of, as an input; none if it has one link per bone.
  Status keep_avatar(const TrackOptions& options, const Avatar& avatar) {
    std::string& chosen = run_.options.avatar;
    if (options.model) {
      chosen = name(".avatar.json");
      return keep_model(*options.model);
    }
    if (options.avatar == "auto") chosen = avatar.name();
    for (const io::EmbeddedAvatarModel& model : io::embedded_avatar_models()) {
      if (model.name != chosen) continue;
      run_.inputs.push_back({"avatar", chosen, io::sha256_hex(model.text)});
      return Nothing{};
    }
    chosen = "auto";
    return Nothing{};
  }

  Status keep_model(const AvatarModel& model) {
    const std::string text = io::avatar_model_text(without_idle_names(model));
    const std::string file = path(".avatar.json").string();
    // Bounds of the format that binding does not have: better said now than by who reads it.
    const auto sound = io::parse_avatar_model(text, name(".avatar.json"));
    if (!sound.ok()) {
      return {ErrorCode::kInput,
              fmt::format("the avatar model cannot be recorded: {}", sound.error().message)};
    }
    io::OutputFile out;
    if (Status opened = out.open(file); !opened) return opened;
    own_model_ = true;
    if (!out.write(text)) return out.error();
    run_.inputs.push_back({"avatar", name(".avatar.json"), io::sha256_hex(text)});
    return out.finish();
  }

  /// A line of the report: kept for later, or, at the end, written.
  bool take_line(std::string_view line) {
    if (report_ != nullptr) return report_->write(line);
    failed_ = lines_.write(line);
    return failed_.ok();
  }

  Status write_report() {
    if (in_step_) {
      return {ErrorCode::kResource, fmt::format("cannot write {}: the lines of a step are missing",
                                                path(".jsonl").string())};
    }
    run_.inputs.front().sha256 = hash_.finish();
    run_.frames = poses_count_;
    run_.options.frames = {0, writer_.tally().steps, 1};
    run_.options.out = name(".jsonl");
    io::OutputFile out;
    if (Status opened = out.open(path(".jsonl").string()); !opened) return opened;
    report_ = &out;
    bool written = writer_.run(run_);
    Status copied = lines_.read_back([&](std::string_view bytes) {
      written = written && out.write(bytes);
      return written;
    });
    if (!copied) return copied;
    if (!written || !writer_.summary({})) return out.error();
    report_ = nullptr;
    return out.finish();
  }

  fs::path folder_;
  std::string stem_;
  AppendedFile poses_;
  AppendedFile lines_;  ///< of the report, but the first and the last
  io::Sha256 hash_;     ///< of the poses' file
  io::RunRecord run_;
  io::ReportWriter writer_;
  io::OutputFile* report_ = nullptr;  ///< where lines go at the end
  Status failed_ = Nothing{};
  std::int64_t poses_count_ = 0;
  bool in_step_ = false;  ///< or one failed: some of its lines may be missing
  bool made_ = false;
  bool own_model_ = false;
};

}  // namespace

Result<std::unique_ptr<Recorder>> Recorder::create(const fs::path& folder, const std::string& stem,
                                                   const TrackOptions& options,
                                                   const Avatar& avatar, const Room& room) {
  try {
    auto recorder = std::make_unique<FileRecorder>(folder, stem, options, avatar, room);
    if (Status opened = recorder->open(options, avatar, room); !opened) return opened.error();
    return std::unique_ptr<Recorder>(std::move(recorder));
  } catch (const std::bad_alloc&) {
    return no_memory(folder / stem);
  }
}

}  // namespace tocsin::service
