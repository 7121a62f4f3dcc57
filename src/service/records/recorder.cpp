#include "service/records/recorder.h"

#include <fmt/format.h>

#include <new>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/appended_file.h"
#include "base/output_file.h"
#include "base/sha256.h"
#include "io/avatar/avatar_json.h"
#include "io/avatar/bound_model.h"
#include "io/avatar/load_avatar_model.h"
#include "io/poses/poses.h"
#include "io/report/report.h"
#include "service/records/scene_file.h"
#include "tocsin/binding.h"

namespace tocsin::service {
namespace {

namespace fs = std::filesystem;

/// Where the motion came from, for people.
std::string source_text(const Room& room, const TrackOptions& options) {
  return fmt::format("tocsin serve, room {}{}{}{}", room.name,
                     options.meet ? ", at the ticks of its meeting" : "",
                     options.label.empty() ? "" : ": ", options.label);
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
io::CheckOptions report_options(const TrackOptions& options, const Avatar& avatar,
                                const Room& room) {
  io::CheckOptions out;
  out.takes.front().avatar = options.avatar;
  out.takes.front().avatar.radii = {false, avatar.radius_factor()};
  out.room = room.options;
  out.spec = options.spec;
  out.threads = 1;
  return out;
}

Error no_memory(const fs::path& file) {
  return {ErrorCode::kResource, fmt::format("cannot write {}: out of memory", file.string())};
}

std::vector<io::IdPair> pairs_of(std::span<const IdRange> ranges) {
  std::vector<io::IdPair> out;
  for (const IdRange& range : ranges) out.push_back({range.first, range.last});
  return out;
}

class FileRecorder final : public Recorder {
 public:
  using Recorder::pose;

  FileRecorder(fs::path folder, std::string stem, const TrackOptions& options, const Avatar& avatar,
               const Room& room, io::SessionHead session, std::shared_ptr<RecordStore> store)
      : folder_(std::move(folder)),
        stem_(std::move(stem)),
        session_(std::move(session)),
        store_(std::move(store)),
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
    session_.room = room.name;
    session_.room_owner = room.owner;
    session_.room_shared = !room.shares.empty();
    session_.label = options.label;
    session_.coalesce = options.coalesce;
    session_.stop_pose = options.stop_pose;
    session_.nearest = options.nearest;
    session_.most_distances = options.most_distances;
    session_.lookahead = options.lookahead;
    session_.tracker = options.tracker;
    session_.even = options.frame_seconds.has_value() && !options.meet;
    session_.meets = options.meet;
    session_.room_changes = room.scene != nullptr;
    scene_ = room.scene;
  }

  ~FileRecorder() override {
    // The record before has the poses of a take-over that failed.
    if (poses_count_ == 0 || (session_.part > 1 && !offered_)) remove_files();
  }

  Status open(const TrackOptions& options, const Avatar& avatar, const Room& room,
              const KeptModel& model, const SceneState* first) {
    if (Status may = may_write(); !may) return may;
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) {
      return {ErrorCode::kResource,
              fmt::format("cannot make the folder {}: {}", folder_.string(), error.message())};
    }
    if (Status opened = poses_.open(path(".poses")); !opened) return opened;
    made_ = true;
    if (store_ && store_->sync() != nullptr) {
      synced_ = std::make_shared<SyncedFile>(path(".poses"));
    }
    if (Status kept = keep_avatar(options, avatar, model); !kept) return kept;
    for (io::InputRecord& input : room_inputs(room, folder_)) {
      run_.inputs.push_back(std::move(input));
    }
    if (Status opened = lines_.open(path(".lines")); !opened) return opened;
    const std::string header =
        io::poses_header(options.skeleton, run_.frame_time, source_text(room, options)) +
        io::record_line(run_, session_);
    if (Status wrote = poses_.write(header); !wrote) return wrote;
    hash_.update(header);
    if (scene_) {
      scene_file_.emplace(path(".scene"), store_, synced_ != nullptr);
      if (Status begun = scene_file_->begin(first); !begun) return begun;
    }
    return poses_.flush();
  }

  Status room(const detect::SceneNews& news) override {
    if (failed_ever_) return *failed_ever_;
    Status wrote = scene_file_->add(news, poses_count_ - 1);
    if (!wrote) {
      failed_ever_ = wrote.error();
      if (offered_) store_->forget(session_.id_sha256, stem_);
    }
    return wrote;
  }

