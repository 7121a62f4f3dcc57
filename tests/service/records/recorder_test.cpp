// Records are what `tocsin check` would have found: made here from live steps, read by the command.
#include "service/records/recorder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/sha256.h"
#include "cli/command.h"
#include "support/file_size_limit.h"
#include "support/places.h"
#include "tocsin/io.h"
#include "tocsin/live_motion.h"

namespace tocsin::service {
namespace {

namespace fs = std::filesystem;
using test::CommandResult;
using test::run_tocsin;
using test::TemporaryFolder;
using Json = nlohmann::json;

const std::string kRoom = test::source_dir() + "/environments/music_room.obj";
const std::string kTake = test::source_dir() + "/motions/walk_and_reach.bvh";
constexpr double kFrameTime = 1.0 / 30;

const Motion& take() {
  static const Motion motion = load_motion(kTake).value();
  return motion;
}

std::unique_ptr<Room> room_of(const std::vector<std::string>& files,
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

TrackOptions options_of(const Motion& motion) {
  TrackOptions options;
  options.skeleton = motion.skeleton();
  return options;
}

Avatar bound(const TrackOptions& options, const Skeleton& placed) {
  if (options.model) return Avatar::bind(*options.model, placed, options.avatar.radii).value();
  if (options.avatar.model == "auto") return choose_avatar(placed, options.avatar.radii).value();
  return Avatar::bind(*load_avatar_model(options.avatar.model), placed, options.avatar.radii)
      .value();
}

/// A session, but for its network and threads.
class Live {
 public:
  Live(const fs::path& folder, const TrackOptions& options, const Room& room)
      : options_(options),
        motion_(LiveMotion::create(options.skeleton, options.avatar.place,
                                   options.frame_seconds.value_or(1.0))
                    .value()),
        avatar_(bound(options, motion_.skeleton())),
        detector_(room.detector.with_options(detector_options(options.spec)).value()),
        active_(ActivePairs::ignoring(avatar_, room.environment, options.spec.ignore).value()) {
    EXPECT_FALSE(avatar_.links().empty());
    auto made = Recorder::create(folder, "walk", options, avatar_, room);
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

std::vector<Transform> pose_of(std::int64_t frame) {
  const auto pose = take().pose(frame);
  return {pose.begin(), pose.end()};
}

/// The whole take as a file's client sends it: frame k at k.
void record_evenly(const fs::path& folder, TrackOptions options, const Room& room) {
  options.frame_seconds = take().frame_time();
  Live live(folder, options, room);
  for (std::int64_t k = 0; k < take().frame_count(); ++k) {
    ASSERT_TRUE(live.cover(pose_of(k), static_cast<std::uint64_t>(k), static_cast<double>(k)).ok());
  }
  const Status done = live.recorder().finish();
  EXPECT_TRUE(done.ok()) << done.error().message;
}

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    out.push_back(entry.path().filename().string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

Json summary_of(const std::string& report) {
  return Json::parse(test::lines_of_type(report, "summary").at(0));
}

Json run_of(const std::string& report) {
  return Json::parse(test::lines_of_type(report, "run").at(0));
}

/// The report that the command writes.
std::string checked(std::vector<std::string> arguments, const std::string& folder = {}) {
  arguments.insert(arguments.begin(), "check");
  arguments.insert(arguments.end(), {"--out", "-"});
  const CommandResult result = run_tocsin(arguments, folder);
  EXPECT_EQ(result.status, 0) << result.err;
  return result.out;
}

/// The record holds what the command finds of its motion, line for line, and is confirmed.
void expect_confirmed(const fs::path& folder, const std::vector<std::string>& arguments) {
  std::vector<std::string> all{(folder / "walk.poses").string()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  const std::string again = checked(all);
  const std::string record = bytes_of(folder / "walk.jsonl");
  for (const char* const type : {"contact", "clearance"}) {
    EXPECT_EQ(test::lines_of_type(record, type), test::lines_of_type(again, type)) << type;
  }
  Json want = summary_of(again);
  Json got = summary_of(record);
  want.erase("milliseconds");
  got.erase("milliseconds");
  EXPECT_EQ(got, want);
  Json want_run = run_of(again);
  Json got_run = run_of(record);
  for (Json* run : {&want_run, &got_run}) {
    for (const char* const own : {"inputs", "device"}) run->erase(own);
    for (const char* const own : {"threads", "out", "backend", "avatar"})
      (*run)["options"].erase(own);
  }
  EXPECT_EQ(got_run, want_run);
  const CommandResult verified = run_tocsin({"verify", (folder / "walk.jsonl").string()});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  EXPECT_NE(verified.out.find("Confirmed."), std::string::npos) << verified.out;
}

TEST(Recorder, AWholeTakeHasTheHashOfItsFile) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  record_evenly(folder.path() / "records", options_of(take()), *room);
  EXPECT_EQ(names_in(folder.path() / "records"),
            (std::vector<std::string>{"walk.jsonl", "walk.poses"}));
  const std::string record = bytes_of(folder.path() / "records" / "walk.jsonl");
  const std::string of_file = checked({kTake, "--env", kRoom});
  EXPECT_GT(test::lines_of_type(record, "contact").size(), 0U);
  EXPECT_EQ(test::lines_of_type(record, "contact"), test::lines_of_type(of_file, "contact"));
  EXPECT_EQ(summary_of(record)["hash"], summary_of(of_file)["hash"]);
  expect_confirmed(folder.path() / "records", {"--env", kRoom});
}

TEST(Recorder, NamesItsInputs) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  record_evenly(folder.path(), options_of(take()), *room);
  const Json run = run_of(folder.read("walk.jsonl"));
  ASSERT_EQ(run["inputs"].size(), 3U);
  EXPECT_EQ(run["inputs"][0]["role"], "motion");
  EXPECT_EQ(run["inputs"][0]["file"], "walk.poses");
  EXPECT_EQ(run["inputs"][0]["sha256"], base::sha256_hex(folder.read("walk.poses")));
  EXPECT_EQ(run["inputs"][1]["role"], "avatar");
  EXPECT_EQ(run["inputs"][1]["file"], "humanoid16");
  EXPECT_EQ(run["inputs"][2]["role"], "environment");
  EXPECT_EQ(run["inputs"][2]["file"], kRoom);
  EXPECT_EQ(run["options"]["avatar"], "humanoid16");
  EXPECT_EQ(run["frames"], 130);
}

/// What a bad connection leaves: gaps, uneven times, poses that have to be normalised.
void record_unevenly(const fs::path& folder, const TrackOptions& options, const Room& room) {
  Live live(folder, options, room);
  for (std::int64_t k = 0; k < take().frame_count(); k += 1 + k % 4) {
    std::vector<Transform> pose = pose_of(k);
    for (Transform& joint : pose) {
      Quat& q = joint.rotation;
      const double off = 1.0 + 1e-7 * static_cast<double>(k % 3);
      q = {q.w * off, q.x * off, q.y * off, q.z * off};
    }
    const double late = k % 5 == 0 ? 0.004 : 0.0;
    ASSERT_TRUE(live.cover(std::move(pose), static_cast<std::uint64_t>(k),
                           1.7e9 + static_cast<double>(k) * kFrameTime + late)
                    .ok());
  }
  const Status done = live.recorder().finish();
  EXPECT_TRUE(done.ok()) << done.error().message;
}

TEST(Recorder, WhatABadConnectionLeaves) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  record_unevenly(folder.path(), options_of(take()), *room);
  expect_confirmed(folder.path(), {"--env", kRoom});
  EXPECT_GT(summary_of(folder.read("walk.jsonl"))["contacts"], 0);
  const CommandResult info = run_tocsin({"info", folder.full("walk.poses")});
  EXPECT_TRUE(test::matches(info.out, "at uneven times, .* Hz on average .* s apart")) << info.out;
}

TEST(Recorder, EveryOption) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  TrackOptions options = options_of(take());
  options.avatar.place = {{0.3, 0.01, -0.05}, 12.5};
  options.spec.margin = 0.02;
  options.spec.ignore = {"*foot:Floor*", "torso:MusicStand"};
  options.spec.clearance = true;
  options.spec.contacts = Contacts::kFirst;
  options.spec.in_between = InBetween::kTranslateRotate;
  options.spec.tolerance = 1e-6;
  options.avatar.radii = {.automatic = true};
  options.avatar.model = "humanoid16";
  options.label = "stage \"left\"";
  record_unevenly(folder.path(), options, *room);
  expect_confirmed(folder.path(), {"--env",
                                   kRoom,
                                   "--place",
                                   "0.3,0.01,-0.05,12.5",
                                   "--margin",
                                   "0.02",
                                   "--ignore",
                                   "*foot:Floor*",
                                   "--ignore",
                                   "torso:MusicStand",
                                   "--clearance",
                                   "--contacts",
                                   "first",
                                   "--in-between",
                                   "translate_rotate",
                                   "--tolerance",
                                   "1e-6",
                                   "--scale-radii",
                                   "auto",
                                   "--avatar",
                                   "humanoid16"});
  const Json header = Json::parse(test::lines_of(folder.read("walk.poses")).at(0));
  EXPECT_EQ(header["source"], "tocsin serve, room music: stage \"left\"");
}

TEST(Recorder, AModelOfTheClientsOwn) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  TrackOptions options = options_of(take());
  AvatarModel model = load_avatar_model("humanoid_hands").value();
  EXPECT_FALSE(model.links.empty());
  model = load_avatar_model("humanoid16").value();
  model.name.clear();
  model.links.resize(12);
  model.links[2].radius = 0.081;
  model.links[3].a.offset = {0.01, -0.02, 1.0 / 3};
  options.model = model;
  record_evenly(folder.path() / "here", options, *room);
  EXPECT_EQ(names_in(folder.path() / "here"),
            (std::vector<std::string>{"walk.avatar.json", "walk.jsonl", "walk.poses"}));
  // The folder may be moved.
  fs::rename(folder.path() / "here", folder.path() / "there");
  const fs::path moved = folder.path() / "there";
  expect_confirmed(moved, {"--env", kRoom, "--avatar", (moved / "walk.avatar.json").string()});
}

TEST(Recorder, AModelThatNoFileCanHold) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  TrackOptions options = options_of(take());
  AvatarModel model = load_avatar_model("humanoid16").value();
  model.links[0].name = "a:b";
  options.model = model;
  const auto made =
      Recorder::create(folder.path(), "walk", options, bound(options, options.skeleton), *room);
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().code, ErrorCode::kInput);
  EXPECT_NE(made.error().message.find("walk.avatar.json: links[0].name"), std::string::npos)
      << made.error().message;
  EXPECT_TRUE(folder.files().empty());
}

