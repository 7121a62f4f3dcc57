// Steps that are checked on the thread that has read their frames: where nobody waits, and no
// others.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <latch>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "service/engine.h"
#include "service/engine_fixture.h"
#include "service/rpc/reading_pace.h"
#include "service/schedule/batcher.h"

namespace tocsin::service::run_here_test {
namespace {

using std::chrono::milliseconds;
using test::Clock;
using test::EngineTest;
using test::frame_of;
using test::WaitingOutlet;

/// When reading has waited, for a thread that keeps up however slow this machine is.
Clock::time_point just_now() { return Clock::now() + std::chrono::hours(1); }

/// Once it is armed it stays in its next call until it is let go.
class StuckOutlet final : public WaitingOutlet {
 public:
  ~StuckOutlet() override { let_go(); }
  void ready() override {
    if (armed_.exchange(false)) {
      entered_.count_down();
      go_.get_future().wait_for(std::chrono::minutes(1));
    }
    WaitingOutlet::ready();
  }
  void arm() { armed_ = true; }
  void wait_until_entered() { entered_.wait(); }
  void let_go() {
    if (!std::exchange(gone_, true)) go_.set_value();
  }

 private:
  std::atomic<bool> armed_{false};
  bool gone_ = false;  ///< of the test
  std::latch entered_{1};
  std::promise<void> go_;
};

/// A session whose first step is done, and what was asked of it.
struct Walker {
  std::shared_ptr<StuckOutlet> outlet = std::make_shared<StuckOutlet>();
  std::shared_ptr<Session> session;
  std::int64_t next = 0;  ///< frame
};

class RunHere : public EngineTest {
 protected:
  static EngineOptions two_workers() {
    EngineOptions out;
    out.threads = 2;
    out.limits.brief_seconds = out.slow_step = 1e6;  // no test depends on how long a step takes
    return out;
  }
  /// True if the session has work that nobody was given.
  bool offer(Walker& of) {
    bool due = false;
    EXPECT_FALSE(of.session->offer(of.outlet.get(), frame_of(take_[0].motion, of.next++),
                                   Clock::now(), due));
    return due;
  }
  Walker open(Engine& engine, const std::function<void(TrackOptions&)>& change = nullptr) {
    TrackOptions wanted = options();
    if (change) change(wanted);
    Walker out;
    out.session = engine.open(anyone_, wanted, out.outlet, opened_, problem_);
    EXPECT_TRUE(out.session) << problem_.message;
    return out;
  }
  /// The same, and its first step is done, by a worker.
  Walker walk(Engine& engine, const std::function<void(TrackOptions&)>& change = nullptr) {
    Walker out = open(engine, change);
    for (int i = 0; i < 2; ++i) {
      if (offer(out)) out.session->schedule();
    }
    while (out.session->counts().working) {
      std::this_thread::sleep_for(milliseconds(1));
      out.session->pull(out.outlet.get(), 10);
    }
    EXPECT_EQ(out.session->counts().steps, 1U);
    return out;
  }
  static void wait_until_nobody_waits(const Engine& engine) {
    while (engine.counts().waiting_steps > 0) std::this_thread::sleep_for(milliseconds(1));
  }
  /// What run_here() says of its next frame, which is checked in any case.
  bool runs_here(Engine& engine, Walker& of, Clock::time_point waited) {
    const std::uint64_t steps = of.session->counts().steps;
    EXPECT_TRUE(offer(of));
    const bool out = engine.run_here(*of.session, waited);
    EXPECT_EQ(of.session->counts().steps, steps + (out ? 1 : 0));
    if (!out) of.session->schedule();
    return out;
  }
};

/// How long ago reading has waited when the last of four messages comes, of which each comes
/// `after` it was asked for, and takes `work`: microseconds.
std::int64_t since_waited(int after, int work) {
  ReadingPace pace;
  Clock::time_point now(std::chrono::hours(1));
  for (int i = 0; i < 3; ++i) {
    pace.received(now);
    pace.asked(now += std::chrono::microseconds(work));
    now += std::chrono::microseconds(after);
  }
  pace.received(now);
  return (now - pace.waited()) / std::chrono::microseconds(1);
}

// A client that never pauses: gRPC hands its next message over at once, or in a small share of the
// time that the one before took.
TEST(ReadingPace, IsWaitedForWhereTheNextMessageIsNotThere) {
  EXPECT_EQ(since_waited(100, 0), 0);
  EXPECT_EQ(since_waited(100, 1600), 0);
  EXPECT_EQ(since_waited(500, 8000), 0);
  EXPECT_EQ(since_waited(30'000, 8000), 0);
  // Only the first was waited for.
  EXPECT_EQ(since_waited(99, 0), 3 * 99);
  EXPECT_EQ(since_waited(20, 1600), 3 * 1620);
  EXPECT_EQ(since_waited(499, 8000), 3 * 8499);
}

TEST_F(RunHere, ChecksAtOnceWhatNobodyWaitsFor) {
  Engine engine(two_workers(), rooms_);
  Walker walker = walk(engine);
  std::uint64_t contacts = walker.session->counts().contacts;
  while (walker.next < 40) {
    ASSERT_TRUE(runs_here(engine, walker, just_now()));
    const std::vector<TrackReport> reports = walker.session->pull(walker.outlet.get(), 10);
    ASSERT_EQ(reports.size(), 1U) << "no worker was asked";
    contacts += reports[0].result.contacts.size();
  }
  EXPECT_EQ(walker.session->counts().contacts, contacts);
  EXPECT_GT(contacts, 0U);
}

TEST_F(RunHere, NotTheFirstStep) {
  Engine engine(two_workers(), rooms_);
  Walker walker = open(engine);
  ASSERT_TRUE(offer(walker));
  EXPECT_FALSE(engine.run_here(*walker.session, just_now()));
  EXPECT_EQ(walker.session->counts().frames.covered, 0U);
  walker.session->schedule();
}

TEST_F(RunHere, ReadsOnWhereItDoesNotKeepUp) {
  Engine engine(two_workers(), rooms_);
  Walker walker = walk(engine);
  EXPECT_TRUE(runs_here(engine, walker, just_now()));
  EXPECT_FALSE(runs_here(engine, walker, Clock::now() - Batcher::kHere));
}

/// They may wait for files, or ask more than a step of the room.
TEST_F(RunHere, LeavesToWorkersWhatIsMoreThanACheck) {
  Engine engine(two_workers(), rooms_);
  Walker ahead = walk(engine, [](TrackOptions& o) { o.lookahead = 0.1; });
  Walker near = walk(engine, [](TrackOptions& o) { o.nearest = 0.1; });
  Walker self = walk(engine, [](TrackOptions& o) { o.spec.self = true; });
  EXPECT_TRUE(runs_here(engine, self, just_now()));
  EXPECT_FALSE(runs_here(engine, ahead, just_now()));
  wait_until_nobody_waits(engine);
  EXPECT_FALSE(runs_here(engine, near, just_now()));
  wait_until_nobody_waits(engine);
  EXPECT_TRUE(runs_here(engine, self, just_now()));
  EngineOptions recorded = two_workers();
  recorded.record = folder_.path() / "records";
  recorded.record_rules.reserve = 0;
  Engine records(recorded, rooms_);
  Walker written = walk(records);
  EXPECT_FALSE(runs_here(records, written, just_now()));
}

TEST_F(RunHere, SeveralThreadsAtATime) {
  Engine engine(two_workers(), rooms_);
  Walker first = walk(engine);
  Walker second = walk(engine);
  first.outlet->arm();
  ASSERT_TRUE(offer(first));
  std::thread reader([&] { EXPECT_TRUE(engine.run_here(*first.session, just_now())); });
  first.outlet->wait_until_entered();
  EXPECT_TRUE(runs_here(engine, second, just_now()));
  first.outlet->let_go();
  reader.join();
}

/// Workers are busy, and so many more tasks wait for them.
TEST_F(RunHere, NotWhileManyWait) {
  Engine engine(two_workers(), rooms_);
  const std::size_t most = 2 * Batcher::kMostWaiting;
  std::vector<Walker> busy;
  for (std::size_t i = 0; i < 2 + most; ++i) busy.push_back(walk(engine));
  Walker walker = walk(engine);
  const auto give = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      busy[i].outlet->arm();
      ASSERT_TRUE(offer(busy[i]));
      busy[i].session->schedule();
    }
  };
  give(0, 2);  // one for each worker
  for (std::size_t i = 0; i < 2; ++i) busy[i].outlet->wait_until_entered();
  give(2, 1 + most);
  ASSERT_EQ(engine.counts().waiting_steps, most - 1);
  EXPECT_TRUE(runs_here(engine, walker, just_now()));
  give(1 + most, 2 + most);
  EXPECT_FALSE(runs_here(engine, walker, just_now()));
  for (const Walker& one : busy) one.outlet->let_go();
  wait_until_nobody_waits(engine);
  Walker another = walk(engine);
  EXPECT_TRUE(runs_here(engine, another, just_now()));
}

TEST_F(RunHere, IsWaitedForAtTheEnd) {
  Engine engine(two_workers(), rooms_);
  Walker walker = walk(engine);
  walker.outlet->arm();
  ASSERT_TRUE(offer(walker));
  std::thread reader([&] { EXPECT_TRUE(engine.run_here(*walker.session, just_now())); });
  walker.outlet->wait_until_entered();
  auto closed = std::async(std::launch::async, [&] { return engine.close(milliseconds(0)); });
  EXPECT_EQ(closed.wait_for(milliseconds(50)), std::future_status::timeout);
  walker.outlet->let_go();
  reader.join();
  closed.get();
  EXPECT_FALSE(engine.run_here(*walker.session, just_now()));
}

}  // namespace
}  // namespace tocsin::service::run_here_test