  Status pose(const TrackFrame& frame, double tick, const PassedOver& passed) override {
    Status wrote = failed_ever_ ? Status(*failed_ever_) : write_pose(frame, tick, passed);
    if (wrote || failed_ever_) return wrote;
    failed_ever_ = wrote.error();
    // Poses are missing from now on: nobody must go on from here.
    if (offered_) store_->forget(session_.id_sha256, stem_);
    return wrote;
  }

  Status write_pose(const TrackFrame& frame, double tick, const PassedOver& passed) {
    if (Status may = may_write(); !may) return may;
    const std::vector<io::IdPair> skipped = pairs_of(passed.skipped);
    const std::vector<io::IdPair> bad = pairs_of(passed.bad);
    const std::string line =
        io::pose_line(frame.pose, tick, frame.id,
                      {poses_count_, skipped, bad, passed.counts, passed.first_bad,
                       session_.meets ? std::optional(frame.capture_time) : std::nullopt,
                       scene_file_ ? &scene_file_->mark() : nullptr, frame.floats,
                       frame.linked_only, passed.held});
    if (Status wrote = poses_.write(line); !wrote) return wrote;
    // Its report may reach the client now, so the end of this process must not lose it.
    if (Status flushed = poses_.flush(); !flushed) return flushed;
    hash_.update(line);
    poses_count_ += 1;
    if (!store_) return Nothing{};
    store_->grew(line.size());
    return poses_count_ == 1 && session_.part == 1 ? offer() : Nothing{};
  }

  [[nodiscard]] bool syncs() const override { return synced_ != nullptr; }

  void sync(RecordSync::Done done) override {
    if (synced_) store_->sync()->add(synced_, std::move(done));
  }

  void give_up() override {
    if (!failed_ever_) failed_ever_ = Error{ErrorCode::kResource, "the record was given up"};
    if (offered_) store_->forget(session_.id_sha256, stem_);
  }

  Status offer() override {
    if (failed_ever_) return *failed_ever_;
    if (!store_ || session_.id_sha256.empty()) return Nothing{};
    offered_ = true;
    return store_->enter(session_.id_sha256, stem_);
  }

