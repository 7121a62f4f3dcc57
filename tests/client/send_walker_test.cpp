// A walker of `tocsin send` whose server does not know its session any more.
#include "app/send/send_walker.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "client/fake_server.h"
#include "client/told.h"

namespace tocsin::app::send_walker_test {
namespace {

using test::FakeServer;
using test::TrackStream;

constexpr std::uint64_t kFrames = 40;

SendPlan plan() {
  std::vector<Transform> poses;
  for (std::uint64_t k = 0; k < kFrames; ++k) {
    for (const Transform& joint : test::frame(k).pose) poses.push_back(joint);
  }
  Motion motion = Motion::create(test::two_joints(), 1.0 / 90, std::move(poses)).value();
  const double no_pace = std::numeric_limits<double>::infinity();
  SendPlan out{.track = test::options(),
               .playback = Playback(std::move(motion), no_pace, 0.0),
               .chances = {},
               .bound_factor = {},
               .tracker = SendTracker({}, test::two_joints(), 1)};
  out.track.frame_seconds = 1.0 / 90;
  return out;
}

/// Reports each frame's step, up to the client's end, or `most`.
grpc::Status serve(TrackStream& stream, std::uint64_t most = kFrames) {
  std::uint64_t covered = 0;
  std::uint64_t steps = 0;
  v1::TrackRequest request;
  bool begun = false;
  while (steps < most && stream.Read(&request)) {
    for (const v1::Frame& frame : request.frames().frames()) {
      if (begun) stream.Write(test::step_report(steps++, covered, frame.id()));
      covered = frame.id();
      begun = true;
    }
  }
  if (steps >= most) return {grpc::StatusCode::UNAVAILABLE, "broken"};
  stream.Write(test::ended_after(steps));
  return grpc::Status::OK;
}

void walk(SendWalker& walker) {
  walker.open();
  const auto end = SendClock::now() + test::kLong;
  while (!walker.is_over() && SendClock::now() < end) {
    walker.attend(SendClock::now());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  walker.abandon();
}

/// What came in: one letter a stream.
class Streams {
 public:
  std::string take(const v1::TrackRequest& first) {
    const std::lock_guard lock(mutex_);
    return seen_ += first.has_resume() ? "r" : "o";
  }
  std::string seen() {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

 private:
  std::mutex mutex_;
  std::string seen_;
};

TEST(SendWalker, ASessionWithoutReportsThatIsForgottenIsOpenedAnew) {
  for (const auto code : {grpc::StatusCode::NOT_FOUND, grpc::StatusCode::OUT_OF_RANGE}) {
    Streams streams;
    const FakeServer server([&](auto&, TrackStream& stream, const v1::TrackRequest& first) {
      const std::string seen = streams.take(first);
      if (seen == "or") return grpc::Status(code, "no such session");
      stream.Write(test::opened_as("s" + std::to_string(seen.size())));
      v1::TrackRequest frames;
      if (seen != "o") return serve(stream);
      stream.Read(&frames);  // covered, perhaps, and not reported
      return grpc::Status(grpc::StatusCode::UNAVAILABLE, "broken");
    });
    const SendPlan wanted = plan();
    SendTimes times;
    const Connection connection = test::connect(server);
    SendWalker walker(wanted, times, connection, 0, 0.0);
    walk(walker);
    EXPECT_EQ(walker.end(), StreamEnd::kEnded) << walker.error().message;
    EXPECT_EQ(streams.seen(), "oro");
    EXPECT_EQ(walker.opened().session_id, "s3");
    EXPECT_EQ(walker.steps(), kFrames - 1) << "all frames were sent again";
    EXPECT_EQ(walker.coverage().gaps(), 0U) << walker.coverage().first_gap();
  }
}

TEST(SendWalker, WithReportsItIsOver) {
  Streams streams;
  const FakeServer server([&](auto&, TrackStream& stream, const v1::TrackRequest& first) {
    if (streams.take(first) != "o") {
      return grpc::Status(grpc::StatusCode::NOT_FOUND, "no such session");
    }
    stream.Write(test::opened_as("s1"));
    return serve(stream, 1);
  });
  const SendPlan wanted = plan();
  SendTimes times;
  const Connection connection = test::connect(server);
  SendWalker walker(wanted, times, connection, 0, 0.0);
  walk(walker);
  EXPECT_EQ(walker.end(), StreamEnd::kRefused);
  EXPECT_EQ(walker.error().message, "no such session");
  EXPECT_EQ(streams.seen(), "or") << "a new session would hide a hole";
}

TEST(SendWalker, ANewSessionThatIsRefusedIsTheEnd) {
  Streams streams;
  const FakeServer server([&](auto&, TrackStream& stream, const v1::TrackRequest& first) {
    const std::string seen = streams.take(first);
    if (seen == "or") return grpc::Status(grpc::StatusCode::NOT_FOUND, "no such session");
    if (seen != "o") return grpc::Status(grpc::StatusCode::RESOURCE_EXHAUSTED, "full");
    stream.Write(test::opened_as("s1"));
    return grpc::Status(grpc::StatusCode::UNAVAILABLE, "broken");
  });
  const SendPlan wanted = plan();
  SendTimes times;
  const Connection connection = test::connect(server);
  SendWalker walker(wanted, times, connection, 0, 0.0);
  walk(walker);
  EXPECT_EQ(walker.end(), StreamEnd::kRefused);
  EXPECT_EQ(walker.error().message, "full");
  EXPECT_EQ(streams.seen(), "oro");
}

}  // namespace
}  // namespace tocsin::app::send_walker_test
