// Streams come and go; frames in, reports out. session_step.cpp has what workers do.
#include "service/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <limits>
#include <new>
#include <utility>

#include "service/meeting.h"
#include "tocsin/version.h"

namespace tocsin::service {
namespace {

/// Ids and ticks below are doubles without rounding.
constexpr double kMostNumber = 0x1p53;
constexpr std::uint64_t kMostId = std::uint64_t{1} << 53U;

/// Bytes of reports, estimated, that one pull() hands out: a message of gRPC's takes 4 MiB, and a
/// report is at most a few times larger on the wire than here.
constexpr std::size_t kMostPulled = std::size_t{256} << 10U;

/// Seconds. What never expires does so after thirty years: longer times overflow a clock.
constexpr double kLongest = 1e9;

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

double first_guess(const Avatar& avatar, const TrackOptions& options) {
  const auto is_far = [&](const Link& link) { return link.radius + options.margin > kFarReach; };
  const bool may_be_slow = avatar.links().size() > kManyLinks ||
                           std::any_of(avatar.links().begin(), avatar.links().end(), is_far);
  return may_be_slow ? std::numeric_limits<double>::infinity() : 0.0;
}

/// What is large, and is kept elsewhere in the form that is needed.
TrackOptions without_body(TrackOptions options) {
  options.skeleton = {};
  options.model.reset();
  return options;
}

Problem not_attached() { return {Refusal::kTakenOver, "another stream took the session over"}; }

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
    // Not make_shared: the constructor is private.
    std::shared_ptr<Session> out(
        new Session(std::move(parts), std::move(*setup), std::move(seat), std::move(recorder)));
    if (out->meets_) out->meets_->seat.sit_down(out);
    return out;
  } catch (const std::bad_alloc&) {
    problem = out_of_memory();
  } catch (const std::exception& error) {
    problem = unforeseen_problem(error, parts.log);
  }
  return nullptr;
}

Session::Session(SessionParts parts, SessionSetup setup, MeetingSeat seat,
                 std::unique_ptr<Recorder> recorder)
    : id_(std::move(parts.id)),
      options_(without_body(std::move(parts.options))),
      room_(std::move(parts.room)),
      principal_(std::move(parts.principal)),
      scheduler_(std::move(parts.scheduler)),
      ttl_(std::clamp(parts.limits.ttl, 0.0, kLongest)),
      warnings_(std::move(setup.warnings)),
      avatar_(setup.avatar),
      plain_(std::move(setup.plain)),
      cpu_(setup.detector.device_name()),
      keeps_poses_(recorder != nullptr || options_.stop_pose),
      log_(std::move(parts.log)),
      expected_seconds_(first_guess(avatar_, options_)),
      most_step_(std::clamp(parts.limits.step_seconds, 0.0, kLongest)),
      batching_(setup.group ? std::make_unique<Batching>(Batching{
                                  std::move(setup.group), {setup.avatar, setup.active, setup.self}})
                            : nullptr),
      live_(std::move(setup.live)),
      stream_(setup.detector, std::move(setup.avatar), std::move(setup.active),
              std::move(setup.self)),
      recorder_(std::move(recorder)),
      meets_(parts.meeting ? std::make_unique<Meets>(Meets{std::move(seat), std::move(setup.thick)})
                           : nullptr),
      slot_(std::move(parts.slot)),
      queue_(capacity_for(parts.limits, live_.skeleton()), options_.coalesce,
             options_.frame_seconds.has_value()),
      ring_(parts.limits.kept_reports, parts.limits.kept_bytes,
            std::max<std::size_t>(parts.limits.unsent_reports, 1)),
      detached_at_(std::chrono::steady_clock::now()),
      taken_seconds_(first_guess(avatar_, options_)) {}

