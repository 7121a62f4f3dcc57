// A session's part in the batches of its room's device.
#pragma once

#include <memory>

#include "service/schedule/room_device.h"
#include "service/session/meeting_participant.h"
#include "service/session/session_control.h"
#include "service/session/step_pipeline.h"

namespace tocsin::service {

/// The device's line calls this in the place of a run that was scheduled, and the run must follow:
/// after begin() if that is not kJoins, else after end(). The member is lent out between the two.
///
/// All of it belongs to whoever has that run. begin() takes the lock only to take a frame out.
class BatchParticipant {
 public:
  /// `meets`: null: it meets nobody.
  BatchParticipant(SessionControl& control, StepPipeline& pipeline, const MeetingParticipant* meets,
                   std::shared_ptr<BatchGroup> group, Member member, double margin);

  [[nodiscard]] BatchGroup& group() const { return *group_; }
  /// `out`: what is to be checked, of kJoins.
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