/// The take's options, its joints renamed so that no model knows them.
TrackOptions options_of_renamed(bool person) {
  std::vector<Joint> joints(take().skeleton().joints().begin(), take().skeleton().joints().end());
  for (std::size_t i = 0; i < joints.size(); ++i) {
    joints[i].name = fmt::format("j{}", i);
    if (!person) joints[i].rest.translation = {0.0, 0.05, 0.0};
  }
  TrackOptions options = options_of(take());
  options.skeleton = Skeleton::create(joints).value();
  return options;
}

TEST(Recorder, ABodyThatIsBoundByItsShapeIsKept) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  record_evenly(folder.path(), options_of_renamed(/*person=*/true), *room);
  const Json run = run_of(folder.read("walk.jsonl"));
  EXPECT_EQ(run["options"]["avatar"], "walk.avatar.json");
  EXPECT_EQ(run["links"].size(), 16U);
  expect_confirmed(folder.path(),
                   {"--env", kRoom, "--avatar", (folder.path() / "walk.avatar.json").string()});
}

TEST(Recorder, OneLinkPerBone) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  record_evenly(folder.path(), options_of_renamed(/*person=*/false), *room);
  // The frames alone could be those of a person: the links are kept, so that none binds otherwise.
  const Json run = run_of(folder.read("walk.jsonl"));
  EXPECT_EQ(run["options"]["avatar"], "walk.avatar.json");
  EXPECT_GT(run["links"].size(), 30U);
  expect_confirmed(folder.path(),
                   {"--env", kRoom, "--avatar", (folder.path() / "walk.avatar.json").string()});
}

