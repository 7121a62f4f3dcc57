// A session's part in its room's meeting.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "service/meeting/meeting_seat.h"
#include "service/meeting/turn_taker.h"
#include "service/session/session_control.h"
#include "service/step/step_pipeline.h"

namespace tocsin::service {

/// A turn at a tick has three parts. begin_turn(): the session moves to its newest frame, or stands
/// still. end_turn(): the meeting gives the contacts with other members. check(): a worker checks
/// the rest, as for every step.
///
/// The session takes no part in a tick while its last turn is not done, its ring of reports is
/// full, it has no stream, or it is ending and no frame is pending. For such a time it gets a step
/// that stands still. So turns follow each other without a gap.
///
/// begin_turn() claims the session's run, and the run ends with check(). Only that run uses this
/// object. The lock is taken to claim the run and to store and take the turn. No check runs under
/// it. Call release() under the lock.
class MeetingParticipant final : public TurnTaker {
 public:
  MeetingParticipant(SessionControl& control, StepPipeline& pipeline, MeetingSeat seat,
                     Avatar thick);

  TurnKind begin_turn(const TickNumbers& tick, Step& step) override;
  void end_turn(TickResult result) override;
  [[nodiscard]] const Avatar& thick() const override { return thick_; }

  /// Goes on from the frame that it covered at a tick of another server. Call before ticks can ask
  /// it.
  std::optional<Problem> go_on_from(NextFrame covered, std::uint64_t tick);
  /// The turn that was begun. Null: there is none.
  [[nodiscard]] const Turn* turn() const { return turn_ ? &*turn_ : nullptr; }
  std::optional<Turn> take_turn();
  /// The outcomes of the step that stands still, if there was one, and of the turn. If one of them
  /// is a part of a report, the turn is here again, and goes on with the next check.
  std::array<StepOutcome, 2> check(Turn turn, std::uint32_t batch);

  /// From now on ticks call `self`, which is this object.
  void set_member(const std::shared_ptr<TurnTaker>& self) const { seat_.set_member(self); }
  /// Releases the seat. Call under the lock.
  void release() { seat_.release(); }
  [[nodiscard]] MeetingInfo info() const { return seat_.info(); }

 private:
  std::optional<Problem> prepare(Turn& turn);
  std::optional<Problem> prepare_unguarded(Turn& turn);
  void check_unguarded(Turn& turn, std::uint32_t batch, StepOutcome& away, StepOutcome& now);

  SessionControl& control_;
  StepPipeline& pipeline_;
  MeetingSeat seat_;
  const Avatar thick_;
  std::vector<Transform> standing_;  ///< the last covered pose after LiveMotion::take()
  std::vector<Transform> raw_;       ///< the same as received, if poses are kept
  std::uint64_t last_tick_ = 0;      ///< the tick of its last turn
  std::optional<Turn> turn_;
};

}  // namespace tocsin::service
