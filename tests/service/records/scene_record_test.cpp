// Records of sessions in a room that changes: the command finds the same.
#include "io/scene/scene_record.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "service/records/scene_record_rig.h"

namespace tocsin::test::scene_record_test {
namespace {

using records::bytes_of;
using records::checked;
using records::Json;
using records::summary_of;
using records::take;

using SceneRecord = SceneRecordTest;

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

/// The oracle is asked about every step in which nothing moves, whatever pairs were switched
/// before.
TEST_F(SceneRecord, PairsThatWereSwitchedAreAskedOfTheOracle) {
  const auto change = [&](std::int64_t frame) {
    SceneEdit pairs;
    pairs.verb = frame == 20 ? SceneVerb::kActivatePairs : SceneVerb::kDeactivatePairs;
    pairs.pattern = "*:crate";
    if (frame == 2) {
      SceneEdit crate = crate_at(SceneVerb::kAdd, frame);
      crate.at.translation = take().pose(frame)[0].translation;
      crate.shape = Shape::box({0.4, 0.4, 0.4}).value();
      ASSERT_NO_FATAL_FAILURE(apply({crate}));
    }
    if (frame == 10 || frame == 20) {
      ASSERT_NO_FATAL_FAILURE(apply({pairs}));
    }
  };
  ASSERT_NO_FATAL_FAILURE(record(0, 30, change));
  EXPECT_EQ(moving_, 0U);
  expect_confirmed();
  const std::string report = bytes_of(folder_.path() / "walk.jsonl");
  std::set<int> touched;
  for (const std::string& line : lines_of_type(report, "contact")) {
    const Json contact = Json::parse(line);
    if (contact.at("object") == "crate") touched.insert(contact.at("frames").at(0).get<int>());
  }
  EXPECT_GT(touched.count(5), 0U);
  EXPECT_EQ(touched.count(15), 0U);
  EXPECT_GT(touched.count(25), 0U);
  const CommandResult verified = run_tocsin({"verify", poses()});
  EXPECT_EQ(verified.out.find("not asked of the oracle"), std::string::npos) << verified.out;
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
  // The next change comes before its second step, and before its first: with the second frame, and
  // with the first.
  for (const std::int64_t first : {61, 62, 63}) {
    SCOPED_TRACE(first);
    begin_anew();
    for (std::int64_t k = 0; k < first; ++k) ASSERT_NO_FATAL_FAILURE(change_before(k));
    ASSERT_NO_FATAL_FAILURE(record(first, 90, [&](std::int64_t k) { change_before(k); }));
    EXPECT_GT(contacts_, 5U);
    const std::string scene = bytes_of(folder_.path() / "walk.scene");
    EXPECT_NE(scene.find(R"({"type":"state")"), std::string::npos);
    const std::size_t first_step = scene.find(R"({"type":"step","step":0})");
    EXPECT_EQ(scene.find(R"({"type":"step","step":0})", first_step + 1) != std::string::npos,
              first >= 62);
    expect_confirmed();
  }
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
    edit.to = edit.at;
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
    ASSERT_EQ(edit.to.has_value(), edit.verb == SceneVerb::kDeform);
    if (edit.to) {
      EXPECT_EQ(edit.to->translation, want.to->translation);
      EXPECT_EQ(edit.to->rotation, want.to->rotation);
      EXPECT_EQ(edit.to->scale, want.to->scale);
    }
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

}  // namespace
}  // namespace tocsin::test::scene_record_test
