// Streams that the server ends, and messages that are too large for one.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "client/fake_server.h"
#include "client/told.h"
#include "tocsin/client.h"

namespace tocsin::test::live_session_end_test {
namespace {

TEST(LiveSessionEnd, WhatTheServerSaysAtTheEnd) {
  struct Case {
    grpc::StatusCode code;
    StreamEnd end;
    ErrorCode error;
  };
  const std::vector<Case> cases{
      {grpc::StatusCode::INVALID_ARGUMENT, StreamEnd::kRefused, ErrorCode::kInput},
      {grpc::StatusCode::RESOURCE_EXHAUSTED, StreamEnd::kRefused, ErrorCode::kInput},
      {grpc::StatusCode::UNAUTHENTICATED, StreamEnd::kRefused, ErrorCode::kInput},
      {grpc::StatusCode::ABORTED, StreamEnd::kRefused, ErrorCode::kInput},
      {grpc::StatusCode::OUT_OF_RANGE, StreamEnd::kRefused, ErrorCode::kInput},
      {grpc::StatusCode::INTERNAL, StreamEnd::kRefused, ErrorCode::kResource},
      {grpc::StatusCode::UNAVAILABLE, StreamEnd::kBroken, ErrorCode::kResource},
      {grpc::StatusCode::OK, StreamEnd::kBroken, ErrorCode::kResource},
  };
  for (const Case& c : cases) {
    const FakeServer server([&c](auto&, auto&, const auto&) {
      return c.code == grpc::StatusCode::OK ? grpc::Status::OK
                                            : grpc::Status(c.code, "this and that");
    });
    const Connection connection = connect(server);
    Told told;
    auto session = connection.track(options(), told.handler());
    ASSERT_TRUE(session->wait(kLong));
    EXPECT_EQ(told.end, c.end) << c.code;
    EXPECT_EQ(told.error.code, c.error) << c.code;
    if (c.end == StreamEnd::kRefused) {
      EXPECT_EQ(told.error.message, "this and that");
    } else {
      EXPECT_NE(told.error.message, "");
    }
    EXPECT_EQ(told.overs, 1);
    const std::vector<TrackFrame> one{frame(0)};
    EXPECT_EQ(session->send(one).error().code, ErrorCode::kResource);
    EXPECT_EQ(session->finish().error().code, ErrorCode::kResource);
  }
}

TEST(LiveSessionEnd, AServerThatShutsDownSaysSo) {
  const FakeServer server([](auto&, TrackStream& stream, const auto&) {
    stream.Write(opened_as("s1"));
    v1::TrackResponse closing;
    closing.mutable_closing()->set_reason("maintenance");
    stream.Write(closing);
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "shutting down");
  });
  const Connection connection = connect(server);
  Told told;
  auto session = connection.track(options(), told.handler());
  ASSERT_TRUE(session->wait(kLong));
  EXPECT_EQ(told.end, StreamEnd::kClosing);
  EXPECT_EQ(told.error.message, "maintenance");
}

/// A server that closes takes no new streams: nothing is broken.
TEST(LiveSessionEnd, AServerThatIsShuttingDownAlready) {
  const FakeServer server([](auto&, auto&, const auto&) {
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "the server is shutting down");
  });
  const Connection connection = connect(server);
  Told told;
  auto session = connection.track(options(), told.handler());
  ASSERT_TRUE(session->wait(kLong));
  EXPECT_EQ(told.end, StreamEnd::kClosing);
  EXPECT_EQ(told.error.code, ErrorCode::kResource);
  EXPECT_EQ(told.error.message, "the server is shutting down");
}

/// A server takes 4 MiB in one message: one call may have more to say.
TEST(LiveSessionEnd, OneCallMayBeManyMessages) {
  std::atomic<std::uint64_t> messages{0};
  std::atomic<std::uint64_t> most{0};
  const FakeServer server([&](auto&, TrackStream& stream, const auto&) {
    stream.Write(opened_as("s1"));
    v1::TrackRequest request;
    std::uint64_t next = 0;
    while (stream.Read(&request)) {
      ++messages;
      most = std::max<std::uint64_t>(most, request.ByteSizeLong());
      for (const v1::Frame& frame : request.frames().frames()) {
        if (frame.id() != next++) return grpc::Status(grpc::StatusCode::INTERNAL, "out of order");
      }
    }
    stream.Write(ended_after(next));
    return grpc::Status::OK;
  });
  const Connection connection = connect(server);
  Told told;
  auto session = connection.track(options(), told.handler());
  std::vector<TrackFrame> many;
  for (std::uint64_t id = 0; id < 100'000; ++id) many.push_back(frame(id));
  ASSERT_TRUE(session->send(many).ok());
  const std::vector<TrackFrame> one{frame(100'000)};
  ASSERT_TRUE(session->send(one).ok());
  ASSERT_TRUE(session->finish().ok());
  ASSERT_TRUE(session->wait(kLong));
  EXPECT_EQ(told.end, StreamEnd::kEnded) << told.error.message;
  EXPECT_EQ(told.ended.steps, 100'001U);
  EXPECT_GT(messages, 20U);
  EXPECT_LT(most, 256U << 10U);
}

/// gRPC aborts where a connection's last owner is a thread of its own.
TEST(LiveSessionEnd, TheConnectionGoesAtOnceAfterwards) {
  const FakeServer server([](auto&, TrackStream& stream, const auto&) {
    stream.Write(opened_as("s1"));
    stream.Write(ended_after(0));
    return grpc::Status::OK;
  });
  for (int i = 0; i < 200; ++i) {
    Told told;
    const Connection connection = connect(server);
    auto session = connection.track(options(), told.handler());
    ASSERT_TRUE(session->wait(kLong));
    EXPECT_EQ(told.end, StreamEnd::kEnded);
  }
}

}  // namespace
}  // namespace tocsin::test::live_session_end_test
