#include "service/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <new>
#include <span>
#include <utility>

#include "service/meeting/meeting.h"
#include "tocsin/version.h"

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;

/// Frames that may wait: a session's share of memory does not grow with its skeleton.
std::size_t capacity_for(const SessionLimits& limits, const Skeleton& skeleton) {
  const std::size_t frame = 2 * static_cast<std::size_t>(skeleton.size()) * sizeof(Transform);
  return std::min(limits.pending_frames, limits.pending_bytes / std::max<std::size_t>(frame, 1));
}

/// An avatar of more links, or of one that reaches further (metres, radius and margin), is taken
/// for slow until a step has shown otherwise: beyond a whole body with hands, or a body's thickest
/// part. Less: honest clients begin in the slow lane; more: a hostile one holds up a worker once
/// for each session that it opens.
constexpr std::size_t kManyLinks = 64;
constexpr double kFarReach = 0.35;

double first_guess(const Avatar& avatar, double margin) {
  const auto is_far = [&](const Link& link) { return link.radius + margin > kFarReach; };
  const bool may_be_slow = avatar.links().size() > kManyLinks ||
                           std::any_of(avatar.links().begin(), avatar.links().end(), is_far);
  return may_be_slow ? std::numeric_limits<double>::infinity() : 0.0;
}

SessionKind kind_of(const SessionParts& parts, const SessionSetup& setup, bool records) {
  return {.meets = parts.meeting != nullptr,
          .batches = setup.group != nullptr,
          .records = records,
          .first_seconds = first_guess(setup.avatar, parts.options.spec.margin)};
}

FrameQueue queue_for(const SessionParts& parts, const SessionSetup& setup) {
  return {capacity_for(parts.limits, setup.live.skeleton()), parts.options.coalesce,
          parts.options.frame_seconds.has_value()};
}

Problem not_attached() { return {Refusal::kTakenOver, "another stream took the session over"}; }

Problem after_the_end() {
  return {Refusal::kInvalid, "a frame after the client closed the session"};
}

ContactNames names_of(const Contact& contact, std::span<const Link> links, const Room& room,
                      const MemberCards& met) {
  const std::string& link = links[static_cast<std::size_t>(contact.link)].name;
  if (!contact.other) return {link, room.environment.objects()[contact.object].name};
  const auto other = static_cast<std::size_t>(contact.other->link);
  if (contact.other->avatar == 0) return {link, {}, links[other].name, {}};
  const auto number = static_cast<std::uint32_t>(contact.other->avatar);
  const auto card = std::find_if(met.begin(), met.end(),
                                 [number](const auto& one) { return one->number == number; });
  if (card == met.end()) return {link, {}, {}, {}};
  return {link, {}, (*card)->links[other], (*card)->label};
}

}  // namespace

std::shared_ptr<Session> Session::create(SessionParts parts, Problem& problem) {
  try {
    const double tick = parts.meeting ? parts.meeting->tick_seconds() : 1.0;
    auto setup = SessionSetup::make(parts.options, *parts.room, *parts.principal, problem, tick);
    if (!setup) return nullptr;
    MeetingSeat seat;
    if (parts.meeting) {
      const auto links = setup->avatar.links();
      auto taken =
          Meeting::take_seat(parts.meeting, parts.number, parts.options.label, links, problem);
      if (!taken) return nullptr;
      seat = std::move(*taken);
    }
    std::unique_ptr<Recorder> recorder;
    if (parts.record) {
      auto made = parts.record(setup->avatar);
      if (!made) {
        problem = record_problem(made.error(), parts.log);
        return nullptr;
      }
      recorder = std::move(made).value();
    }
    std::optional<Member> lent;
    if (setup->group) lent = Member{setup->avatar, setup->active, setup->self};
    // Not make_shared: the constructor is private.
    std::shared_ptr<Session> out(new Session(std::move(parts), std::move(*setup), std::move(seat),
                                             std::move(recorder), std::move(lent)));
    out->control_.serve(out);
    if (out->meets_) {
      out->meets_->sit_down(std::shared_ptr<TurnTaker>(out, out->meets_.get()));
    }
    return out;
  } catch (const std::bad_alloc&) {
    problem = out_of_memory();
  } catch (const std::exception& error) {
    problem = unforeseen_problem(error, parts.log);
  }
  return nullptr;
}

