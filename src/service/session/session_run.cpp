// What workers do for a session (session.h, "For workers").
#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

#include "service/events/contact_event.h"
#include "service/session/session.h"

namespace tocsin::service {
namespace {

/// For all steps that are checked again when a session is taken over: at most 512, of some 50 us.
/// Smaller: a slow avatar's session is lost. Larger: one occupies a thread of admission for long.
constexpr std::chrono::seconds kMostReplay{10};
/// How often a replay's step is looked at.
constexpr std::chrono::milliseconds kReplayLook{20};

/// Cancels a step of a replay that takes too long, or that is not done when the replay's time is
/// over: the engine does not watch a session that it does not have yet.
class ReplayWatch {
 public:
  ReplayWatch(StepChecker& checker, Session::Time latest)
      : thread_([this, &checker, latest](const std::stop_token& over) {
          std::unique_lock lock(mutex_);
          while (!wake_.wait_for(lock, over, kReplayLook, [] { return false; })) {
            if (over.stop_requested()) return;
            const Session::Time now = std::chrono::steady_clock::now();
            checker.watch(now);
            if (now >= latest) checker.give_up();
          }
        }) {}

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  ///< last: destroyed, and so ended, first
};

/// It goes on, or it never will: then its frame is not covered.
bool is_unfinished(const StepOutcome& outcome) {
  return outcome.partial || outcome.put_off || (outcome.problem && !outcome.report);
}

}  // namespace

void Session::run_briefly(Time now, std::vector<Transform>* memory) {
  pipeline_.checker().be_brief(true);
  run(1, now, memory);
}

void Session::run_step(std::uint32_t batch) {
  run(batch, std::chrono::steady_clock::now(), nullptr);
}

void Session::run(std::uint32_t batch, Time start, std::vector<Transform>* memory) {
  const std::shared_ptr<Session> self = shared_from_this();
  const double on_device = pipeline_.checker().share();
  bool more = false;
  bool gone = false;
  {
    Lock lock = control_.lock();
    const std::uint64_t steps = control_.work().delivery().reports().next();
    check_next(lock, batch, start);
    if (memory != nullptr && memory->capacity() == 0) memory->swap(spare_);
    take_lost_record();
    control_.work().count_frames(*metrics_);
    gone = ending_.advance(lock);
    control_.work().delivery().tell(lock);
    pipeline_.checker().drop_answer();
    pipeline_.checker().be_brief(false);
    const std::chrono::duration<double> here = std::chrono::steady_clock::now() - start;
    const bool checked = control_.work().delivery().reports().next() != steps;
    more = control_.end_run(here.count() + on_device, checked);
  }
  if (gone) scheduler_->over(self);
  if (more) control_.schedule();
}

/// Of a session that meets others: its next step is that of a tick, with them.
std::optional<Problem> Session::meet_on_from(PastFrame past, std::uint64_t step,
                                             std::uint64_t tick) {
  SessionWork& work = control_.work();
  const auto& [contacts, skipped, stale, duplicate, bad] = past.counts;
  work.delivery().begin_at(step, contacts);
  pipeline_.begin_at(step, contacts);
  if (step > 0 && !past.first_bad.empty()) work.first_bad_was_told();
  NextFrame next;
  next.frame = {std::move(past.frame), {}, std::chrono::steady_clock::now()};
  next.frame.missing = std::move(past.held);
  next.frame.is_local = true;
  if (auto problem = pipeline_.accept(next.frame)) return problem;
  next.counts = {skipped, stale, duplicate, step + 1, bad};
  next.first_bad = past.first_bad;
  work.queue().go_on_from({next.frame.frame.id, next.frame.frame.capture_time}, next.counts,
                          past.first_bad);
  work.count_from_here();
  return meets_->go_on_from(std::move(next), tick);
}

std::optional<Problem> Session::go_on_from(std::vector<PastFrame> past, std::uint64_t step) {
  const Time start = std::chrono::steady_clock::now();
  const ReplayWatch watch(pipeline_.checker(), start + kMostReplay);
  Delivery& delivery = control_.work().delivery();
  const std::uint64_t contacts = past.front().counts[0];
  delivery.begin_at(step, contacts);
  pipeline_.begin_at(step, contacts);
  std::uint64_t covered = step;
  // A report that the client has named it.
  if (step > 0 && !past.front().first_bad.empty()) control_.work().first_bad_was_told();
  for (PastFrame& one : past) {
    // The client pulls none before they are all there.
    if (!delivery.reports().fits()) {
      return Problem{Refusal::kOverloaded,
                     "the reports that the client lacks are more than a session keeps: open a new "
                     "session"};
    }
    NextFrame next;
    next.frame = {std::move(one.frame), {}, start};
    next.frame.missing = std::move(one.held);
    next.frame.is_local = true;
    next.skipped = std::move(one.skipped);
    next.bad = std::move(one.bad);
    if (auto problem = pipeline_.accept(next.frame)) return problem;
    const auto& [found, skipped, stale, duplicate, bad] = one.counts;
    next.counts = {skipped, stale, duplicate, ++covered, bad};
    control_.work().queue().go_on_from({next.frame.frame.id, next.frame.frame.capture_time},
                                       next.counts, one.first_bad);
    next.first_bad = one.first_bad;
    const auto check = [&] { return pipeline_.check(1, std::chrono::steady_clock::now()); };
    pipeline_.make_room();
    pipeline_.begin(std::move(next), std::chrono::steady_clock::now());
    StepOutcome outcome = check();
    while (outcome.partial) outcome = check();  // until kMostReplay at the latest
    if (outcome.problem) return std::move(outcome.problem);
    if (outcome.report) {
      outcome.report->stale_frames = stale;
      outcome.report->duplicate_frames = duplicate;
      outcome.report->bad_frames = bad;
      control_.work().tell_first_bad(*outcome.report);
      delivery.push(std::move(*outcome.report), outcome.received, std::move(outcome.others));
    }
    if (std::chrono::steady_clock::now() - start > kMostReplay) {
      return Problem{Refusal::kOverloaded, "checking again what the client lacks takes too long"};
    }
  }
  control_.work().count_from_here();
  return std::nullopt;
}

std::optional<TrackReport> Session::pull_partial(const Outlet* outlet) {
  std::optional<TrackReport> out;
  try {
    MemberCards others;
    {
      const Lock lock = control_.lock();
      if (!control_.work().delivery().attached(outlet)) return out;
      out = control_.work().delivery().pull_partial(others);
    }
    if (out) name_things(*out, others);
  } catch (const std::bad_alloc&) {  // the step's report tells it again
    out.reset();
  }
  return out;
}

void Session::tell_listeners(const StepOutcome& outcome) {
  if (steps_ && outcome.report && outcome.step) {
    steps_->stepped(identity_, *outcome.step, *outcome.report, outcome.others);
  }
  if (!events_ || !events_->is_heard() || !outcome.report) return;
  const TrackReport& report = *outcome.report;
  if (report.result.contacts.empty()) return;
  try {
    events_->publish(audience_of(identity_),
                     [&] { return contact_event(identity_, report, outcome.others); });
  } catch (const std::bad_alloc&) {  // listeners miss it; the step's report does not
  }
}

void Session::note_for_watchers(const TrackReport& report, const std::optional<Step>& step,
                                const MemberCards& others, Time received) {
  if (!watch_ || !watch_->is_watched(*subject_, mark_)) return;
  try {
    WatchStep told{report, step};
    name_things(told.report, others);
    if (received != Time()) {
      const std::chrono::duration<double, std::micro> total =
          std::chrono::steady_clock::now() - received;
      told.report.timing.total = total.count();
    }
    noted_.push_back(std::move(told));
  } catch (const std::bad_alloc&) {  // the session's own client does not lose it
    watch_->miss(*subject_);
  }
}

void Session::tell_watchers(Lock& lock) {
  if (noted_.empty()) return;
  lock.unlock();
  for (WatchStep& step : noted_) watch_->publish(subject_, std::move(step));
  noted_.clear();
  lock.lock();
}

void Session::sync_reports() {
  if (!holds_) return;
  const std::uint64_t step = control_.work().delivery().reports().next();
  // After a failure all that was held is released, and nothing is recorded any more.
  if (!unsynced_.empty()) return control_.work().delivery().release(step);
  pipeline_.record().sync([weak = weak_from_this(), step](const Status& status) {
    if (const std::shared_ptr<Session> session = weak.lock()) session->reports_synced(step, status);
  });
}

void Session::reports_synced(std::uint64_t step, const Status& status) {
  bool work = false;
  {
    const Lock lock = control_.lock();
    Delivery& delivery = control_.work().delivery();
    if (status) {
      delivery.release(step);
    } else {
      try {
        Problem problem = record_problem(status.error(), pipeline_.log());
        if (unsynced_.empty()) unsynced_ = problem.message;
        const std::uint64_t steps = delivery.release_unrecorded(unsynced_);
        unsynced_steps_ += steps;
        metrics_->unrecorded_steps.add(steps);
        if (steps > 0) metrics_->ended_records.add();
        if (record_required_) control_.work().fail(std::move(problem));
      } catch (const std::bad_alloc&) {
        control_.work().fail(out_of_memory());
      }
    }
    work = control_.claim_work();
  }
  if (work) control_.schedule();
}

void Session::take_lost_record() {
  if (unsynced_.empty()) return;
  pipeline_.record().lose(unsynced_, std::exchange(unsynced_steps_, 0));
}

void Session::set_counts(TrackReport& report) {
  const FrameCounts& counts = control_.work().queue().counts();
  report.stale_frames = counts.stale;
  report.duplicate_frames = counts.duplicate;
  report.bad_frames = counts.bad;
}

void Session::take_outcome(StepOutcome&& outcome) {
  SessionWork& work = control_.work();
  take_lost_record();
  if (outcome.partial) {
    TrackReport& partial = *outcome.partial;
    if (partial.timing.parts == 1) {
      ++parted_steps_;
      metrics_->parted_steps.add();
    }
    metrics_->partial_reports.add();
    set_counts(partial);
    note_for_watchers(partial, std::nullopt, outcome.others, outcome.received);
    work.delivery().set_partial(std::move(partial), std::move(outcome.others));
  }
  if (outcome.report) {
    TrackReport& report = *outcome.report;
    if (!unsynced_.empty() && !report.unrecorded) {  // checked while the disk failed
      pipeline_.record().lose(unsynced_, 1);
      pipeline_.record().mark(report);
    }
    set_counts(report);
    const TrackTiming timing = report.timing;
    const std::size_t contacts = report.result.contacts.size();
    try {
      work.tell_first_bad(report);
      if (report.unrecorded) metrics_->unrecorded_steps.add();
      if (!report.record_ended.empty()) metrics_->ended_records.add();
      note_for_watchers(report, outcome.step, outcome.others, outcome.received);
      work.delivery().push(std::move(report), outcome.received, std::move(outcome.others));
      metrics_->add_step(timing, contacts);
      sync_reports();
    } catch (const std::bad_alloc&) {
      outcome.problem = out_of_memory();
    }
  }
  if (outcome.problem) work.fail(std::move(*outcome.problem));
}

void Session::check_next(Lock& lock, std::uint32_t batch, Time now) {
  if (meets_ && meets_->turn() != nullptr) {
    std::optional<Turn> turn = meets_->take_turn();
    if (!goes_on(control_.work().state())) return;
    lock.unlock();
    std::array<StepOutcome, 2> outcomes = meets_->check(std::move(*turn), batch);
    for (const StepOutcome& outcome : outcomes) tell_listeners(outcome);
    lock.lock();
    control_.work().set_unfinished(is_unfinished(outcomes[0]) || is_unfinished(outcomes[1]));
    for (StepOutcome& outcome : outcomes) take_outcome(std::move(outcome));
    return tell_watchers(lock);
  }
  const bool begun = pipeline_.begun() != nullptr;  // by DeviceQueue, or it goes on
  if (!begun && !control_.work().may_step()) return;
  std::optional<NextFrame> next;
  try {
    if (!begun) {
      pipeline_.make_room();
      next = control_.work().queue().take();
    }
  } catch (const std::bad_alloc&) {
    return control_.work().fail(out_of_memory());
  }
  lock.unlock();
  if (next) pipeline_.begin(std::move(*next), now);
  StepOutcome outcome = pipeline_.check(batch, now);
  tell_listeners(outcome);
  lock.lock();
  spare_.swap(pipeline_.spare());
  control_.work().set_unfinished(is_unfinished(outcome));
  take_outcome(std::move(outcome));
  tell_watchers(lock);
}

}  // namespace tocsin::service