TEST(Recorder, OneLinkPerBoneWithNamesThatNoFileCanHold) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  TrackOptions options = options_of_renamed(/*person=*/false);
  std::vector<Joint> joints(options.skeleton.joints().begin(), options.skeleton.joints().end());
  joints[3].name = std::string(200, 'x');
  joints[4].name = std::string(200, 'y');
  options.skeleton = Skeleton::create(joints).value();
  record_evenly(folder.path(), options, *room);
  EXPECT_EQ(run_of(folder.read("walk.jsonl"))["options"]["avatar"], "auto");
  const CommandResult verified = run_tocsin({"verify", folder.full("walk.jsonl")});
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
}

constexpr const char* kWall =
    "o Wall\nv -200 0 60\nv 200 0 60\nv 0 300 60\nf 1 2 3\no Floor\nv -9 -900 0\nv 9 -900 0\nv 0 "
    "-900 9\nf 4 5 6\n";

TEST(Recorder, SeveralFilesOneOfThemKept) {
  const TemporaryFolder folder;
  const std::string wall = folder.write("wall.obj", kWall);
  const auto room = room_of({kRoom, wall});
  record_evenly(folder.path(), options_of(take()), *room);
  const Json run = run_of(folder.read("walk.jsonl"));
  EXPECT_EQ(run["inputs"][2]["file"], kRoom);
  EXPECT_EQ(run["inputs"][3]["file"], "wall.obj");  // it lies in the folder of records
  expect_confirmed(folder.path(), {"--env", kRoom, "--env", wall});
}

