// The contacts that a session reported have the lines, and the hash, of a check of the same poses.
#include "app/send/send_contacts.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tocsin/tocsin.h"

namespace tocsin::app::send_contacts_test {
namespace {

/// A ball that flies through two walls, in 8 frames.
struct Scene {
  Skeleton skeleton = *Skeleton::create({{.name = "root", .parent = -1, .rest = {}}});
  std::vector<Transform> poses;
  Avatar avatar;
  Environment room;

  Scene() {
    for (int k = 0; k < 8; ++k) {
      poses.push_back({.rotation = {}, .translation = {0.3 * k + 0.01 * k * k, 0, 0}});
    }
    Link ball;
    ball.name = "ball";
    ball.radius = 0.1;
    avatar = *Avatar::create("ball", skeleton, {ball});
    room = *Environment::create({wall("near", 0.6F), wall("far", 1.7F)});
  }
  static ObjectMesh wall(const char* name, float x) {
    ObjectMesh out;
    out.name = name;
    out.vertices = {{x, -1, -1}, {x, -1, 1}, {x, 1, 1}, {x, 1, -1}};
    out.triangles = {{0, 1, 2}, {0, 2, 3}};
    return out;
  }
};

struct Checked {
  std::string hash;
  std::size_t episodes = 0;
  io::Tally tally;
};

/// What the report's writer says about the motion, and what SendContacts says about reports of its
/// steps, frames called as `ids` are.
std::pair<Checked, Checked> both(const Scene& scene, const Motion& motion,
                                 std::optional<double> frame_seconds,
                                 const std::vector<FrameStamp>& ids) {
  const Detector detector = Detector::make(scene.room).value();
  io::ReportWriter writer({"ball"}, {"near", "far"}, [](std::string_view) { return true; });
  SendContacts contacts(frame_seconds, true);
  const auto steps = motion.steps().value();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepReport found = detector.check(scene.avatar, steps[i]);
    EXPECT_TRUE(writer.step(steps[i], found));
    TrackReport report;
    report.from = ids[i];
    report.to = ids[i + 1];
    report.result = found;
    for (const Contact& contact : found.contacts) {
      report.names.push_back({"ball", contact.room()->object == 0 ? "near" : "far"});
    }
    const Status taken = contacts.take(report);
    EXPECT_TRUE(taken.ok()) << taken.error().message;
  }
  return {{writer.hash(), writer.episodes().count(), writer.tally()},
          {contacts.hash(), contacts.episodes(), contacts.tally()}};
}

void expect_equal(const std::pair<Checked, Checked>& checked) {
  const auto& [check, sent] = checked;
  EXPECT_GT(check.tally.contacts, 3);
  EXPECT_EQ(check.hash, sent.hash);
  EXPECT_EQ(check.episodes, sent.episodes);
  EXPECT_EQ(check.tally.contacts, sent.tally.contacts);
  EXPECT_EQ(check.tally.hit, sent.tally.hit);
  EXPECT_EQ(check.tally.overlap, sent.tally.overlap);
  EXPECT_EQ(check.tally.steps, sent.tally.steps);
}

TEST(SendContacts, EvenFramesHaveTheLinesOfACheck) {
  const Scene scene;
  const double frame_time = 1.0 / 90.0;
  const auto motion = Motion::create(scene.skeleton, frame_time, scene.poses);
  std::vector<FrameStamp> ids;
  for (std::uint64_t k = 0; k < 8; ++k) ids.push_back({k, static_cast<double>(k) * frame_time});
  expect_equal(both(scene, *motion, frame_time, ids));
}

TEST(SendContacts, OfATakesStrideHaveItsNumbersAndTimes) {
  const Scene scene;
  const Motion motion = Motion::create(scene.skeleton, 1.0 / 90.0, scene.poses).value();
  const Playback playback(motion, std::nullopt, 0.0, {.first = 1, .last = 7, .stride = 2});
  const Detector detector = Detector::make(scene.room).value();
  io::ReportWriter writer({"ball"}, {"near", "far"}, [](std::string_view) { return true; });
  SendContacts contacts(1.0 / 90.0, true);
  contacts.set_take(playback);
  const auto steps = motion.steps({.first = 1, .last = 7, .stride = 2}).value();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    TrackReport report;
    report.from = {playback.id(i), 0.0};
    report.to = {playback.id(i + 1), 0.0};
    report.result = detector.check(scene.avatar, steps[i]);
    EXPECT_TRUE(writer.step(steps[i], report.result));
    for (const Contact& contact : report.result.contacts) {
      report.names.push_back({"ball", contact.room()->object == 0 ? "near" : "far"});
    }
    const Status taken = contacts.take(report);
    EXPECT_TRUE(taken.ok()) << taken.error().message;
  }
  EXPECT_GE(writer.tally().contacts, 3);
  EXPECT_EQ(contacts.hash(), writer.hash());
  EXPECT_EQ(contacts.episodes(), writer.episodes().count());
  TrackReport unknown;
  unknown.from = {7, 0.0};
  unknown.to = {9, 0.0};
  EXPECT_FALSE(contacts.take(unknown).ok());
}

TEST(SendContacts, LostFramesHaveTheLinesOfTheCoveredPoses) {
  const Scene scene;
  const std::vector<double> ticks{3, 4, 7, 8, 12, 13, 14, 20};
  const auto motion = Motion::create_timed(scene.skeleton, 0.011, ticks, scene.poses);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  std::vector<FrameStamp> ids;
  for (const double tick : ticks) ids.push_back({static_cast<std::uint64_t>(tick), -1.0});
  expect_equal(both(scene, *motion, 0.011, ids));
}

