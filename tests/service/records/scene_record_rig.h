// Sessions in a room that changes, recorded without a network, and what the command says of them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "service/records/recorder_rig.h"
#include "service/session/session_rig.h"
#include "support/test_folder.h"

namespace tocsin::test {

inline SceneEdit edit_of(SceneVerb verb, const std::string& object, const Vec3& at = {}) {
  SceneEdit out;
  out.verb = verb;
  out.object = object;
  out.at.translation = at;
  return out;
}

/// A walker in the music room, whose objects are moved about while he walks.
class SceneRecordTest : public testing::Test {
 protected:
  static std::shared_ptr<const service::Room> changeable_room() {
    auto room = records::room_of({records::kRoom});
    room->scene = detect::SceneVersions::of(room->environment, {}).value();
    return room;
  }
  SceneRecordTest() : room_(changeable_room()) {
    options_.skeleton = records::take().skeleton();
    options_.frame_seconds = records::take().frame_time();
    options_.spec.ignore = {"*foot:Floor*"};
  }

  /// A room as its files have it, and no record.
  void begin_anew() {
    for (const char* const ending : {".poses", ".jsonl", ".lines", ".scene"}) {
      std::filesystem::remove(folder_.path() / ("walk" + std::string(ending)));
    }
    room_ = changeable_room();
    contacts_ = 0;
    moving_ = 0;
  }

  void apply(std::vector<SceneEdit> edits) {
    const auto applied = room_->scene->apply(std::move(edits));
    ASSERT_TRUE(applied.ok()) << applied.error().message;
  }
  /// A crate that follows the pelvis, some time in its way.
  static SceneEdit crate_at(SceneVerb verb, std::int64_t frame) {
    const Vec3 root = records::take().pose(frame)[0].translation;
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
    if (frame == 50) {
      SceneEdit grown = crate_at(SceneVerb::kDeform, frame);
      grown.to = grown.at;
      grown.to->scale = {1.5, 1.2, 1};
      ASSERT_NO_FATAL_FAILURE(apply({grown}));
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
      ASSERT_FALSE(rig.offer(frame_of(records::take(), k)));
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
    const std::string record = records::bytes_of(folder_.path() / "walk.jsonl");
    const std::string again = records::checked({"--like", poses()});
    EXPECT_EQ(lines_of_type(record, "contact"), lines_of_type(again, "contact"));
    EXPECT_EQ(records::summary_of(record).at("hash"), records::summary_of(again).at("hash"));
    EXPECT_EQ(records::summary_of(record).at("contacts"), contacts_);
    for (const char* const file : {"walk.jsonl", "walk.poses"}) {
      const CommandResult verified = run_tocsin({"verify", (folder_.path() / file).string()});
      EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
      EXPECT_NE(verified.out.find("Confirmed."), std::string::npos) << verified.out;
      EXPECT_NE(verified.out.find(records::summary_of(record).at("hash").get<std::string>()),
                std::string::npos);
    }
  }
  /// Both commands that take the .poses file refuse the record, for this cause.
  void expect_refused(const std::string& cause, const std::string& file = "walk.scene") {
    for (const auto& command : {std::vector<std::string>{"check", "--like", poses()},
                                std::vector<std::string>{"verify", poses()}}) {
      const CommandResult result = run_tocsin(command);
      EXPECT_EQ(result.status, 3) << cause << result.out;
      EXPECT_NE(result.err.find(file), std::string::npos) << result.err;
      EXPECT_NE(result.err.find(cause), std::string::npos) << result.err;
      EXPECT_EQ(result.out.find("Confirmed."), std::string::npos) << result.out;
    }
  }
  /// What the poses say of their .scene file, said of another one; nothing: left out.
  void mark_poses(const std::optional<std::string>& scene) {
    static const std::regex kMark(R"("scene":\[\d+,"\w+"\],)");
    const std::string mark =
        scene ? fmt::format(R"("scene":[{},"{}"],)", scene->size(), base::sha256_hex(*scene)) : "";
    const std::string text = records::bytes_of(poses());
    ASSERT_TRUE(std::regex_search(text, kMark));
    folder_.write("walk.poses", std::regex_replace(text, kMark, mark));
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

}  // namespace tocsin::test
