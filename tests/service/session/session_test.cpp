// One session: what it is opened with, streams that come and go, and how it ends.
#include "service/session/session.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "service/session/session_fixture.h"

namespace tocsin::service::session_test {
namespace {

using test::Clock;
using test::frame_of;
using test::SessionRig;
using test::SessionTest;

TEST_F(SessionTest, ReportsStepByStepWhatACheckFinds) {
  options_.spec.clearance = true;
  ASSERT_TRUE(open());
  EXPECT_EQ(rig_.opened.links.size(), 5U);
  EXPECT_EQ(rig_.opened.links[0], "link1");
  EXPECT_EQ(rig_.opened.avatar, "random");
  EXPECT_EQ(rig_.opened.backend, "cpu");
  EXPECT_EQ(rig_.opened.environment.name, "room");
  EXPECT_EQ(rig_.opened.max_pending_frames, 16U);
  EXPECT_EQ(rig_.opened.next_step, 0U);
  EXPECT_FALSE(rig_.opened.covered);
  std::vector<TrackReport> reports;
  for (std::int64_t k = 0; k < 40; ++k) {
    offer(k, k);
    rig_.scheduler->run_all();
    for (TrackReport& report : rig_.pull()) reports.push_back(std::move(report));
    EXPECT_EQ(reports.size(), static_cast<std::size_t>(k));
  }
  expect_same(reports, wanted(39, {.clearance = true}));
  std::size_t contacts = 0;
  for (const TrackReport& report : reports) {
    EXPECT_EQ(report.to.id, report.from.id + 1);
    EXPECT_EQ(report.to.capture_time, take_.motion.seconds(report.result.step + 1));
    EXPECT_GE(report.safe_until_time, report.from.capture_time);
    EXPECT_LE(report.safe_until_time, report.to.capture_time);
    EXPECT_EQ(report.result.safe_until == 1.0, report.safe_until_time == report.to.capture_time);
    EXPECT_GE(report.timing.total, report.timing.waited + report.timing.checked);
    EXPECT_EQ(report.timing.batch, 1U);
    ASSERT_EQ(report.names.size(), report.result.contacts.size());
    for (std::size_t i = 0; i < report.names.size(); ++i) {
      const Contact& contact = report.result.contacts[i];
      EXPECT_EQ(report.names[i].link, "link" + std::to_string(contact.link + 1));
      EXPECT_EQ(report.names[i].object, "object" + std::to_string(contact.room()->object));
      ++contacts;
    }
  }
  EXPECT_GT(contacts, 5U);
  EXPECT_EQ(rig_.session->counts().contacts, contacts);
}

TEST_F(SessionTest, OptionsReachTheCheck) {
  options_.spec.margin = 0.05;
  options_.spec.contacts = Contacts::kFirst;
  options_.spec.tolerance = 1e-5;
  options_.spec.in_between = InBetween::kTranslateRotate;
  options_.avatar.place = {{0.2, 0.1, -0.3}, 30.0};
  ASSERT_TRUE(open());
  offer(0, 15);
  rig_.scheduler->run_all();
  // Placing moves roots only: links, which hang in joint frames, are the same.
  const auto want = wanted(15, {.contacts = Contacts::kFirst, .margin = 0.05, .tolerance = 1e-5});
  expect_same(rig_.pull(), want);
}

TEST_F(SessionTest, EvenFramesAreWhereTheirIdsSay) {
  options_.frame_seconds = 0.125;
  ASSERT_TRUE(open());
  for (const std::int64_t k : {2, 3, 5}) {
    TrackFrame frame = frame_of(take_.motion, k);
    frame.capture_time = std::numeric_limits<double>::quiet_NaN();  // not looked at
    EXPECT_FALSE(rig_.offer(std::move(frame)));
  }
  rig_.scheduler->run_all();
  const auto reports = rig_.pull();
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].from, (FrameStamp{2, 0.25}));
  EXPECT_EQ(reports[1].to, (FrameStamp{5, 0.625}));
}

TEST_F(SessionTest, StopPoseIsThePoseAtSafeUntilInTheClientsFrame) {
  options_.stop_pose = true;
  options_.avatar.place = {{0.1, 0.0, 0.1}, 45.0};
  ASSERT_TRUE(open());
  offer(0, 15);
  rig_.scheduler->run_all();
  int stops = 0;
  for (const TrackReport& report : rig_.pull()) {
    ASSERT_EQ(report.stop_pose.empty(), report.result.contacts.empty());
    if (report.stop_pose.empty()) continue;
    ++stops;
    const auto k = report.result.step;
    EXPECT_EQ(report.stop_pose, pose_between(take_.motion.pose(k), take_.motion.pose(k + 1),
                                             options_.spec.in_between, report.result.safe_until));
  }
  EXPECT_GT(stops, 0);
}