TEST(Recorder, ARoomInOtherUnits) {
  const TemporaryFolder folder;
  const std::string wall = folder.write("wall.obj", kWall);
  const auto room = room_of({wall}, {0.01, UpAxis::kY});
  record_evenly(folder.path() / "records", options_of(take()), *room);
  EXPECT_GT(summary_of(folder.read("records/walk.jsonl"))["contacts"], 0);
  expect_confirmed(folder.path() / "records", {"--env", wall, "--env-scale", "0.01"});
}

/// A .gltf with its buffer in a file of its own, made of a .glb.
void split_glb(const fs::path& glb, const fs::path& gltf) {
  const std::string bytes = bytes_of(glb);
  const auto size_at = [&bytes](std::size_t at) {
    std::uint32_t size = 0;
    std::memcpy(&size, bytes.data() + at, 4);
    return std::size_t{size};
  };
  const std::size_t text = size_at(12);
  Json json = Json::parse(bytes.substr(20, text));
  json["buffers"][0]["uri"] = "room.bin";
  std::ofstream(gltf) << json.dump();
  std::ofstream(gltf.parent_path() / "room.bin", std::ios::binary)
      << bytes.substr(28 + text, size_at(20 + text));
}

TEST(Recorder, ARoomWithABuffer) {
  const TemporaryFolder folder;
  ASSERT_TRUE(save_environment(*load_environment(kRoom), folder.path() / "room.glb").ok());
  split_glb(folder.path() / "room.glb", folder.path() / "room.gltf");
  const auto room = room_of({folder.full("room.gltf")});
  room->files.push_back(
      {"room.bin", folder.path() / "room.bin", base::sha256_hex(folder.read("room.bin")), true});
  record_evenly(folder.path() / "records", options_of(take()), *room);
  const Json run = run_of(folder.read("records/walk.jsonl"));
  EXPECT_EQ(run["inputs"][3]["role"], "buffer");
  expect_confirmed(folder.path() / "records", {"--env", folder.full("room.gltf")});
}

TEST(Recorder, StepsThatWereNotCheckedAreNotClaimed) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  TrackOptions options = options_of(take());
  options.frame_seconds = kFrameTime;
  Live live(folder.path(), options, *room);
  for (int k = 0; k < 20; ++k)
    ASSERT_TRUE(live.cover(pose_of(k), static_cast<std::uint64_t>(k), k).ok());
  // A pose whose step never came.
  ASSERT_TRUE(live.recorder().pose({20, 0.0, pose_of(20)}, 20).ok());
  ASSERT_TRUE(live.recorder().finish().ok());
  const std::string record = folder.read("walk.jsonl");
  EXPECT_EQ(run_of(record)["frames"], 21);
  EXPECT_EQ(summary_of(record)["steps"], 19);
  expect_confirmed(folder.path(), {"--env", kRoom, "--frames", "0:19"});
}

TEST(Recorder, StepsOutOfOrderAreRefused) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  Live live(folder.path(), options_of(take()), *room);
  ASSERT_TRUE(live.cover(pose_of(0), 0, 0).ok());
  const StepList steps = take().steps().value();
  EXPECT_FALSE(live.recorder().step(steps[1], {}).ok());
  EXPECT_TRUE(live.recorder().step(steps[0], {}).ok());
}

