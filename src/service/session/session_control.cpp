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
      taken_seconds_(kind.first_seconds),
      work_(kind, std::move(queue), limits) {}

bool SessionControl::claim_work() {
  if (busy() || !work_.is_due()) return false;
  claim();
  return true;
}

void SessionControl::claim() {
  run_ = work_.must_record() ? Run::kRecord : Run::kStep;
  const bool begins = run_ == Run::kStep && !work_.unfinished();
  const bool may_step = work_.may_step();
  seconds_.store(run_ == Run::kRecord ? std::numeric_limits<double>::infinity() : taken_seconds_,
                 kRelaxed);
  joins_batch_.store(kind_.batches && begins && (kind_.meets || may_step), kRelaxed);
  only_checks_.store(kind_.only_checks && has_checked_ && begins && may_step, kRelaxed);
}

bool SessionControl::end_run(double seconds, bool checked) {
  if (std::isfinite(taken_seconds_)) {
    taken_seconds_ = std::max(seconds, kFading * taken_seconds_);
  } else if (checked) {
    taken_seconds_ = seconds;
  }
  has_checked_ = has_checked_ || checked;
  run_ = Run::kNone;
  return claim_work();
}

void SessionControl::schedule() {
  try {
    scheduler_->schedule(session_.lock());
  } catch (const std::bad_alloc&) {
    const Lock held = lock();
    // No worker will run it. The next call tries again, and then reports the problem.
    run_ = Run::kNone;
    work_.fail(out_of_memory());
  }
}

}  // namespace tocsin::service
