// A session's part in the batches of its room's device.
#pragma once

#include <memory>

#include "service/schedule/room_device.h"
#include "service/session/meeting_participant.h"
#include "service/session/session_control.h"
#include "service/step/step_pipeline.h"

namespace tocsin::service {

/// DeviceQueue calls this before the run that was scheduled. The run must follow: after begin(), if
/// that does not return kJoins, else after end(). Between the two the caller has the Member.
///
/// Only the run of the session uses this object (SessionControl). begin() takes the lock, but only
/// to take a frame from the queue.
class BatchParticipant {
 public:
  /// `meets`: null: the session is in no meeting.
  BatchParticipant(SessionControl& control, StepPipeline& pipeline, const MeetingParticipant* meets,
                   std::shared_ptr<BatchGroup> group, Member member, double margin);

  [[nodiscard]] BatchGroup& group() const { return *group_; }
  /// `out`: the step to check; set if it returns kJoins.
  BatchPart begin(BatchedStep& out);
  void end(Member member, BatchedAnswer answer);

 private:
  const Step* next_step();

  SessionControl& control_;
  StepPipeline& pipeline_;
  const MeetingParticipant* const meets_;
  const std::shared_ptr<BatchGroup> group_;
  const double margin_;
  Member member_;
};

}  // namespace tocsin::service
