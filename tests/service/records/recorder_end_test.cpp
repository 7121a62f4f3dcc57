// How a record ends: in order, early, in a crash, on a full disk.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "service/records/recorder_rig.h"
#include "support/file_size_limit.h"

namespace tocsin::test::records::recorder_end_test {
namespace {

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
    EXPECT_EQ(folder.files().size(), 3U);
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
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"walk.lines", "walk.poses"}));
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

TEST(Recorder, AfterACrashEveryPoseIsThere) {
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
  expect_cut_off(folder, 130);
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
      const FileSizeLimit limit(100'000);
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
    // There is room again, but poses are missing.
    EXPECT_FALSE(live.recorder().pose({0, 0.0, pose_of(0)}, 1000).ok());
  }
  EXPECT_LT(covered, 130);
  expect_cut_off(folder, 40);
}

/// A record of 130 poses in a folder with these rules; `before_end` is called before its end.
Status recorded(const fs::path& folder, const Room& room, const service::RecordRules& rules,
                const std::function<void()>& before_end = {}) {
  const auto store = std::make_shared<service::RecordStore>(folder, rules, nullptr);
  Live live(folder, options_of(take()), room, store);
  for (int k = 0; k < 130; ++k) {
    if (Status status = live.cover(pose_of(k), static_cast<std::uint64_t>(k), k); !status) {
      return status;
    }
  }
  if (before_end) before_end();
  return live.recorder().finish();
}

/// The report, which is a copy of its lines, must not take what the operator wants to keep. The
/// motion is whole all the same, and its lines stay.
void expect_without_report(const TemporaryFolder& folder, const Status& finished,
                           const std::string& why) {
  ASSERT_FALSE(finished.ok());
  EXPECT_EQ(finished.error().code, ErrorCode::kResource);
  EXPECT_NE(finished.error().message.find(why), std::string::npos) << finished.error().message;
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"walk.lines", "walk.poses"}));
  const CommandResult result =
      run_tocsin({"check", "walk.poses", "--env", kRoom, "--out", "-"}, folder.path());
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.err, "") << "whole";
  EXPECT_EQ(run_of(result.out)["frames"], 130);
}

TEST(Recorder, TheReportLeavesTheQuota) {
  const auto room = room_of({kRoom});
  const TemporaryFolder whole;
  service::RecordRules rules;
  rules.reserve = 0;
  ASSERT_TRUE(recorded(whole.path(), *room, rules).ok());
  EXPECT_EQ(whole.files(), (std::vector<std::string>{"walk.jsonl", "walk.poses"}));
  std::uint64_t counted = 0;  // the store counts lines of poses
  for (const std::string& line : lines_of_type(whole.read("walk.poses"), "pose")) {
    counted += line.size() + 1;
  }
  const std::vector<std::string> report = lines_of(whole.read("walk.jsonl"));
  std::uint64_t lines = 0;  // all but the first and the last
  for (std::size_t i = 1; i + 1 < report.size(); ++i) lines += report[i].size() + 1;
  ASSERT_GT(lines, 0U);
  rules.quota = counted + lines - 1;
  const TemporaryFolder little;
  expect_without_report(little, recorded(little.path(), *room, rules), "quota");
  rules.quota = counted + lines;
  const TemporaryFolder enough;
  EXPECT_TRUE(recorded(enough.path(), *room, rules).ok());
  EXPECT_EQ(enough.files(), (std::vector<std::string>{"walk.jsonl", "walk.poses"}));
}

/// The lines are made three quarters of what is free, and half of that is to stay free.
TEST(Recorder, TheReportLeavesTheReserve) {
  const auto room = room_of({kRoom});
  const TemporaryFolder folder;
  const std::uint64_t free = fs::space(folder.path()).available;
  service::RecordRules rules;
  rules.reserve = free / 2;
  const Status finished = recorded(folder.path(), *room, rules, [&] {
    fs::resize_file(folder.full("walk.lines"), free / 4 * 3);  // takes no space
  });
  expect_without_report(folder, finished, "MiB are free");
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
}  // namespace tocsin::test::records::recorder_end_test
