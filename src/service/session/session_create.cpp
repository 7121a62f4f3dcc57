// How a session begins: what it is made of, and from where it goes on.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <new>
#include <utility>

#include "scene/avatar/equal_avatars.h"
#include "service/events/contact_event.h"
#include "service/meeting/meeting.h"
#include "service/session/session.h"

namespace tocsin::service {
namespace {

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

}  // namespace tocsin::service
