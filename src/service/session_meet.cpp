// A session's part in its room's meeting.
#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "service/met_contacts.h"
#include "service/session.h"
#include "service/times.h"

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

bool Session::may_turn() const {
  if (!meets_ || closing_ || busy_ || !outlet_ || refused_ || !ring_.room()) return false;
  return queue_.size() > 0 || (queue_.covered() && !finishing_ && !draining_);
}

TurnKind Session::begin_turn(const TickNumbers& tick, Step& step) {
  Turn turn;
  turn.tick = tick;
  try {
    const Lock lock(mutex_);
    if (!may_turn()) return TurnKind::kAway;
    turn.next.frame.received = Clock::now();
    if (auto next = queue_.take_newest()) {
      turn.next = std::move(*next);
      turn.moves = true;
    }
    claim();
  } catch (const std::bad_alloc&) {  // nothing has happened: the next tick, then
    return TurnKind::kAway;
  }
  turn.met.problem = prepare(turn);
  const bool steps = turn.step.has_value() && !turn.met.problem;
  if (steps) step = *turn.step;
  const Lock lock(mutex_);
  meets_->turn = std::move(turn);
  return steps ? TurnKind::kMoves : TurnKind::kBegins;
}

std::optional<Problem> Session::prepare(Turn& turn) {
  try {
    return prepare_unguarded(turn);
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
}

std::optional<Problem> Session::prepare_unguarded(Turn& turn) {
  Meets& meets = *meets_;
  PendingFrame& pending = turn.next.frame;
  const bool is_first = live_.frame_count() == 0;
  const auto next_step = [&](std::vector<Transform> pose, std::uint64_t tick) {
    return live_.next(std::move(pose), static_cast<double>(tick), options_.in_between);
  };
  if (!is_first && meets.last_tick < turn.tick.before) {
    auto away = next_step(meets.standing, turn.tick.before);
    if (!away) return Problem{Refusal::kFailed, away.error().message};
    turn.away = Absence{
        meets.last_tick, {last_.id, last_.capture_time, meets.raw}, std::move(away).value()};
  }
  if (turn.moves) {
    meets.standing = pending.taken;
    if (keeps_poses_) meets.raw = pending.frame.pose;
  } else {
    pending.frame = {last_.id, last_.capture_time, meets.raw};
    pending.taken = meets.standing;
  }
  auto step = next_step(std::move(pending.taken), turn.tick.now);
  if (!step) return Problem{Refusal::kFailed, step.error().message};
  if (!is_first) turn.step = std::move(step).value();
  meets.last_tick = turn.tick.now;
  return std::nullopt;
}

void Session::end_turn(Met met) {
  {
    const Lock lock(mutex_);
    std::optional<Problem>& known = meets_->turn->met.problem;
    if (known) met.problem = std::move(known);
    meets_->turn->met = std::move(met);
  }
  schedule_now();
}

void Session::run_turn(Lock& lock, std::uint32_t batch) {
  Turn turn = std::move(*meets_->turn);
  meets_->turn.reset();
  if (closing_) return;
  lock.unlock();
  Outcome away;
  Outcome now;
  try {
    if (turn.met.problem) {
      now.problem = std::move(turn.met.problem);
    } else {
      if (turn.away) away = check_away(turn, batch);
      if (!away.problem) now = check_turn(turn, batch);
    }
  } catch (const std::bad_alloc&) {
    now = {std::nullopt, out_of_memory()};
  } catch (const std::exception& error) {
    now = {std::nullopt, unforeseen_problem(error, log_)};
  }
  lock.lock();
  accept(std::move(away), turn.next.frame.received);
  accept(std::move(now), turn.next.frame.received);
}

Session::Outcome Session::check_away(const Turn& turn, std::uint32_t batch) {
  const Time start = Clock::now();
  const Absence& away = *turn.away;
  auto result = check_step(away.step);
  if (!result) return {std::nullopt, unchecked(result.error())};
  Outcome out;
  const auto tick = static_cast<double>(turn.tick.before);
  out.problem = record(away.frame, tick, &away.step, &result.value());
  NextFrame stood;
  stood.frame.frame = away.frame;
  out.report = report_on(stood, std::move(result).value());
  out.report->tick = MeetingTick{away.since, turn.tick.before, 0};
  out.report->timing.checked = microseconds(Clock::now() - start);
  out.report->timing.batch = batch;
  return out;
}

Session::Outcome Session::check_turn(Turn& turn, std::uint32_t batch) {
  const Time start = Clock::now();
  TrackFrame& frame = turn.next.frame.frame;
  const auto tick = static_cast<double>(turn.tick.now);
  Outcome out;
  if (!turn.step) {
    out.problem = record(frame, tick, nullptr, nullptr);
    remember(std::move(frame));
    return out;
  }
  double device_seconds = 0.0;
  auto checked = answer_to(*turn.step, device_seconds);
  if (!checked) return {std::nullopt, unchecked(checked.error())};
  StepReport result = std::move(checked).value();
  // What it met is others' motion, too: no record of one session could prove that.
  out.problem = record(frame, tick, &*turn.step, &result);
  add_met(turn.met, options_.contacts, result);
  out.met = std::move(turn.met.met);
  out.report = report_on(turn.next, std::move(result));
  out.report->tick = MeetingTick{turn.tick.before, turn.tick.now, turn.met.members};
  remember(std::move(frame));
  say_fallback(*out.report);
  out.report->timing.waited = microseconds(start - turn.next.frame.received);
  out.report->timing.checked =
      device_seconds > 0.0 ? device_seconds * 1e6 : microseconds(Clock::now() - start);
  out.report->timing.batch = batch;
  return out;
}

}  // namespace tocsin::service
