#include "service/session/session_work.h"

#include <new>
#include <utility>

namespace tocsin::service {

SessionWork::SessionWork(const SessionKind& kind, FrameQueue queue, const SessionLimits& limits)
    : meets_(kind.meets),
      record_(kind.records ? Record::kOpen : Record::kNone),
      queue_(std::move(queue)),
      delivery_(limits) {}

void SessionWork::fail(Problem problem) {
  if (!goes_on(state_)) return;
  move(SessionEvent::kStop);
  say_cause(problem.message);
  delivery_.end(std::move(problem));
}

void SessionWork::say_cause(const std::string& cause) {
  if (!cause_.empty()) return;
  try {
    cause_ = cause;
  } catch (const std::bad_alloc&) {  // it is for people only
  }
}

void SessionWork::count_frames(Metrics& metrics) {
  metrics.add_frames(counted_, queue_.counts());
  counted_ = queue_.counts();
}

void SessionWork::tell_first_bad(TrackReport& report) {
  if (first_bad_told_ || queue_.first_bad().empty()) return;
  report.first_bad_frame = queue_.first_bad();
  first_bad_told_ = true;
}

bool SessionWork::may_step() const {
  return !unfinished_ && !meets_ && goes_on(state_) && queue_.size() > 0 &&
         delivery_.reports().room();
}

bool SessionWork::may_turn() const {
  if (unfinished_ || !meets_ || !goes_on(state_)) return false;
  if (!delivery_.listens() || !delivery_.reports().room()) return false;
  return queue_.size() > 0 || (queue_.covered() && state_ == SessionState::kOpen);
}

bool SessionWork::all_checked() const {
  return state_ == SessionState::kFinishing && queue_.size() == 0 && !unfinished_;
}

bool SessionWork::must_record() const {
  return record_ == Record::kOpen && (state_ == SessionState::kClosing || all_checked());
}

bool SessionWork::take_record() {
  return std::exchange(record_, record_ == Record::kNone ? Record::kNone : Record::kFinished) ==
         Record::kOpen;
}

bool SessionWork::is_due() const {
  if (delivery_.has_news() || state_ == SessionState::kClosing) return true;
  return may_step() || all_checked() || (unfinished_ && goes_on(state_));
}

}  // namespace tocsin::service