std::optional<Problem> Session::attach(std::shared_ptr<Outlet> outlet, std::uint64_t received,
                                       TrackOpened& opened) {
  bool work = false;
  try {
    fill(opened);
    const Lock lock(mutex_);
    if (closing_) return Problem{Refusal::kNotFound, "the session is over"};
    taken_over_.reserve(taken_over_.size() + 1);
    if (!ring_.rewind(received)) {
      return Problem{Refusal::kOutOfRange,
                     fmt::format("reports from {} on were asked for; kept are {} to {}", received,
                                 ring_.first(), ring_.next())};
    }
    if (outlet_ && !refused_) taken_over_.push_back(std::move(outlet_));
    outlet_.swap(outlet);  // the old one, if it is still here, goes when the lock is gone
    end_.reset();
    refused_ = false;
    ready_due_ = false;
    opened.next_step = ring_.sent();
    opened.covered = queue_.covered();
    work = claim_work();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
  if (work) schedule_now();
  return std::nullopt;
}

void Session::fill(TrackOpened& opened) const {
  opened.session_id = id_;
  opened.environment = room_->info();
  opened.avatar = avatar_.name();
  opened.radius_factor = avatar_.radius_factor();
  opened.links.clear();
  for (const Link& link : avatar_.links()) opened.links.push_back(link.name);
  const RoomDevice* const device = batching_ ? batching_->group->device.get() : nullptr;
  const bool on_device = device != nullptr && device->works();
  opened.backend = on_device ? device->backend() : "cpu";
  opened.device = on_device ? device->name() : cpu_;
  opened.version = kVersion;
  opened.max_pending_frames = static_cast<std::uint32_t>(queue_.capacity());
  opened.session_ttl = ttl_.count();
  opened.warnings = warnings_;
  if (meets_) opened.meeting = meets_->seat.info();
}

void Session::detach(const Outlet* outlet) {
  if (let_go(outlet, false)) schedule_now();
}

void Session::abandon(const Outlet* outlet) {
  if (let_go(outlet, true)) schedule_now();
}

bool Session::let_go(const Outlet* outlet, bool for_good) {
  std::shared_ptr<Outlet> gone;  // dies without the lock
  const Lock lock(mutex_);
  if (outlet_.get() != outlet || outlet == nullptr) return false;
  gone.swap(outlet_);
  end_.reset();
  ready_due_ = false;
  detached_at_ = std::chrono::steady_clock::now();
  closing_ = closing_ || for_good;
  return claim_work();
}

std::optional<Problem> Session::take(PendingFrame& pending) const {
  TrackFrame& frame = pending.frame;
  if (frame.id >= kMostId) {
    return Problem{Refusal::kInvalid, fmt::format("frame {}: ids are below 2^53", frame.id)};
  }
  if (options_.frame_seconds) {
    frame.capture_time = static_cast<double>(frame.id) * *options_.frame_seconds;
  }
  if (!(std::fabs(frame.capture_time) <= kMostNumber)) {
    return Problem{Refusal::kInvalid,
                   fmt::format("frame {}: its capture time, {} s, is not a number between -2^53 "
                               "and 2^53",
                               frame.id, frame.capture_time)};
  }
  if (keeps_poses_) {
    pending.taken = frame.pose;
  } else {
    pending.taken = std::move(frame.pose);
    frame.pose = {};
  }
  if (const Status taken = live_.take(pending.taken); !taken) {
    return Problem{Refusal::kInvalid, fmt::format("frame {}: {}", frame.id, taken.error().message)};
  }
  return std::nullopt;
}

std::optional<Problem> Session::offer(const Outlet* outlet, TrackFrame frame, Time received) {
  bool work = false;
  try {
    {
      const Lock lock(mutex_);
      if (outlet_.get() != outlet || outlet == nullptr) return not_attached();
      if (finishing_) {
        return Problem{Refusal::kInvalid, "a frame after the client closed the session"};
      }
    }
    if (!principal_->take_frames(1, received)) {
      return Problem{Refusal::kOverloaded,
                     fmt::format("more than {} frames a second over all sessions of \"{}\" "
                                 "(frames_per_second)",
                                 principal_->limits.frames_per_second, principal_->name)};
    }
    PendingFrame pending{std::move(frame), {}, received};
    if (auto problem = take(pending)) return problem;
    const TrackFrame stamp{pending.frame.id, pending.frame.capture_time};
    const Lock lock(mutex_);
    if (outlet_.get() != outlet) return not_attached();
    if (!draining_ && !closing_) {
      if (auto problem = refused(stamp, queue_.offer(std::move(pending)))) return problem;
    }
    work = claim_work();
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  }
  if (work) schedule_now();
  return std::nullopt;
}

std::optional<Problem> Session::refused(const TrackFrame& frame, Offer offer) const {
  if (offer == Offer::kFull) {
    return Problem{Refusal::kOverloaded,
                   fmt::format("frame {}: {} frames wait to be checked already, and the session "
                               "does not let any be skipped (coalesce)",
                               frame.id, queue_.size())};
  }
  if (offer != Offer::kBackwards) return std::nullopt;
  const auto [before, after] = queue_.neighbours(frame.id);
  const bool early = before && !(before->capture_time < frame.capture_time);
  if (!early && !(after && !(frame.capture_time < after->capture_time))) {
    return Problem{Refusal::kInvalid,
                   fmt::format("frame {}, captured at {} s: that is too far from the other frames' "
                               "times for telling them apart (times are counted from the first "
                               "pose's; a double has 53 bits)",
                               frame.id, frame.capture_time)};
  }
  const FrameStamp& other = early ? *before : *after;
  return Problem{
      Refusal::kInvalid,
      fmt::format("frame {}, captured at {} s, is not {} frame {}, captured at {} s", frame.id,
                  frame.capture_time, early ? "after" : "before", other.id, other.capture_time)};
}

void Session::finish(const Outlet* outlet) {
  bool work = false;
  {
    const Lock lock(mutex_);
    if (outlet_.get() != outlet || outlet == nullptr) return;
    finishing_ = true;
    work = claim_work();
  }
  if (work) schedule_now();
}

ContactNames Session::names_of(const Contact& contact, const MemberCards& met) const {
  const std::span<const Link> links = avatar_.links();
  const std::string& link = links[static_cast<std::size_t>(contact.link)].name;
  if (!contact.other) return {link, room_->environment.objects()[contact.object].name};
  const auto other = static_cast<std::size_t>(contact.other->link);
  if (contact.other->avatar == 0) return {link, {}, links[other].name, {}};
  const auto number = static_cast<std::uint32_t>(contact.other->avatar);
  const auto card = std::find_if(met.begin(), met.end(),
                                 [number](const auto& one) { return one->number == number; });
  if (card == met.end()) return {link, {}, {}, {}};
  return {link, {}, (*card)->links[other], (*card)->label};
}

std::vector<TrackReport> Session::pull(const Outlet* outlet, std::size_t most) {
  std::vector<TrackReport> out;
  std::vector<MemberCards> met;
  bool work = false;
  try {
    {
      const Lock lock(mutex_);
      if (outlet_.get() != outlet || outlet == nullptr) return out;
      out = ring_.pull(most, kMostPulled, std::chrono::steady_clock::now(), &met);
      work = claim_work();
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (const Contact& contact : out[i].result.contacts) {
        out[i].names.push_back(names_of(contact, met[i]));
      }
    }
  } catch (const std::bad_alloc&) {
    // Some of them may count as sent: going on would be a hole.
    out.clear();
    const Lock lock(mutex_);
    fail(out_of_memory());
    work = claim_work() || work;
  }
  if (work) schedule_now();
  return out;
}

std::optional<TrackEnded> Session::ended(const Outlet* outlet) {
  TrackEnded out;
  {
    const Lock lock(mutex_);
    if (outlet_.get() != outlet || outlet == nullptr) return std::nullopt;
    if (!done_ || closing_ || ring_.sent() != ring_.next()) return std::nullopt;
    const FrameCounts& frames = queue_.counts();
    out = {ring_.next(), contacts_, frames.skipped, frames.stale, frames.duplicate, {}};
    closing_ = true;
    over_ = true;
    refused_ = true;
    slot_.release();
    if (meets_) meets_->seat.release();
  }
  // Where the server keeps it is not the client's to know.
  if (recorder_) out.record = std::filesystem::path(recorder_->shown()).filename().string();
  scheduler_->over(shared_from_this());
  return out;
}

void Session::drain() {
  const Lock lock(mutex_);
  draining_ = true;
}

std::size_t Session::pending() const {
  const Lock lock(mutex_);
  return queue_.size();
}

bool Session::working() const {
  const Lock lock(mutex_);
  if (busy_) return true;
  return !closing_ && outlet_ && !refused_ &&
         (queue_.size() > 0 || ring_.sent() != ring_.next() || finishing_);
}

bool Session::attached() const {
  const Lock lock(mutex_);
  return outlet_ != nullptr;
}

SessionCounts Session::counts() const {
  const Lock lock(mutex_);
  return {.steps = ring_.next(),
          .contacts = contacts_,
          .frames = queue_.counts(),
          .pending_frames = queue_.size(),
          .unsent_reports = static_cast<std::size_t>(ring_.next() - ring_.sent()),
          .kept_reports = ring_.size(),
          .kept_bytes = ring_.bytes()};
}

bool Session::expired_locked(Time now) const {
  return !busy_ && (over_ || (!outlet_ && now - detached_at_ >= ttl_));
}

bool Session::expired(Time now) const {
  const Lock lock(mutex_);
  return expired_locked(now);
}

bool Session::over() const {
  const Lock lock(mutex_);
  return over_;
}

}  // namespace tocsin::service
