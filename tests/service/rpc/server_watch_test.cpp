// Watching a server over its port, with the client library.
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "service/rpc/live_client.h"
#include "service/rpc/live_server.h"
#include "tocsin/client.h"

namespace tocsin::server_watch_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::LiveOptions;
using test::LiveServer;
using test::Own;
using test::Seen;
using test::Walk;

TrackFrame frame_of(const Walk& walk, std::int64_t f) {
  const auto pose = walk.motion.pose(f % walk.count());
  return {static_cast<std::uint64_t>(f), 0.0, {pose.begin(), pose.end()}};
}

/// Frames one after the other, each after the report of the one before.
void send(LiveSession& session, Own& own, const Walk& walk, std::int64_t first, std::int64_t last) {
  for (std::int64_t f = first; f <= last; ++f) {
    const TrackFrame frame = frame_of(walk, f);
    ASSERT_TRUE(session.send({&frame, 1}));
    ASSERT_TRUE(test::eventually(
        [&] { return own.count() == static_cast<std::size_t>(std::max<std::int64_t>(f, 0)); }));
  }
}

/// As they go over the wire, bit for bit, but for Timing.total.
std::string bytes_of(TrackReport report, const wire::PoseCodec& codec) {
  report.timing.total = 0.0;
  v1::StepReport out;
  wire::to_wire(report, codec, out);
  return out.SerializeAsString();
}

TEST(ServerWatch, ReportsAndPosesAreThoseOfTheSession) {
  LiveServer live;
  const Walk walk(0.5);
  const Connection connection = test::connect(live);
  Seen seen;
  const Watch watch = connection.watch({}, seen.handler()).value();
  // Before the session, which comes over another connection.
  ASSERT_TRUE(seen.until([&] { return seen.begun == 1; }));
  EXPECT_EQ(live.engine().watch().watchers(), 1U);
  Own own;
  TrackOptions options = walk.options();
  options.label = "left \"hand\"";
  options.stop_pose = true;
  options.spec.margin = 0.01;
  options.spec.self = true;
  LiveSession session = test::connect(live).track(options, own.handler()).value();
  ASSERT_NO_FATAL_FAILURE(send(session, own, walk, 0, walk.count() - 1));
  ASSERT_TRUE(session.finish());
  ASSERT_TRUE(session.wait(seconds(60)));
  ASSERT_TRUE(seen.until([&] { return !seen.ends.empty(); }));

  ASSERT_EQ(seen.sessions.size(), 1U);
  const auto& [name, told] = *seen.sessions.begin();
  const auto placed = walk.motion.placed(options.avatar.place).value();
  const Avatar avatar = Avatar::bind(load_avatar_model("humanoid16"), placed.skeleton()).value();
  EXPECT_EQ(told.principal, "anyone");
  EXPECT_EQ(told.label, options.label);
  EXPECT_EQ(told.environment.name, "hall");
  EXPECT_EQ(told.environment.triangles, 46U);
  EXPECT_EQ(told.margin, 0.01);
  EXPECT_TRUE(told.self);
  EXPECT_TRUE(told.attached);
  EXPECT_EQ(told.frame_seconds, options.frame_seconds);
  EXPECT_FALSE(told.shapes_left_out);
  ASSERT_EQ(told.avatar.links().size(), avatar.links().size());
  for (std::size_t i = 0; i < avatar.links().size(); ++i) {
    const Link& a = told.avatar.links()[i];
    const Link& b = avatar.links()[i];
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.joint, b.joint);
    EXPECT_EQ(a.a, b.a);
    EXPECT_EQ(a.b, b.b);
    EXPECT_EQ(a.radius, b.radius);
  }
  ASSERT_EQ(told.avatar.skeleton().size(), placed.skeleton().size());
  for (int i = 0; i < placed.skeleton().size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ(told.avatar.skeleton().joints()[at].rest, placed.skeleton().joints()[at].rest);
  }
  const std::vector<WatchedStep>& steps = seen.steps.at(name);
  ASSERT_EQ(steps.size(), own.reports.size());
  ASSERT_EQ(steps.size(), static_cast<std::size_t>(walk.count() - 1));
  std::size_t contacts = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    EXPECT_EQ(bytes_of(steps[i].report, walk.codec), bytes_of(own.reports[i], walk.codec)) << i;
    contacts += own.reports[i].result.contacts.size();
    const auto frame = static_cast<std::int64_t>(i);
    const auto from = placed.pose(frame);
    const auto to = placed.pose(frame + 1);
    EXPECT_EQ(steps[i].from_pose, std::vector<Transform>(from.begin(), from.end())) << i;
    EXPECT_EQ(steps[i].to_pose, std::vector<Transform>(to.begin(), to.end())) << i;
  }
  EXPECT_GT(contacts, 50U);
  const WatchedEnd& end = seen.ends.at(name);
  EXPECT_TRUE(end.reported);
  ASSERT_TRUE(end.totals);
  EXPECT_EQ(end.totals->steps, steps.size());
  EXPECT_EQ(end.totals->contacts, contacts);
  EXPECT_EQ(seen.missed, 0U);
  EXPECT_EQ(seen.begun, 1U) << "once";
}