TEST(SendContacts, CaptureTimesCountWhereFramesAreNotEven) {
  const Scene scene;
  const std::vector<double> times{5.5, 5.51, 5.52, 5.9, 6.25, 6.26, 7.0, 7.001};
  const auto motion = Motion::create_timed(scene.skeleton, 1.0, times, scene.poses);
  ASSERT_TRUE(motion.ok()) << motion.error().message;
  std::vector<FrameStamp> ids;
  for (std::size_t k = 0; k < 8; ++k) ids.push_back({100 + k, times[k]});
  expect_equal(both(scene, *motion, std::nullopt, ids));
}

TEST(SendContacts, KeepsTheLeastClearanceOfEveryLink) {
  constexpr double kNothing = std::numeric_limits<double>::infinity();
  const std::vector<std::vector<double>> clearances{
      {0.5, 0.3, kNothing}, {0.25, 0.0, kNothing}, {0.75, 0.0, kNothing}};
  for (const bool lines : {true, false}) {
    SendContacts contacts(0.5, lines);
    EXPECT_TRUE(contacts.clearances().empty());
    for (std::uint64_t k = 0; k < 3; ++k) {
      TrackReport report;
      report.from = {10 + k, 0};
      report.to = {11 + k, 0};
      report.result.clearances = clearances[k];
      ASSERT_TRUE(contacts.take(report).ok());
    }
    const auto& least = contacts.clearances();
    if (!lines) {
      EXPECT_TRUE(least.empty());
      continue;
    }
    ASSERT_EQ(least.size(), 3U);
    EXPECT_EQ(least[0].metres, 0.25);
    EXPECT_EQ(least[0].seconds, 0.5);  // the second step of half a second
    EXPECT_EQ(least[1].metres, 0.0);
    EXPECT_EQ(least[1].seconds, 0.5);  // the first of equal ones
    EXPECT_EQ(least[2].metres, kNothing);
    EXPECT_EQ(least[2].seconds, 0.0);
  }
}

// A session that meets others: times are the ticks', and what it met is counted, but in no line.
TEST(SendContacts, OfAMeetingHaveTheLinesOfItsRecord) {
  const Scene scene;
  const std::vector<double> ticks{3, 4, 6, 7, 8, 9, 12, 13};
  const Motion motion = *Motion::create_timed(scene.skeleton, 0.01, ticks, scene.poses);
  const Detector detector = Detector::make(scene.room).value();
  io::ReportWriter writer({"ball"}, {"near", "far"}, [](std::string_view) { return true; });
  SendContacts contacts(0.5, true);
  contacts.set_tick_rate(100.0);
  const auto steps = motion.steps().value();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const StepReport found = detector.check(scene.avatar, steps[i]);
    EXPECT_TRUE(writer.step(steps[i], found));
    TrackReport report;
    report.from = {7, 3.5};
    report.to = {7, 3.5};
    report.tick = MeetingTick{static_cast<std::uint64_t>(ticks[i]),
                              static_cast<std::uint64_t>(ticks[i + 1]), 2};
    report.result = found;
    for (const Contact& contact : found.contacts) {
      report.names.push_back({"ball", contact.room()->object == 0 ? "near" : "far"});
    }
    Contact met;
    met.touched = OtherLink{9, 0};
    report.result.contacts.push_back(met);
    report.names.push_back({"ball", "", "hand", "Bo"});
    const Status taken = contacts.take(report);
    ASSERT_TRUE(taken.ok()) << taken.error().message;
  }
  EXPECT_GT(writer.tally().contacts, 3);
  EXPECT_EQ(contacts.hash(), writer.hash());
  EXPECT_EQ(contacts.episodes(), writer.episodes().count());
  EXPECT_EQ(contacts.met(), steps.size());
  EXPECT_EQ(contacts.tally().contacts, writer.tally().contacts + std::int64_t(steps.size()));
  EXPECT_EQ(contacts.first().rfind("ball and hand of Bo at 0", 0), 0U) << contacts.first();
}

TEST(SendContacts, FingerprintsTellSessionsApart) {
  TrackReport report;
  report.to = {1, 0.1};
  report.result.contacts.resize(1);
  report.result.contacts[0].toc = {0.25, 0.5};
  report.names = {{"a", "b"}};
  const auto fingerprint = [](const TrackReport& of) {
    SendContacts contacts(std::nullopt, false);
    EXPECT_TRUE(contacts.take(of).ok());
    return contacts.fingerprint();
  };
  EXPECT_EQ(fingerprint(report), fingerprint(report));
  TrackReport other = report;
  other.result.contacts[0].toc[1] = 0.5000000000000001;
  EXPECT_NE(fingerprint(report), fingerprint(other));
  other = report;
  other.to.id = 2;
  EXPECT_NE(fingerprint(report), fingerprint(other));
  EXPECT_NE(fingerprint(report), fingerprint(TrackReport{}));
}

TEST(SendContacts, FramesThatGoBackAreAnError) {
  SendContacts contacts(0.01, true);
  TrackReport report;
  report.from = {5, 0};
  report.to = {4, 0};
  EXPECT_FALSE(contacts.take(report).ok());
}

}  // namespace
}  // namespace tocsin::app::send_contacts_test
