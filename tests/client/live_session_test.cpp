// Streams: what the handler is told, and when.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "client/fake_server.h"
#include "client/told.h"
#include "tocsin/client.h"

namespace tocsin::test::live_session_test {
namespace {

using std::chrono::milliseconds;

/// Opens, answers every frame but the first with a report, ends when the client does.
grpc::Status echo(grpc::ServerContext& /*context*/, TrackStream& stream,
                  const v1::TrackRequest& first) {
  if (!first.has_open()) return {grpc::StatusCode::INVALID_ARGUMENT, "open first"};
  stream.Write(opened_as("s1"));
  v1::TrackRequest request;
  std::uint64_t frames = 0;
  std::uint64_t last = 0;
  while (stream.Read(&request)) {
    for (const v1::Frame& frame : request.frames().frames()) {
      if (frames > 0) stream.Write(step_report(frames - 1, last, frame.id()));
      last = frame.id();
      ++frames;
    }
  }
  stream.Write(ended_after(frames > 0 ? frames - 1 : 0));
  return grpc::Status::OK;
}

TEST(LiveSession, FramesOutReportsIn) {
  const FakeServer server(echo);
  const Connection connection = connect(server);
  Told told;
  auto session = connection.track(options(), told.handler());
  ASSERT_TRUE(session.ok()) << session.error().message;
  for (std::uint64_t id = 0; id < 200; ++id) {
    const std::vector<TrackFrame> one{frame(id)};
    ASSERT_TRUE(session->send(one).ok());
  }
  const std::vector<TrackFrame> three{frame(200), frame(201), frame(202)};
  ASSERT_TRUE(session->send(three).ok());
  ASSERT_TRUE(session->finish().ok());
  ASSERT_TRUE(session->finish().ok());  // twice is once
  EXPECT_FALSE(session->send(three).ok());
  ASSERT_TRUE(session->wait(kLong));
  EXPECT_EQ(told.session_id, "s1");
  ASSERT_EQ(told.reports.size(), 202U);
  for (std::size_t i = 0; i < told.reports.size(); ++i) {
    EXPECT_EQ(told.reports[i].result.step, static_cast<std::int64_t>(i));
    EXPECT_EQ(told.reports[i].from.id, i);
    EXPECT_EQ(told.reports[i].to.id, i + 1);
  }
  EXPECT_EQ(told.overs, 1);
  EXPECT_EQ(told.end, StreamEnd::kEnded);
  EXPECT_EQ(told.ended.steps, 202U);
  EXPECT_EQ(told.error.message, "");
  EXPECT_FALSE(told.overlapped);
}

TEST(LiveSession, AReportThatNoServerSaysEndsTheStream) {
  const FakeServer server([](grpc::ServerContext& context, TrackStream& stream, const auto&) {
    stream.Write(opened_as("s1"));
    v1::TrackResponse bad = step_report(0, 0, 1);
    bad.mutable_reports()->mutable_reports(0)->set_safe_until(7.0);
    stream.Write(bad);
    stream.Write(step_report(1, 1, 2));
    while (!context.IsCancelled()) std::this_thread::sleep_for(milliseconds(1));
    return grpc::Status::OK;
  });
  const Connection connection = connect(server);
  Told told;
  auto session = connection.track(options(), told.handler());
  ASSERT_TRUE(session->wait(kLong));
  EXPECT_EQ(told.end, StreamEnd::kRefused);
  EXPECT_EQ(told.error.code, ErrorCode::kInput);
  EXPECT_NE(told.error.message.find("step 0"), std::string::npos) << told.error.message;
  EXPECT_TRUE(told.reports.empty());
}

/// What is proved so far of a step, before its report.
v1::TrackResponse partial_report(std::uint64_t step, double checked_until) {
  const v1::TrackResponse whole = step_report(step, step, step + 1);
  v1::TrackResponse out;
  *out.mutable_partial() = whole.reports().reports(0);
  out.mutable_partial()->set_incomplete(true);
  out.mutable_partial()->set_checked_until(checked_until);
  return out;
}

TEST(LiveSession, TellsWhatIsProvedOfAStepInParts) {
  const FakeServer server([](auto&, TrackStream& stream, const v1::TrackRequest& first) {
    stream.Write(partial_report(0, 0.25));
    stream.Write(partial_report(0, 0.5));
    stream.Write(step_report(0, 0, 1));
    if (first.has_open() && first.open().label() == "spoilt") stream.Write(partial_report(1, 7.0));
    stream.Write(ended_after(1));
    return grpc::Status::OK;
  });
  const Connection connection = connect(server);
  Told told;
  auto session = connection.track(options(), told.handler());
  ASSERT_TRUE(session->wait(kLong));
  EXPECT_EQ(told.end, StreamEnd::kEnded) << told.error.message;
  ASSERT_EQ(told.partials.size(), 2U);
  EXPECT_FALSE(told.partials[1].result.complete);
  EXPECT_EQ(told.partials[1].result.checked_until, 0.5);
  ASSERT_EQ(told.reports.size(), 1U);
  EXPECT_TRUE(told.reports[0].result.complete);
  Told spoilt;
  TrackOptions wrong = options();
  wrong.label = "spoilt";
  auto other = connection.track(wrong, spoilt.handler());
  ASSERT_TRUE(other->wait(kLong));
  EXPECT_EQ(spoilt.end, StreamEnd::kRefused);
  EXPECT_NE(spoilt.error.message.find("checked_until is 7"), std::string::npos)
      << spoilt.error.message;
}

TEST(LastingSession, TellsWhatIsProvedOfTheNextStepOnly) {
  const FakeServer server([](auto&, TrackStream& stream, const v1::TrackRequest&) {
    stream.Write(opened_as("s1"));
    stream.Write(partial_report(0, 0.25));
    stream.Write(step_report(0, 0, 1));
    stream.Write(partial_report(0, 0.5));  // of what was told
    stream.Write(partial_report(1, 0.75));
    stream.Write(step_report(1, 1, 2));
    stream.Write(ended_after(2));
    return grpc::Status::OK;
  });
  const Connection connection = connect(server);
  std::vector<double> until;
  LastingHandler handler;
  handler.partial = [&](const TrackReport& r) { until.push_back(r.result.checked_until); };
  auto session = connection.track_lasting(options(), handler);
  ASSERT_TRUE(session.ok());
  ASSERT_TRUE(session->wait(kLong));
  EXPECT_EQ(until, (std::vector<double>{0.25, 0.75}));
}

TEST(LiveSession, ResumingNamesTheSession) {
  const FakeServer server([](auto&, TrackStream& stream, const v1::TrackRequest& first) {
    if (first.resume().session_id() != "s1" || first.resume().received_steps() != 7) {
      return grpc::Status(grpc::StatusCode::NOT_FOUND, "no such session");
    }
    stream.Write(step_report(7, 7, 8));
    stream.Write(ended_after(8));
    return grpc::Status::OK;
  });
  const Connection connection = connect(server);
  Told told;
  auto session = connection.resume("s1", 7, two_joints(), told.handler());
  ASSERT_TRUE(session->wait(kLong));
  EXPECT_EQ(told.end, StreamEnd::kEnded) << told.error.message;
  ASSERT_EQ(told.reports.size(), 1U);
  EXPECT_EQ(told.reports[0].result.step, 7);
  Told other;
  auto unknown = connection.resume("s2", 7, two_joints(), other.handler());
  ASSERT_TRUE(unknown->wait(kLong));
  EXPECT_EQ(other.error.message, "no such session");
  EXPECT_FALSE(connection.resume("", 0, two_joints(), {}).ok());
}

TEST(LiveSession, ABrokenConnectionIsBroken) {
  auto server = std::make_unique<FakeServer>(
      [](grpc::ServerContext& context, TrackStream& stream, const auto&) {
        stream.Write(opened_as("s1"));
        while (!context.IsCancelled()) std::this_thread::sleep_for(milliseconds(1));
        return grpc::Status::CANCELLED;
      });
  const Connection connection = connect(*server);
  Told told;
  auto session = connection.track(options(), told.handler());
  EXPECT_FALSE(session->wait(milliseconds(50)));
  server.reset();
  ASSERT_TRUE(session->wait(kLong));
  EXPECT_EQ(told.end, StreamEnd::kBroken) << told.error.message;
}

grpc::Status deaf(grpc::ServerContext& context, TrackStream& stream, const v1::TrackRequest&) {
  stream.Write(opened_as("s1"));
  while (!context.IsCancelled()) std::this_thread::sleep_for(milliseconds(1));
  return grpc::Status::CANCELLED;
}

TEST(LiveSession, TheQueueIsBounded) {
  const FakeServer server(deaf);
  const Connection connection = connect(server);
  Told told;
  auto session = connection.track(options(), told.handler());
  const std::vector<TrackFrame> some(64, frame(1));
  Status sent = Nothing{};
  int count = 0;
  for (; count < 100'000 && sent; ++count) sent = session->send(some);
  ASSERT_FALSE(sent.ok());
  EXPECT_EQ(sent.error().code, ErrorCode::kResource);
  EXPECT_GE(count, 4096);
  EXPECT_NE(sent.error().message.find("4096 messages wait"), std::string::npos)
      << sent.error().message;
  session->abandon();
  ASSERT_TRUE(session->wait(kLong));
  EXPECT_EQ(told.end, StreamEnd::kBroken);
}

TEST(LiveSession, APoseOfAnotherSkeletonIsNotSent) {
  const FakeServer server(echo);
  const Connection connection = connect(server);
  Told told;
  auto session = connection.track(options(), told.handler());
  std::vector<TrackFrame> bad{frame(0), frame(1)};
  bad[1].pose.pop_back();
  const Status sent = session->send(bad);
  ASSERT_FALSE(sent.ok());
  EXPECT_EQ(sent.error().code, ErrorCode::kUsage);
  EXPECT_EQ(sent.error().message, "frame 1 has 1 transforms for 2 joints");
  ASSERT_TRUE(session->finish().ok());
  ASSERT_TRUE(session->wait(kLong));
  EXPECT_TRUE(told.reports.empty());
  EXPECT_EQ(connection.track({}, {}).error().code, ErrorCode::kUsage);
}

/// A server that reports without end.
grpc::Status talkative(grpc::ServerContext& context, TrackStream& stream, const v1::TrackRequest&) {
  stream.Write(opened_as("s1"));
  for (std::uint64_t step = 0; !context.IsCancelled(); ++step) {
    if (!stream.Write(step_report(step, step, step + 1))) break;
  }
  return grpc::Status::CANCELLED;
}

TEST(LiveSession, NoCallAfterItsDestruction) {
  const FakeServer server(talkative);
  const Connection connection = connect(server);
  for (int i = 0; i < 50; ++i) {
    auto told = std::make_unique<Told>();
    auto session =
        std::make_unique<LiveSession>(connection.track(options(), told->handler()).value());
    std::this_thread::sleep_for(milliseconds(i % 5));
    // Another thread sends meanwhile, and yet another destroys.
    std::thread destroyer([&session] { session.reset(); });
    destroyer.join();
    EXPECT_EQ(told->overs, 1);
    EXPECT_EQ(told->end, StreamEnd::kBroken);
    EXPECT_FALSE(told->overlapped);
    told.reset();  // a later call would find freed memory
  }
}

TEST(LiveSession, SendingFromManyThreadsWhileItEnds) {
  const FakeServer server(echo);
  const Connection connection = connect(server);
  for (int round = 0; round < 10; ++round) {
    Told told;
    LiveSession session = *connection.track(options(), told.handler());
    std::vector<std::thread> senders;
    std::atomic<int> refused{0};
    for (int t = 0; t < 3; ++t) {
      senders.emplace_back([&] {
        const std::vector<TrackFrame> one{frame(5)};
        for (int i = 0; i < 300; ++i) refused += session.send(one).ok() ? 0 : 1;
      });
    }
    std::this_thread::sleep_for(milliseconds(round));
    if (round % 2 == 0) session.abandon();
    for (std::thread& sender : senders) sender.join();
    if (round % 2 != 0) {
      ASSERT_TRUE(session.finish().ok());
    }
    ASSERT_TRUE(session.wait(kLong));
    EXPECT_EQ(told.end, round % 2 == 0 ? StreamEnd::kBroken : StreamEnd::kEnded);
    if (round % 2 != 0) {
      EXPECT_EQ(told.reports.size(), 899U);
    }
  }
}

TEST(LiveSession, OutlivesItsConnectionObject) {
  const FakeServer server(echo);
  Told told;
  LiveSession session;
  {
    const Connection connection = connect(server);
    session = *connection.track(options(), told.handler());
  }
  const std::vector<TrackFrame> two{frame(0), frame(1)};
  ASSERT_TRUE(session.send(two).ok());
  ASSERT_TRUE(session.finish().ok());
  ASSERT_TRUE(session.wait(kLong));
  EXPECT_EQ(told.reports.size(), 1U);
}

}  // namespace
}  // namespace tocsin::test::live_session_test
