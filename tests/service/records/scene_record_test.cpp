// Records of sessions in a room that changes: the command finds the same, and refuses what is none.
#include "io/scene/scene_record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "service/records/recorder_rig.h"
#include "service/session/session_rig.h"
#include "support/test_folder.h"

namespace tocsin::test {
namespace {

using records::bytes_of;
using records::checked;
using records::Json;
using records::kRoom;
using records::summary_of;
using records::take;
namespace fs = std::filesystem;

SceneEdit edit_of(SceneVerb verb, const std::string& object, const Vec3& at = {}) {
  SceneEdit out;
  out.verb = verb;
  out.object = object;
  out.at.translation = at;
  return out;
}

/// A walker in the music room, whose objects are moved about while he walks.
class SceneRecord : public testing::Test {
 protected:
  SceneRecord() {
    auto room = records::room_of({kRoom});
    room->scene = detect::SceneVersions::of(room->environment, {}).value();
    room_ = std::move(room);
    options_.skeleton = take().skeleton();
    options_.frame_seconds = take().frame_time();
    options_.spec.ignore = {"*foot:Floor*"};
  }

  void apply(std::vector<SceneEdit> edits) {
    const auto applied = room_->scene->apply(std::move(edits));
    ASSERT_TRUE(applied.ok()) << applied.error().message;
  }
  /// A crate that follows the pelvis, some time in its way.
  static SceneEdit crate_at(SceneVerb verb, std::int64_t frame) {
    const Vec3 root = take().pose(frame)[0].translation;
    const double t = static_cast<double>(frame);
    return edit_of(verb, "crate", {root.x + 0.02 * t - 1.0, 0.6, root.z + 0.3});
  }
  /// What happens before a frame is sent.
  void change_before(std::int64_t frame) {
    if (frame == 5) {
      SceneEdit crate = crate_at(SceneVerb::kAdd, frame);
      crate.shape = Shape::box({0.25, 0.25, 0.25}).value();
      SceneEdit rule;
      rule.verb = SceneVerb::kDeactivatePairs;
      rule.pattern = "head:crate";
      ASSERT_NO_FATAL_FAILURE(apply({crate, rule, edit_of(SceneVerb::kRemove, "MusicStand")}));
    }
    if (frame > 5 && frame % 3 == 0) {
      ASSERT_NO_FATAL_FAILURE(apply({crate_at(SceneVerb::kMove, frame)}));
    }
    if (frame == 40) {
      SceneEdit again = edit_of(SceneVerb::kAdd, "MusicStand", {0.3, 0.4, 0.5});
      again.like = "crate";
      ASSERT_NO_FATAL_FAILURE(apply({again, edit_of(SceneVerb::kPlace, "crate", {0, 3, 0})}));
    }
    if (frame == 60) {
      SceneEdit bent = edit_of(SceneVerb::kDeform, "crate");
      const Shape box = Shape::box({0.4, 0.6, 0.2}).value();
      for (const Vec3& p : box.corners()) {
        bent.vertices.push_back({static_cast<float>(p.x), -0.0F, static_cast<float>(p.z)});
      }
      ASSERT_NO_FATAL_FAILURE(apply({bent}));
    }
  }

  /// A session from frame `first` on; its record has the stem "walk".
  void record(std::int64_t first, std::int64_t last,
              const std::function<void(std::int64_t)>& change) {
    SessionRig rig(room_);
    const auto record = [&](const Avatar& avatar, const auto& ignore, const SceneState* state) {
      TrackOptions kept = options_;
      kept.spec.ignore = ignore;
      return service::Recorder::create(folder_.path(), "walk", kept, avatar, *room_, {}, nullptr,
                                       {}, state);
    };
    ASSERT_TRUE(rig.open(options_, record)) << rig.problem.message;
    for (std::int64_t k = first; k <= last; ++k) {
      ASSERT_NO_FATAL_FAILURE(change(k));
      ASSERT_FALSE(rig.offer(frame_of(take(), k)));
      rig.scheduler->run_all();
      for (TrackReport& report : rig.pull()) {
        contacts_ += report.result.contacts.size();
        moving_ += report.room.value().moves && !report.result.contacts.empty() ? 1U : 0U;
      }
    }
    if (!finish_) return;
    rig.session->finish(rig.outlet.get());
    rig.scheduler->run_all();
    ASSERT_TRUE(rig.ended());
  }

