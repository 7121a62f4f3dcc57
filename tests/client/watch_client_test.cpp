// A watcher's client: what its handler is told, and what it refuses to believe.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "client/fake_server.h"
#include "client/told.h"
#include "support/eventually.h"
#include "tocsin/client.h"
#include "wire/parts.h"
#include "wire/watching.h"

namespace tocsin::test::watch_client_test {
namespace {

grpc::Status nothing(grpc::ServerContext&, TrackStream&, const v1::TrackRequest&) {
  return grpc::Status::OK;
}

v1::WatchEvent session_event() {
  WatchedSession session;
  session.session = "s1";
  session.avatar =
      Avatar::create("one", two_joints(), {{"link", 1, {0, 0, 0}, {0, 1, 0}, 0.1, {}}}).value();
  v1::WatchEvent out;
  wire::to_wire(session, *out.mutable_session());
  return out;
}

/// Of steps from frame to frame; the pose is that of the frame.
v1::WatchEvent step_event(std::uint64_t step, bool with_from) {
  WatchedStep out{"s1", {}};
  out.report.from = {step, 0.0};
  out.report.to = {step + 1, 0.0};
  out.report.result.step = static_cast<std::int64_t>(step);
  if (with_from) out.from_pose = frame(step).pose;
  out.to_pose = frame(step + 1).pose;
  v1::WatchEvent event;
  wire::to_wire({out.session, out.report, out.from_pose, out.to_pose},
                wire::PoseCodec(two_joints()), *event.mutable_step());
  return event;
}

struct Watched {
  std::mutex mutex;
  std::size_t begun = 0;  ///< once, before a step: 1
  std::vector<WatchedStep> steps;
  std::atomic<bool> over{false};
  StreamEnd end = StreamEnd::kEnded;
  std::string why;

