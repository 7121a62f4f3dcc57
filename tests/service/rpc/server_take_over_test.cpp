// A session that another server of the same records still has, or has left, over a real port.
#include <gtest/gtest.h>

#include <optional>

#include "service/rpc/live_server.h"
#include "support/test_folder.h"

namespace tocsin::server_take_over_test {
namespace {

using grpc::StatusCode;
using test::LiveOptions;
using test::LiveServer;
using test::Stream;
using test::Walk;

/// A client that comes back while the server before still has its session is not to blame: it may
/// try as often as it may open.
TEST(TakeOver, WaitingForTheServerBeforeIsNoFailure) {
  const test::TestFolder folder;
  LiveOptions options;
  options.engine.record = folder.path();
  options.engine.record_rules.reserve = 0;
  options.limits.failures_per_second = 1e-3;  // one, and then none for a quarter of an hour
  std::optional<LiveServer> before(std::in_place, options);
  const Walk walk(0.5);
  const auto old = before->stub();
  v1::TrackRequest resume;
  {
    Stream stream(*old);
    resume.mutable_resume()->set_session_id(stream.open(walk.open()).session_id());
    ASSERT_TRUE(stream.write(walk.frames(0, 4)));
    EXPECT_EQ(stream.reports(4).size(), 4U);
  }
  resume.mutable_resume()->set_received_steps(4);
  LiveServer next(options);
  const auto stub = next.stub();
  for (int i = 0; i < 20; ++i) {
    const grpc::Status status = test::refusal(*stub, resume);
    EXPECT_EQ(status.error_code(), StatusCode::UNAVAILABLE) << status.error_message();
  }
  before.reset();
  Stream stream(*stub);
  EXPECT_EQ(stream.open(resume).next_step(), 4U);
  ASSERT_TRUE(stream.write(walk.frames(5, 9)));
  EXPECT_EQ(stream.reports(5).size(), 5U);
}

}  // namespace
}  // namespace tocsin::server_take_over_test