  /// The record, the command that checks it again, and the one that confirms it say the same.
  void expect_confirmed() {
    const std::string record = bytes_of(folder_.path() / "walk.jsonl");
    const std::string again = checked({"--like", poses()});
    EXPECT_EQ(lines_of_type(record, "contact"), lines_of_type(again, "contact"));
    EXPECT_EQ(summary_of(record).at("hash"), summary_of(again).at("hash"));
    EXPECT_EQ(summary_of(record).at("contacts"), contacts_);
    for (const char* const file : {"walk.jsonl", "walk.poses"}) {
      const CommandResult verified = run_tocsin({"verify", (folder_.path() / file).string()});
      EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
      EXPECT_NE(verified.out.find("Confirmed."), std::string::npos) << verified.out;
      EXPECT_NE(verified.out.find(summary_of(record).at("hash").get<std::string>()),
                std::string::npos);
    }
  }
  [[nodiscard]] std::string poses() const { return (folder_.path() / "walk.poses").string(); }
  [[nodiscard]] std::string csv() const { return (folder_.path() / "walk.csv").string(); }

  TestFolder folder_;
  std::shared_ptr<const service::Room> room_;
  TrackOptions options_;
  std::size_t contacts_ = 0;
  std::size_t moving_ = 0;  ///< steps in which objects moved, with contacts
  bool finish_ = true;
};

TEST_F(SceneRecord, IsFoundAgainAndConfirmed) {
  ASSERT_NO_FATAL_FAILURE(record(0, 80, [&](std::int64_t k) { change_before(k); }));
  EXPECT_GT(contacts_, 20U);
  EXPECT_GT(moving_, 5U);
  expect_confirmed();
  // Objects that no file of the room has are in tables by their names.
  const CommandResult table = run_tocsin({"check", "--like", poses(), "--all", "--csv", csv()});
  EXPECT_EQ(table.status, 0) << table.err;
  EXPECT_NE(table.out.find(" crate "), std::string::npos) << table.out;
  EXPECT_NE(bytes_of(csv()).find(",crate,"), std::string::npos) << bytes_of(csv());
}

TEST_F(SceneRecord, AnswersNothingOfTheRoomAsItsFilesHaveIt) {
  ASSERT_NO_FATAL_FAILURE(record(0, 10, [&](std::int64_t k) { change_before(k); }));
  const std::string report = bytes_of(folder_.path() / "walk.jsonl");
  for (const std::string option : {"near", "nearest"}) {
    std::string changed = report;
    changed.insert(changed.find(R"("clearance":)"), '"' + option + "\":0.5,");
    const auto file = folder_.write("changed.jsonl", changed).string();
    for (const auto& command : {std::vector<std::string>{"check", "--like", file},
                                std::vector<std::string>{"verify", file}}) {
      const CommandResult result = run_tocsin(command);
      EXPECT_EQ(result.status, 3) << result.out;
      EXPECT_NE(result.err.find("in which \"" + option + "\" is not answered"), std::string::npos)
          << result.err;
    }
  }
}

TEST_F(SceneRecord, OfASessionThatCameLater) {
  for (std::int64_t k = 0; k <= 60; ++k) ASSERT_NO_FATAL_FAILURE(change_before(k));
  ASSERT_NO_FATAL_FAILURE(record(61, 90, [&](std::int64_t k) { change_before(k); }));
  EXPECT_GT(contacts_, 5U);
  EXPECT_NE(bytes_of(folder_.path() / "walk.scene").find(R"({"type":"state")"), std::string::npos);
  expect_confirmed();
}

TEST_F(SceneRecord, OfASessionThatMissedMoreChangesThanAreKept) {
  const auto change = [&](std::int64_t frame) {
    change_before(frame);
    if (frame != 20) return;
    for (int i = 0; i < 4200; ++i) {
      SceneEdit crate = crate_at(SceneVerb::kMove, 19);
      crate.at.translation.z += 1e-4 * i;
      ASSERT_NO_FATAL_FAILURE(apply({crate}));
    }
  };
  ASSERT_NO_FATAL_FAILURE(record(0, 40, change));
  EXPECT_NE(bytes_of(folder_.path() / "walk.scene").find(R"("starts":[{"verb":"place")"),
            std::string::npos);
  expect_confirmed();
}

TEST_F(SceneRecord, IsReadWhileItGrowsAndWhenItIsCutOff) {
  finish_ = false;
  ASSERT_NO_FATAL_FAILURE(record(0, 30, [&](std::int64_t k) { change_before(k); }));
  const std::string scene = bytes_of(folder_.path() / "walk.scene");
  const Json whole = summary_of(checked({"--like", poses()}));
  EXPECT_EQ(whole.at("contacts"), contacts_);
  folder_.write("walk.scene", scene + R"({"type":"change","version":99,"ed)");
  EXPECT_EQ(summary_of(checked({"--like", poses()})).at("hash"), whole.at("hash"));
}

/// Every verb, with numbers that are hard to write.
TEST(SceneRecordFile, KeepsEveryBit) {
  const TestFolder folder;
  SceneChange change{1, {}};
  for (std::size_t i = 0; i < kSceneVerbs; ++i) {
    SceneEdit edit = edit_of(static_cast<SceneVerb>(i), "ob\"ject");
    edit.other = "other";
    edit.parent = "switch";
    edit.pattern = "*:?";
    edit.like = "like";
    edit.of_file = 7;
    edit.shape = Shape::box({0.1, 1e-5, 1.0 / 3}).value();
    edit.at = {{-0.0, 1e-300, 1.0 / 3}, {0.6, -0.0, 0.8, 0}, {1, -2, 0.1}};
    edit.in_between = InBetween::kTranslateRotate;
    edit.vertices = {{-0.0F, 0.1F, 1e-38F}};
    change.edits.push_back(edit);
  }
  SceneState state{2, change.edits, change.edits};
  const auto file = folder.write(
      "a.scene", io::scene_header() + io::scene_change_line(change) + io::scene_step_line(3) +
                     io::scene_state_line(state) + io::scene_step_line(9));
  const auto read = io::read_scene_record(file);
  ASSERT_TRUE(read.ok()) << read.error().message;
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ((*read)[0].step, 3);
  EXPECT_EQ((*read)[1].step, 9);
  ASSERT_EQ((*read)[0].changes.size(), 1U);
  EXPECT_EQ((*read)[0].changes[0].version, 1U);
  EXPECT_EQ(io::scene_change_line((*read)[0].changes[0]), io::scene_change_line(change));
  EXPECT_EQ(io::scene_state_line((*read)[1].state.value()), io::scene_state_line(state));
  for (const SceneEdit& edit : (*read)[0].changes[0].edits) {
    const SceneEdit& want = change.edits[static_cast<std::size_t>(edit.verb)];
    EXPECT_EQ(edit.object, want.object);
    EXPECT_EQ(edit.of_file, want.of_file);
    EXPECT_EQ(edit.vertices, want.vertices);
    EXPECT_TRUE(std::signbit(edit.vertices.at(0).x));
    EXPECT_TRUE(std::ranges::equal(edit.shape.corners(), want.shape.corners()));
    EXPECT_TRUE(std::ranges::equal(edit.shape.features(), want.shape.features()));
    const bool placed = edit.verb == SceneVerb::kAdd || edit.verb == SceneVerb::kPlace ||
                        edit.verb == SceneVerb::kMove;
    if (!placed) continue;
    EXPECT_EQ(edit.at.translation, want.at.translation);
    EXPECT_EQ(edit.at.rotation, want.at.rotation);
    EXPECT_EQ(edit.at.scale, want.at.scale);
    EXPECT_TRUE(std::signbit(edit.at.translation.x));
    EXPECT_EQ(edit.in_between, want.in_between);
  }
}

TEST_F(SceneRecord, WhatIsNoneIsRefused) {
  ASSERT_NO_FATAL_FAILURE(record(0, 20, [&](std::int64_t k) { change_before(k); }));
  const std::string scene = bytes_of(folder_.path() / "walk.scene");
  const std::string first = scene.substr(0, scene.find('\n') + 1);
  const auto refused = [&](const std::string& text, const std::string& message) {
    folder_.write("walk.scene", text);
    for (const auto& command : {std::vector<std::string>{"check", "--like", poses()},
                                std::vector<std::string>{"verify", poses()}}) {
      const CommandResult result = run_tocsin(command);
      EXPECT_EQ(result.status, 3) << message << result.out;
      EXPECT_NE(result.err.find("walk.scene"), std::string::npos) << result.err;
      EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
    }
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
  fs::remove(folder_.path() / "walk.scene");
  refused(scene.substr(0, 0), "cut off in its first line");
  fs::remove(folder_.path() / "walk.scene");
  const CommandResult missing = run_tocsin({"check", "--like", poses()});
  EXPECT_EQ(missing.status, 3);
  EXPECT_NE(missing.err.find("walk.scene is missing"), std::string::npos) << missing.err;
  // The report knows which bytes it was made with.
  folder_.write("walk.scene", first);
  const CommandResult other = run_tocsin({"verify", (folder_.path() / "walk.jsonl").string()});
  EXPECT_EQ(other.status, 3);
  EXPECT_NE(other.err.find("sha256"), std::string::npos) << other.err;
}

}  // namespace
}  // namespace tocsin::test
