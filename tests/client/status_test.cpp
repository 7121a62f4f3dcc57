// How a stream ended, from what gRPC says.
#include "client/status.h"

#include <gtest/gtest.h>

namespace tocsin::detail::status_test {
namespace {

using grpc::Status;
using grpc::StatusCode;

TEST(ClientStatus, WhatBreaksAStreamAndWhatRefusesIt) {
  const auto end = [](StatusCode code, const char* message) {
    return end_of(Status(code, message), false, false);
  };
  EXPECT_EQ(end(StatusCode::UNAVAILABLE, "Connection reset by peer"), StreamEnd::kBroken);
  EXPECT_EQ(end(StatusCode::UNKNOWN, "Stream removed"), StreamEnd::kBroken);
  // gRPC's own limits cut it off; the service's refuse it.
  EXPECT_EQ(end(StatusCode::RESOURCE_EXHAUSTED, "Received RST_STREAM with error code 11"),
            StreamEnd::kBroken);
  EXPECT_EQ(end(StatusCode::RESOURCE_EXHAUSTED, "16 frames wait"), StreamEnd::kRefused);
  EXPECT_EQ(end(StatusCode::INVALID_ARGUMENT, "Received RST_STREAM"), StreamEnd::kRefused);
  // It takes no streams any more.
  EXPECT_EQ(end(StatusCode::UNAVAILABLE, "the server is shutting down"), StreamEnd::kClosing);
  EXPECT_EQ(end(StatusCode::INTERNAL, "the server is shutting down"), StreamEnd::kRefused);
}

TEST(ClientStatus, WhatTheServerSaidBeforeCounts) {
  const Status broken(StatusCode::UNAVAILABLE, "Socket closed");
  EXPECT_EQ(end_of(broken, true, true), StreamEnd::kEnded);
  EXPECT_EQ(end_of(broken, false, true), StreamEnd::kClosing);
  EXPECT_EQ(end_of(Status::OK, true, false), StreamEnd::kEnded);
  EXPECT_EQ(end_of(Status::OK, false, false), StreamEnd::kBroken);
}

}  // namespace
}  // namespace tocsin::detail::status_test
