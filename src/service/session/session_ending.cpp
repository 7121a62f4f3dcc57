#include "service/session/session_ending.h"

#include <optional>
#include <utility>

namespace tocsin::service {

SessionEnding::SessionEnding(SessionControl& control, SessionRecord& record,
                             MeetingParticipant* meets, SessionSlot slot)
    : control_(control), record_(record), meets_(meets), slot_(std::move(slot)) {}

bool SessionEnding::advance(Lock& lock) {
  if (control_.work().all_checked() && control_.may_end()) {
    finish_record(lock);
    control_.work().move(SessionEvent::kChecked);
    control_.work().delivery().announce();
  }
  if (control_.work().state() != SessionState::kClosing || !control_.may_end()) return false;
  wind_up(lock);
  return true;
}

bool SessionEnding::end_idle(Lock& lock) {
  if (control_.busy() || control_.work().state() != SessionState::kClosing) return false;
  if (control_.work().must_record()) {
    control_.claim();
    return true;
  }
  wind_up(lock);
  return false;
}

void SessionEnding::settle(Lock& lock) {
  control_.work().move(SessionEvent::kStop);
  if (control_.work().state() != SessionState::kOver) wind_up(lock);
}

void SessionEnding::release() {
  slot_.release();
  if (meets_ != nullptr) meets_->release();
}

void SessionEnding::finish_record(Lock& lock) {
  if (!control_.work().take_record()) return;
  lock.unlock();
  std::optional<Problem> problem = record_.finish();
  lock.lock();
  if (problem) control_.work().fail(std::move(*problem));
}

void SessionEnding::wind_up(Lock& lock) {
  finish_record(lock);
  control_.work().move(SessionEvent::kWoundUp);
  release();
}

}  // namespace tocsin::service
