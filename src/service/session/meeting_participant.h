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
#include "service/session/step_pipeline.h"

namespace tocsin::service {

/// At a tick of the meeting it goes on to the newest frame or stands still (begin_turn()), the
/// meeting finds what it meets (end_turn()), and a worker the rest (check()), as for every step. It
/// takes no part while the turn before is not done, reports wait, there is no stream, or the
/// session is ending and nothing waits. So turns follow each other without a hole: time in which it
/// took no part is a step that stood still.
///
/// begin_turn() claims the session's run, which ends with the check of the turn: all of this
/// belongs to whoever has that run. The lock is taken to claim the run, and to put the turn down
/// and take it up; nothing is checked under it. release() needs it.
class MeetingParticipant final : public TurnTaker {
 public:
  MeetingParticipant(SessionControl& control, StepPipeline& pipeline, MeetingSeat seat,
                     Avatar thick);

  TurnKind begin_turn(const TickNumbers& tick, Step& step) override;
  void end_turn(Met met) override;
  [[nodiscard]] const Avatar& thick() const override { return thick_; }

  /// The turn that was begun; null: none.
  [[nodiscard]] const Turn* turn() const { return turn_ ? &*turn_ : nullptr; }
  std::optional<Turn> take_turn();
  /// What the turn comes to: while it took no part before, and now.
  std::array<StepOutcome, 2> check(Turn turn, std::uint32_t batch);

  /// From now on ticks ask `self`, which is this object.
  void sit_down(const std::shared_ptr<TurnTaker>& self) const { seat_.sit_down(self); }
  /// Gives the seat up. With the lock.
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
  std::vector<Transform> standing_;  ///< the last covered pose as LiveMotion::take() left it
  std::vector<Transform> raw_;       ///< the same as it came, if poses are kept
  std::uint64_t last_tick_ = 0;      ///< at which it had a turn
  std::optional<Turn> turn_;
};

}  // namespace tocsin::service