TEST(ServerWatch, SessionsThatAreThereComeFirstAndStreamsAreTold) {
  LiveOptions options;
  options.engine.limits.ttl = 0.2;
  LiveServer live(std::move(options));
  const Walk walk(0.2);
  Own own;
  std::string id;
  TrackHandler handler = own.handler();
  std::mutex mutex;
  handler.opened = [&](const TrackOpened& opened) {
    const std::scoped_lock lock(mutex);
    id = opened.session_id;
  };
  LiveSession session = test::connect(live).track(walk.options(), handler).value();
  ASSERT_NO_FATAL_FAILURE(send(session, own, walk, 0, 5));
  Seen seen;
  const Connection connection = test::connect(live);
  WatchOptions what;
  what.environment = "hall";
  what.poses = false;
  const Watch watch = connection.watch(what, seen.handler()).value();
  ASSERT_TRUE(seen.until([&] { return seen.sessions.size() == 1; }));
  ASSERT_NO_FATAL_FAILURE(send(session, own, walk, 6, 8));
  session.abandon();
  ASSERT_TRUE(seen.until([&] { return seen.streams.size() == 1; }));
  EXPECT_FALSE(seen.streams[0].attached);
  ASSERT_TRUE(seen.until([&] { return seen.ends.size() == 1; })) << "nobody has resumed it";
  const std::string& name = seen.sessions.begin()->first;
  EXPECT_EQ(seen.ends.at(name).cause, "nobody has resumed it in time");
  EXPECT_FALSE(seen.ends.at(name).reported);
  ASSERT_EQ(seen.steps.at(name).size(), 3U);
  EXPECT_EQ(seen.steps.at(name)[0].report.result.step, 5);
  EXPECT_TRUE(seen.steps.at(name)[0].to_pose.empty());
  const std::scoped_lock lock(mutex);
  EXPECT_NE(id, "");
  EXPECT_EQ(id.find(name), std::string::npos) << "the name resumes nothing";
}

TEST(ServerWatch, AChangeOfTheRoomIsSeenInTheSteps) {
  LiveServer live;
  const Connection connection = test::connect(live);
  ASSERT_TRUE(connection.upload_environment("stage", live.hall(), {}, {.changeable = true}));
  const Walk walk(0.2);
  TrackOptions options = walk.options();
  options.environment = "stage";
  Own own;
  Seen seen;
  const Watch watch = connection.watch({.environment = "stage"}, seen.handler()).value();
  LiveSession session = connection.track(options, own.handler()).value();
  ASSERT_NO_FATAL_FAILURE(send(session, own, walk, 0, 4));
  ASSERT_TRUE(seen.until([&] { return !seen.steps.empty(); }));
  const std::string name = seen.sessions.begin()->first;
  EXPECT_TRUE(seen.sessions.begin()->second.environment.changeable);
  const auto before = connection.download_room({{}, name});
  ASSERT_TRUE(before) << before.error().message;
  EXPECT_EQ(before->info.version, 0U);
  SceneEdit moved{.verb = SceneVerb::kMove, .object = "x5"};
  moved.at.translation = {0.0, 0.5, 0.0};
  ASSERT_TRUE(connection.update_environment("stage", {{moved}}));
  ASSERT_NO_FATAL_FAILURE(send(session, own, walk, 5, 6));
  ASSERT_TRUE(seen.until([&] { return seen.steps[name].size() == 6; }));
  const TrackReport& first = seen.steps[name][4].report;
  ASSERT_TRUE(first.room);
  EXPECT_EQ(first.room, (RoomVersions{0, 1, true}));
  EXPECT_EQ(seen.steps[name][5].report.room, (RoomVersions{1, 1, false}));
  const auto after = connection.download_room({{}, name}, &*before);
  ASSERT_TRUE(after) << after.error().message;
  EXPECT_EQ(after->info.version, seen.steps[name][5].report.room->to);
  EXPECT_NE(after->sha256, before->sha256);
}

