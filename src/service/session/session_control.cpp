#include "service/session/session_control.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <utility>

#include "service/schedule/times.h"

namespace tocsin::service {

SessionControl::SessionControl(SessionKind kind, FrameQueue queue, const SessionLimits& limits,
                               std::shared_ptr<StepScheduler> scheduler)
    : kind_(kind),
      scheduler_(std::move(scheduler)),
      seconds_(kind.first_seconds),
      record_(kind.records ? Record::kOpen : Record::kNone),
      taken_seconds_(kind.first_seconds),
      queue_(std::move(queue)),
      delivery_(limits) {}

void SessionControl::fail(Problem problem) {
  if (!goes_on(state_)) return;
  move(SessionEvent::kStop);
  delivery_.end(std::move(problem));
}

bool SessionControl::may_step() const {
  return !kind_.meets && goes_on(state_) && queue_.size() > 0 && delivery_.reports().room();
}

bool SessionControl::may_turn() const {
  if (!kind_.meets || !goes_on(state_) || busy()) return false;
  if (!delivery_.listens() || !delivery_.reports().room()) return false;
  return queue_.size() > 0 || (queue_.covered() && state_ == SessionState::kOpen);
}

bool SessionControl::all_checked() const {
  return state_ == SessionState::kFinishing && queue_.size() == 0;
}

bool SessionControl::must_record() const {
  return record_ == Record::kOpen && (state_ == SessionState::kClosing || all_checked());
}

bool SessionControl::take_record() {
  return std::exchange(record_, record_ == Record::kNone ? Record::kNone : Record::kFinished) ==
         Record::kOpen;
}

bool SessionControl::has_work() const {
  if (delivery_.has_news() || state_ == SessionState::kClosing) return true;
  return may_step() || all_checked();
}

bool SessionControl::claim_work() {
  if (busy() || !has_work()) return false;
  claim();
  return true;
}

void SessionControl::claim() {
  run_ = must_record() ? Run::kRecord : Run::kStep;
  seconds_ = run_ == Run::kRecord ? std::numeric_limits<double>::infinity() : taken_seconds_;
  joins_batch_ = kind_.batches && run_ == Run::kStep && (kind_.meets || may_step());
}

bool SessionControl::end_run(double seconds, bool checked) {
  if (std::isfinite(taken_seconds_)) {
    taken_seconds_ = std::max(seconds, kFading * taken_seconds_);
  } else if (checked) {
    taken_seconds_ = seconds;
  }
  run_ = Run::kNone;
  return claim_work();
}

void SessionControl::schedule() {
  try {
    scheduler_->schedule(session_.lock());
  } catch (const std::bad_alloc&) {
    const Lock held = lock();
    // Nobody will run it: whatever comes next tries again, and then says so.
    run_ = Run::kNone;
    fail(out_of_memory());
  }
}

}  // namespace tocsin::service
