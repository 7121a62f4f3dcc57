#include "service/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <new>
#include <utility>

#include "scene/avatar/equal_avatars.h"
#include "service/events/contact_event.h"
#include "service/meeting/meeting.h"
#include "service/schedule/prefetch.h"

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;

/// Capacity for pending frames. A larger skeleton gets less, so that memory does not grow with it.
std::size_t capacity_for(const SessionLimits& limits, const Skeleton& skeleton, bool ahead) {
  const std::size_t poses = ahead ? 3 : 2;
  const std::size_t frame = poses * static_cast<std::size_t>(skeleton.size()) * sizeof(Transform);
  return std::min(limits.pending_frames, limits.pending_bytes / std::max<std::size_t>(frame, 1));
}

/// An avatar with more links, or with a link that reaches further (radius and margin, metres),
/// counts as slow until its first step was fast. A whole body with hands has less. Smaller:
/// sessions of honest clients begin in the slow lane. Larger: a hostile client occupies a worker
/// once for each session that it opens.
constexpr std::size_t kManyLinks = 64;
constexpr double kFarReach = 0.35;

double first_guess(const Avatar& avatar, double margin) {
  const auto is_far = [&](const Link& link) {
    return !link.shape.empty() || link.radius + margin > kFarReach;
  };
  const bool may_be_slow = avatar.links().size() > kManyLinks ||
                           std::any_of(avatar.links().begin(), avatar.links().end(), is_far);
  return may_be_slow ? std::numeric_limits<double>::infinity() : 0.0;
}

SessionKind kind_of(const SessionParts& parts, const SessionSetup& setup, bool records) {
  return {.meets = parts.meeting != nullptr,
          .batches = setup.group != nullptr,
          .records = records,
          .only_checks = !records && parts.meeting == nullptr && setup.group == nullptr &&
                         setup.follower == nullptr && parts.steps == nullptr &&
                         parts.options.lookahead == 0.0 && parts.options.nearest == 0.0,
          .first_seconds = first_guess(setup.member.avatar, parts.options.spec.margin)};
}

FrameQueue queue_for(const SessionParts& parts, const SessionSetup& setup) {
  return {capacity_for(parts.limits, setup.live.skeleton(), parts.options.lookahead > 0.0),
          parts.options.coalesce, parts.options.frame_seconds.has_value()};
}

/// The record of a session, begun. A full disk is no reason to refuse it, unless the operator wants
/// that.
std::optional<SessionRecord> begin_record(const SessionParts& parts, SessionSetup& setup,
                                          Problem& problem) {
  if (!parts.record) return SessionRecord(nullptr, false, parts.log);
  const SceneState* const first = setup.follower ? setup.follower->first_state() : nullptr;
  auto made = parts.record(setup.member.avatar, setup.ignore, first);
  if (made) return SessionRecord(std::move(made).value(), parts.record_required, parts.log);
  Problem found = record_problem(made.error(), parts.log);
  if (parts.record_required || made.error().code != ErrorCode::kResource) {
    problem = std::move(found);
    return std::nullopt;
  }
  setup.warnings.push_back("the session is not recorded: " + found.message);
  return SessionRecord(nullptr, false, parts.log, std::move(found.message));
}

std::shared_ptr<const WatchSubject> subject_of(const SessionIdentity& identity,
                                               const CheckSpec& spec,
                                               std::optional<double> frame_seconds,
                                               std::optional<MeetingInfo> meeting) {
  return std::make_shared<const WatchSubject>(WatchSubject{.name = identity.shown(),
                                                           .audience = audience_of(identity),
                                                           .label = identity.label,
                                                           .room = identity.room,
                                                           .room_owner = identity.room->owner,
                                                           .room_info = identity.room->info(),
                                                           .avatar = identity.avatar,
                                                           .in_between = spec.in_between,
                                                           .contacts = spec.contacts,
                                                           .margin = spec.margin,
                                                           .self = spec.self,
                                                           .frame_seconds = frame_seconds,
                                                           .meeting = meeting});
}

Problem not_attached() { return {Refusal::kTakenOver, "another stream took the session over"}; }

Problem after_the_end() {
  return {Refusal::kInvalid, "a frame after the client closed the session"};
}

}  // namespace

