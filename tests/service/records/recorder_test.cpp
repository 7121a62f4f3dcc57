// Records are what `tocsin check` would have found: made here from live steps, read by the command.
#include "service/records/recorder.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "service/records/recorder_rig.h"

namespace tocsin::test::records::recorder_test {
namespace {

TEST(Recorder, AWholeTakeHasTheHashOfItsFile) {
  const TemporaryFolder folder;
  const auto room = room_of({kRoom});
  record_evenly(folder.path() / "records", options_of(take()), *room);
  EXPECT_EQ(names_in(folder.path() / "records"),
            (std::vector<std::string>{"walk.jsonl", "walk.poses"}));
  const std::string record = bytes_of(folder.path() / "records" / "walk.jsonl");
  const std::string of_file = checked({kTake, "--env", kRoom});
  EXPECT_GT(lines_of_type(record, "contact").size(), 0U);
  EXPECT_EQ(lines_of_type(record, "contact"), lines_of_type(of_file, "contact"));
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
  EXPECT_TRUE(matches(info.out, "at uneven times, .* Hz on average .* s apart")) << info.out;
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
  const Json header = Json::parse(lines_of(folder.read("walk.poses")).at(0));
  EXPECT_EQ(header["source"], "tocsin serve, room music: stage \"left\"");
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

}  // namespace
}  // namespace tocsin::test::records::recorder_test
