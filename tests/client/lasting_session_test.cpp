// A session that goes on when its stream breaks: what the handler is told has no hole that is not
// said.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "client/fake_server.h"
#include "client/told.h"
#include "tocsin/client.h"

namespace tocsin::test::lasting_session_test {
namespace {

using std::chrono::milliseconds;

/// Sessions as a server has them, over several streams.
class Sessions {
 public:
  std::size_t break_after = 0;  ///< frames of a stream; 0: none breaks
  std::size_t withhold = 0;     ///< of these, frames at whose end reports do not come
  bool forgets = false;         ///< a session is gone with its stream
  std::atomic<int> breaks_left{1'000};

  grpc::Status serve(TrackStream& stream, const v1::TrackRequest& first) {
    const std::scoped_lock lock(mutex_);
    std::string id = first.resume().session_id();
    if (first.has_open()) id = "s" + std::to_string(++opened_);
    if (first.has_resume() && !covered_.contains(id)) {
      return {grpc::StatusCode::NOT_FOUND, "there is no such session, or not any more"};
    }
    std::vector<std::uint64_t>& covered = covered_[id];
    v1::TrackResponse opened = opened_as(id);
    opened.mutable_opened()->set_next_step(first.resume().received_steps());
    if (!covered.empty()) opened.mutable_opened()->mutable_covered()->set_id(covered.back());
    stream.Write(opened);
    for (std::size_t k = first.resume().received_steps(); k + 1 < covered.size(); ++k) {
      stream.Write(step_report(k, covered[k], covered[k + 1]));
    }
    return go_on(stream, id, covered);
  }

 private:
  grpc::Status go_on(TrackStream& stream, const std::string& id,
                     std::vector<std::uint64_t>& covered) {
    std::size_t frames = 0;
    const bool breaks = break_after > 0 && breaks_left > 0;
    v1::TrackRequest request;
    while (stream.Read(&request)) {
      for (const v1::Frame& frame : request.frames().frames()) {
        ++frames;
        if (covered.empty() || frame.id() > covered.back()) {
          covered.push_back(frame.id());
          const std::size_t steps = covered.size() - 1;
          const bool told = !breaks || frames + withhold <= break_after;
          if (steps > 0 && told) {
            stream.Write(step_report(steps - 1, covered[steps - 1], covered[steps]));
          }
        }
        if (!breaks || frames < break_after) continue;
        --breaks_left;
        if (forgets) covered_.erase(id);
        return {grpc::StatusCode::UNAVAILABLE, "the connection is lost"};
      }
    }
    stream.Write(ended_after(covered.empty() ? 0 : covered.size() - 1));
    return grpc::Status::OK;
  }

  std::mutex mutex_;
  std::map<std::string, std::vector<std::uint64_t>> covered_;
  int opened_ = 0;
};

/// Everything that a lasting session's handler was told.
struct LastingTold {
  LastingHandler handler() {
    return {.opened = [this](const TrackOpened& o) { ids.push_back(o.session_id); },
            .report =
                [this](TrackReport r) {
                  reports.push_back(std::move(r));
                  ++count;
                },
            .hole = [this](const TrackHole& h) { holes.push_back(h); },
            .closing = [this](const TrackCovered& c) { covered.push_back(c); },
            .over =
                [this](StreamEnd how, const TrackEnded& last, const Error& why) {
                  ++overs;
                  end = how;
                  ended = last;
                  error = why;
                }};
  }
  void expect_joined(std::uint64_t first, std::uint64_t last) const {
    ASSERT_FALSE(reports.empty());
    EXPECT_EQ(reports.front().from.id, first);
    EXPECT_EQ(reports.back().to.id, last);
    for (std::size_t i = 1; i < reports.size(); ++i) {
      EXPECT_EQ(reports[i].from.id, reports[i - 1].to.id) << i;
    }
  }
  std::vector<std::string> ids;
  std::vector<TrackReport> reports;
  std::atomic<std::size_t> count{0};  ///< of these
  std::vector<TrackHole> holes;
  std::vector<TrackCovered> covered;  ///< as closing servers said
  int overs = 0;
  StreamEnd end = StreamEnd::kBroken;
  TrackEnded ended;
  Error error;
};

FakeServer serving(Sessions& sessions) {
  return FakeServer([&sessions](grpc::ServerContext&, TrackStream& stream, const auto& first) {
    return sessions.serve(stream, first);
  });
}

void send_all(LastingSession& session, std::uint64_t count) {
  for (std::uint64_t id = 0; id < count; ++id) {
    const std::vector<TrackFrame> one{frame(id)};
    ASSERT_TRUE(session.send(one).ok());
  }
}

TEST(LastingSession, GoesOnWithTheSameSession) {
  Sessions sessions;
  sessions.break_after = 40;
  sessions.withhold = 3;
  const FakeServer server = serving(sessions);
  const Connection connection = connect(server);
  LastingTold told;
  auto session = connection.track_lasting(options(), told.handler());
  ASSERT_TRUE(session.ok()) << session.error().message;
  send_all(*session, 200);
  ASSERT_TRUE(session->finish().ok());
  ASSERT_TRUE(session->wait(kLong));
  told.expect_joined(0, 199);
  EXPECT_EQ(told.reports.size(), 199U) << "each once";
  EXPECT_TRUE(told.holes.empty());
  EXPECT_GT(told.ids.size(), 3U);
  for (const std::string& id : told.ids) EXPECT_EQ(id, "s1");
  EXPECT_EQ(told.end, StreamEnd::kEnded) << told.error.message;
  EXPECT_EQ(told.ended.steps, 199U);
  EXPECT_EQ(told.overs, 1);
  EXPECT_FALSE(session->send(std::vector<TrackFrame>{frame(200)}).ok());
}

/// Between the end of a stream and the call that tells of it.
TEST(LastingSession, TakesFramesOfAStreamThatIsAboutToEnd) {
  Sessions sessions;
  sessions.break_after = 10;
  sessions.breaks_left = 1;
  const FakeServer server = serving(sessions);
  const Connection connection = connect(server);
  LastingTold told;
  std::promise<void> go_on;
  LastingHandler handler = told.handler();
  handler.report = [&told, released = go_on.get_future().share(),
                    report = handler.report](TrackReport one) {
    if (told.count == 0) released.wait_for(kLong);  // until then nothing tells that it is over
    report(std::move(one));
  };
  auto session = connection.track_lasting(options(), handler);
  ASSERT_TRUE(session.ok()) << session.error().message;
  std::uint64_t refused = 0;
  for (std::uint64_t id = 0; id < 300; ++id) {
    refused += session->send(std::vector<TrackFrame>{frame(id)}).ok() ? 0U : 1U;
    std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_EQ(refused, 0U);
  go_on.set_value();
  ASSERT_TRUE(session->finish().ok());
  ASSERT_TRUE(session->wait(kLong));
  told.expect_joined(0, 299);
  EXPECT_TRUE(told.holes.empty());
}

TEST(LastingSession, ANewSessionBeginsWhereTheReportsEnd) {
  Sessions sessions;
  sessions.break_after = 40;
  sessions.withhold = 5;
  sessions.forgets = true;
  sessions.breaks_left = 3;
  const FakeServer server = serving(sessions);
  const Connection connection = connect(server);
  LastingTold told;
  auto session = connection.track_lasting(options(), told.handler());
  ASSERT_TRUE(session.ok()) << session.error().message;
  send_all(*session, 200);
  ASSERT_TRUE(session->finish().ok());
  ASSERT_TRUE(session->wait(kLong));
  told.expect_joined(0, 199);
  EXPECT_TRUE(told.holes.empty());
  EXPECT_EQ(told.ids, (std::vector<std::string>{"s1", "s2", "s3", "s4"}));
  EXPECT_EQ(told.end, StreamEnd::kEnded) << told.error.message;
}

/// What was not kept cannot be sent again.
TEST(LastingSession, SaysWhatNoReportCovers) {
  Sessions sessions;
  sessions.break_after = 40;
  sessions.withhold = 20;
  sessions.forgets = true;
  sessions.breaks_left = 1;
  const FakeServer server = serving(sessions);
  const Connection connection = connect(server);
  LastingTold told;
  auto session = connection.track_lasting(options(), told.handler(), {.kept_frames = 4});
  ASSERT_TRUE(session.ok()) << session.error().message;
  send_all(*session, 2);
  while (!session->wait(milliseconds(1)) && told.count == 0) {
  }
  for (std::uint64_t id = 2; id < 40; ++id) {
    ASSERT_TRUE(session->send(std::vector<TrackFrame>{frame(id)}).ok());
  }
  while (!session->wait(milliseconds(1)) && sessions.breaks_left > 0) {
  }
  ASSERT_TRUE(session->finish().ok());
  ASSERT_TRUE(session->wait(kLong));
  ASSERT_EQ(told.holes.size(), 1U);
  EXPECT_EQ(told.holes[0].from->id, 19U);
  EXPECT_EQ(told.holes[0].to->id, 36U);
  EXPECT_EQ(told.reports.back().to.id, 39U);
  EXPECT_EQ(told.end, StreamEnd::kEnded) << told.error.message;
}

TEST(LastingSession, IsOverWhenNobodyAnswers) {
  Sessions sessions;
  auto server = std::make_unique<FakeServer>(
      [&sessions](grpc::ServerContext&, TrackStream& stream, const auto& first) {
        return sessions.serve(stream, first);
      });
  const Connection connection = connect(*server);
  LastingTold told;
  auto session =
      connection.track_lasting(options(), told.handler(), {.patience = milliseconds(200)});
  ASSERT_TRUE(session.ok()) << session.error().message;
  send_all(*session, 10);
  server.reset();
  ASSERT_TRUE(session->wait(kLong));
  EXPECT_EQ(told.end, StreamEnd::kBroken);
  EXPECT_NE(told.error.message, "");
  EXPECT_EQ(told.overs, 1);
  EXPECT_FALSE(session->send(std::vector<TrackFrame>{frame(10)}).ok());
}

/// A server that closes says what it has covered, and the next one goes on.
TEST(LastingSession, TellsWhatAClosingServerHasCovered) {
  std::atomic<int> streams{0};
  const FakeServer server([&streams](grpc::ServerContext&, TrackStream& stream, const auto& first) {
    v1::TrackResponse opened = opened_as("s");
    if (++streams == 1) {
      stream.Write(opened);
      v1::TrackRequest request;
      std::uint64_t last = 0;
      while (last < 1 && stream.Read(&request)) {
        for (const v1::Frame& one : request.frames().frames()) last = one.id();
      }
      stream.Write(step_report(0, 0, 1));
      v1::TrackResponse closing;
      closing.mutable_closing()->set_reason("the server is shutting down");
      stream.Write(closing);  // the first of the two: nothing is known yet
      v1::Covered& covered = *closing.mutable_closing()->mutable_covered();
      covered.set_steps(1);
      covered.set_unchecked_frames(3);
      covered.mutable_to()->set_id(1);
      covered.mutable_to()->set_capture_time(0.5);
      stream.Write(closing);
      return grpc::Status(grpc::StatusCode::UNAVAILABLE, "the server is shutting down");
    }
    EXPECT_EQ(first.resume().received_steps(), 1U);
    opened.mutable_opened()->mutable_covered()->set_id(1);
    stream.Write(opened);
    v1::TrackRequest request;
    std::uint64_t last = 1;
    while (stream.Read(&request)) {
      for (const v1::Frame& one : request.frames().frames()) {
        stream.Write(step_report(last, last, one.id()));
        last = one.id();
      }
    }
    stream.Write(ended_after(last));
    return grpc::Status::OK;
  });
  const Connection connection = Connection::open({.target = server.address()}).value();
  LastingTold told;
  auto session = connection.track_lasting(options(), told.handler());
  ASSERT_TRUE(session.ok());
  send_all(*session, 5);
  ASSERT_TRUE(session->finish().ok());
  ASSERT_TRUE(session->wait(kLong));
  EXPECT_EQ(told.end, StreamEnd::kEnded) << told.error.message;
  told.expect_joined(0, 4);
  ASSERT_EQ(told.covered.size(), 1U);
  EXPECT_EQ(told.covered[0].steps, 1U);
  EXPECT_EQ(told.covered[0].unchecked_frames, 3U);
  EXPECT_EQ(told.covered[0].to, (FrameStamp{1, 0.5}));
}

TEST(LastingSession, ARefusalIsTheEnd) {
  const FakeServer server([](grpc::ServerContext&, TrackStream& stream, const auto&) {
    stream.Write(opened_as("s1"));
    v1::TrackRequest request;
    stream.Read(&request);
    return grpc::Status{grpc::StatusCode::PERMISSION_DENIED, "the operator has ended the session"};
  });
  const Connection connection = connect(server);
  LastingTold told;
  auto session = connection.track_lasting(options(), told.handler());
  ASSERT_TRUE(session.ok()) << session.error().message;
  send_all(*session, 1);
  ASSERT_TRUE(session->wait(kLong));
  EXPECT_EQ(told.end, StreamEnd::kRefused);
  EXPECT_EQ(told.error.message, "the operator has ended the session");
  EXPECT_EQ(told.ids.size(), 1U);
}

TEST(LastingSession, MayBeDestroyedAtAnyTime) {
  Sessions sessions;
  sessions.break_after = 5;
  const FakeServer server = serving(sessions);
  const Connection connection = connect(server);
  for (int i = 0; i < 20; ++i) {
    LastingTold told;
    auto session = connection.track_lasting(options(), told.handler());
    ASSERT_TRUE(session.ok()) << session.error().message;
    send_all(*session, static_cast<std::uint64_t>(i));
    if (i % 3 == 0) std::this_thread::sleep_for(milliseconds(i));
  }
}

}  // namespace
}  // namespace tocsin::test::lasting_session_test
