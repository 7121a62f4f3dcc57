// What is kept of a server's sessions: times, contacts, marks, rooms, and what is dropped.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "view/rooms.h"
#include "view/watched/session_clock.h"
#include "view/watched/watched_story.h"
#include "view/window/player.h"

namespace tocsin::view::watched_test {
namespace {

using test::box;
using test::room_of;

/// A pole of two joints, one of them 1.7 m above the other.
Avatar pole() {
  auto skeleton = Skeleton::create({{"Hips", -1, {}}, {"Top", 0, {{}, {0.0, 1.7, 0.0}}}});
  EXPECT_TRUE(skeleton.ok());
  return Avatar::create("pole", *skeleton, {{"pole", 0, {0, 0, 0}, {0, 1.7, 0}, 0.1}}).value();
}

WatchedSession session_of(const std::string& name, const std::string& label,
                          const std::string& room = "hall") {
  WatchedSession out;
  out.session = name;
  out.label = label;
  out.environment.name = room;
  out.environment.revision = room == "hall" ? 1 : 2;
  out.avatar = pole();
  out.margin = 0.02;
  out.attached = true;
  return out;
}

std::vector<Transform> pose_at_x(double x) { return {{{}, {x, 0.0, 0.0}}, {{}, {0.0, 1.7, 0.0}}}; }

/// Step n lasts from n/10 to (n+1)/10 seconds of the session's clock, which began at 1000 s.
WatchedStep step_of(const std::string& session, std::int64_t n) {
  WatchedStep out;
  out.session = session;
  TrackReport& report = out.report;
  report.from = {static_cast<std::uint64_t>(n), 1000.0 + 0.1 * static_cast<double>(n)};
  report.to = {static_cast<std::uint64_t>(n) + 1, 1000.0 + 0.1 * static_cast<double>(n + 1)};
  report.result.step = n;
  report.result.frames = {n, n + 1};
  out.from_pose = pose_at_x(static_cast<double>(n));
  out.to_pose = pose_at_x(static_cast<double>(n + 1));
  return out;
}

void touch(WatchedStep& step, ContactStatus status, double t, const std::string& object) {
  Contact contact;
  contact.status = status;
  contact.touched = RoomTriangle{7, 3};
  contact.toc = {t, t};
  step.report.result.contacts.push_back(contact);
  step.report.names.push_back({"pole", object});
}

TEST(PlaceStep, KeepsASessionsOwnTimes) {
  std::optional<double> offset;
  std::optional<double> last;
  const auto first = place_step({1000.0, 1000.1}, 5.0, 0.0, {offset, last});
  EXPECT_NEAR(first[1], 5.0, 1e-9) << "the first step ends when it comes";
  EXPECT_NEAR(first[0], 4.9, 1e-9);
  // Later ones come early and late: their times are the session's.
  const auto second = place_step({1000.1, 1000.2}, 5.9, 5.0, {offset, last});
  EXPECT_NEAR(second[0], 5.0, 1e-9);
  EXPECT_NEAR(second[1], 5.1, 1e-9);
}

TEST(PlaceStep, GoesOnAtArrivalAfterAPause) {
  std::optional<double> offset = 0.0;
  std::optional<double> last = 10.0;
  const auto late = place_step({10.0, 10.1}, 10.1 + kMostLag + 1.0, 10.0, {offset, last});
  EXPECT_NEAR(late[1], 10.1 + kMostLag + 1.0, 1e-9);
  EXPECT_NEAR(late[0], late[1] - 0.1, 1e-9);
}

TEST(PlaceStep, NeverOverlapsAndNeverGoesBack) {
  std::optional<double> offset = 0.0;
  std::optional<double> last = 10.0;
  const auto back = place_step({3.0, 3.1}, 10.0, 10.0, {offset, last});
  EXPECT_GE(back[0], 10.0) << "a clock that was set back";
  EXPECT_NEAR(back[1] - back[0], 0.1, 1e-9);
  const auto small = place_step({3.05, 3.2}, 10.0, 10.0, {offset, last});
  EXPECT_GE(small[0], back[1]);
  EXPECT_GE(small[1], small[0]);
}

// A new session beside one that runs ahead of its arrival (sent faster than it was captured).
TEST(PlaceStep, BeginsAtTheNewestTime) {
  std::optional<double> offset;
  std::optional<double> last;
  EXPECT_NEAR(place_step({0.0, 0.1}, 5.0, 40.0, {offset, last})[1], 40.0, 1e-9);
}

TEST(WatchedStory, IsEmptyAtFirst) {
  WatchedStory watched("here:1");
  const auto story = watched.make();
  EXPECT_FALSE(story->complete);
  EXPECT_EQ(story->verdict, "LOST");
  EXPECT_TRUE(story->figures.empty());
  ASSERT_EQ(story->rooms.size(), 1U);
  EXPECT_FALSE(watched.missing_room());
  Player player(story);
  EXPECT_TRUE(player.live());
  EXPECT_FALSE(player.within());
  for (const KeyRow& row : key_rows()) player.act(row.action);
}

TEST(WatchedStory, ShowsStepsAndContactsAtTheirTimes) {
  WatchedStory watched("here:1");
  watched.connected();
  watched.session(session_of("aaaaaaaaaaaa", "left hand"));
  watched.step(step_of("aaaaaaaaaaaa", 0), 2.0);
  WatchedStep hit = step_of("aaaaaaaaaaaa", 1);
  touch(hit, ContactStatus::kHit, 0.4, "Wall");
  watched.step(hit, 2.5);
  WatchedStep on = step_of("aaaaaaaaaaaa", 2);
  touch(on, ContactStatus::kOverlap, 0.0, "Wall");
  watched.step(on, 2.5);
  watched.step(step_of("aaaaaaaaaaaa", 3), 2.5);
  WatchedStep again = step_of("aaaaaaaaaaaa", 4);
  touch(again, ContactStatus::kGraze, 0.5, "Wall");
  watched.step(again, 2.5);
  const auto story = watched.make();
  EXPECT_EQ(story->verdict, "LIVE");
  EXPECT_EQ(story->title, "here:1, room hall");
  EXPECT_EQ(story->summary, "1 session; 5 steps, 3 contacts so far: left hand");
  ASSERT_EQ(story->figures.size(), 1U);
  const StoryFigure& figure = story->figures[0];
  EXPECT_EQ(figure.name, "left hand");
  EXPECT_EQ(figure.margin, 0.02);
  ASSERT_EQ(figure.steps.size(), 5U);
  EXPECT_NEAR(story->times[0], 1.9, 1e-9);
  EXPECT_NEAR(story->times[1], 2.4, 1e-9);
  EXPECT_EQ(figure.steps[3].index(), 3);
  EXPECT_NEAR(figure.steps[3].seconds(0.5), 2.25, 1e-9);
  EXPECT_EQ(figure.steps[3].pose1()[0].translation.x, 4.0);
  ASSERT_EQ(story->episodes.size(), 2U) << "a free step lies between";
  EXPECT_EQ(story->episodes[0].told.steps, 2);
  EXPECT_EQ(story->episodes[0].thing_text, "Wall");
  EXPECT_EQ(story->episodes[0].link_text, "pole");
  EXPECT_NEAR(story->episodes[0].told.seconds[0], 2.04, 1e-9);
  EXPECT_NEAR(story->episodes[0].told.seconds[1], 2.2, 1e-9);
  ASSERT_EQ(story->contacts.size(), 3U);
  EXPECT_EQ(story->contacts[1].episode, 0U);
  EXPECT_EQ(story->contacts[2].episode, 1U);
  EXPECT_EQ(contacts_at(*story, 2.05), std::vector<std::size_t>{0});
  EXPECT_EQ(contacts_at(*story, 2.4), std::vector<std::size_t>{2}) << "the newest pose";
  // A lane of the session, then that of the link.
  ASSERT_EQ(story->lanes.size(), 2U);
  EXPECT_TRUE(story->lanes[0].link.empty());
  EXPECT_EQ(story->lanes[0].name, "left hand");
  EXPECT_EQ(story->lanes[1].link, "pole");
}

// Of a session whose newest step is older than another's, the contacts of that step are shown.
TEST(WatchedStory, TouchesAtItsOwnNewestPose) {
  WatchedStory watched("here:1");
  watched.connected();
  watched.session(session_of("aaaaaaaaaaaa", "a"));
  watched.session(session_of("bbbbbbbbbbbb", "b"));
  WatchedStep hit = step_of("aaaaaaaaaaaa", 0);
  touch(hit, ContactStatus::kHit, 0.5, "Wall");
  watched.step(hit, 2.0);
  watched.step(step_of("bbbbbbbbbbbb", 0), 2.0);
  watched.step(step_of("bbbbbbbbbbbb", 1), 2.1);
  auto story = watched.make();
  const double end = story->times[1];
  EXPECT_EQ(contacts_at(*story, end).size(), 1U);
  EXPECT_TRUE(moment_at(story->figures[0], end).there);
  EXPECT_EQ(story->episodes[0].link_text, "pole of a");
  // Once it is over, it is gone after its time.
  watched.ended({"aaaaaaaaaaaa", TrackEnded{}, true, {}});
  story = watched.make();
  EXPECT_TRUE(contacts_at(*story, end).empty());
  EXPECT_FALSE(moment_at(story->figures[0], end).there);
  EXPECT_EQ(story->figures[0].state, "over");
  EXPECT_EQ(watched.counts().running, 1U);
  EXPECT_EQ(watched.counts().ended, 1U);
}

TEST(WatchedStory, MarksLateFramesSkipsAndHoles) {
  WatchedStory watched("here:1");
  watched.connected();
  watched.session(session_of("aaaaaaaaaaaa", "a"));
  // This watcher came at step 5: earlier late frames are not news.
  WatchedStep first = step_of("aaaaaaaaaaaa", 5);
  first.report.stale_frames = 3;
  first.report.duplicate_frames = 1;
  watched.step(first, 2.0);
  EXPECT_EQ(watched.counts().late, 0U);
  EXPECT_TRUE(watched.make()->marks.empty());
  WatchedStep late = step_of("aaaaaaaaaaaa", 6);
  late.report.stale_frames = 5;
  late.report.duplicate_frames = 1;
  late.report.skipped = {{157, 159}};
  late.report.bad = {{161, 161}};
  late.report.bad_frames = 1;
  watched.step(late, 2.1);
  watched.step(step_of("aaaaaaaaaaaa", 9), 2.4);
  const auto story = watched.make();
  EXPECT_EQ(watched.counts().late, 2U);
  EXPECT_EQ(watched.counts().duplicate, 0U);
  EXPECT_EQ(watched.counts().skipped, 3U);
  EXPECT_EQ(watched.counts().bad, 1U);
  std::vector<std::string> texts;
  for (const StoryMark& mark : story->marks) texts.push_back(mark.text);
  EXPECT_EQ(texts, (std::vector<std::string>{"2 late frames", "skipped: frames 157 to 159",
                                             "bad: frames 161", "steps 7 to 8 did not come here"}));
  EXPECT_EQ(marks_at(*story, story->figures[0].steps[1].seconds(0.5)).size(), 3U);
  ASSERT_FALSE(story->lanes.empty());
  EXPECT_EQ(story->lanes[0].marks.size(), 4U);
}

// The first step of a session that begins while it is watched counts from nothing.
TEST(WatchedStory, CountsFromTheFirstStep) {
  WatchedStory watched("here:1");
  watched.connected();
  watched.session(session_of("aaaaaaaaaaaa", "a"));
  WatchedStep first = step_of("aaaaaaaaaaaa", 0);
  first.report.stale_frames = 2;
  watched.step(first, 1.0);
  EXPECT_EQ(watched.counts().late, 2U);
}

TEST(WatchedStory, DropsTheOldestAndCountsIt) {
  WatchedStory watched("here:1", {.steps = 10});
  watched.connected();
  watched.session(session_of("aaaaaaaaaaaa", "a"));
  watched.session(session_of("bbbbbbbbbbbb", "b"));
  for (std::int64_t n = 0; n < 30; ++n) {
    WatchedStep step = step_of("aaaaaaaaaaaa", n);
    touch(step, ContactStatus::kOverlap, 0.0, "Wall");
    watched.step(step, 1.0 + 0.1 * static_cast<double>(n));
    watched.step(step_of("bbbbbbbbbbbb", n), 1.0 + 0.1 * static_cast<double>(n));
  }
  const LiveCounts& counts = watched.counts();
  EXPECT_EQ(counts.steps, 60U);
  EXPECT_EQ(counts.kept_steps, 10U);
  EXPECT_EQ(counts.dropped_steps, 50U);
  EXPECT_EQ(counts.contacts, 30U);
  const auto story = watched.make();
  EXPECT_EQ(counts.dropped_contacts + story->contacts.size(), 30U);
  ASSERT_EQ(story->figures.size(), 2U);
  EXPECT_EQ(story->figures[0].steps.size(), 5U);
  EXPECT_EQ(story->figures[1].steps.size(), 5U);
  EXPECT_EQ(story->figures[0].steps.front().index(), 25);
  EXPECT_EQ(story->contacts.front().told.step, 25) << "contacts go with their steps";
  ASSERT_EQ(story->episodes.size(), 1U);
  EXPECT_EQ(story->episodes[0].told.steps, 5);
  // A player that looks at what was dropped goes to the oldest that is there.
  Player player(story);
  player.seek(0.0);
  EXPECT_EQ(player.now(), story->times[0]);
}

TEST(WatchedStory, BoundsContactsAndBytesToo) {
  for (const KeptLimits limits :
       {KeptLimits{.contacts = 4}, KeptLimits{.bytes = 4 * (4 * sizeof(Transform) + 64)}}) {
    WatchedStory watched("here:1", limits);
    watched.connected();
    watched.session(session_of("aaaaaaaaaaaa", "a"));
    for (std::int64_t n = 0; n < 20; ++n) {
      WatchedStep step = step_of("aaaaaaaaaaaa", n);
      touch(step, ContactStatus::kOverlap, 0.0, "Wall");
      watched.step(step, 1.0);
    }
    EXPECT_EQ(watched.make()->contacts.size(), 4U);
    EXPECT_EQ(watched.counts().dropped_steps, 16U);
  }
}

TEST(WatchedStory, KeepsWhatIsThereWhenTheConnectionIsLost) {
  WatchedStory watched("here:1");
  watched.connected();
  watched.session(session_of("aaaaaaaaaaaa", "a"));
  watched.session(session_of("bbbbbbbbbbbb", "b"));
  watched.step(step_of("aaaaaaaaaaaa", 0), 1.0);
  watched.step(step_of("bbbbbbbbbbbb", 0), 1.0);
  watched.lost();
  auto story = watched.make();
  EXPECT_EQ(story->verdict, "LOST");
  EXPECT_EQ(story->figures.size(), 2U);
  EXPECT_EQ(watched.counts().losses, 1U);
  ASSERT_EQ(story->marks.size(), 2U);
  EXPECT_EQ(story->marks[0].kind, MarkKind::kNoStream);
  // One of them is told again, and goes on; the other was over meanwhile.
  watched.connected();
  watched.session(session_of("aaaaaaaaaaaa", "a"));
  watched.step(step_of("aaaaaaaaaaaa", 4), 3.0);
  watched.forget_absent();
  story = watched.make();
  EXPECT_EQ(story->verdict, "LIVE");
  ASSERT_EQ(story->figures.size(), 2U);
  EXPECT_TRUE(story->figures[0].stays);
  EXPECT_EQ(story->figures[0].steps.size(), 2U);
  EXPECT_FALSE(story->figures[1].stays);
  EXPECT_NE(story->figures[1].state.find("over"), std::string::npos);
  EXPECT_EQ(watched.counts().sessions, 2U) << "told twice, and the same";
}

// Contacts of a step in parts are told at once, and once.
TEST(WatchedStory, TakesTheCompleteReportInPlaceOfItsParts) {
  WatchedStory watched("here:1");
  watched.connected();
  watched.session(session_of("aaaaaaaaaaaa", "a"));
  watched.step(step_of("aaaaaaaaaaaa", 0), 1.0);
  WatchedStep part = step_of("aaaaaaaaaaaa", 1);
  part.report.result.complete = false;
  part.from_pose.clear();
  part.to_pose.clear();
  touch(part, ContactStatus::kHit, 0.2, "Wall");
  watched.step(part, 1.1);
  EXPECT_EQ(watched.make()->contacts.size(), 1U);
  EXPECT_EQ(watched.counts().steps, 1U);
  WatchedStep whole = step_of("aaaaaaaaaaaa", 1);
  touch(whole, ContactStatus::kHit, 0.2, "Wall");
  touch(whole, ContactStatus::kHit, 0.7, "Shelf");
  watched.step(whole, 1.1);
  EXPECT_EQ(watched.make()->contacts.size(), 2U);
  EXPECT_EQ(watched.counts().contacts, 2U);
}

TEST(WatchedStory, ShowsOneRoomAtATime) {
  WatchedStory watched("here:1");
  watched.connected();
  watched.session(session_of("aaaaaaaaaaaa", "a"));
  watched.session(session_of("bbbbbbbbbbbb", "b", "cellar"));
  ASSERT_TRUE(watched.missing_room());
  EXPECT_EQ(watched.missing_room()->key.name, "hall");
  EXPECT_EQ(watched.missing_room()->session, "aaaaaaaaaaaa");
  watched.put_room({"hall", 1}, 0, room_of({box("Wall", {0, 0, 0}, {1, 1, 1})}));
  EXPECT_FALSE(watched.missing_room());
  watched.step(step_of("aaaaaaaaaaaa", 0), 1.0);
  watched.step(step_of("bbbbbbbbbbbb", 0), 1.0);
  EXPECT_EQ(watched.counts().elsewhere, 1U);
  EXPECT_EQ(watched.counts().steps, 1U);
  EXPECT_EQ(watched.make()->figures.size(), 1U);
  watched.ended({"aaaaaaaaaaaa", TrackEnded{}, true, {}});
  ASSERT_TRUE(watched.missing_room());
  EXPECT_EQ(watched.missing_room()->key.name, "cellar");
  watched.put_room({"cellar", 2}, 0, room_of({box("Barrel", {0, 0, 0}, {1, 1, 1})}));
  watched.step(step_of("bbbbbbbbbbbb", 1), 2.0);
  const auto story = watched.make();
  ASSERT_EQ(story->rooms.size(), 2U) << "each at its time";
  EXPECT_EQ(story->rooms[room_at(*story, 0.95)].room.objects()[0].name, "Wall");
  EXPECT_EQ(story->rooms[room_at(*story, 2.0)].room.objects()[0].name, "Barrel");
}

TEST(WatchedStory, FindsObjectsOfTheRoomAsItWasThen) {
  WatchedStory watched("here:1");
  watched.connected();
  watched.session(session_of("aaaaaaaaaaaa", "a"));
  watched.put_room(
      {"hall", 1}, 0,
      room_of({box("Shelf", {0, 0, 0}, {1, 1, 1}), box("Wall", {2, 0, 0}, {3, 1, 1})}));
  WatchedStep step = step_of("aaaaaaaaaaaa", 0);
  touch(step, ContactStatus::kHit, 0.5, "Wall");
  watched.step(step, 1.0);
  WatchedStep changed = step_of("aaaaaaaaaaaa", 1);
  changed.report.room = RoomVersions{0, 1, false};
  touch(changed, ContactStatus::kHit, 0.5, "Wall");
  watched.step(changed, 1.1);
  ASSERT_TRUE(watched.missing_room());
  EXPECT_EQ(watched.missing_room()->version, 1U);
  watched.put_room({"hall", 1}, 1, room_of({box("Wall", {2, 0, 0}, {3, 1, 1})}));
  EXPECT_FALSE(watched.missing_room());
  const auto story = watched.make();
  ASSERT_EQ(story->contacts.size(), 2U);
  EXPECT_EQ(story->contacts[0].object, 1U);
  EXPECT_EQ(story->contacts[1].object, 0U);
}

TEST(WatchedStory, NamesTheOtherOfAMeeting) {
  WatchedStory watched("here:1");
  watched.connected();
  for (const auto& [name, label, member] :
       {std::tuple("aaaaaaaaaaaa", "a", 1U), std::tuple("bbbbbbbbbbbb", "b", 2U)}) {
    WatchedSession one = session_of(name, label);
    one.meeting = MeetingInfo{100.0, member};
    watched.session(one);
  }
  WatchedStep other = step_of("bbbbbbbbbbbb", 0);
  other.report.tick = MeetingTick{70, 80, 2};
  watched.step(other, 3.0);
  WatchedStep meets = step_of("aaaaaaaaaaaa", 0);
  meets.report.tick = MeetingTick{70, 80, 2};
  for (const std::int32_t member : {2, 9}) {
    Contact contact;
    contact.touched = OtherLink{member, 0};
    contact.toc = {0.5, 0.5};
    meets.report.result.contacts.push_back(contact);
    meets.report.names.push_back({"pole", {}, "pole", member == 2 ? "b" : "stranger"});
  }
  watched.step(meets, 3.2);
  const auto story = watched.make();
  ASSERT_EQ(story->contacts.size(), 2U);
  // Both are at one time, whenever they came: they have one clock.
  EXPECT_EQ(story->figures[0].steps[0].seconds(1.0), story->figures[1].steps[0].seconds(1.0));
  std::vector<std::string> things;
  for (const StoryEpisode& episode : story->episodes) things.push_back(episode.thing_text);
  EXPECT_EQ(things, (std::vector<std::string>{"pole of b", "pole of stranger"}));
}

TEST(Player, GoesAlongWithALiveStory) {
  WatchedStory watched("here:1");
  watched.connected();
  watched.session(session_of("aaaaaaaaaaaa", "a"));
  watched.step(step_of("aaaaaaaaaaaa", 0), 1.0);
  Player player(watched.make());
  EXPECT_TRUE(player.live());
  EXPECT_TRUE(player.playing());
  EXPECT_NEAR(player.now(), 1.0, 1e-9);
  watched.step(step_of("aaaaaaaaaaaa", 1), 1.1);
  player.tell(watched.make());
  EXPECT_NEAR(player.now(), 1.1, 1e-9);
  player.act(Action::kPlay);
  EXPECT_FALSE(player.playing());
  watched.step(step_of("aaaaaaaaaaaa", 2), 1.2);
  player.tell(watched.make());
  EXPECT_NEAR(player.now(), 1.1, 1e-9) << "paused, while more comes";
  player.act(Action::kPlay);
  EXPECT_TRUE(player.playing() && !player.live());
  player.tick(0.05);
  EXPECT_NEAR(player.now(), 1.15, 1e-9);
  player.tick(0.2);
  EXPECT_TRUE(player.live()) << "played to its end, it goes along again";
  player.seek(0.95);
  EXPECT_FALSE(player.live());
  player.act(Action::kEnd);
  EXPECT_TRUE(player.live());
}

}  // namespace
}  // namespace tocsin::view::watched_test