  Status step(const Step& step, const StepReport& report) override {
    if (scene_) writer_.add_objects(scene_->names_from(writer_.object_count()));
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
  [[nodiscard]] Status may_write() const { return store_ ? store_->may_write() : Nothing{}; }
  [[nodiscard]] std::string name(std::string_view ending) const {
    return fmt::format("{}{}", stem_, ending);
  }
  [[nodiscard]] fs::path path(std::string_view ending) const { return folder_ / name(ending); }

  void remove_files() {
    if (!std::exchange(made_, false)) return;
    std::error_code ignored;
    fs::remove(path(".poses"), ignored);
    fs::remove(path(".lines"), ignored);
    if (scene_) fs::remove(path(".scene"), ignored);
    if (own_model_) fs::remove(path(".avatar.json"), ignored);
  }

  /// Stores the avatar's model as an input.
  Status keep_avatar(const TrackOptions& options, const Avatar& avatar, const KeptModel& model) {
    std::string& chosen = run_.options.takes.front().avatar.model;
    if (options.model) {
      chosen = name(".avatar.json");
      return keep_model(*options.model, options.shapes, model);
    }
    if (options.avatar.model == "auto") chosen = avatar.name();
    const auto* const shipped = io::embedded_avatar_model(chosen);
    if (shipped != nullptr && !bound_by_shape(chosen, avatar)) {
      run_.inputs.push_back(io::shipped_input(*shipped));
      return Nothing{};
    }
    return keep_bound(avatar, shipped == nullptr);
  }

  /// By shape, or one link per bone: a record has frames, which could bind it otherwise. So the
  /// links are kept as they are.
  Status keep_bound(const Avatar& avatar, bool per_bone) {
    AvatarSpec& spec = run_.options.takes.front().avatar;
    const Status kept = keep_model(io::bound_model(avatar));
    if (kept) {
      spec.model = name(".avatar.json");
      spec.radii = {};  // they are in the model
      return kept;
    }
    if (!per_bone || own_model_) return kept;
    // The file's limits are narrower than those of bones. "auto" in a report is one link per bone.
    spec.model = "auto";
    return Nothing{};
  }

  static bool bound_by_shape(const std::string& shipped, const Avatar& avatar) {
    const auto& model = *io::shipped_avatar_model(shipped);
    if (!model.ok()) return false;
    const auto bound = bind_avatar(*model, avatar.skeleton());
    return bound.ok() && bound->binding.by == BoundBy::kShape;
  }

  Status keep_model(const AvatarModel& model, std::span<const LoadedShape> shapes = {},
                    const KeptModel& kept = {}) {
    auto written = record_model(model, shapes, kept, folder_, name(".avatar.json"));
    if (!written) return written.error();
    const std::string file = path(".avatar.json").string();
    base::OutputFile out;
    if (Status opened = out.open(file); !opened) return opened;
    own_model_ = true;
    if (!out.write(written->text)) return out.error();
    run_.inputs.push_back({"avatar", name(".avatar.json"), base::sha256_hex(written->text)});
    for (io::InputRecord& mesh : written->meshes) run_.inputs.push_back(std::move(mesh));
    return out.finish();
  }

  /// A line of the report: kept for later, or, at the end, written.
  bool take_line(std::string_view line) {
    if (report_ != nullptr) return report_->write(line);
    failed_ = lines_.write(line);
    return failed_.ok();
  }

  /// The report is a copy of its lines, which are there until it is.
  Status may_copy_lines() {
    if (!store_) return Nothing{};
    if (Status flushed = lines_.flush(); !flushed) return flushed;
    std::error_code gone;
    const std::uint64_t bytes = fs::file_size(path(".lines"), gone);
    return gone ? Status(Nothing{}) : std::as_const(*store_).may_write(bytes);
  }

  Status write_report() {
    if (in_step_) {
      return {ErrorCode::kResource, fmt::format("cannot write {}: the lines of a step are missing",
                                                path(".jsonl").string())};
    }
    if (Status may = may_copy_lines(); !may) return may;
    if (scene_) {
      auto hash = base::sha256_file(path(".scene"));
      if (!hash) return hash.error();
      run_.inputs.push_back({"scene", name(".scene"), std::move(hash).value()});
    }
    run_.inputs.insert(run_.inputs.begin(), {"motion", name(".poses"), hash_.finish()});
    run_.frames = poses_count_;
    run_.options.takes.front().frames = {0, writer_.tally().steps, 1};
    run_.options.out = name(".jsonl");
    base::OutputFile out;
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
    Status finished = out.finish();
    std::error_code ignored;
    if (finished) fs::remove(path(".lines"), ignored);
    return finished;
  }

  fs::path folder_;
  std::string stem_;
  io::SessionHead session_;
  std::shared_ptr<RecordStore> store_;            ///< null: no limits
  std::optional<Error> failed_ever_;              ///< of the poses
  std::shared_ptr<SyncedFile> synced_;            ///< of the poses; null: they are not synced
  std::shared_ptr<detect::SceneVersions> scene_;  ///< null: the room never changes
  std::optional<SceneFile> scene_file_;           ///< of a room that changes
  base::AppendedFile poses_;
  base::AppendedFile lines_;  ///< of the report, without the first and the last
  base::Sha256 hash_;         ///< of the poses' file
  io::RunRecord run_;
  io::ReportWriter writer_;
  base::OutputFile* report_ = nullptr;  ///< target of the lines at the end
  Status failed_ = Nothing{};
  std::int64_t poses_count_ = 0;
  bool in_step_ = false;  ///< or a step failed: some of its lines may be missing
  bool made_ = false;
  bool offered_ = false;  ///< the store has the session's entry from here
  bool own_model_ = false;
};

}  // namespace

Result<std::unique_ptr<Recorder>> Recorder::create(
    const fs::path& folder, const std::string& stem, const TrackOptions& options,
    const Avatar& avatar, const Room& room, io::SessionHead session,
    std::shared_ptr<RecordStore> store, const KeptModel& model, const SceneState* first) {
  try {
    auto recorder = std::make_unique<FileRecorder>(folder, stem, options, avatar, room,
                                                   std::move(session), std::move(store));
    if (Status opened = recorder->open(options, avatar, room, model, first); !opened)
      return opened.error();
    return std::unique_ptr<Recorder>(std::move(recorder));
  } catch (const std::bad_alloc&) {
    return no_memory(folder / stem);
  }
}

}  // namespace tocsin::service
