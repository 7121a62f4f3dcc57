// How a session comes to its end: its record is finished, its places are given up.
#pragma once

#include "service/session/meeting_participant.h"
#include "service/session/session_control.h"
#include "service/session/session_slot.h"
#include "service/session/step_pipeline.h"

namespace tocsin::service {

/// The record is finished once, by a worker, in a run that was scheduled for it: that may take
/// long. settle() alone does it on the caller's thread, when there are no workers any more.
///
/// Every function needs the lock of SessionControl, and opens it while a record is finished.
class SessionEnding {
 public:
  using Lock = SessionControl::Lock;

  /// `meets`: null: it meets nobody.
  SessionEnding(SessionControl& control, SessionRecord& record, MeetingParticipant* meets,
                SessionSlot slot);

  /// For the run that is under way: goes on to the end as far as that may be now. True if the
  /// session is over by that.
  bool advance(Lock& lock);
  /// For a session that has been stopped: ends it if nothing runs. True if the record is left to a
  /// worker: the caller must call SessionControl::schedule() once it has unlocked.
  bool end_idle(Lock& lock);
  /// Ends it here and now, whatever there is to do.
  void settle(Lock& lock);
  /// Gives up its slot and its seat.
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