std::shared_ptr<Session> Session::create(SessionParts parts, Problem& problem) {
  try {
    const double tick = parts.meeting ? parts.meeting->tick_seconds() : 1.0;
    auto setup = SessionSetup::make(parts.options, *parts.room, *parts.principal, problem, tick);
    if (!setup) return nullptr;
    // A worker that checks a crowd finds the one avatar in its caches: 4 KiB of a person.
    if (scene::are_equal(setup->member.avatar, parts.like)) setup->member.avatar = parts.like;
    MeetingSeat seat;
    if (parts.meeting) {
      const auto links = setup->member.avatar.links();
      auto taken =
          Meeting::take_seat(parts.meeting, parts.number, parts.options.label, links, problem);
      if (!taken) return nullptr;
      seat = std::move(*taken);
    }
    auto record = begin_record(parts, *setup, problem);
    if (!record) return nullptr;
    std::vector<PastFrame> past = std::move(parts.past);
    const std::uint64_t first_step = parts.first_step;
    const std::uint64_t past_tick = parts.past_tick;
    std::optional<Member> lent;
    if (setup->group) lent = setup->member;
    // The constructor is private; and the count of its references shall lie beside it.
    struct Made : Session {
      Made(SessionParts from, SessionSetup its_setup, MeetingSeat its_seat,
           SessionRecord its_record, std::optional<Member> its_lent)
          : Session(std::move(from), std::move(its_setup), std::move(its_seat),
                    std::move(its_record), std::move(its_lent)) {}
    };
    const std::shared_ptr<Session> out = std::make_shared<Made>(
        std::move(parts), std::move(*setup), std::move(seat), std::move(*record), std::move(lent));
    out->control_.serve(out);
    if (out->meets_) {
      out->meets_->set_member(std::shared_ptr<TurnTaker>(out, out->meets_.get()));
    }
    const Lock lock = out->control_.lock();
    out->holds_ = out->pipeline_.record().syncs();
    if (out->holds_) out->control_.work().delivery().hold();
    if (past.empty()) return out;
    auto found = out->meets_ ? out->meet_on_from(std::move(past.front()), first_step, past_tick)
                             : out->go_on_from(std::move(past), first_step);
    if (found) {
      problem = std::move(*found);
      return nullptr;
    }
    out->sync_reports();
    return out;
  } catch (const std::bad_alloc&) {
    problem = out_of_memory();
  } catch (const std::exception& error) {
    problem = unforeseen_problem(error, parts.log);
  }
  return nullptr;
}

Session::Session(SessionParts parts, SessionSetup setup, MeetingSeat seat, SessionRecord record,
                 std::optional<Member> lent)
    : identity_{std::move(parts.id),      std::move(parts.room),     std::move(parts.principal),
                setup.member.avatar,      std::move(setup.warnings), parts.options.label,
                parts.meeting != nullptr, parts.options.tracker},
      scheduler_(std::move(parts.scheduler)),
      ttl_(seconds_of(parts.limits.ttl)),
      metrics_(parts.metrics ? std::move(parts.metrics) : std::make_shared<Metrics>()),
      events_(std::move(parts.events)),
      steps_(std::move(parts.steps)),
      watch_(std::move(parts.watch)),
      control_(kind_of(parts, setup, record.exists()), queue_for(parts, setup), parts.limits,
               scheduler_),
      pipeline_(parts.options, parts.limits, setup, std::move(record), std::move(parts.log)),
      meets_(parts.meeting ? std::make_unique<MeetingParticipant>(
                                 control_, pipeline_, std::move(seat), std::move(setup.thick))
                           : nullptr),
      batch_(lent ? std::make_unique<BatchParticipant>(control_, pipeline_, meets_.get(),
                                                       std::move(setup.group), std::move(*lent),
                                                       parts.options.spec.margin)
                  : nullptr),
      ending_(control_, pipeline_.record(), meets_.get(), std::move(parts.slot)),
      record_required_(parts.record_required),
      subject_(subject_of(identity_, parts.options.spec, parts.options.frame_seconds,
                          meets_ ? std::optional(meets_->info()) : std::nullopt)) {}

/// Watchers must not take one for alive that was never put on a list.
Session::~Session() {
  if (watch_) watch_->end(*subject_, {});
}

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