TEST(Recorder, OnePose) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  {
    Live live(folder.path(), options_of(take()), *room);
    ASSERT_TRUE(live.cover(pose_of(0), 7, 3.5).ok());
    ASSERT_TRUE(live.recorder().finish().ok());
    EXPECT_EQ(live.recorder().shown(), folder.full("walk.poses"));
  }
  expect_confirmed(folder.path(), {"--env", kRoom});
}

TEST(Recorder, NothingCoveredLeavesNothing) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  TrackOptions options = options_of(take());
  options.model = load_avatar_model("humanoid16").value();
  for (const bool finished : {true, false}) {
    Live live(folder.path(), options, *room);
    EXPECT_EQ(folder.files().size(), 2U);
    if (!finished) continue;
    EXPECT_TRUE(live.recorder().finish().ok());
    EXPECT_EQ(live.recorder().shown(), "");
  }
  EXPECT_TRUE(folder.files().empty());
}

/// The command reads what is there, and says that it is not all.
void expect_cut_off(const TemporaryFolder& folder, int least_frames) {
  const CommandResult result =
      run_tocsin({"check", "walk.poses", "--env", kRoom, "--out", "-"}, folder.path());
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.err.find("the recording was cut off"), std::string::npos) << result.err;
  EXPECT_GE(run_of(result.out)["frames"].get<int>(), least_frames);
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"walk.poses"}));
}

TEST(Recorder, WithoutAnEndTheMotionIsStillThere) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  {
    Live live(folder.path(), options_of(take()), *room);
    for (int k = 0; k < 50; ++k) {
      ASSERT_TRUE(live.cover(pose_of(k), static_cast<std::uint64_t>(k), k).ok());
    }
  }
  expect_cut_off(folder, 50);
}

TEST(Recorder, AfterACrashMostOfItIsThere) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  const pid_t child = fork();
  if (child == 0) {
    Live live(folder.path(), options_of(take()), *room);
    bool good = true;
    for (int k = 0; k < 130; ++k) {
      good = good && live.recorder().pose({static_cast<std::uint64_t>(k), 0.0, pose_of(k)}, k).ok();
    }
    _exit(good ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  // 64 KiB are some 34 poses of this take.
  expect_cut_off(folder, 90);
}

TEST(Recorder, AFullDiskIsAStatus) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  int covered = 0;
  {
    Live live(folder.path(), options_of(take()), *room);
    Status status = Nothing{};
    Status finished = Nothing{};
    {
      const test::FileSizeLimit limit(100'000);
      while (status && covered < 130) {
        status = live.recorder().pose({0, 0.0, pose_of(covered)}, covered);
        covered += 1;
      }
      finished = live.recorder().finish();
    }
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::kResource);
    EXPECT_NE(status.error().message.find("walk.poses: File too large"), std::string::npos)
        << status.error().message;
    EXPECT_FALSE(finished.ok());
    // There is room again, but half a line is in the file.
    EXPECT_FALSE(live.recorder().pose({0, 0.0, pose_of(0)}, 1000).ok());
  }
  EXPECT_LT(covered, 130);
  expect_cut_off(folder, 40);
}

TEST(Recorder, FoldersThatCannotBe) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  const TrackOptions options = options_of(take());
  const Avatar avatar = bound(options, options.skeleton);
  const std::string file = folder.write("file", "x");
  const auto inside = Recorder::create(fs::path(file) / "records", "walk", options, avatar, *room);
  ASSERT_FALSE(inside.ok());
  EXPECT_EQ(inside.error().code, ErrorCode::kResource);
  EXPECT_NE(inside.error().message.find("file/records"), std::string::npos);
  folder.write("walk.poses", "somebody's");
  const auto taken = Recorder::create(folder.path(), "walk", options, avatar, *room);
  ASSERT_FALSE(taken.ok());
  EXPECT_EQ(taken.error().code, ErrorCode::kResource);
  EXPECT_NE(taken.error().message.find("File exists"), std::string::npos);
  EXPECT_EQ(folder.read("walk.poses"), "somebody's");
}

}  // namespace
}  // namespace tocsin::service
