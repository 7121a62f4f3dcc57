// Who gets the workers: slow sessions, long records and a principal's many sessions delay no other.
// Slow work waits at a gate that is shut until everyone else is through: no test measures time.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <latch>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "service/engine_fixture.h"
#include "service/schedule/batcher.h"

namespace tocsin::service::engine_lanes_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test::Clock;
using test::EngineTest;
using test::frame_of;
using test::WaitingOutlet;

/// What counts as a slow step here, seconds, and what a slow one sleeps for. Where no step has to
/// be slow nothing is.
constexpr double kSlowStep = 0.5;
constexpr milliseconds kSlow{600};
constexpr double kNothingIsSlow = 1e6;

/// Does with a session's steps and its end what a test says.
class ScriptedRecorder : public Recorder {
 public:
  struct Script {
    std::function<void()> pose = nullptr;
    std::function<void(std::int64_t step)> step = nullptr;
    std::function<void()> finish = nullptr;
  };
  explicit ScriptedRecorder(Script script) : script_(std::move(script)) {}
  using Recorder::pose;
  Status pose(const TrackFrame& /*frame*/, double /*tick*/, const PassedOver& /*passed*/) override {
    if (script_.pose) script_.pose();
    return Nothing{};
  }
  Status step(const Step& step, const StepReport& /*report*/) override {
    if (script_.step) script_.step(step.index());
    return Nothing{};
  }
  Status finish() override {
    if (script_.finish) script_.finish();
    return Nothing{};
  }
  [[nodiscard]] std::string shown() const override { return {}; }

 private:
  Script script_;
};

using Script = ScriptedRecorder::Script;

/// Two workers without an engine.
class PoolScheduler : public StepScheduler {
 public:
  void schedule(const std::shared_ptr<Session>& session) override {
    const std::lock_guard lock(mutex_);
    if (batcher_) batcher_->add(session);
  }
  void over(const std::shared_ptr<Session>& /*session*/) override {}
  /// Before anything is scheduled.
  void set_slow_step(double slow_step) {
    const std::lock_guard lock(mutex_);
    slow_step_ = slow_step;
    batcher_ = std::make_unique<Batcher>(*pool_, 1, std::chrono::microseconds(0), slow_step);
  }
  [[nodiscard]] double slow_step() const { return slow_step_; }
  WorkerPool& pool() { return *pool_; }
  /// Sessions keep this alive, and workers sessions: they must go before it.
  void stop() {
    std::unique_ptr<Batcher> last;
    {
      const std::lock_guard lock(mutex_);
      last.swap(batcher_);
    }
    last.reset();
    pool_.reset();
  }

 private:
  std::mutex mutex_;
  double slow_step_ = kNothingIsSlow;
  std::unique_ptr<WorkerPool> pool_ = std::make_unique<WorkerPool>(2);
  std::unique_ptr<Batcher> batcher_ =
      std::make_unique<Batcher>(*pool_, 1, std::chrono::microseconds(0), kNothingIsSlow);
};

class LanesTest : public EngineTest {
 protected:
  struct Visitor {
    std::shared_ptr<WaitingOutlet> outlet = std::make_shared<WaitingOutlet>();
    std::shared_ptr<Session> session;
  };

  ~LanesTest() override {
    open_gate();
    for (const Visitor& visitor : visitors_) visitor.session->close();
    scheduler_->stop();
    for (const Visitor& visitor : visitors_) visitor.session->settle();
  }

  void open_gate() {
    if (!gate_.try_wait()) gate_.count_down();
  }

  Visitor& open(const TrackOptions& options, const Script& script,
                std::shared_ptr<Principal> principal = nullptr) {
    if (!principal) principal = anyone_;
    Visitor visitor;
    visitor.session = Session::create(
        {.id = "x",
         .options = options,
         .room = room("room0"),
         .principal = principal,
         .limits = {.ttl = 0.0},
         .scheduler = scheduler_,
         .slot = SessionSlot(room("room0"), principal, slots_),
         .record =
             [script](const Avatar& /*avatar*/, const auto& /*ignore*/,
                      const SceneState* /*first*/) {
               return Result<std::unique_ptr<Recorder>>(std::make_unique<ScriptedRecorder>(script));
             }},
        problem_);
    EXPECT_TRUE(visitor.session) << problem_.message;
    EXPECT_FALSE(visitor.session->attach(visitor.outlet, 0, opened_));
    visitors_.push_back(std::move(visitor));
    return visitors_.back();
  }