TEST_F(SessionTest, TellsWhatIsNearItsNewestPose) {
  options_.nearest = 0.5;
  options_.most_distances = 3;
  options_.spec.margin = 0.01;
  ASSERT_TRUE(open());
  offer(0, 15);
  rig_.scheduler->run_all();
  const StepList steps = take_.motion.steps().value();
  const Detector detector = Detector::make(room_->environment, {.margin = 0.01}).value();
  std::size_t cut = 0;
  const auto reports = rig_.pull();
  ASSERT_EQ(reports.size(), 15U);
  for (const TrackReport& report : reports) {
    auto want =
        detector.nearest(take_.avatar, steps[std::size_t(report.result.step)], 1.0, 0.5).value();
    cut += report.more_distances;
    EXPECT_EQ(report.distances.size() + report.more_distances, want.size());
    if (want.size() > 3) want.resize(3);
    EXPECT_EQ(report.distances, want);
    ASSERT_EQ(report.distance_objects.size(), want.size());
    for (std::size_t i = 0; i < want.size(); ++i) {
      EXPECT_EQ(report.distance_objects[i], "object" + std::to_string(want[i].nearest.object));
    }
  }
  EXPECT_GT(cut, 0U);
}

TEST_F(SessionTest, ResumesWithoutAHole) {
  ASSERT_TRUE(open());
  offer(0, 5);
  rig_.scheduler->run_all();
  const auto first = rig_.pull(3);
  ASSERT_EQ(first.size(), 3U);
  rig_.session->detach(rig_.outlet.get());
  EXPECT_TRUE(rig_.pull().empty());
  // The third got lost on its way.
  ASSERT_FALSE(rig_.attach(2));
  EXPECT_EQ(rig_.opened.next_step, 2U);
  EXPECT_EQ(rig_.opened.covered->id, 5U);
  offer(4, 9);
  rig_.scheduler->run_all();
  expect_same(rig_.pull(), wanted(9), 2);
  EXPECT_EQ(rig_.session->counts().frames.stale, 1U);
  EXPECT_EQ(rig_.session->counts().frames.duplicate, 1U);
}

TEST_F(SessionTest, FramesThatWaitedAreCheckedWithoutAStream) {
  ASSERT_TRUE(open());
  offer(0, 9);
  rig_.session->detach(rig_.outlet.get());
  rig_.scheduler->run_all();
  ASSERT_FALSE(rig_.attach(0));
  expect_same(rig_.pull(), wanted(9));
}

TEST_F(SessionTest, SaysWhenItCannotBeResumedWithoutAHole) {
  rig_.limits.kept_reports = 4;
  rig_.limits.unsent_reports = 4;
  ASSERT_TRUE(open());
  for (std::int64_t k = 0; k < 12; ++k) {
    offer(k, k);
    rig_.scheduler->run_all();
    rig_.pull();
  }
  const auto outlet = rig_.outlet;
  for (const std::uint64_t received : {0U, 6U, 12U}) {
    const auto refused = rig_.attach(received);
    ASSERT_TRUE(refused) << received;
    EXPECT_EQ(refused->refusal, Refusal::kOutOfRange);
  }
  EXPECT_FALSE(outlet->problem()) << "a stream that could not resume it took it over";
  EXPECT_FALSE(rig_.attach(7));
  EXPECT_EQ(rig_.pull().size(), 4U);
  EXPECT_FALSE(rig_.attach(11));
  EXPECT_EQ(rig_.pull().size(), 0U);
}

TEST_F(SessionTest, AnotherStreamTakesItOver) {
  ASSERT_TRUE(open());
  offer(0, 3);
  const auto old = rig_.outlet;
  ASSERT_FALSE(rig_.attach(0));
  rig_.scheduler->run_all();
  ASSERT_TRUE(old->problem());
  EXPECT_EQ(old->problem()->refusal, Refusal::kTakenOver);
  EXPECT_FALSE(rig_.outlet->problem());
  EXPECT_TRUE(rig_.session->pull(old.get(), 10).empty());
  const auto refused = rig_.session->offer(old.get(), frame_of(take_.motion, 4), {});
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->refusal, Refusal::kTakenOver);
  rig_.session->finish(old.get());  // nothing to it any more
  rig_.session->detach(old.get());
  EXPECT_TRUE(rig_.session->counts().attached);
  EXPECT_EQ(rig_.pull().size(), 3U);
  EXPECT_FALSE(rig_.offer(frame_of(take_.motion, 4)));
}

