// Steps that are checked on the thread that has read their frames: where nobody waits, and no
// others.
#include <gtest/gtest.h>

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

/// Stays in its first call until it is let go.
class StuckOutlet final : public WaitingOutlet {
 public:
  ~StuckOutlet() override { let_go(); }
  void ready() override {
    if (!std::exchange(called_, true)) {
      entered_.count_down();
      go_.get_future().wait_for(std::chrono::minutes(1));
    }
    WaitingOutlet::ready();
  }
  void wait_until_entered() { entered_.wait(); }
  void let_go() {
    if (!std::exchange(gone_, true)) go_.set_value();
  }

 private:
  bool called_ = false;  ///< of the session's run
  bool gone_ = false;    ///< of the test
  std::latch entered_{1};
  std::promise<void> go_;
};

class RunHere : public EngineTest {
 protected:
  static EngineOptions two_workers() {
    EngineOptions out;
    out.threads = 2;
    out.limits.brief_seconds = 1e6;  // no test depends on how long a step takes
    return out;
  }
  std::shared_ptr<Session> open(Engine& engine, const std::shared_ptr<Outlet>& outlet,
                                const std::function<void(TrackOptions&)>& change = nullptr) {
    TrackOptions wanted = options();
    if (change) change(wanted);
    auto out = engine.open(anyone_, wanted, outlet, opened_, problem_);
    EXPECT_TRUE(out) << problem_.message;
    return out;
  }
  /// True if the session has work that nobody was given.
  bool offer(Session& session, const Outlet* outlet, std::int64_t frame) {
    bool due = false;
    EXPECT_FALSE(session.offer(outlet, frame_of(take_[0].motion, frame), Clock::now(), due));
    return due;
  }
  static void wait_until_nobody_waits(const Engine& engine) {
    while (engine.counts().waiting_steps > 0) std::this_thread::sleep_for(milliseconds(1));
  }
  /// What run_here() says of a new session's first frame, which is checked in any case.
  bool runs_here(Engine& engine, Clock::time_point waited,
                 const std::function<void(TrackOptions&)>& change = nullptr) {
    const auto outlet = std::make_shared<WaitingOutlet>();
    const auto session = open(engine, outlet, change);
    EXPECT_TRUE(offer(*session, outlet.get(), 0));
    const bool out = engine.run_here(*session, waited);
    EXPECT_EQ(session->counts().frames.covered, out ? 1U : 0U);
    if (!out) session->schedule();
    session->detach(outlet.get());
    return out;
  }
};

TEST_F(RunHere, ChecksAtOnceWhatNobodyWaitsFor) {
  Engine engine(two_workers(), rooms_);
  const auto outlet = std::make_shared<WaitingOutlet>();
  const auto session = open(engine, outlet);
  std::uint64_t contacts = 0;
  for (std::int64_t k = 0; k < 40; ++k) {
    ASSERT_TRUE(offer(*session, outlet.get(), k));
    ASSERT_TRUE(engine.run_here(*session, just_now()));
    const std::vector<TrackReport> reports = session->pull(outlet.get(), 10);
    ASSERT_EQ(reports.size(), k == 0 ? 0U : 1U) << "no worker was asked";
    if (k > 0) contacts += reports[0].result.contacts.size();
  }
  EXPECT_EQ(session->counts().contacts, contacts);
  EXPECT_GT(contacts, 0U);
}

TEST_F(RunHere, ReadsOnWhereItDoesNotKeepUp) {
  Engine engine(two_workers(), rooms_);
  EXPECT_TRUE(runs_here(engine, just_now()));
  EXPECT_FALSE(runs_here(engine, Clock::now() - Batcher::kHere));
}

/// They may wait for files, or ask more than a step of the room.
TEST_F(RunHere, LeavesToWorkersWhatIsMoreThanACheck) {
  Engine engine(two_workers(), rooms_);
  EXPECT_FALSE(runs_here(engine, just_now(), [](TrackOptions& o) { o.lookahead = 0.1; }));
  wait_until_nobody_waits(engine);
  EXPECT_FALSE(runs_here(engine, just_now(), [](TrackOptions& o) { o.nearest = 0.1; }));
  wait_until_nobody_waits(engine);
  EXPECT_TRUE(runs_here(engine, just_now(), [](TrackOptions& o) { o.spec.self = true; }));
  EngineOptions recorded = two_workers();
  recorded.record = folder_.path() / "records";
  recorded.record_rules.reserve = 0;
  Engine records(recorded, rooms_);
  EXPECT_FALSE(runs_here(records, just_now()));
}

TEST_F(RunHere, OneThreadAtATime) {
  Engine engine(two_workers(), rooms_);
  const auto stuck = std::make_shared<StuckOutlet>();
  const auto first = open(engine, stuck);
  ASSERT_TRUE(offer(*first, stuck.get(), 0));
  ASSERT_TRUE(engine.run_here(*first, just_now()));
  ASSERT_TRUE(offer(*first, stuck.get(), 1));
  std::thread reader([&] { EXPECT_TRUE(engine.run_here(*first, just_now())); });
  stuck->wait_until_entered();
  EXPECT_FALSE(runs_here(engine, just_now()));
  stuck->let_go();
  reader.join();
  wait_until_nobody_waits(engine);
  EXPECT_TRUE(runs_here(engine, just_now()));
}

/// Principals have turns with the workers, which this must not go round.
TEST_F(RunHere, NotWhileSomebodyWaits) {
  Engine engine(two_workers(), rooms_);
  std::vector<std::shared_ptr<StuckOutlet>> outlets;
  std::vector<std::shared_ptr<Session>> sessions;
  for (int i = 0; i < 3; ++i) {  // the third waits for one of two workers
    outlets.push_back(std::make_shared<StuckOutlet>());
    sessions.push_back(open(engine, outlets.back()));
    ASSERT_TRUE(offer(*sessions.back(), outlets.back().get(), 0));
    ASSERT_TRUE(engine.run_here(*sessions.back(), just_now()));
    ASSERT_TRUE(offer(*sessions.back(), outlets.back().get(), 1));
  }
  for (const auto& session : sessions) session->schedule();
  while (engine.counts().waiting_steps != 1) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_FALSE(runs_here(engine, just_now()));
  for (const auto& outlet : outlets) outlet->let_go();
  wait_until_nobody_waits(engine);
  EXPECT_TRUE(runs_here(engine, just_now()));
}

TEST_F(RunHere, IsWaitedForAtTheEnd) {
  Engine engine(two_workers(), rooms_);
  const auto stuck = std::make_shared<StuckOutlet>();
  const auto session = open(engine, stuck);
  ASSERT_TRUE(offer(*session, stuck.get(), 0));
  ASSERT_TRUE(engine.run_here(*session, just_now()));
  ASSERT_TRUE(offer(*session, stuck.get(), 1));
  std::thread reader([&] { EXPECT_TRUE(engine.run_here(*session, just_now())); });
  stuck->wait_until_entered();
  auto closed = std::async(std::launch::async, [&] { return engine.close(milliseconds(0)); });
  EXPECT_EQ(closed.wait_for(milliseconds(50)), std::future_status::timeout);
  stuck->let_go();
  reader.join();
  closed.get();
  EXPECT_FALSE(engine.run_here(*session, just_now()));
}

}  // namespace
}  // namespace tocsin::service::run_here_test
