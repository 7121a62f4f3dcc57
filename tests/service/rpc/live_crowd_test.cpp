// The client's LiveCrowd against a real server.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "service/rpc/crowd_stream.h"
#include "service/rpc/live_client.h"
#include "service/rpc/live_server.h"
#include "tocsin/client.h"

namespace tocsin::live_crowd_test {
namespace {

using std::chrono::seconds;
using test::LiveOptions;
using test::LiveServer;
using test::Walk;

/// What the handler of a session was told.
struct Told {
  std::mutex mutex;
  std::vector<TrackReport> reports;
  std::size_t opened = 0;
  std::size_t holes = 0;
  std::optional<StreamEnd> end;
  TrackEnded ended;
  std::string why;

  std::size_t steps() {
    const std::scoped_lock lock(mutex);
    return reports.size();
  }
  bool is_open() {
    const std::scoped_lock lock(mutex);
    return opened > 0;
  }
  template <class Handler>
  Handler handler() {
    Handler out;
    out.opened = [this](const TrackOpened&) {
      const std::scoped_lock lock(mutex);
      ++opened;
    };
    out.report = [this](TrackReport report) {
      const std::scoped_lock lock(mutex);
      reports.push_back(std::move(report));
    };
    out.over = [this](StreamEnd how, const TrackEnded& said, const Error& error) {
      const std::scoped_lock lock(mutex);
      end = how;
      ended = said;
      why = error.message;
    };
    return out;
  }
  LastingHandler lasting_handler() {
    LastingHandler out = handler<LastingHandler>();
    out.hole = [this](const TrackHole&) {
      const std::scoped_lock lock(mutex);
      ++holes;
    };
    return out;
  }
};

TrackFrame frame_of(const Walk& walk, std::int64_t f) {
  const auto pose = walk.motion.pose(f % walk.count());
  return {static_cast<std::uint64_t>(f), 0.0, {pose.begin(), pose.end()}};
}

/// The ids of the covered frames: reports join.
std::vector<std::int64_t> covered_by(const std::vector<TrackReport>& reports) {
  std::vector<std::int64_t> out;
  for (const TrackReport& report : reports) {
    if (out.empty()) out.push_back(static_cast<std::int64_t>(report.from.id));
    EXPECT_EQ(out.back(), static_cast<std::int64_t>(report.from.id)) << "a hole";
    out.push_back(static_cast<std::int64_t>(report.to.id));
  }
  return out;
}

TEST(LiveCrowdTest, ReportsAreThoseOfTheDetector) {
  LiveServer live;
  const Walk walk = test::walk_with_free_steps();
  const Connection connection = test::connect(live);
  std::array<Told, 6> told;
  LiveCrowd crowd = connection.crowd().value();
  crowd.collect();
  std::vector<LiveSession> sessions;
  for (Told& one : told) {
    sessions.push_back(crowd.track(walk.options(), one.handler<TrackHandler>()).value());
  }
  for (std::int64_t f = 0; f < walk.count(); ++f) {
    // The first ones before the sessions are open.
    for (LiveSession& session : sessions) {
      const TrackFrame frame = frame_of(walk, f);
      ASSERT_TRUE(session.send({&frame, 1}));
    }
    crowd.flush();
    if (f == 0) continue;
    ASSERT_TRUE(test::eventually([&] {
      crowd.flush();
      return told.back().steps() == static_cast<std::size_t>(f);
    }));
  }
  for (LiveSession& session : sessions) ASSERT_TRUE(session.finish());
  std::size_t contacts = 0;
  std::size_t free_steps = 0;
  for (std::size_t i = 0; i < told.size(); ++i) {
    ASSERT_TRUE(sessions[i].wait(seconds(60)));
    Told& one = told[i];
    EXPECT_EQ(one.end, StreamEnd::kEnded) << one.why;
    EXPECT_EQ(one.ended.steps, one.reports.size());
    const auto covered = covered_by(one.reports);
    EXPECT_EQ(covered.back(), walk.count() - 1);
    const auto expected = walk.expected(live.hall(), covered);
    ASSERT_EQ(expected.size(), one.reports.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const TrackReport& report = one.reports[k];
      EXPECT_EQ(report.result.step, expected[k].step);
      EXPECT_EQ(report.result.frames, expected[k].frames);
      EXPECT_EQ(report.result.contacts, expected[k].contacts);
      EXPECT_EQ(report.result.safe_until, expected[k].safe_until);
      EXPECT_TRUE(report.result.complete);
      EXPECT_EQ(report.names.size(), expected[k].contacts.size());
      EXPECT_GT(report.timing.total, 0.0);
      contacts += expected[k].contacts.size();
      free_steps += expected[k].contacts.empty() ? 1 : 0;
    }
  }
  EXPECT_GT(contacts, 100U);
  EXPECT_GT(free_steps, 10U);
}

/// With poses of the client's own for some frames: those of one message then have columns apart.
/// What is left out of a frame is what its own skeleton has at rest, not another's.
TEST(LiveCrowdTest, EachSkeletonHasItsOwnRest) {
  LiveServer live;
  const Walk walk = test::walk_with_free_steps();
  const Connection connection = test::connect(live);
  TrackOptions longer = walk.options();
  const auto given = walk.motion.skeleton().joints();
  std::vector<Joint> joints(given.begin(), given.end());
  for (Joint& joint : joints) joint.rest.translation.y += joint.parent < 0 ? 0.0 : 0.25;
  longer.skeleton = Skeleton::create(joints).value();
  LiveCrowd crowd = connection.crowd().value();
  std::array<Told, 3> told;
  std::vector<LiveSession> sessions;
  sessions.push_back(connection.track(longer, told[0].handler<TrackHandler>()).value());
  sessions.push_back(crowd.track(walk.options(), told[1].handler<TrackHandler>()).value());
  ASSERT_TRUE(test::eventually([&] { return told[1].is_open(); }));
  sessions.push_back(crowd.track(longer, told[2].handler<TrackHandler>()).value());
  ASSERT_TRUE(test::eventually([&] { return told[2].is_open() && told[0].is_open(); }));
  for (std::int64_t f = 0; f < walk.count(); ++f) {
    const TrackFrame frame = frame_of(walk, f);
    for (LiveSession& session : sessions) ASSERT_TRUE(session.send({&frame, 1}));
    ASSERT_TRUE(test::eventually([&] {
      return std::all_of(told.begin(), told.end(),
                         [&](Told& one) { return one.steps() == static_cast<std::size_t>(f); });
    }));
  }
  for (LiveSession& session : sessions) ASSERT_TRUE(session.finish());
  for (LiveSession& session : sessions) ASSERT_TRUE(session.wait(seconds(60)));
  std::size_t contacts = 0;
  for (std::size_t k = 0; k < told[0].reports.size(); ++k) {
    EXPECT_EQ(told[2].reports[k].result.contacts, told[0].reports[k].result.contacts) << k;
    contacts += told[0].reports[k].result.contacts.size();
  }
  EXPECT_GT(contacts, 10U);
}

TEST(LiveCrowdTest, PredictionsAreThoseOfASessionOfItsOwn) {
  LiveServer live;
  const Walk walk = test::walk_with_free_steps();
  const Connection connection = test::connect(live);
  TrackOptions options = walk.options();
  options.lookahead = 5 * walk.motion.frame_time();
  std::array<Told, 4> told;
  LiveCrowd crowd = connection.crowd().value();
  crowd.collect();
  std::vector<LiveSession> sessions;
  for (std::size_t i = 0; i < told.size(); ++i) {
    auto handler = told[i].handler<TrackHandler>();
    sessions.push_back(i == 0 ? connection.track(options, handler).value()
                              : crowd.track(options, handler).value());
  }
  for (std::int64_t f = 0; f < walk.count(); ++f) {
    TrackFrame frame = frame_of(walk, f);
    if (f % 3 != 0 && f + 5 < walk.count()) {
      const auto ahead = walk.motion.pose(f + 5);
      frame.ahead.assign(ahead.begin(), ahead.end());
    }
    for (LiveSession& session : sessions) ASSERT_TRUE(session.send({&frame, 1}));
    if (f % 4 == 3) crowd.flush();
    if (f % 4 != 3) continue;
    ASSERT_TRUE(test::eventually([&] {
      crowd.flush();
      return std::all_of(told.begin(), told.end(),
                         [&](Told& one) { return one.steps() == static_cast<std::size_t>(f); });
    }));
  }
  crowd.flush();
  for (LiveSession& session : sessions) ASSERT_TRUE(session.finish());
  for (LiveSession& session : sessions) ASSERT_TRUE(session.wait(seconds(60)));
  std::size_t own = 0;
  std::size_t screws = 0;
  std::size_t none = 0;
  ASSERT_EQ(told[0].reports.size(), static_cast<std::size_t>(walk.count() - 1));
  for (std::size_t i = 1; i < told.size(); ++i) {
    EXPECT_EQ(told[i].end, StreamEnd::kEnded) << told[i].why;
    ASSERT_EQ(told[i].reports.size(), told[0].reports.size());
    for (std::size_t k = 0; k < told[0].reports.size(); ++k) {
      const TrackReport& report = told[i].reports[k];
      EXPECT_TRUE(report.ahead == told[0].reports[k].ahead) << "step " << k;
      EXPECT_EQ(report.result.contacts, told[0].reports[k].result.contacts);
      none += report.ahead ? 0 : 1;
      if (report.ahead) (report.ahead->own_pose ? own : screws) += report.ahead->contacts.size();
    }
  }
  EXPECT_GT(own, 10U);
  EXPECT_GT(screws, 10U);
  EXPECT_GT(none, 10U);
}

TEST(LiveCrowdTest, ASessionIsLeftAndResumedAlone) {
  LiveServer live;
  const Walk walk;
  const Connection connection = test::connect(live);
  LiveCrowd crowd = connection.crowd().value();
  Told stays;
  Told leaves;
  Told alone;
  LiveSession first = crowd.track(walk.options(), stays.handler<TrackHandler>()).value();
  std::string id;
  TrackHandler handler = leaves.handler<TrackHandler>();
  handler.opened = [&](const TrackOpened& opened) { id = opened.session_id; };
  LiveSession second = crowd.track(walk.options(), handler).value();
  for (std::int64_t f = 0; f < 10; ++f) {
    const TrackFrame frame = frame_of(walk, f);
    ASSERT_TRUE(first.send({&frame, 1}));
    ASSERT_TRUE(second.send({&frame, 1}));
  }
  ASSERT_TRUE(test::eventually([&] { return leaves.steps() > 4; }));
  second.abandon();
  ASSERT_TRUE(second.wait(seconds(60)));
  EXPECT_EQ(leaves.end, StreamEnd::kBroken);
  LiveSession on =
      connection
          .resume(id, leaves.reports.size(), walk.motion.skeleton(), alone.handler<TrackHandler>())
          .value();
  const TrackFrame last = frame_of(walk, 10);
  ASSERT_TRUE(on.send({&last, 1}));
  ASSERT_TRUE(first.send({&last, 1}));
  ASSERT_TRUE(on.finish());
  ASSERT_TRUE(first.finish());
  ASSERT_TRUE(on.wait(seconds(60)));
  ASSERT_TRUE(first.wait(seconds(60)));
  EXPECT_EQ(alone.end, StreamEnd::kEnded) << alone.why;
  EXPECT_EQ(stays.end, StreamEnd::kEnded) << stays.why;
  std::vector<TrackReport> all = leaves.reports;
  all.insert(all.end(), alone.reports.begin(), alone.reports.end());
  EXPECT_EQ(covered_by(all).back(), 10);
  EXPECT_EQ(covered_by(stays.reports).back(), 10);
}

TEST(LiveCrowdTest, GoesOnWithTheNextServer) {
  auto live = std::make_unique<LiveServer>();
  const Walk walk;
  const Connection connection = test::connect(*live);
  LiveOptions next;
  next.server.listen = live->address();
  std::array<Told, 4> told;
  LiveCrowd crowd = connection.crowd().value();
  std::vector<LastingSession> sessions;
  for (Told& one : told) {
    sessions.push_back(
        crowd.track_lasting(walk.options(), one.lasting_handler(), {.patience = seconds(60)})
            .value());
  }
  const auto send = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t f = first; f <= last; ++f) {
      const TrackFrame frame = frame_of(walk, f);
      for (LastingSession& session : sessions) ASSERT_TRUE(session.send({&frame, 1}));
    }
  };
  send(0, 15);
  for (Told& one : told) {
    ASSERT_TRUE(test::eventually([&] { return one.steps() > 3; }));
  }
  live.reset();
  live = std::make_unique<LiveServer>(next);
  send(16, 30);
  for (LastingSession& session : sessions) ASSERT_TRUE(session.finish());
  for (std::size_t i = 0; i < told.size(); ++i) {
    ASSERT_TRUE(sessions[i].wait(seconds(60)));
    EXPECT_EQ(told[i].end, StreamEnd::kEnded) << told[i].why;
    EXPECT_EQ(told[i].holes, 0U);
    EXPECT_GE(told[i].opened, 2U);
    EXPECT_EQ(covered_by(told[i].reports).back(), 30);
  }
}