TEST_F(SessionTest, ASlowReaderStopsTheSteps) {
  rig_.limits.unsent_reports = 3;
  ASSERT_TRUE(open());
  offer(0, 8);
  rig_.scheduler->run_all();
  EXPECT_EQ(rig_.session->counts().steps, 3U);
  EXPECT_EQ(rig_.session->counts().pending_frames, 5U);
  EXPECT_TRUE(rig_.scheduler->idle());
  EXPECT_EQ(rig_.pull(1).size(), 1U);
  rig_.scheduler->run_all();
  EXPECT_EQ(rig_.session->counts().steps, 4U);
  // Frames go on coming: they wait, or are skipped; what is held does not grow.
  offer(9, 39);
  rig_.scheduler->run_all();
  EXPECT_EQ(rig_.session->counts().steps, 4U);
  EXPECT_LE(rig_.session->counts().pending_frames, 16U);
  std::vector<TrackReport> reports;
  for (int i = 0; i < 100; ++i) {
    for (TrackReport& report : rig_.pull()) reports.push_back(std::move(report));
    rig_.scheduler->run_all();
  }
  std::uint64_t skipped = 0;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    EXPECT_EQ(reports[i].from, i > 0 ? reports[i - 1].to : reports[i].from);
    for (const IdRange& range : reports[i].skipped) skipped += range.last - range.first + 1;
  }
  EXPECT_EQ(reports.back().to.id, 39U);
  EXPECT_GT(skipped, 10U);
  EXPECT_EQ(skipped, rig_.session->counts().frames.skipped);
}

TEST_F(SessionTest, WithoutCoalescingOverloadIsRefused) {
  options_.coalesce = false;
  ASSERT_TRUE(open());
  offer(0, 15);
  const auto refused = rig_.offer(frame_of(take_.motion, 16));
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->refusal, Refusal::kOverloaded);
  EXPECT_NE(refused->message.find("frame 16"), std::string::npos);
  rig_.scheduler->run_all();
  EXPECT_FALSE(rig_.offer(frame_of(take_.motion, 16)));
  rig_.scheduler->run_all();
  expect_same(rig_.pull(), wanted(16));
}

// Each is after the other, but seen from the first two are at the same time: no motion can hold
// them.
TEST_F(SessionTest, TimesThatCannotBeToldApartLeaveItUsable) {
  for (const bool checked : {false, true}) {
    SessionRig rig(room_);
    ASSERT_TRUE(rig.open(options_));
    const auto offer_at = [&](std::int64_t k, double time) {
      TrackFrame frame = frame_of(take_.motion, k);
      frame.capture_time = time;
      return rig.offer(std::move(frame));
    };
    EXPECT_FALSE(offer_at(0, -0x1p52));
    EXPECT_FALSE(offer_at(1, 0.0));
    if (checked) rig.scheduler->run_all();
    const auto refused = offer_at(2, 1e-10);
    ASSERT_TRUE(refused);
    EXPECT_EQ(refused->refusal, Refusal::kInvalid);
    EXPECT_NE(refused->message.find("frame 2"), std::string::npos) << refused->message;
    EXPECT_NE(refused->message.find("too far"), std::string::npos) << refused->message;
    EXPECT_FALSE(offer_at(2, 1.0));
    rig.scheduler->run_all();
    EXPECT_EQ(rig.pull().size(), 2U);
    EXPECT_FALSE(rig.outlet->problem());
  }
}

TEST_F(SessionTest, FrameRatesAreLimited) {
  rig_.principal->limits.frames_per_second = 3.0;
  ASSERT_TRUE(open());
  const Clock::time_point now = Clock::now();
  for (std::int64_t k = 0; k < 3; ++k) {
    EXPECT_FALSE(rig_.session->offer(rig_.outlet.get(), frame_of(take_.motion, k), now));
  }
  const auto refused = rig_.session->offer(rig_.outlet.get(), frame_of(take_.motion, 3), now);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->refusal, Refusal::kOverloaded);
  EXPECT_NE(refused->message.find("frames_per_second"), std::string::npos);
}

TEST_F(SessionTest, LargeSkeletonsHaveSmallerQueues) {
  rig_.limits.pending_bytes = 5 * 2 * 6 * sizeof(Transform);
  ASSERT_TRUE(open());
  EXPECT_EQ(rig_.opened.max_pending_frames, 5U);
}

/// Calls the session back from inside of every call.
class BusyOutlet : public Outlet {
 public:
  void ready() override {
    pulled_ += session->pull(this, 2).size();
    ended_ = ended_ || session->ended(this).has_value();
    session->finish(this);
    (void)session->counts();
  }
  void refuse(const Problem& /*problem*/) override { session->detach(this); }
  std::shared_ptr<Session> session;
  std::size_t pulled_ = 0;
  bool ended_ = false;
};

TEST_F(SessionTest, OutletsMayCallBack) {
  ASSERT_TRUE(open());
  offer(0, 5);
  const auto busy = std::make_shared<BusyOutlet>();
  busy->session = rig_.session;
  ASSERT_FALSE(rig_.session->attach(busy, 0, rig_.opened));
  rig_.scheduler->run_all();
  EXPECT_EQ(busy->pulled_, 5U);
  EXPECT_TRUE(busy->ended_);
  busy->session.reset();
}

}  // namespace
}  // namespace tocsin::service::session_test