  void offer(const Visitor& to, std::int64_t first, std::int64_t last) {
    for (std::int64_t k = first; k <= last; ++k) {
      EXPECT_FALSE(to.session->offer(to.outlet.get(), frame_of(take_[0].motion, k), Clock::now()));
    }
  }

  /// Until it is so, or a minute has passed.
  template <class Holds>
  static bool wait_until(const Holds& holds) {
    const auto end = Clock::now() + seconds(60);
    while (!holds()) {
      if (Clock::now() > end) return false;
      std::this_thread::sleep_for(milliseconds(1));
    }
    return true;
  }

  /// Whether a session of the ordinary kind has all of its steps, frame by frame. None: this
  /// machine stopped within one of them, so that it is a slow one by right.
  std::optional<bool> gets_through() {
    const Visitor quick = open(options(), {});
    const auto is_slow = [&] {
      return quick.session->forecast().seconds > scheduler_->slow_step();
    };
    for (std::int64_t k = 0; k < 20; ++k) {
      offer(quick, k, k);
      const auto steps = static_cast<std::uint64_t>(k);
      const auto is_there = [&] { return quick.session->counts().steps >= steps; };
      if (!wait_until([&] { return is_there() || is_slow(); })) return false;
      if (is_slow()) return std::nullopt;
      quick.session->pull(quick.outlet.get(), 10);
    }
    return true;
  }
  void expect_a_quick_session_gets_through() {
    std::optional<bool> through;
    for (int i = 0; i < 20 && !through; ++i) through = gets_through();
    EXPECT_EQ(through, true) << "it waits";
    EXPECT_FALSE(gate_.try_wait());
  }

  std::latch gate_{1};
  std::atomic<int> pending_{0};  ///< how often someone came to the gate
  std::shared_ptr<PoolScheduler> scheduler_ = std::make_shared<PoolScheduler>();
  std::shared_ptr<std::atomic<std::size_t>> slots_ = std::make_shared<std::atomic<std::size_t>>(0);
  std::vector<Visitor> visitors_;
};

TEST_F(LanesTest, SlowSessionsDelayNoOther) {
  scheduler_->set_slow_step(kSlowStep);
  const Script slow{.step = [&](std::int64_t step) {
    if (step == 0) std::this_thread::sleep_for(kSlow);
    if (step > 0) gate_.wait();
  }};
  std::vector<Visitor> all;
  for (int i = 0; i < 3; ++i) {
    all.push_back(open(options(), slow));
    offer(all.back(), 0, 11);
  }
  // Each is known to be slow by its first step.
  for (const Visitor& one : all) {
    ASSERT_TRUE(wait_until([&] { return one.session->counts().steps > 0; }));
  }
  expect_a_quick_session_gets_through();
}

// An avatar so large that its first step is not trusted.
TEST_F(LanesTest, LargeAvatarsBeginSlowly) {
  TrackOptions large = options();
  for (int i = 0; i < 300; ++i) {
    large.model->links.push_back(large.model->links[0]);
    large.model->links.back().name = "more" + std::to_string(i);
  }
  const Script slow{.step = [&](std::int64_t /*step*/) { ++pending_, gate_.wait(); }};
  for (int i = 0; i < 4; ++i) offer(open(large, slow), 0, 5);
  ASSERT_TRUE(wait_until([&] { return pending_ > 0; }));
  expect_a_quick_session_gets_through();
  EXPECT_EQ(pending_, 1);
}