  WatchHandler handler() {
    WatchHandler out;
    out.begun = [this] {
      const std::scoped_lock lock(mutex);
      begun += steps.empty() ? 1 : 100;
    };
    out.step = [this](WatchedStep step) {
      const std::scoped_lock lock(mutex);
      steps.push_back(std::move(step));
    };
    out.over = [this](StreamEnd how, const Error& error) {
      const std::scoped_lock lock(mutex);
      end = how;
      why = error.message;
      over = true;
    };
    return out;
  }
};

/// What is told of these events, until the client ends the stream or `steps` are there.
void watch(const std::vector<v1::WatchEvent>& events, Watched& out, std::size_t steps) {
  FakeServer server(nothing);
  for (const v1::WatchEvent& event : events) *server.watched.emplace_back().add_events() = event;
  const Connection connection = connect(server);
  Watch stream = connection.watch({}, out.handler()).value();
  ASSERT_TRUE(eventually([&] {
    const std::scoped_lock lock(out.mutex);
    return out.over || (steps > 0 && out.steps.size() == steps);
  }));
  stream.stop();
  ASSERT_TRUE(stream.wait(kLong));
}

TEST(WatchClient, GivesBothPosesOfEveryStep) {
  Watched told;
  ASSERT_NO_FATAL_FAILURE(watch({session_event(), step_event(4, true), step_event(5, false),
                                 v1::WatchEvent(), step_event(9, true), step_event(10, false)},
                                told, 4));
  ASSERT_EQ(told.steps.size(), 4U);
  for (const WatchedStep& step : told.steps) {
    EXPECT_EQ(step.from_pose, frame(step.report.from.id).pose);
    EXPECT_EQ(step.to_pose, frame(step.report.to.id).pose);
  }
  EXPECT_EQ(told.end, StreamEnd::kBroken) << "stopped here";
  EXPECT_EQ(told.begun, 1U);
}

/// Also where nobody is there: the first message has no events.
TEST(WatchClient, IsToldThatItMayWatch) {
  FakeServer server(nothing);
  server.watched.emplace_back();
  const Connection connection = connect(server);
  Watched told;
  const Watch stream = connection.watch({}, told.handler()).value();
  EXPECT_TRUE(eventually([&] {
    const std::scoped_lock lock(told.mutex);
    return told.begun == 1;
  }));
  EXPECT_FALSE(told.over);
}

TEST(WatchClient, RefusesWhatNoServerSays) {
  const auto refusal = [](const std::vector<v1::WatchEvent>& events) {
    Watched told;
    watch(events, told, 0);
    EXPECT_EQ(told.end, StreamEnd::kRefused);
    return told.why;
  };
  EXPECT_EQ(refusal({step_event(0, true)}), "a step of a session that was not told");
  EXPECT_EQ(refusal({session_event(), step_event(0, false)}), "session s1: step 0 begins nowhere");
  EXPECT_EQ(refusal({session_event(), step_event(0, true), step_event(2, false)}),
            "session s1: step 2 begins nowhere");
  v1::WatchEvent bad = step_event(0, true);
  bad.mutable_step()->mutable_report()->set_safe_until(7.0);
  EXPECT_NE(refusal({session_event(), bad}).find("safe_until is 7"), std::string::npos);
  v1::WatchEvent wrong = session_event();
  wrong.mutable_session()->mutable_links(0)->set_joint(9);
  EXPECT_NE(refusal({wrong}).find("there is no joint 9"), std::string::npos);
  EXPECT_EQ(Connection().watch({}, {}).error().code, ErrorCode::kUsage);
}

/// One triangle, as it is sent.
std::vector<v1::DownloadResponse> triangle() {
  const auto room =
      Environment::create({{"a", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}}).value();
  wire::ObjectPacker packer(room);
  const auto heads = wire::heads_of(packer, {});
  std::vector<v1::DownloadResponse> out(3);
  v1::DownloadHead& head = *out[0].mutable_head();
  head.mutable_environment()->set_name("hall");
  v1::DownloadPart& part = *head.add_parts();
  part.set_name("a");
  part.set_bytes(heads[0].bytes);
  part.set_sha256(wire::text_of(heads[0].sha256));
  head.set_sha256(wire::text_of(wire::hash_of(heads)));
  const std::string bytes = packer.pack(0);
  out[1].mutable_chunk()->set_data(bytes.substr(0, 20));
  out[2].mutable_chunk()->set_data(bytes.substr(20));
  return out;
}

Result<WatchedRoom> downloaded(std::vector<v1::DownloadResponse> sent) {
  FakeServer server(nothing);
  server.downloads = std::move(sent);
  const Connection connection = connect(server);
  return connection.download_room({});
}

TEST(Download, WhatIsNotOfItsHashIsRefused) {
  const auto good = downloaded(triangle());
  ASSERT_TRUE(good) << good.error().message;
  EXPECT_EQ(good->environment.triangles().size(), 1U);
  EXPECT_EQ(good->info.name, "hall");
  const auto refusal = [](std::vector<v1::DownloadResponse> sent) {
    const auto room = downloaded(std::move(sent));
    EXPECT_FALSE(room);
    return room ? std::string() : room.error().message;
  };
  auto bad = triangle();
  std::string flipped = bad[2].chunk().data();
  flipped[3] = static_cast<char>(flipped[3] ^ 1);
  bad[2].mutable_chunk()->set_data(flipped);
  EXPECT_EQ(refusal(bad), "the server's download: the bytes of \"a\" are not those of its hash");
  bad = triangle();
  bad[0].mutable_head()->mutable_parts(0)->set_number(1);
  EXPECT_EQ(refusal(bad), "the server's download: its parts are not those of its hash");
  bad = triangle();
  bad.pop_back();
  EXPECT_EQ(refusal(bad), "the server's download: the bytes of \"a\" are not those of its hash");
  bad.pop_back();
  EXPECT_EQ(refusal(bad), "the server's download: \"a\" was not sent");
  bad = triangle();
  bad[2].mutable_chunk()->mutable_data()->append("x");
  EXPECT_EQ(refusal(bad), "the server's download: \"a\" is longer than was said");
  bad = triangle();
  bad[1].mutable_chunk()->set_part(1);
  EXPECT_EQ(refusal(bad), "the server's download: a chunk of no part");
  bad = triangle();
  std::swap(bad[0], bad[1]);
  EXPECT_EQ(refusal(bad), "the server's download: a chunk of no part");
  bad = triangle();
  bad[1] = bad[0];
  EXPECT_EQ(refusal(bad), "the server's download: a second head");
  EXPECT_EQ(refusal({}), "the server's download: a download without a head");
}

}  // namespace
}  // namespace tocsin::test::watch_client_test
