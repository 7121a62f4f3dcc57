// The end of a session: the record is finished, slot and seat are released.
#pragma once

#include "service/session/meeting_participant.h"
#include "service/session/session_control.h"
#include "service/session/session_slot.h"
#include "service/step/step_pipeline.h"

namespace tocsin::service {

/// A worker finishes the record, in a run of its own, because that may take long. Only settle()
/// does it on the caller's thread, when there are no workers any more.
///
/// Call every function under the lock of SessionControl. It is released while a record is finished.
class SessionEnding {
 public:
  using Lock = SessionControl::Lock;

  /// `meets`: null: the session is in no meeting.
  SessionEnding(SessionControl& control, SessionRecord& record, MeetingParticipant* meets,
                SessionSlot slot);

  /// Called by a run: takes the steps towards the end that are due. True if the session is over
  /// now.
  bool advance(Lock& lock);
  /// Ends a stopped session, if nothing runs. True if a worker must finish the record: then the
  /// caller must call SessionControl::schedule() after it has released the lock.
  bool end_idle(Lock& lock);
  /// Ends the session on this thread.
  void settle(Lock& lock);
  /// Releases the slot and the seat.
  void release();

 private:
  void finish_record(Lock& lock);
  void wind_up(Lock& lock);

  SessionControl& control_;
  SessionRecord& record_;
  MeetingParticipant* const meets_;
  SessionSlot slot_;
};

}  // namespace tocsin::service
