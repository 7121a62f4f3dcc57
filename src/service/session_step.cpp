// What workers do for a session: check steps, tell outlets, wind up.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <utility>

#include "service/session.h"
#include "service/times.h"

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;

Problem failed(const Error& error) { return {Refusal::kFailed, error.message}; }

/// Made once: telling needs no memory.
const Problem& taken_over() {
  static const Problem kTakenOver{Refusal::kTakenOver, "another stream took the session over"};
  return kTakenOver;
}

/// What recorders throw is theirs alone: out of memory, at most.
std::optional<Problem> finish(Recorder& recorder, const Log& log) {
  try {
    if (const Status finished = recorder.finish(); !finished) {
      return record_problem(finished.error(), log);
    }
    return std::nullopt;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::exception& error) {
    return unforeseen_problem(error, log);
  }
}

}  // namespace

bool Session::may_step() const { return !meets_ && !closing_ && queue_.size() > 0 && ring_.room(); }

bool Session::has_work() const {
  if (!telling_ && (!taken_over_.empty() || end_ || ready_due_)) return true;
  if (closing_) return !over_;
  return may_step() || (finishing_ && !done_ && queue_.size() == 0);
}

bool Session::claim_work() {
  if (busy_ || !has_work()) return false;
  claim();
  return true;
}

bool Session::must_record() const {
  if (!recorder_ || recorded_) return false;
  return closing_ || (finishing_ && !done_ && queue_.size() == 0);
}

void Session::claim() {
  busy_ = true;
  record_due_ = must_record();
  expected_seconds_ = record_due_ ? std::numeric_limits<double>::infinity() : taken_seconds_;
  joins_batch_ = batching_ && !record_due_ && (meets_ || may_step());
}

void Session::learn(double seconds, bool checked) {
  if (std::isfinite(taken_seconds_)) {
    taken_seconds_ = std::max(seconds, kFading * taken_seconds_);
  } else if (checked) {
    taken_seconds_ = seconds;
  }
}

void Session::schedule_now() {
  try {
    scheduler_->schedule(shared_from_this());
  } catch (const std::bad_alloc&) {
    const Lock lock(mutex_);
    // Nobody will run it: whatever comes next tries again, and then says so.
    busy_ = false;
    fail(out_of_memory());
  }
}

void Session::run_step(std::uint32_t batch) {
  const std::shared_ptr<Session> self = shared_from_this();
  const Time start = Clock::now();
  const double on_device = batching_ && batching_->answer ? batching_->answer->share : 0.0;
  bool more = false;
  bool gone = false;
  {
    Lock lock(mutex_);
    const std::uint64_t steps = ring_.next();
    if (meets_ && meets_->turn) {
      run_turn(lock, batch);
    } else if (begun_ || may_step()) {
      const bool is_new = !begun_;
      if (is_new) take_next();
      lock.unlock();
      if (is_new) begin(*begun_);
      const Time received = begun_->next.frame.received;
      Outcome outcome = check(*begun_, batch);
      begun_.reset();
      lock.lock();
      accept(std::move(outcome), received);
    }
    // A record that is long takes long to finish: only in a run that was scheduled for it.
    if (finishing_ && !done_ && !closing_ && queue_.size() == 0 &&
        (record_due_ || !must_record())) {
      finish_record(lock);
      done_ = !closing_;
      ready_due_ = true;
    }
    if (closing_ && !over_ && (record_due_ || !must_record())) {
      wind_up(lock);
      gone = true;
    }
    tell(lock);
    if (batching_) batching_->answer.reset();
    learn(std::chrono::duration<double>(Clock::now() - start).count() + on_device,
          ring_.next() != steps);
    busy_ = false;
    more = claim_work();
  }
  if (gone) scheduler_->over(self);
  if (more) schedule_now();
}

void Session::take_next() {
  std::optional<NextFrame> next = queue_.take();
  begun_.emplace().next = std::move(*next);
}

void Session::begin(BegunStep& begun) {
  begun.start = Clock::now();
  PendingFrame& pending = begun.next.frame;
  const TrackFrame& frame = pending.frame;
  begun.tick = options_.frame_seconds ? static_cast<double>(frame.id) : frame.capture_time;
  const bool is_first = live_.frame_count() == 0;
  try {
    auto step = live_.next(std::move(pending.taken), begun.tick, options_.in_between);
    if (!step) {
      begun.problem = failed(step.error());
    } else if (!is_first) {
      begun.step = std::move(step).value();
    }
  } catch (const std::bad_alloc&) {
    begun.problem = out_of_memory();
  } catch (const std::exception& error) {
    begun.problem = unforeseen_problem(error, log_);
  }
}

Session::Outcome Session::check(BegunStep& begun, std::uint32_t batch) {
  try {
    return check_unguarded(begun, batch);
  } catch (const std::bad_alloc&) {
    return {std::nullopt, out_of_memory()};
  } catch (const std::exception& error) {
    return {std::nullopt, unforeseen_problem(error, log_)};
  }
}

void Session::watch(Time now) {
  const Time since = checking_since_;
  if (since != Time() && now - since > most_step_) give_up_.request_stop();
}

Problem Session::unchecked(const Error& error) const {
  if (error.code != ErrorCode::kCancelled) return failed(error);
  return {Refusal::kOverloaded,
          fmt::format("a step took more than {} s: the avatar has too many or too thick links for "
                      "this room, or moves too far at once",
                      most_step_.count())};
}

Result<StepReport> Session::check_step(const Step& step) {
  checking_since_ = Clock::now();
  StepReport result = stream_.check(step, give_up_.get_token());
  checking_since_ = Time();
  if (result.error) return *result.error;
  return result;
}

