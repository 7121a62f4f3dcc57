// The end of a server: what its sessions are told, and whom it waits for.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "service/rpc/checked_reports.h"
#include "service/rpc/live_server.h"

namespace tocsin::server_stop_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using test::LiveOptions;
using test::LiveServer;
using test::Stream;
using test::Walk;

TEST(ServerTrack, StoppingTellsEveryoneAndFinishesWhatIsPending) {
  LiveServer live;
  const Walk walk;
  std::vector<std::thread> clients;
  std::atomic<int> told{0};
  std::atomic<int> closed{0};
  std::atomic<int> at_work{0};
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([&] {
      const auto stub = live.stub();
      Stream stream(*stub);
      stream.open(walk.open());
      ++at_work;
      std::thread reader([&] {
        const auto reports = stream.reports(1'000'000);
        test::covered_frames(reports);
        if (stream.closing) ++told;
      });
      for (std::int64_t f = 0; stream.write(walk.frames(f, f)); ++f) {
        std::this_thread::sleep_for(milliseconds(2));
      }
      reader.join();
      if (stream.status().error_code() == grpc::StatusCode::UNAVAILABLE) ++closed;
    });
  }
  const auto stub = live.stub();
  Stream silent(*stub);  // opened nothing yet
  EXPECT_TRUE(test::eventually([&] { return at_work == 8; }));
  std::this_thread::sleep_for(milliseconds(100));
  EXPECT_EQ(live.server().stop(minutes(5)), 0U);
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(told, 8);
  EXPECT_EQ(closed, 8);
  EXPECT_EQ(silent.status().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(live.engine().counts().attached, 0U);
}

/// The last message says up to where the session was covered, and what was left.
TEST(ServerTrack, StoppingSaysWhatWasCovered) {
  LiveServer live;
  const Walk walk;
  const auto stub = live.stub();
  Stream stream(*stub);
  stream.open(walk.open());
  Stream none(*stub);
  none.open(walk.open());
  ASSERT_TRUE(stream.write(walk.frames(0, 9)));
  EXPECT_EQ(stream.reports(9).size(), 9U);
  live.server().stop(minutes(1));  // it takes as long as telling the streams takes
  EXPECT_EQ(stream.reports(1'000).size(), 0U);
  ASSERT_TRUE(stream.closing.has_value());
  ASSERT_TRUE(stream.closing->has_covered());
  EXPECT_EQ(stream.closing->reason(), "the server is shutting down");
  EXPECT_EQ(stream.closing->covered().steps(), 9U);
  EXPECT_EQ(stream.closing->covered().to().id(), 9U);
  EXPECT_EQ(stream.closing->covered().unchecked_frames(), 0U);
  EXPECT_EQ(stream.status().error_code(), grpc::StatusCode::UNAVAILABLE);
  EXPECT_EQ(none.reports(1'000).size(), 0U);
  ASSERT_TRUE(none.closing.has_value() && none.closing->has_covered());
  EXPECT_FALSE(none.closing->covered().has_to());
}

/// More than gRPC's windows hold is left for it when the server stops, and it reads only once it
/// was long told to go: all the same it gets everything that was checked, while others are gone.
TEST(ServerTrack, StoppingWaitsForASlowReader) {
  LiveOptions options;
  options.server.draining_timeout = milliseconds(50);
  LiveServer live(options);
  const Walk walk;
  const auto stub = live.stub();
  Stream slow(*stub, "", [](grpc::ClientContext& context) {
    context.set_deadline(std::chrono::system_clock::now() + minutes(5));
  });
  slow.open(walk.open());
  // Until it is held back: few enough at a time that nothing is skipped.
  std::int64_t next = 0;
  const auto all_are_checked = [&] {
    for (int i = 0; i < 300; ++i) {
      if (live.engine().counts().steps + 1 >= static_cast<std::uint64_t>(next)) return true;
      std::this_thread::sleep_for(milliseconds(1));
    }
    return false;
  };
  while (all_are_checked()) {
    ASSERT_LT(next, 100'000) << "the windows hold everything";
    ASSERT_TRUE(slow.write(walk.frames(next, next + 9)));
    next += 10;
  }
  std::thread stopper([&] { EXPECT_EQ(live.server().stop(minutes(5)), 0U); });
  // Well above the time limit for who parts, and the second that other calls are given.
  std::this_thread::sleep_for(milliseconds(1500));
  const auto reports = slow.reports(1'000'000);
  EXPECT_EQ(slow.status().error_code(), grpc::StatusCode::UNAVAILABLE);
  stopper.join();
  EXPECT_TRUE(slow.closing.has_value());
  EXPECT_EQ(reports.size(), live.engine().counts().steps);
  EXPECT_GT(test::expect_checked(reports, walk, live), 0U);
}

}  // namespace
}  // namespace tocsin::server_stop_test
