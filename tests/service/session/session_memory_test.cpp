// Memory that runs out anywhere in a session's life: its client is told, or it goes on; nobody
// crashes, nothing leaks, and the session beside it does not notice.
#include <gtest/gtest.h>

#include <iostream>
#include <limits>

#include "service/session/session_rig.h"
#include "support/failing_allocations.h"

namespace tocsin::service::session_memory_test {
namespace {

using test::allocations_left;
using test::Clock;
using test::RandomTake;

/// Needs no memory.
class FrugalOutlet : public Outlet {
 public:
  void ready() override {}
  void refuse(const Problem& problem) override {
    EXPECT_FALSE(refused_);
    refused_ = true;
    refusal_ = problem.refusal;
  }
  bool refused_ = false;
  Refusal refusal_ = Refusal::kInvalid;
};

/// One session's turn to run, as workers do: a list of one.
class OneScheduler : public StepScheduler {
 public:
  void schedule(const std::shared_ptr<Session>& session) override {
    test::count_allocation();  // a queue's
    EXPECT_FALSE(session_);
    session_ = session;
  }
  void over(const std::shared_ptr<Session>& /*session*/) override { ++over_; }
  void run_all() {
    while (session_) {
      const std::shared_ptr<Session> now = std::move(session_);
      session_.reset();
      now->run_step(1);
    }
  }
  int over_ = 0;

 private:
  std::shared_ptr<Session> session_;
};

struct Outcomes {
  int refused_to_open = 0;
  int refused_a_frame = 0;
  int failed = 0;
  int lived = 0;
};

class Life {
 public:
  Life(const std::shared_ptr<const Room>& room, const RandomTake& take) : room_(room) {
    options_ = test::options_of(take);
    options_.stop_pose = true;
    options_.spec.clearance = true;
    for (std::int64_t k = 0; k < 12; ++k) frames_.push_back(test::frame_of(take.motion, k));
    frames_[7].pose[0].rotation.w = std::numeric_limits<double>::quiet_NaN();  // passed over
  }

  /// The `fails`-th allocation does; false if there were not so many.
  bool run(long fails, Outcomes& outcomes) {
    const auto outlet = std::make_shared<FrugalOutlet>();
    const auto second = std::make_shared<FrugalOutlet>();
    const auto scheduler = std::make_shared<OneScheduler>();
    const auto principal = std::make_shared<Principal>();
    const auto slots = std::make_shared<std::atomic<std::size_t>>(0);
    SessionParts parts{.id = "0123456789abcdef",
                       .options = options_,
                       .room = room_,
                       .principal = principal,
                       .limits = {},
                       .scheduler = scheduler,
                       .slot = SessionSlot(room_, principal, slots)};
    std::vector<TrackFrame> frames = frames_;
    TrackOpened opened;
    Problem problem;
    allocations_left = fails;
    auto session = Session::create(std::move(parts), problem);
    if (!session) {
      allocations_left = -1;
      EXPECT_TRUE(problem.refusal == Refusal::kFailed || problem.refusal == Refusal::kInvalid);
      ++outcomes.refused_to_open;
      return true;
    }
    live(*session, *scheduler, frames, outlet, second, opened, outcomes);
    const bool ran_out = allocations_left < 0;
    allocations_left = -1;
    session->close();
    scheduler->run_all();
    session->settle();
    session.reset();
    EXPECT_EQ(principal->used->sessions, 0U);
    return ran_out;
  }

 private:
  void live(Session& session, OneScheduler& scheduler, std::vector<TrackFrame>& frames,
            const std::shared_ptr<FrugalOutlet>& first, const std::shared_ptr<FrugalOutlet>& second,
            TrackOpened& opened, Outcomes& outcomes) {
    if (session.attach(first, 0, opened)) return;
    const Outlet* outlet = first.get();
    std::uint64_t pulled = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (i == 6 && !session.attach(second, pulled, opened)) outlet = second.get();
      if (session.offer(outlet, std::move(frames[i]), Clock::now())) ++outcomes.refused_a_frame;
      if (i % 3 == 2) scheduler.run_all();
      pulled += session.pull(outlet, 2).size();
    }
    session.finish(outlet);
    scheduler.run_all();
    while (true) {
      const std::size_t got = session.pull(outlet, 2).size();
      scheduler.run_all();
      if (got == 0) break;
    }
    const bool ended = session.ended(outlet).has_value();
    const bool failed = (first->refused_ && first->refusal_ == Refusal::kFailed) ||
                        (second->refused_ && second->refusal_ == Refusal::kFailed);
    EXPECT_NE(ended, failed) << "neither told nor finished, or both";
    ++(ended ? outcomes.lived : outcomes.failed);
  }

  std::shared_ptr<const Room> room_;
  TrackOptions options_;
  std::vector<TrackFrame> frames_;
};

TEST(SessionMemory, RunningOutEndsASessionAtWorst) {
  test::RandomLinks random(91);
  const RandomTake take = test::random_take(random, 4, 12, 0.3, 0.1);
  const auto room = test::room_of(test::random_room(random, 3, 20, 1.0));
  Outcomes outcomes;
  Life life(room, take);
  long fails = 0;
  while (life.run(fails, outcomes) && fails < 100'000 && !HasFailure()) ++fails;
  EXPECT_GT(fails, 200);
  EXPECT_GT(outcomes.refused_to_open, 20);
  EXPECT_GT(outcomes.refused_a_frame, 5);
  EXPECT_GT(outcomes.failed, 20);
  EXPECT_GT(outcomes.lived, 5);
  EXPECT_EQ(room->sessions, 0U);
  std::cout << fails << " allocations failed, one a session: " << outcomes.refused_to_open
            << " were not opened, " << outcomes.refused_a_frame << " frames were refused, "
            << outcomes.failed << " sessions ended, " << outcomes.lived << " went on\n";
}

}  // namespace
}  // namespace tocsin::service::session_memory_test
