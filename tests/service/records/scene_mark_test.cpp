// .scene files that are not what their record was made with: they are refused.
#include "io/scene/scene_mark.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "io/poses/pose_tail.h"
#include "service/records/scene_record_rig.h"

namespace tocsin::test {
namespace {

using records::bytes_of;
using records::checked;
using records::summary_of;
using records::take;
namespace fs = std::filesystem;
using SceneMarks = SceneRecordTest;

/// A room without its last changes is another room, in which nothing must be said to be proved.
TEST_F(SceneMarks, ThatLostItsEndIsRefused) {
  for (const bool finished : {false, true}) {
    SCOPED_TRACE(finished);
    finish_ = finished;
    ASSERT_NO_FATAL_FAILURE(record(0, 30, [&](std::int64_t k) { change_before(k); }));
    const std::string scene = bytes_of(folder_.path() / "walk.scene");
    const std::size_t last_line = scene.rfind('\n', scene.size() - 2) + 1;
    for (const std::size_t end : {scene.find('\n') + 1, last_line, scene.size() - 1}) {
      folder_.write("walk.scene", scene.substr(0, end));
      expect_refused(
          fmt::format("lost its end: it has {} bytes, and the record's last pose stands "
                      "after {}",
                      end, scene.size()));
    }
    fs::remove(folder_.path() / "walk.scene");
    expect_refused("walk.scene is missing, which tells how the room changed");
    begin_anew();
  }
}

TEST_F(SceneMarks, ThatIsAnotherIsRefused) {
  ASSERT_NO_FATAL_FAILURE(record(0, 20, [&](std::int64_t k) { change_before(k); }));
  const std::string scene = bytes_of(folder_.path() / "walk.scene");
  std::string changed = scene;
  const std::size_t at = changed.find("head:crate");
  ASSERT_NE(at, std::string::npos);
  changed[at] = 'H';
  folder_.write("walk.scene", changed);
  expect_refused("is not the file that the record was made with");
}

/// The poses of a record may end sooner than its changes: after a crash, or as somebody cut them.
TEST_F(SceneMarks, MayHaveChangesThatNoPoseSaw) {
  finish_ = false;
  ASSERT_NO_FATAL_FAILURE(record(0, 30, [&](std::int64_t k) { change_before(k); }));
  const std::string text = bytes_of(poses());
  const std::string scene = bytes_of(folder_.path() / "walk.scene");
  std::size_t end = text.size();
  for (const std::size_t poses_left : {29U, 20U, 7U, 2U}) {
    while (std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n') >
           static_cast<std::ptrdiff_t>(poses_left) + 2) {
      end = text.rfind('\n', end - 2) + 1;
    }
    folder_.write("walk.poses", text.substr(0, end));
    const std::string whole = checked({"--like", poses()});
    EXPECT_EQ(summary_of(whole).at("steps"), poses_left - 1);
    const CommandResult verified = run_tocsin({"verify", poses()});
    EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
    // Not one byte of what belongs to these poses may be missing, and none of the others counts.
    const auto mark = io::read_scene_mark(poses(), take().skeleton().joints().size());
    ASSERT_TRUE(mark.ok()) << mark.error().message;
    EXPECT_LT(mark->bytes, scene.size());
    folder_.write("walk.scene", scene.substr(0, mark->bytes));
    EXPECT_EQ(lines_of_type(checked({"--like", poses()}), "contact"),
              lines_of_type(whole, "contact"));
    // Nor what somebody wrote behind it, well or badly.
    for (const char* const step : {"0}", "nonsense"}) {
      folder_.write(
          "walk.scene",
          scene.substr(0, mark->bytes) +
              R"({"type":"change","version":99,"edits":[{"verb":"remove","object":"Floor"}]})" +
              "\n{\"type\":\"step\",\"step\":" + step + "\n");
      EXPECT_EQ(lines_of_type(checked({"--like", poses()}), "contact"),
                lines_of_type(whole, "contact"));
      EXPECT_EQ(run_tocsin({"verify", poses()}).status, 0);
    }
    folder_.write("walk.scene", scene.substr(0, mark->bytes - 1));
    expect_refused("lost its end");
    folder_.write("walk.scene", scene);
  }
}

TEST_F(SceneMarks, OfBeforePosesToldOfItIsRefused) {
  ASSERT_NO_FATAL_FAILURE(record(0, 10, [&](std::int64_t k) { change_before(k); }));
  ASSERT_NO_FATAL_FAILURE(mark_poses(std::nullopt));
  expect_refused("does not say how much of the .scene file belongs to it", "walk.poses");
}

TEST_F(SceneMarks, WhatIsNoneIsRefused) {
  ASSERT_NO_FATAL_FAILURE(record(0, 20, [&](std::int64_t k) { change_before(k); }));
  const std::string scene = bytes_of(folder_.path() / "walk.scene");
  const std::string first = scene.substr(0, scene.find('\n') + 1);
  const std::string kept = bytes_of(poses());
  const auto refused = [&](const std::string& text, const std::string& message) {
    folder_.write("walk.scene", text);
    ASSERT_NO_FATAL_FAILURE(mark_poses(text));  // as if it were the record's own
    expect_refused(message);
  };
  const std::string change = R"({"type":"change","version":1,"edits":[)";
  const std::string step = "]}\n{\"type\":\"step\",\"step\":1}\n";
  refused("", "cut off in its first line");
  refused("{\"type\":\"scene\",\"format\":\"tocsin.scene.v9\"}\n", ":1: not a .scene file");
  refused(first + "{\"type\":\n", ":2: not valid JSON");
  refused(first + "{\"type\":\"song\"}\n", ":2: there is no type \"song\"");
  refused(first + change + R"({"verb":"fly","object":"Floor"})" + step, "no verb \"fly\"");
  refused(first + change + R"({"verb":"remove","object":"Flor"})" + step,
          "version 1: edit 0 (remove \"Flor\"): there is no object");
  refused(first + change + R"({"verb":"add","object":"x","of_file":9999})" + step,
          "there is no such object");
  refused(first + change + R"({"verb":"place","object":"Floor","at":[1,2,3]})" + step,
          "\"at\" is not an array of 10");
  refused(first + change + R"({"verb":"add","object":"x","corners":[0,0,0],"triangles":[0,0,7]})" +
              step,
          ":2: ");
  refused(first + change + step + change + step, "a version that is not after the one before");
  // The report knows which bytes it was made with.
  folder_.write("walk.poses", kept);
  folder_.write("walk.scene", first);
  const CommandResult other = run_tocsin({"verify", (folder_.path() / "walk.jsonl").string()});
  EXPECT_EQ(other.status, 3);
  EXPECT_NE(other.err.find("sha256"), std::string::npos) << other.err;
}

}  // namespace
}  // namespace tocsin::test