TEST_F(LanesTest, LargeAvatarsThatAreQuickLeaveTheSlowLane) {
  TrackOptions large = options();
  for (int i = 0; i < 300; ++i) {
    large.model->links.push_back(large.model->links[0]);
    large.model->links.back().name = "more" + std::to_string(i);
  }
  const Visitor visitor = open(large, {});
  EXPECT_GT(visitor.session->forecast().seconds, 1e9);
  offer(visitor, 0, 0);
  ASSERT_TRUE(wait_until([&] { return !visitor.session->counts().working; }));
  EXPECT_GT(visitor.session->forecast().seconds, 1e9) << "a pose alone shows nothing";
  offer(visitor, 1, 1);
  ASSERT_TRUE(wait_until([&] { return visitor.session->counts().steps == 1; }));
  offer(visitor, 2, 2);
  ASSERT_TRUE(wait_until([&] { return visitor.session->counts().steps == 2; }));
  EXPECT_LT(visitor.session->forecast().seconds, 1e9);
}

// One that is slow now and then is not taken for quick by its quick steps between.
TEST_F(LanesTest, SessionsThatAreSlowNowAndThenDelayNoOther) {
  scheduler_->set_slow_step(kSlowStep);
  const Script now_and_then{.step = [&](std::int64_t step) {
    if (step % 4 == 0) std::this_thread::sleep_for(kSlow);
    if (step == 7) ++pending_, gate_.wait();
  }};
  for (int i = 0; i < 3; ++i) offer(open(options(), now_and_then), 0, 11);
  ASSERT_TRUE(wait_until([&] { return pending_ > 0; }));
  expect_a_quick_session_gets_through();
  EXPECT_EQ(pending_, 1);
}

// Whatever their end is: by the client, by time, by the server.
TEST_F(LanesTest, LongRecordsDelayNoOther) {
  const Script long_record{.finish = [&] { ++pending_, gate_.wait(); }};
  std::vector<Visitor> many;
  for (int i = 0; i < 6; ++i) {
    many.push_back(open(options(), long_record));
    offer(many.back(), 0, 5);
    ASSERT_TRUE(wait_until([&] { return many.back().session->counts().steps == 5; }));
  }
  for (const std::size_t i : {0U, 1U}) many[i].session->finish(many[i].outlet.get());
  for (const std::size_t i : {2U, 3U}) {
    Session& session = *many[i].session;
    session.detach(many[i].outlet.get());
    ASSERT_TRUE(wait_until([&] { return session.expire(Clock::now()); }));
  }
  for (const std::size_t i : {4U, 5U}) many[i].session->close();
  ASSERT_TRUE(wait_until([&] { return pending_ > 0; }));
  expect_a_quick_session_gets_through();
  EXPECT_EQ(pending_, 1);
  open_gate();
  EXPECT_TRUE(wait_until([&] { return pending_ == 6; }));
}

// Fifty sessions of one principal are ready before the one of another: it is the second to run.
TEST_F(LanesTest, ManySessionsOfOnePrincipalDelayNoOther) {
  std::latch held(2);
  std::latch end(1);
  scheduler_->pool().submit(WorkerPool::Lane::kSlow, [&] { held.count_down(), end.wait(); });
  scheduler_->pool().submit(WorkerPool::Lane::kInteractive,
                            [&] { held.count_down(), gate_.wait(); });
  held.wait();
  std::vector<std::string> order;  // by the one worker that is left
  std::latch all_ran(51);
  const auto script = [&](const std::string& name) {
    return Script{.pose = [&, name] { order.push_back(name), all_ran.count_down(); }};
  };
  const auto crowd = somebody("crowd");
  for (int i = 0; i < 50; ++i) offer(open(options(), script("crowd"), crowd), 0, 0);
  offer(open(options(), script("other"), somebody("other")), 0, 0);
  open_gate();
  all_ran.wait();
  end.count_down();
  scheduler_->stop();  // before what its tasks use is gone
  EXPECT_EQ(order[0], "crowd");
  EXPECT_EQ(order[1], "other");
}

}  // namespace
}  // namespace tocsin::service::engine_lanes_test
