#include "service/session/session_control.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <new>

#include "service/session/session_rig.h"

namespace tocsin::service::session_control_test {
namespace {

/// Counts, or has no memory.
class CountingScheduler : public StepScheduler {
 public:
  void schedule(const std::shared_ptr<Session>& /*session*/) override {
    if (fails) throw std::bad_alloc();
    ++scheduled;
  }
  void over(const std::shared_ptr<Session>& /*session*/) override {}

  bool fails = false;
  int scheduled = 0;
};

struct ControlRig {
  explicit ControlRig(SessionKind kind) : control(kind, {4, false, false}, {}, scheduler) {}
  bool offer(std::uint64_t id) {
    PendingFrame frame;
    frame.frame = {id, static_cast<double>(id), {}};
    return control.work().queue().offer(std::move(frame)) == Offer::kTaken;
  }
  void attach() {
    std::shared_ptr<Outlet> outlet = std::make_shared<test::FakeOutlet>();
    EXPECT_FALSE(control.work().delivery().attach(outlet, 0));
  }

  std::shared_ptr<CountingScheduler> scheduler = std::make_shared<CountingScheduler>();
  SessionControl control;
};

TEST(SessionControl, HasOneRunAtATimeWhileThereIsWork) {
  ControlRig rig({.first_seconds = 0.5});
  EXPECT_FALSE(rig.control.claim_work());
  EXPECT_TRUE(rig.offer(1));
  EXPECT_TRUE(rig.offer(2));
  EXPECT_TRUE(rig.control.claim_work());
  EXPECT_FALSE(rig.control.claim_work()) << "one is on its way";
  EXPECT_EQ(rig.control.forecast().seconds, 0.5);
  EXPECT_FALSE(rig.control.forecast().joins_batch);
  EXPECT_TRUE(rig.control.work().queue().take());
  EXPECT_TRUE(rig.control.end_run(2.0, true)) << "the next";
  EXPECT_EQ(rig.control.forecast().seconds, 2.0);
  EXPECT_TRUE(rig.control.work().queue().take());
  EXPECT_FALSE(rig.control.end_run(2.0, true));
  EXPECT_FALSE(rig.control.busy());
}

TEST(SessionControl, KnowsNothingOfALargeAvatarUntilAStepIsChecked) {
  ControlRig rig({.batches = true, .first_seconds = INFINITY});
  for (std::uint64_t id = 1; id <= 3; ++id) EXPECT_TRUE(rig.offer(id));
  EXPECT_TRUE(rig.control.claim_work());
  EXPECT_TRUE(rig.control.forecast().joins_batch);
  EXPECT_TRUE(rig.control.end_run(0.1, false));
  EXPECT_EQ(rig.control.forecast().seconds, INFINITY);
  EXPECT_TRUE(rig.control.end_run(0.1, true));
  EXPECT_EQ(rig.control.forecast().seconds, 0.1);
}

TEST(SessionControl, FinishesARecordInARunOfItsOwn) {
  ControlRig rig({.batches = true, .records = true});
  EXPECT_TRUE(rig.offer(1));
  rig.control.work().move(SessionEvent::kFinish);
  EXPECT_TRUE(rig.control.claim_work());
  EXPECT_FALSE(rig.control.work().must_record()) << "a frame waits";
  EXPECT_TRUE(rig.control.work().queue().take());
  EXPECT_TRUE(rig.control.work().all_checked());
  EXPECT_TRUE(rig.control.work().must_record());
  EXPECT_FALSE(rig.control.may_end()) << "this run is for a step";
  EXPECT_TRUE(rig.control.end_run(0.0, true));
  EXPECT_TRUE(rig.control.may_end());
  EXPECT_EQ(rig.control.forecast().seconds, INFINITY);
  EXPECT_FALSE(rig.control.forecast().joins_batch);
  EXPECT_TRUE(rig.control.work().take_record());
  EXPECT_FALSE(rig.control.work().take_record()) << "once";
  rig.control.work().move(SessionEvent::kChecked);
  EXPECT_FALSE(rig.control.end_run(0.0, false));
}

TEST(SessionControl, StopsOnceAndSaysWhy) {
  ControlRig rig({});
  rig.attach();
  EXPECT_TRUE(rig.offer(1));
  rig.control.work().fail({Refusal::kFailed, "first"});
  EXPECT_EQ(rig.control.work().state(), SessionState::kClosing);
  EXPECT_FALSE(rig.control.work().may_step());
  EXPECT_TRUE(rig.control.work().delivery().has_news());
  EXPECT_TRUE(rig.control.claim_work()) << "somebody must tell, and wind up";
  rig.control.work().move(SessionEvent::kWoundUp);
  rig.control.work().fail({Refusal::kFailed, "second"});
  EXPECT_EQ(rig.control.work().state(), SessionState::kOver);
}

TEST(SessionControl, WhoMeetsOthersTakesTurnsOnly) {
  ControlRig rig({.meets = true});
  EXPECT_TRUE(rig.offer(1));
  EXPECT_FALSE(rig.control.work().may_step());
  EXPECT_FALSE(rig.control.may_turn()) << "there is no stream";
  rig.attach();
  EXPECT_TRUE(rig.control.may_turn());
  rig.control.claim();
  EXPECT_FALSE(rig.control.may_turn()) << "the turn before is not done";
  EXPECT_TRUE(rig.control.work().queue().take_newest());
  EXPECT_FALSE(rig.control.end_run(0.0, true));
  EXPECT_TRUE(rig.control.may_turn()) << "it stands still";
  rig.control.work().move(SessionEvent::kDrain);
  EXPECT_FALSE(rig.control.may_turn()) << "nothing waits";
  EXPECT_TRUE(rig.offer(2));
  EXPECT_TRUE(rig.control.may_turn());
}

TEST(SessionControl, ThatCannotBeScheduledFails) {
  ControlRig rig({});
  EXPECT_TRUE(rig.offer(1));
  EXPECT_TRUE(rig.control.claim_work());
  rig.control.schedule();
  EXPECT_EQ(rig.scheduler->scheduled, 1);
  rig.scheduler->fails = true;
  rig.control.schedule();
  EXPECT_FALSE(rig.control.busy());
  EXPECT_EQ(rig.control.work().state(), SessionState::kClosing);
}

}  // namespace
}  // namespace tocsin::service::session_control_test
