// Records made from live steps, without a session's network and threads, and what the command finds
// of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "cli/command.h"
#include "service/records/recorder.h"
#include "support/places.h"
#include "tocsin/io.h"
#include "tocsin/live_motion.h"

namespace tocsin::test::records {

namespace fs = std::filesystem;
using service::Recorder;
using service::Room;
using Json = nlohmann::json;

inline const std::string kRoom = source_dir() + "/environments/music_room.obj";
inline const std::string kTake = source_dir() + "/motions/walk_and_reach.bvh";
inline constexpr double kFrameTime = 1.0 / 30;

inline const Motion& take() {
  static const Motion kMotion = load_motion(kTake).value();
  return kMotion;
}

inline std::unique_ptr<Room> room_of(const std::vector<std::string>& files,
                                     const EnvironmentOptions& options = {}) {
  std::vector<Environment> parts;
  parts.reserve(files.size());
  for (const std::string& file : files) parts.push_back(load_environment(file, options).value());
  Environment merged = Environment::merge(parts).value();
  auto room = std::make_unique<Room>("music", merged,
                                     Detector::make(merged, {.backend = Backend::kCpu}).value());
  room->options = options;
  for (const std::string& file : files) {
    const auto hash = base::sha256_file(file);
    EXPECT_TRUE(hash.ok());
    room->files.push_back({fs::path(file).filename().string(), file, hash.value()});
  }
  return room;
}

inline TrackOptions options_of(const Motion& motion) {
  TrackOptions options;
  options.skeleton = motion.skeleton();
  return options;
}

inline Avatar bound(const TrackOptions& options, const Skeleton& placed) {
  if (options.model) return Avatar::bind(*options.model, placed, options.avatar.radii).value();
  if (options.avatar.model == "auto") return choose_avatar(placed, options.avatar.radii).value();
  return Avatar::bind(*load_avatar_model(options.avatar.model), placed, options.avatar.radii)
      .value();
}

/// A session, but for its network and threads.
class Live {
 public:
  Live(const fs::path& folder, const TrackOptions& options, const Room& room,
       std::shared_ptr<service::RecordStore> store = nullptr)
      : options_(options),
        motion_(LiveMotion::create(options.skeleton, options.avatar.place,
                                   options.frame_seconds.value_or(1.0))
                    .value()),
        avatar_(bound(options, motion_.skeleton())),
        detector_(room.detector.with_options(detector_options(options.spec)).value()),
        active_(ActivePairs::ignoring(avatar_, room.environment, options.spec.ignore).value()) {
    EXPECT_FALSE(avatar_.links().empty());
    auto made = Recorder::create(folder, "walk", options, avatar_, room, {}, std::move(store));
    EXPECT_TRUE(made.ok()) << made.error().message;
    recorder_ = std::move(made).value();
  }

  /// Covers a pose. The status is the recorder's.
  Status cover(std::vector<Transform> pose, std::uint64_t id, double tick) {
    std::vector<Transform> taken = pose;
    EXPECT_TRUE(motion_.take(taken).ok());
    const Result<Step> step = motion_.next(std::move(taken), tick, options_.spec.in_between);
    EXPECT_TRUE(step.ok()) << step.error().message;
    const StepReport report = detector_.check({avatar_, active_}, *step);
    EXPECT_FALSE(report.error);
    if (Status kept = recorder_->pose({id, tick, std::move(pose)}, tick); !kept) return kept;
    return recorder_->step(*step, report);
  }

  Recorder& recorder() { return *recorder_; }

 private:
  TrackOptions options_;
  LiveMotion motion_;
  Avatar avatar_;
  Detector detector_;
  ActivePairs active_;
  std::unique_ptr<Recorder> recorder_;
};

inline std::vector<Transform> pose_of(std::int64_t frame) {
  const auto pose = take().pose(frame);
  return {pose.begin(), pose.end()};
}

/// The whole take as a file's client sends it: frame k at k.
inline void record_evenly(const fs::path& folder, TrackOptions options, const Room& room) {
  options.frame_seconds = take().frame_time();
  Live live(folder, options, room);
  for (std::int64_t k = 0; k < take().frame_count(); ++k) {
    ASSERT_TRUE(live.cover(pose_of(k), static_cast<std::uint64_t>(k), static_cast<double>(k)).ok());
  }
  const Status done = live.recorder().finish();
  EXPECT_TRUE(done.ok()) << done.error().message;
}

inline std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    out.push_back(entry.path().filename().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

inline Json summary_of(const std::string& report) {
  return Json::parse(lines_of_type(report, "summary").at(0));
}

inline Json run_of(const std::string& report) {
  return Json::parse(lines_of_type(report, "run").at(0));
}

/// The report that the command writes.
inline std::string checked(std::vector<std::string> arguments, const std::string& folder = {}) {
  arguments.insert(arguments.begin(), "check");
  arguments.insert(arguments.end(), {"--out", "-"});
  const CommandResult result = run_tocsin(arguments, folder);
  EXPECT_EQ(result.status, 0) << result.err;
  return result.out;
}

/// The record holds what the command finds of its motion, line for line, and is confirmed.
inline void expect_confirmed(const fs::path& folder, const std::vector<std::string>& arguments) {
  std::vector<std::string> all{(folder / "walk.poses").string()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const std::string again = checked(all);
  const std::string record = bytes_of(folder / "walk.jsonl");
  for (const char* const type : {"contact", "clearance"}) {
    EXPECT_EQ(lines_of_type(record, type), lines_of_type(again, type)) << type;
  }
  Json want = summary_of(again);
  Json got = summary_of(record);
  want.erase("milliseconds");
  got.erase("milliseconds");
  EXPECT_EQ(got, want);
  Json want_run = run_of(again);
  Json got_run = run_of(record);
  for (Json* run : {&want_run, &got_run}) {
    // Episodes, and why a backend was chosen, are not kept of a session.
    for (const char* const own : {"inputs", "device", "tells", "choice"}) run->erase(own);
    for (const char* const own : {"threads", "out", "backend", "avatar"})
      (*run)["options"].erase(own);
  }
  EXPECT_EQ(got_run, want_run);
  if (std::find(arguments.begin(), arguments.end(), "--frames") == arguments.end()) {
    // The record alone says as much.
    const std::string like = checked({"--like", (folder / "walk.poses").string()});
    for (const char* const type : {"contact", "clearance"}) {
      EXPECT_EQ(lines_of_type(like, type), lines_of_type(again, type)) << type;
    }
  }
  const CommandResult verified = run_tocsin({"verify", (folder / "walk.jsonl").string()});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  EXPECT_NE(verified.out.find("Confirmed."), std::string::npos) << verified.out;
}

}  // namespace tocsin::test::records
