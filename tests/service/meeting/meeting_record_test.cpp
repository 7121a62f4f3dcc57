// Records of sessions that met: each is true by itself, and all of them together on one time line
// are the meeting again.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "cli/command.h"
#include "service/meeting/meeting_rig.h"
#include "support/places.h"
#include "support/test_folder.h"
#include "tocsin/io.h"
#include "tocsin/time_line.h"

namespace tocsin::service {
namespace {

namespace fs = std::filesystem;
using test::frame_of;
using test::MeetingRig;
using test::Visitor;

const std::string kMeetingRoom = test::source_dir() + "/environments/music_room.obj";
const std::string kMeetingTake = test::source_dir() + "/motions/walk_and_reach.bvh";
constexpr double kRate = 100.0;

std::shared_ptr<const Room> music_room() {
  Environment environment = load_environment(kMeetingRoom).value();
  auto room = std::make_shared<Room>(
      "music", environment, Detector::make(environment, {.backend = Backend::kCpu}).value());
  room->files.push_back({"music_room.obj", kMeetingRoom, base::sha256_file(kMeetingRoom).value()});
  return room;
}

using Replayed = std::map<std::pair<std::uint64_t, std::size_t>, StepReport>;

std::size_t replayed_at(const Replayed& all, std::uint64_t tick) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < 3; ++i) out += all.count({tick, i});
  return out;
}

class MeetingRecordTest : public testing::Test {
 protected:
  void open(const Placement& place, std::int64_t first) {
    TrackOptions options;
    options.skeleton = take_.skeleton();
    options.avatar.place = place;
    options.meet = true;
    options.spec.self = true;
    const std::string stem = "walker" + std::to_string(rig_.numbers + 1);
    TrackOptions recorded = options;
    recorded.frame_seconds = 1.0 / kRate;
    ASSERT_TRUE(rig_.open(options, [&](const Avatar& avatar, const auto& /*ignore*/,
                                       const SceneState* /*first*/) {
      return Recorder::create(folder_.path(), stem, recorded, avatar, *rig_.room);
    })) << rig_.problem.message;
    next_.push_back(first);
    reports_.emplace_back();
    places_.push_back(place);
  }
  void tick(std::size_t away = 99) {
    for (std::size_t i = 0; i < rig_.visitors.size(); ++i) {
      if (i == away) continue;
      ASSERT_FALSE(rig_.visitors[i].offer(frame_of(take_, next_[i]++)));
    }
    rig_.tick();
    for (std::size_t i = 0; i < rig_.visitors.size(); ++i) {
      for (TrackReport& report : rig_.visitors[i].pull()) reports_[i].push_back(std::move(report));
    }
  }
  void end_all() {
    for (Visitor& visitor : rig_.visitors) visitor.session->finish(visitor.outlet.get());
    rig_.scheduler->run_all();
    for (Visitor& visitor : rig_.visitors) {
      ASSERT_TRUE(visitor.session->ended(visitor.outlet.get()));
    }
  }

  test::TestFolder folder_;
  Motion take_ = load_motion(kMeetingTake).value();
  MeetingRig rig_{music_room(), {}, kRate};
  std::vector<std::int64_t> next_;
  std::vector<std::vector<TrackReport>> reports_;
  std::vector<Placement> places_;
};

// Three that join one after the other; one is away for a while.
TEST_F(MeetingRecordTest, TogetherTheyAreTheMeetingAgain) {
  open({}, 0);
  for (int t = 0; t < 5; ++t) tick();
  open({{0.2, 0.0, 0.1}, 0.0}, 2);
  for (int t = 0; t < 7; ++t) tick();
  open({{-0.15, 0.0, -0.2}, 4.0}, 8);
  for (int t = 0; t < 10; ++t) tick();
  Visitor& second = rig_.visitors[1];
  second.session->detach(second.outlet.get());
  for (int t = 0; t < 4; ++t) tick(1);
  ASSERT_FALSE(second.attach(reports_[1].size()));
  for (int t = 0; t < 20; ++t) tick();
  end_all();

  // Each by itself.
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string stem = "walker" + std::to_string(i + 1);
    const auto verified = test::run_tocsin({"verify", stem + ".jsonl"}, folder_.path());
    EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
  }

  // And together.
  std::vector<TakePart> parts;
  std::vector<Member> members;
  for (std::size_t i = 0; i < 3; ++i) {
    const fs::path file = folder_.path() / ("walker" + std::to_string(i + 1) + ".poses");
    const Motion plain = load_motion(file.string()).value();
    TakePart part;
    part.motion = plain.placed(places_[i]).value();
    part.start = static_cast<double>(reports_[i].front().tick->from) / kRate;
    members.push_back({choose_avatar(part.motion.skeleton()).value()});
    members.back().self = LinkPairs::of(members.back().avatar);
    EXPECT_EQ(part.motion.frame_count(), static_cast<std::int64_t>(reports_[i].size()) + 1);
    parts.push_back(std::move(part));
  }
  const auto line = on_one_time_line(parts);
  ASSERT_TRUE(line.ok()) << line.error().message;
  const std::uint64_t first_tick = reports_[0].front().tick->from;
  Replayed replayed;  // by (tick, member)
  ASSERT_TRUE(rig_.room->detector.run(
      members, line.value().steps, {.meet = true, .threads = 1}, [&](const StepReport& report) {
        const auto tick = first_tick + 1 + static_cast<std::uint64_t>(report.step);
        const auto who = static_cast<std::size_t>(report.avatar);
        replayed[{tick, who}] = report;
        return true;
      }));
  std::size_t met = 0;
  std::size_t alone = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (const TrackReport& report : reports_[i]) {
      if (report.tick->members == 0) continue;  // away
      const StepReport& again = replayed.at({report.tick->to, i});
      // Replayed, who was away stands where it stood.
      const bool somebody_away = report.tick->members < replayed_at(replayed, report.tick->to);
      std::vector<Contact> told;
      for (Contact contact : report.result.contacts) {
        if (contact.other()) {
          const auto number = static_cast<std::size_t>(contact.other()->avatar);
          const std::size_t other = number == 0 ? i : number - 1;
          met += number == 0 ? 0 : 1;
          if (other < i) continue;
          contact.other()->avatar = static_cast<std::int32_t>(other);
        }
        told.push_back(contact);
      }
      alone += somebody_away ? 1 : 0;
      if (somebody_away) continue;
      EXPECT_EQ(told, again.contacts) << "tick " << report.tick->to << ", walker " << i;
      EXPECT_EQ(report.result.safe_until, again.safe_until);
    }
  }
  EXPECT_GT(met, 100U);
  EXPECT_EQ(alone, 8U);  // the two others, for four ticks
}

}  // namespace
}  // namespace tocsin::service
