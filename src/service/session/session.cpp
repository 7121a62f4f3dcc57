#include "service/session/session.h"

#include <fmt/format.h>

#include <new>
#include <utility>

#include "scene/motion/motion_data.h"
#include "service/events/contact_event.h"
#include "service/schedule/prefetch.h"

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;

Problem not_attached() { return {Refusal::kTakenOver, "another stream took the session over"}; }

Problem after_the_end() {
  return {Refusal::kInvalid, "a frame after the client closed the session"};
}

}  // namespace

// ---- For streams ----

std::optional<Problem> Session::attach(std::shared_ptr<Outlet> outlet, std::uint64_t received,
                                       TrackOpened& opened) {
  bool work = false;
  try {
    identity_.describe(batch_ ? batch_->group().device.get() : nullptr, opened);
    opened.session_ttl = ttl_.count();
    if (meets_) opened.meeting = meets_->info();
    const Lock lock = control_.lock();
    if (!goes_on(control_.work().state()))
      return Problem{Refusal::kNotFound, "the session is over"};
    Delivery& delivery = control_.work().delivery();
    if (auto problem = delivery.attach(outlet, received)) return problem;
    opened.next_step = delivery.reports().sent();
    const FrameQueue& queue = control_.work().queue();
    opened.max_pending_frames = static_cast<std::uint32_t>(queue.capacity());
    opened.covered = queue.covered();
    if (watch_) watch_->attach(*subject_, true);
    work = control_.claim_work();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
  if (work) control_.schedule();
  return std::nullopt;
}

void Session::detach(const Outlet* outlet, Detach how) {
  std::shared_ptr<Outlet> gone;  // destroyed without the lock
  bool work = false;
  {
    const Lock lock = control_.lock();
    if (!control_.work().delivery().attached(outlet)) return;
    gone = control_.work().delivery().detach(Clock::now());
    if (watch_) watch_->attach(*subject_, false);
    if (how == Detach::kForGood) {
      control_.work().say_cause("its client has left it, and nobody can resume it");
      control_.work().move(SessionEvent::kStop);
    }
    work = control_.claim_work();
  }
  if (work) control_.schedule();
}

std::optional<Problem> Session::offer(const Outlet* outlet, TrackFrame frame, Time received) {
  bool due = false;
  auto problem = offer(outlet, std::move(frame), received, due);
  if (due) control_.schedule();
  return problem;
}

std::optional<Problem> Session::offer(const Outlet* outlet, TrackFrame&& frame, Time received,
                                      bool& due) {
  auto problem = take_frame(outlet, std::move(frame), received, due);
  if (problem) metrics_->refused_frames.add();
  return problem;
}

void Session::prefetch_it(const Session* session) {
  if (session == nullptr) return;
  // Its references are counted before it (std::make_shared).
  prefetch(reinterpret_cast<const char*>(session) - 2 * sizeof(int), 1);
  prefetch(session, sizeof(Session));
}

void Session::prefetch_behind() const {
  const Lock lock = control_.try_lock();
  // Whoever has it, or runs it, has the memory, too.
  if (!lock || control_.busy()) return;
  prefetch(spare_.data(), spare_.capacity() * sizeof(Transform));
  control_.work().queue().prefetch_next();
  control_.work().delivery().reports().prefetch_next();
  pipeline_.prefetch_behind();
}

std::optional<Problem> Session::take_frame(const Outlet* outlet, TrackFrame&& frame, Time received,
                                           bool& due) {
  try {
    {
      const Lock lock = control_.lock();
      if (!control_.work().delivery().attached(outlet)) return not_attached();
      if (is_finishing(control_.work().state())) return after_the_end();
    }
    if (!identity_.principal->take_frames(1, received)) {
      return Problem{
          Refusal::kOverloaded,
          fmt::format("more than {} frames a second over all sessions of \"{}\" "
                      "(frames_per_second)",
                      identity_.principal->limits.frames_per_second, identity_.principal->name)};
    }
    // Another session, of more joints, may have had this memory.
    for (std::vector<Transform>* const pose : {&frame.pose, &frame.ahead}) {
      if (pose->capacity() > detail::kMostRoom * pose->size()) pose->shrink_to_fit();
    }
    PendingFrame pending{std::move(frame), {}, received};
    auto unusable = pipeline_.accept(pending);
    if (unusable && unusable->refusal != Refusal::kBadFrame) return unusable;
    const FrameStamp stamp{pending.frame.id, pending.frame.capture_time};
    const Lock lock = control_.lock();
    if (!control_.work().delivery().attached(outlet)) return not_attached();
    if (is_finishing(control_.work().state())) return after_the_end();
    if (control_.work().state() == SessionState::kOpen) {
      FrameQueue& queue = control_.work().queue();
      if (unusable) {
        auto problem = queue.pass_over(stamp.id, std::move(*unusable));
        control_.work().count_frames(*metrics_);
        return problem;
      }
      const Offer offer = queue.offer(std::move(pending));
      control_.work().count_frames(*metrics_);
      if (auto problem = refusal(stamp, offer, queue)) return problem;
    } else {
      metrics_->ignored_frames.add();
      ++ignored_;
    }
    frame.pose.swap(spare_);
    due = control_.claim_work() || due;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
  return std::nullopt;
}

void Session::finish(const Outlet* outlet) {
  bool work = false;
  {
    const Lock lock = control_.lock();
    if (!control_.work().delivery().attached(outlet)) return;
    control_.work().move(SessionEvent::kFinish);
    work = control_.claim_work();
  }
  if (work) control_.schedule();
}

void Session::name_things(TrackReport& report, const MemberCards& others) const {
  for (const Contact& contact : report.result.contacts) {
    report.names.push_back(identity_.names_of(contact, others));
  }
  if (report.ahead) {
    for (ForeseenContact& one : report.ahead->contacts) {
      one.names = identity_.names_of(one.contact, others);
    }
  }
  for (const LinkDistance& distance : report.distances) {
    report.distance_objects.push_back(identity_.object_name(distance.nearest.object));
  }
}

void Session::pull(const Outlet* outlet, std::size_t most, std::vector<TrackReport>& out,
                   bool* more) {
  out.clear();
  std::vector<MemberCards> others;
  bool work = false;
  try {
    {
      const Lock lock = control_.lock();
      if (!control_.work().delivery().attached(outlet)) return;
      control_.work().delivery().pull(most, out, others);
      if (more != nullptr) *more = control_.work().delivery().reports().has_released();
      work = control_.claim_work();
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      metrics_->total.add(nanoseconds_of(out[i].timing.total));
      name_things(out[i], others.empty() ? MemberCards() : others[i]);
    }
  } catch (const std::bad_alloc&) {
    // Some of them may count as sent. Going on would leave a gap.
    out.clear();
    const Lock lock = control_.lock();
    control_.work().fail(out_of_memory());
    work = control_.claim_work() || work;
  }
  if (work) control_.schedule();
}

std::optional<TrackEnded> Session::ended(const Outlet* outlet) {
  TrackEnded out;
  {
    const Lock lock = control_.lock();
    Delivery& delivery = control_.work().delivery();
    if (!delivery.attached(outlet)) return std::nullopt;
    if (control_.work().state() != SessionState::kDone || !delivery.all_pulled())
      return std::nullopt;
    const FrameCounts& frames = control_.work().queue().counts();
    out = {delivery.reports().next(),
           delivery.contacts(),
           frames.skipped,
           frames.stale,
           frames.duplicate,
           {},
           frames.bad};
    try {
      out.first_bad_frame = control_.work().queue().first_bad();
    } catch (const std::bad_alloc&) {  // the count is still said
    }
    control_.work().move(SessionEvent::kReported);
    delivery.end_was_sent();
    ending_.release();
    reported_ = true;
    out.unrecorded_steps = unsynced_steps_;
    out.parted_steps = parted_steps_;
  }
  out.record = pipeline_.record().shown();
  out.unrecorded_steps += pipeline_.record().lost_steps();
  scheduler_->over(shared_from_this());
  return out;
}

// ---- For the service ----

SessionCounts Session::counts() const {
  const Lock lock = control_.lock();
  const FrameQueue& queue = control_.work().queue();
  const Delivery& delivery = control_.work().delivery();
  const ReportRing& reports = delivery.reports();
  const SessionState state = control_.work().state();
  const bool waited_for = queue.size() > 0 || !delivery.all_pulled() || is_finishing(state) ||
                          control_.work().unfinished();
  return {.steps = reports.next(),
          .contacts = delivery.contacts(),
          .frames = queue.counts(),
          .state = state,
          .attached = delivery.attached(),
          .working = control_.busy() || (goes_on(state) && delivery.listens() && waited_for),
          .pending_frames = queue.size(),
          .unsent_reports = static_cast<std::size_t>(reports.next() - reports.sent()),
          .kept_reports = reports.size(),
          .kept_bytes = reports.bytes()};
}

WatchedEnd Session::watched_end() const {
  WatchedEnd out;
  out.session = subject_->name;
  const Lock lock = control_.lock();
  const FrameCounts& frames = control_.work().queue().counts();
  TrackEnded& totals = out.totals.emplace();
  totals.steps = control_.work().delivery().reports().next();
  totals.contacts = control_.work().delivery().contacts();
  totals.skipped_frames = frames.skipped;
  totals.stale_frames = frames.stale;
  totals.duplicate_frames = frames.duplicate;
  totals.bad_frames = frames.bad;
  totals.first_bad_frame = control_.work().queue().first_bad();
  totals.parted_steps = parted_steps_;
  out.reported = reported_;
  if (!out.reported) out.cause = control_.work().cause();
  return out;
}

TrackCovered Session::coverage() const {
  const Lock lock = control_.lock();
  const SessionWork& work = control_.work();
  const ReportRing& reports = work.delivery().reports();
  const std::uint64_t held = reports.next() - reports.sent();  // for the disk
  const std::uint64_t parted = work.unfinished() ? 1 : 0;      // its frame was taken out
  return {reports.sent(), held + parted > 0 ? reports.sent_to() : work.queue().covered(),
          work.queue().size() + ignored_ + held + parted};
}

std::string Session::peer() const {
  const Lock lock = control_.lock();
  return control_.work().delivery().peer();
}

void Session::drain() {
  const Lock lock = control_.lock();
  control_.work().move(SessionEvent::kDrain);
}

bool Session::expire(Time now) {
  bool work = false;
  {
    Lock lock = control_.lock();
    const Delivery& delivery = control_.work().delivery();
    if (control_.busy() || control_.work().state() == SessionState::kOver) return false;
    if (delivery.attached() || now - delivery.detached_at() < ttl_) return false;
    control_.work().say_cause("nobody has resumed it in time");
    control_.work().move(SessionEvent::kStop);
    work = ending_.end_idle(lock);
  }
  if (work) control_.schedule();
  return true;
}

void Session::close() { end({Refusal::kClosing, "the server is shutting down"}); }

void Session::end(Problem problem) {
  bool work = false;
  {
    Lock lock = control_.lock();
    control_.work().fail(std::move(problem));
    pipeline_.checker().give_up();
    work = ending_.end_idle(lock);
    control_.work().delivery().tell(lock);
  }
  if (work) control_.schedule();
}

void Session::settle() {
  Lock lock = control_.lock();
  ending_.settle(lock);
  control_.work().delivery().tell(lock);
}

}  // namespace tocsin::service