TEST(ServerWatch, TheServerEndsItWhenItStopsAndTellsTheLast) {
  LiveServer live;
  const Walk walk(0.2);
  Seen seen;
  const Connection connection = test::connect(live);
  const Watch watch = connection.watch({}, seen.handler()).value();
  // Before the session, which comes over another connection.
  ASSERT_TRUE(test::eventually([&] { return live.engine().watch().watchers() == 1; }));
  Own own;
  LiveSession session = test::connect(live).track(walk.options(), own.handler()).value();
  ASSERT_NO_FATAL_FAILURE(send(session, own, walk, 0, 9));
  const auto begin = std::chrono::steady_clock::now();
  std::thread stopper([&] { live.server().stop(seconds(30)); });
  ASSERT_TRUE(seen.until([&] { return seen.end.has_value(); }));
  stopper.join();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(20)) << "nobody waits for watchers";
  EXPECT_EQ(seen.end, StreamEnd::kClosing) << seen.error.message;
  ASSERT_EQ(seen.ends.size(), 1U);
  EXPECT_EQ(seen.ends.begin()->second.cause, "the server is shutting down");
  EXPECT_EQ(seen.steps.begin()->second.size(), 9U);
}

/// Reads events until one is such.
template <class IsSuch>
v1::WatchEvent read_until(grpc::ClientReader<v1::WatchResponse>& from,
                          std::deque<v1::WatchEvent>& waiting, const IsSuch& is_such) {
  while (true) {
    while (!waiting.empty()) {
      v1::WatchEvent event = std::move(waiting.front());
      waiting.pop_front();
      if (is_such(event)) return event;
    }
    v1::WatchResponse response;
    if (!from.Read(&response)) {
      ADD_FAILURE() << "the stream is over";
      return {};
    }
    waiting.assign(response.events().begin(), response.events().end());
  }
}

TEST(ServerWatch, WatchersThatDoNotReadHinderNobody) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  grpc::ClientContext context;
  test::prepare(context);
  const auto deaf = stub->Watch(&context, {});
  const Connection connection = test::connect(live);
  Own own;
  Own short_lived;
  LiveSession session = connection.track(walk.options(), own.handler()).value();
  LiveSession other = connection.track(walk.options(), short_lived.handler()).value();
  ASSERT_NO_FATAL_FAILURE(send(other, short_lived, walk, 0, 3));
  std::int64_t next = 0;
  while (live.engine().watch().dropped() == 0 && next < 20'000) {
    std::vector<TrackFrame> some;
    for (int i = 0; i < 8; ++i) some.push_back(frame_of(walk, next++));
    ASSERT_TRUE(session.send(some));
    ASSERT_TRUE(test::eventually([&] {
      const std::scoped_lock lock(own.mutex);
      return !own.reports.empty() &&
             own.reports.back().to.id == static_cast<std::uint64_t>(next - 1);
    })) << "no session waits";
  }
  ASSERT_GT(live.engine().watch().dropped(), 0U);
  ASSERT_TRUE(other.finish());
  ASSERT_TRUE(other.wait(seconds(60)));
  const std::uint64_t dropped = live.engine().watch().dropped();

  // It reads now: everything up to there, how much is missing, and how it is.
  std::deque<v1::WatchEvent> waiting;
  std::map<std::string, std::uint64_t> steps;
  const auto missed = read_until(*deaf, waiting, [&](const v1::WatchEvent& event) {
    if (event.has_step()) {
      EXPECT_EQ(event.step().report().step(), steps[event.step().session()]++) << "whole";
      EXPECT_EQ(event.step().has_from_pose(), event.step().report().step() == 0);
    }
    EXPECT_FALSE(event.has_ended());
    return event.has_skipped();
  });
  EXPECT_EQ(missed.skipped().events(), dropped);
  const auto ended =
      read_until(*deaf, waiting, [](const v1::WatchEvent& event) { return event.has_ended(); });
  EXPECT_FALSE(ended.ended().has_totals()) << "the end was among it";
  EXPECT_EQ(steps[ended.ended().session()], 3U);
  EXPECT_EQ(steps.size(), 2U);

  // Then it goes on.
  const std::size_t before = own.count();
  for (std::int64_t k = 0; k < 2; ++k) {
    const TrackFrame frame = frame_of(walk, next++);
    ASSERT_TRUE(session.send({&frame, 1}));
    ASSERT_TRUE(
        test::eventually([&] { return own.count() == before + static_cast<std::size_t>(k) + 1; }));
    const auto step =
        read_until(*deaf, waiting, [](const v1::WatchEvent& event) { return event.has_step(); });
    EXPECT_EQ(step.step().report().to().id(), static_cast<std::uint64_t>(next - 1));
    EXPECT_EQ(step.step().has_from_pose(), k == 0) << "where it goes on";
  }
  ASSERT_TRUE(session.finish());
  const auto last =
      read_until(*deaf, waiting, [](const v1::WatchEvent& event) { return event.has_ended(); });
  EXPECT_EQ(last.ended().totals().steps(), own.count());
  const auto begin = std::chrono::steady_clock::now();
  live.server().stop(seconds(30));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(20)) << "nor does the server";
  context.TryCancel();
  deaf->Finish();
}

}  // namespace
}  // namespace tocsin::server_watch_test
