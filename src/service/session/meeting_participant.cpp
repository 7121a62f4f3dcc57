#include "service/session/meeting_participant.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <utility>

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

MeetingParticipant::MeetingParticipant(SessionControl& control, StepPipeline& pipeline,
                                       MeetingSeat seat, Avatar thick)
    : control_(control), pipeline_(pipeline), seat_(std::move(seat)), thick_(std::move(thick)) {}

std::optional<Problem> MeetingParticipant::go_on_from(NextFrame covered, std::uint64_t tick) {
  if (auto problem = pipeline_.settle(covered.frame)) return problem;
  standing_ = covered.frame.taken;
  if (pipeline_.keeps_poses()) raw_ = covered.frame.frame.pose;
  const auto number = static_cast<double>(tick);
  if (const auto first = pipeline_.next_step(std::move(covered.frame.taken), number); !first) {
    return Problem{Refusal::kFailed, first.error().message};
  }
  last_tick_ = tick;
  const auto start = Clock::now();
  return pipeline_.check({covered, nullptr, number, start, start}, 1).problem;
}

TurnKind MeetingParticipant::begin_turn(const TickNumbers& tick, Step& step) {
  Turn turn;
  turn.tick = tick;
  try {
    const SessionControl::Lock lock = control_.lock();
    if (!control_.may_turn()) return TurnKind::kAway;
    if (pipeline_.has_pose()) {
      // A tick that was due before a session of another server came, whose ticks were later.
      if (tick.now <= last_tick_) return TurnKind::kAway;
      turn.tick.before = std::max(tick.before, last_tick_);
    }
    turn.next.frame.received = Clock::now();
    if (auto next = control_.work().queue().take_newest()) {
      turn.next = std::move(*next);
      turn.moves = true;
    } else {
      turn.next.counts = control_.work().queue().counts();
      turn.next.first_bad = control_.work().queue().first_bad();
    }
    control_.claim();
  } catch (const std::bad_alloc&) {  // nothing has happened: the next tick, then
    return TurnKind::kAway;
  }
  turn.result.problem = prepare(turn);
  const bool steps = turn.step.has_value() && !turn.result.problem;
  if (steps) step = *turn.step;
  const SessionControl::Lock lock = control_.lock();
  turn_ = std::move(turn);
  return steps ? TurnKind::kMoves : TurnKind::kBegins;
}

std::optional<Problem> MeetingParticipant::prepare(Turn& turn) {
  try {
    return prepare_unguarded(turn);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

std::optional<Problem> MeetingParticipant::prepare_unguarded(Turn& turn) {
  PendingFrame& pending = turn.next.frame;
  const TrackFrame& last = pipeline_.last();
  if (pipeline_.has_pose()) {
    if (const Status advanced = pipeline_.checker().advance_room(); !advanced) {
      return Problem{Refusal::kFailed, advanced.error().message};
    }
  }
  const bool is_first = !pipeline_.has_pose();
  const auto next_step = [&](std::vector<Transform> pose, std::uint64_t tick) {
    return pipeline_.next_step(std::move(pose), static_cast<double>(tick));
  };
  if (!is_first && last_tick_ < turn.tick.before) {
    auto away = next_step(standing_, turn.tick.before);
    if (!away) return Problem{Refusal::kFailed, away.error().message};
    turn.away = Absence{last_tick_,
                        {last.id, last.capture_time, raw_},
                        std::move(away).value(),
                        turn.next.counts,
                        turn.next.first_bad};
  }
  if (turn.moves) {
    if (auto problem = pipeline_.settle(pending)) return problem;
    standing_ = pending.taken;
    if (pipeline_.keeps_poses()) raw_ = pending.frame.pose;
  } else {
    pending.frame = {last.id, last.capture_time, raw_};
    pending.taken = standing_;
  }
  auto step = next_step(std::move(pending.taken), turn.tick.now);
  if (!step) return Problem{Refusal::kFailed, step.error().message};
  if (!is_first) turn.step = std::move(step).value();
  last_tick_ = turn.tick.now;
  return std::nullopt;
}

void MeetingParticipant::end_turn(TickResult result) {
  {
    const SessionControl::Lock lock = control_.lock();
    std::optional<Problem>& known = turn_->result.problem;
    if (known) result.problem = std::move(known);
    turn_->result = std::move(result);
  }
  control_.schedule();
}

std::optional<Turn> MeetingParticipant::take_turn() { return std::exchange(turn_, std::nullopt); }

std::array<StepOutcome, 2> MeetingParticipant::check(Turn turn, std::uint32_t batch) {
  std::array<StepOutcome, 2> out;
  auto& [away, now] = out;
  try {
    check_unguarded(turn, batch, away, now);
  } catch (const std::bad_alloc&) {
    now = ended_by(out_of_memory());
  } catch (const std::exception& error) {
    now = ended_by(unforeseen_problem(error, pipeline_.log()));
  }
  away.received = turn.next.frame.received;
  now.received = turn.next.frame.received;
  if (away.partial || now.partial) {  // the turn goes on
    const SessionControl::Lock lock = control_.lock();
    turn_ = std::move(turn);
  }
  return out;
}

void MeetingParticipant::check_unguarded(Turn& turn, std::uint32_t batch, StepOutcome& away,
                                         StepOutcome& now) {
  if (turn.result.problem) {
    now.problem = std::move(turn.result.problem);
    return;
  }
  if (turn.away) {
    away = pipeline_.check_absence(*turn.away, static_cast<double>(turn.tick.before), batch);
    const MeetingTick tick{turn.away->since, turn.tick.before, 0};
    if (away.partial) away.partial->tick = tick;
    if (away.report) away.report->tick = tick;
    if (away.problem || away.partial) return;
    turn.away.reset();
  }
  const Step* const step = turn.step ? &*turn.step : nullptr;
  const auto start = Clock::now();
  now = pipeline_.check(
      {turn.next, step, static_cast<double>(turn.tick.now), start, start, &turn.result}, batch);
  const MeetingTick tick{turn.tick.before, turn.tick.now, turn.result.members};
  if (now.partial) now.partial->tick = tick;
  if (now.report) now.report->tick = tick;
}

}  // namespace tocsin::service