TEST(LiveCrowdTest, ItsEndBreaksItsSessions) {
  LiveServer live;
  const Walk walk;
  const Connection connection = test::connect(live);
  Told told;
  LiveSession session;
  {
    LiveCrowd crowd = connection.crowd().value();
    session = crowd.track(walk.options(), told.handler<TrackHandler>()).value();
    ASSERT_TRUE(test::eventually([&] {
      const std::scoped_lock lock(told.mutex);
      return told.opened == 1;
    }));
  }
  ASSERT_TRUE(session.wait(seconds(60)));
  EXPECT_EQ(told.end, StreamEnd::kBroken);
  const TrackFrame frame = frame_of(walk, 0);
  EXPECT_FALSE(session.send({&frame, 1}));
  EXPECT_FALSE(LiveCrowd().track(walk.options(), {}));
}

/// Streams without a server break at once, some while a session is put on them. That is no refusal:
/// a session that lasts would give up.
TEST(LiveCrowdTest, WithoutAServerSessionsBreak) {
  auto live = std::make_unique<LiveServer>();
  const Walk walk;
  const Connection connection = test::connect(*live);
  live.reset();
  const LiveCrowd crowd = connection.crowd().value();
  constexpr std::size_t kSessions = 2000;
  std::array<std::atomic<std::size_t>, 2> seen{};  // broken, otherwise over
  std::size_t refused = 0;
  for (std::size_t i = 0; i < kSessions; ++i) {
    TrackHandler handler;
    handler.over = [&](StreamEnd how, const TrackEnded& /*ended*/, const Error& /*why*/) {
      ++seen.at(how == StreamEnd::kBroken ? 0 : 1);
    };
    auto session = crowd.track(walk.options(), std::move(handler));
    if (!session) {
      ++refused;
    } else if (i % 16 == 0) {
      EXPECT_TRUE(session->wait(seconds(60)));
    }
  }
  EXPECT_EQ(refused, 0U);
  EXPECT_TRUE(test::eventually([&] { return seen[0] + seen[1] == kSessions - refused; }));
  EXPECT_EQ(seen[1], 0U);
}

}  // namespace
}  // namespace tocsin::live_crowd_test