Session::Outcome Session::check_unguarded(BegunStep& begun, std::uint32_t batch) {
  if (begun.problem) return {std::nullopt, std::move(begun.problem)};
  TrackFrame& frame = begun.next.frame.frame;
  double device_seconds = 0.0;
  Outcome out;
  if (begun.step) {
    auto result = answer_to(*begun.step, device_seconds);
    if (!result) return {std::nullopt, unchecked(result.error())};
    out.report = report_on(begun.next, std::move(result).value());
  }
  const StepReport* result = out.report ? &out.report->result : nullptr;
  out.problem = record(frame, begun.tick, out.report ? &*begun.step : nullptr, result);
  remember(std::move(frame));

  const Time end = Clock::now();
  if (out.report) {
    say_fallback(*out.report);
    out.report->timing.waited = microseconds(begun.start - begun.next.frame.received);
    out.report->timing.checked =
        device_seconds > 0.0 ? device_seconds * 1e6 : microseconds(end - begun.start);
    out.report->timing.batch = batch;
  }
  return out;
}

TrackReport Session::report_on(const NextFrame& next, StepReport result) const {
  const TrackFrame& frame = next.frame.frame;
  TrackReport out;
  out.from = {last_.id, last_.capture_time};
  out.to = {frame.id, frame.capture_time};
  out.skipped = next.skipped;
  out.safe_until_time = result.safe_until >= 1.0
                            ? out.to.capture_time
                            : out.from.capture_time +
                                  result.safe_until * (out.to.capture_time - out.from.capture_time);
  if (options_.stop_pose && !result.contacts.empty()) {
    std::vector<Transform> pose = frame.pose;
    // It passed, or the placed one would not have: this normalises it.
    if (plain_.take(pose)) {
      out.stop_pose = pose_between(last_.pose, pose, options_.in_between, result.safe_until);
    }
  }
  out.result = std::move(result);
  return out;
}

void Session::remember(TrackFrame frame) {
  last_.id = frame.id;
  last_.capture_time = frame.capture_time;
  if (!options_.stop_pose) return;
  last_.pose = std::move(frame.pose);
  if (!plain_.take(last_.pose)) last_.pose.clear();
}

std::optional<Problem> Session::record(const TrackFrame& frame, double tick, const Step* step,
                                       const StepReport* result) {
  if (!recorder_) return std::nullopt;
  if (const Status status = recorder_->pose(frame, tick); !status) {
    return record_problem(status.error(), log_);
  }
  if (step == nullptr || result == nullptr) return std::nullopt;
  if (const Status status = recorder_->step(*step, *result); !status) {
    return record_problem(status.error(), log_);
  }
  return std::nullopt;
}

void Session::accept(Outcome outcome, Time received) {
  if (outcome.report) {
    TrackReport& report = *outcome.report;
    report.stale_frames = queue_.counts().stale;
    report.duplicate_frames = queue_.counts().duplicate;
    const std::size_t contacts = report.result.contacts.size();
    try {
      ring_.push(std::move(report), received, std::move(outcome.met));
      contacts_ += contacts;
      ready_due_ = outlet_ != nullptr;
    } catch (const std::bad_alloc&) {
      outcome.problem = out_of_memory();
    }
  }
  if (outcome.problem) fail(std::move(*outcome.problem));
}

void Session::fail(Problem problem) {
  if (closing_) return;
  closing_ = true;
  if (outlet_ && !refused_) end_ = std::move(problem);
}

void Session::finish_record(Lock& lock) {
  if (recorded_) return;
  recorded_ = true;
  if (!recorder_) return;
  lock.unlock();
  std::optional<Problem> problem = service::finish(*recorder_, log_);
  lock.lock();
  if (problem) fail(std::move(*problem));
}

void Session::wind_up(Lock& lock) {
  finish_record(lock);
  over_ = true;
  slot_.release();
  if (meets_) meets_->seat.release();
}

void Session::tell(Lock& lock) {
  if (telling_) return;  // who tells goes on until nothing is left
  telling_ = true;
  while (true) {
    std::shared_ptr<Outlet> outlet = outlet_;
    std::optional<Problem> end;
    const Problem* problem = nullptr;
    if (!taken_over_.empty()) {
      outlet = std::move(taken_over_.back());
      taken_over_.pop_back();
      problem = &taken_over();
    } else if (outlet && !refused_ && ready_due_) {
      ready_due_ = false;
    } else if (outlet && !refused_ && end_) {
      end.swap(end_);
      problem = &*end;
      refused_ = true;
    } else {
      break;
    }
    lock.unlock();
    if (problem != nullptr) {
      outlet->refuse(*problem);
    } else {
      outlet->ready();
    }
    outlet.reset();
    lock.lock();
  }
  ready_due_ = false;
  end_.reset();
  telling_ = false;
}

bool Session::wind_up_idle(Lock& lock) {
  if (busy_ || over_) return false;
  claim();
  if (record_due_) return true;
  wind_up(lock);
  busy_ = false;
  return false;
}

bool Session::expire(Time now) {
  bool work = false;
  {
    Lock lock(mutex_);
    if (over_ || !expired_locked(now)) return false;
    closing_ = true;
    work = wind_up_idle(lock);
  }
  if (work) schedule_now();
  return true;
}

void Session::close() {
  bool work = false;
  {
    Lock lock(mutex_);
    draining_ = true;
    if (!closing_) fail({Refusal::kClosing, "the server is shutting down"});
    give_up_.request_stop();
    work = wind_up_idle(lock);
    tell(lock);
  }
  if (work) schedule_now();
}

void Session::settle() {
  Lock lock(mutex_);
  closing_ = true;
  if (!over_) wind_up(lock);
  tell(lock);
}

}  // namespace tocsin::service