Session::Session(SessionParts parts, SessionSetup setup, MeetingSeat seat,
                 std::unique_ptr<Recorder> recorder, std::optional<Member> lent)
    : id_(std::move(parts.id)),
      room_(std::move(parts.room)),
      principal_(std::move(parts.principal)),
      scheduler_(std::move(parts.scheduler)),
      ttl_(seconds_of(parts.limits.ttl)),
      warnings_(std::move(setup.warnings)),
      avatar_(setup.avatar),
      cpu_(setup.detector.device_name()),
      control_(kind_of(parts, setup, recorder != nullptr), queue_for(parts, setup), parts.limits,
               scheduler_),
      pipeline_(parts.options, parts.limits, setup, std::move(recorder), std::move(parts.log)),
      meets_(parts.meeting ? std::make_unique<MeetingParticipant>(
                                 control_, pipeline_, std::move(seat), std::move(setup.thick))
                           : nullptr),
      batch_(lent ? std::make_unique<BatchParticipant>(control_, pipeline_, meets_.get(),
                                                       std::move(setup.group), std::move(*lent),
                                                       parts.options.spec.margin)
                  : nullptr),
      ending_(control_, pipeline_.record(), meets_.get(), std::move(parts.slot)) {}

// ---- For streams ----

std::optional<Problem> Session::attach(std::shared_ptr<Outlet> outlet, std::uint64_t received,
                                       TrackOpened& opened) {
  bool work = false;
  try {
    fill(opened);
    const Lock lock = control_.lock();
    if (!goes_on(control_.state())) return Problem{Refusal::kNotFound, "the session is over"};
    Delivery& delivery = control_.delivery();
    if (auto problem = delivery.attach(outlet, received)) return problem;
    opened.next_step = delivery.reports().sent();
    opened.covered = control_.queue().covered();
    work = control_.claim_work();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
  if (work) control_.schedule();
  return std::nullopt;
}

void Session::fill(TrackOpened& opened) const {
  opened.session_id = id_;
  opened.environment = room_->info();
  opened.avatar = avatar_.name();
  opened.radius_factor = avatar_.radius_factor();
  opened.links.clear();
  for (const Link& link : avatar_.links()) opened.links.push_back(link.name);
  const RoomDevice* const device = batch_ ? batch_->group().device.get() : nullptr;
  const bool on_device = device != nullptr && device->works();
  opened.backend = on_device ? device->backend() : "cpu";
  opened.device = on_device ? device->name() : cpu_;
  opened.version = kVersion;
  opened.max_pending_frames = static_cast<std::uint32_t>(control_.queue().capacity());
  opened.session_ttl = ttl_.count();
  opened.warnings = warnings_;
  if (meets_) opened.meeting = meets_->info();
}

void Session::detach(const Outlet* outlet, Parting parting) {
  std::shared_ptr<Outlet> gone;  // dies without the lock
  bool work = false;
  {
    const Lock lock = control_.lock();
    if (!control_.delivery().attached(outlet)) return;
    gone = control_.delivery().detach(Clock::now());
    if (parting == Parting::kForGood) control_.move(SessionEvent::kStop);
    work = control_.claim_work();
  }
  if (work) control_.schedule();
}

std::optional<Problem> Session::offer(const Outlet* outlet, TrackFrame frame, Time received) {
  bool work = false;
  try {
    {
      const Lock lock = control_.lock();
      if (!control_.delivery().attached(outlet)) return not_attached();
      if (is_finishing(control_.state())) return after_the_end();
    }
    if (!principal_->take_frames(1, received)) {
      return Problem{Refusal::kOverloaded,
                     fmt::format("more than {} frames a second over all sessions of \"{}\" "
                                 "(frames_per_second)",
                                 principal_->limits.frames_per_second, principal_->name)};
    }
    PendingFrame pending{std::move(frame), {}, received};
    if (auto problem = pipeline_.accept(pending)) return problem;
    const FrameStamp stamp{pending.frame.id, pending.frame.capture_time};
    const Lock lock = control_.lock();
    if (!control_.delivery().attached(outlet)) return not_attached();
    if (is_finishing(control_.state())) return after_the_end();
    if (control_.state() == SessionState::kOpen) {
      const Offer offer = control_.queue().offer(std::move(pending));
      if (auto problem = refusal(stamp, offer, control_.queue())) return problem;
    }
    work = control_.claim_work();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
  if (work) control_.schedule();
  return std::nullopt;
}

void Session::finish(const Outlet* outlet) {
  bool work = false;
  {
    const Lock lock = control_.lock();
    if (!control_.delivery().attached(outlet)) return;
    control_.move(SessionEvent::kFinish);
    work = control_.claim_work();
  }
  if (work) control_.schedule();
}

std::vector<TrackReport> Session::pull(const Outlet* outlet, std::size_t most) {
  std::vector<TrackReport> out;
  std::vector<MemberCards> met;
  bool work = false;
  try {
    {
      const Lock lock = control_.lock();
      if (!control_.delivery().attached(outlet)) return out;
      out = control_.delivery().pull(most, met);
      work = control_.claim_work();
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (const Contact& contact : out[i].result.contacts) {
        out[i].names.push_back(names_of(contact, avatar_.links(), *room_, met[i]));
      }
    }
  } catch (const std::bad_alloc&) {
    // Some of them may count as sent: going on would be a hole.
    out.clear();
    const Lock lock = control_.lock();
    control_.fail(out_of_memory());
    work = control_.claim_work() || work;
  }
  if (work) control_.schedule();
  return out;
}

std::optional<TrackEnded> Session::ended(const Outlet* outlet) {
  TrackEnded out;
  {
    const Lock lock = control_.lock();
    Delivery& delivery = control_.delivery();
    if (!delivery.attached(outlet)) return std::nullopt;
    if (control_.state() != SessionState::kDone || !delivery.all_pulled()) return std::nullopt;
    const FrameCounts& frames = control_.queue().counts();
    out = {delivery.reports().next(),
           delivery.contacts(),
           frames.skipped,
           frames.stale,
           frames.duplicate,
           {}};
    control_.move(SessionEvent::kReported);
    delivery.end_is_told();
    ending_.release();
  }
  out.record = pipeline_.record().shown();
  scheduler_->over(shared_from_this());
  return out;
}

// ---- For workers ----

void Session::run_step(std::uint32_t batch) {
  const std::shared_ptr<Session> self = shared_from_this();
  const Time start = Clock::now();
  const double on_device = pipeline_.checker().share();
  bool more = false;
  bool gone = false;
  {
    Lock lock = control_.lock();
    const std::uint64_t steps = control_.delivery().reports().next();
    check_next(lock, batch);
    gone = ending_.advance(lock);
    control_.delivery().tell(lock);
    pipeline_.checker().drop_answer();
    const std::chrono::duration<double> here = Clock::now() - start;
    const bool checked = control_.delivery().reports().next() != steps;
    more = control_.end_run(here.count() + on_device, checked);
  }
  if (gone) scheduler_->over(self);
  if (more) control_.schedule();
}

void Session::check_next(Lock& lock, std::uint32_t batch) {
  if (meets_ && meets_->turn() != nullptr) {
    std::optional<Turn> turn = meets_->take_turn();
    if (!goes_on(control_.state())) return;
    lock.unlock();
    std::array<StepOutcome, 2> outcomes = meets_->check(std::move(*turn), batch);
    lock.lock();
    for (StepOutcome& outcome : outcomes) take_outcome(std::move(outcome));
    return;
  }
  const bool begun = pipeline_.begun() != nullptr;  // by the device's line
  if (!begun && !control_.may_step()) return;
  std::optional<NextFrame> next;
  if (!begun) next = control_.queue().take();
  lock.unlock();
  if (next) pipeline_.begin(std::move(*next));
  StepOutcome outcome = pipeline_.check(batch);
  lock.lock();
  take_outcome(std::move(outcome));
}

void Session::take_outcome(StepOutcome outcome) {
  if (outcome.report) {
    TrackReport& report = *outcome.report;
    report.stale_frames = control_.queue().counts().stale;
    report.duplicate_frames = control_.queue().counts().duplicate;
    try {
      control_.delivery().push(std::move(report), outcome.received, std::move(outcome.met));
    } catch (const std::bad_alloc&) {
      outcome.problem = out_of_memory();
    }
  }
  if (outcome.problem) control_.fail(std::move(*outcome.problem));
}

// ---- For the service ----

SessionCounts Session::counts() const {
  const Lock lock = control_.lock();
  const FrameQueue& queue = control_.queue();
  const Delivery& delivery = control_.delivery();
  const ReportRing& reports = delivery.reports();
  const SessionState state = control_.state();
  const bool waited_for = queue.size() > 0 || !delivery.all_pulled() || is_finishing(state);
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

void Session::drain() {
  const Lock lock = control_.lock();
  control_.move(SessionEvent::kDrain);
}

bool Session::expire(Time now) {
  bool work = false;
  {
    Lock lock = control_.lock();
    const Delivery& delivery = control_.delivery();
    if (control_.busy() || control_.state() == SessionState::kOver) return false;
    if (delivery.attached() || now - delivery.detached_at() < ttl_) return false;
    control_.move(SessionEvent::kStop);
    work = ending_.end_idle(lock);
  }
  if (work) control_.schedule();
  return true;
}

void Session::close() {
  bool work = false;
  {
    Lock lock = control_.lock();
    if (goes_on(control_.state())) {
      control_.fail({Refusal::kClosing, "the server is shutting down"});
    }
    pipeline_.checker().give_up();
    work = ending_.end_idle(lock);
    control_.delivery().tell(lock);
  }
  if (work) control_.schedule();
}

void Session::settle() {
  Lock lock = control_.lock();
  ending_.settle(lock);
  control_.delivery().tell(lock);
}

}  // namespace tocsin::service
