#include "service/step/step_pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <utility>

#include "service/meeting/meeting_contacts.h"
#include "service/schedule/times.h"

namespace tocsin::service {
namespace {

using Clock = std::chrono::steady_clock;

/// Ids and ticks below are doubles without rounding.
constexpr double kMostNumber = 0x1p53;
constexpr std::uint64_t kMostId = std::uint64_t{1} << 53U;

std::shared_ptr<const RoomDevice> device_of(const SessionSetup& setup) {
  return setup.group ? setup.group->device : nullptr;
}

void put(NearAnswer near, TrackReport& report) {
  report.distances = std::move(near.distances);
  report.more_distances = near.more;
}

/// It has this problem alone.
void end_with_problem(StepOutcome& out) { out = ended_by(*std::move(out.problem)); }

std::unique_ptr<const NearObjects> near_objects(const TrackOptions& options,
                                                const SessionSetup& setup) {
  if (!(options.nearest > 0.0)) return nullptr;
  return std::make_unique<const NearObjects>(options, setup.detector, setup.member,
                                             setup.follower != nullptr);
}

std::unique_ptr<Lookahead> lookahead_of(const TrackOptions& options, const SessionLimits& limits,
                                        const SessionSetup& setup) {
  if (!(options.lookahead > 0.0)) return nullptr;
  return std::make_unique<Lookahead>(options, limits, setup);
}

std::unique_ptr<RoomFollower> begun_follower(SessionSetup& setup, bool records) {
  if (setup.follower) {
    setup.follower->begin(setup.detector.options(), setup.member, std::move(setup.ignore), records);
  }
  return std::move(setup.follower);
}

}  // namespace

StepPipeline::StepPipeline(const TrackOptions& options, const SessionLimits& limits,
                           SessionSetup& setup, SessionRecord record, Log log)
    : frame_seconds_(options.frame_seconds),
      in_between_(options.spec.in_between),
      contacts_(options.spec.contacts),
      stop_pose_(options.stop_pose),
      keeps_poses_(record.exists() || options.stop_pose || options.tracker.hold_missing),
      log_(std::move(log)),
      plain_(std::move(setup.plain)),
      live_(std::move(setup.live)),
      tracker_(options.tracker, plain_.skeleton()),
      near_(near_objects(options, setup)),
      ahead_(lookahead_of(options, limits, setup)),
      checker_(Stream(setup.detector, setup.member), seconds_of(limits.step_seconds),
               seconds_of(limits.brief_seconds), device_of(setup),
               begun_follower(setup, record.exists()), options.meet),
      record_(std::move(record)) {}

std::optional<Problem> StepPipeline::accept(PendingFrame& pending) const {
  TrackFrame& frame = pending.frame;
  if (frame.id >= kMostId) {
    return Problem{Refusal::kInvalid, fmt::format("frame {}: ids are below 2^53", frame.id)};
  }
  if (frame_seconds_) frame.capture_time = static_cast<double>(frame.id) * *frame_seconds_;
  if (!(std::fabs(frame.capture_time) <= kMostNumber)) {
    return Problem{Refusal::kBadFrame,
                   fmt::format("frame {}: its capture time, {} s, is not a number between -2^53 "
                               "and 2^53",
                               frame.id, frame.capture_time)};
  }
  if (auto problem = accept_ahead(pending)) return problem;
  const bool fits = frame.pose.size() == live_.joint_count();
  if (fits && tracker_.asked() && !pending.is_local) {
    const std::string fault = accept_tracker(pending);
    if (!fault.empty()) {
      return Problem{Refusal::kBadFrame, fmt::format("frame {}: {}", frame.id, fault)};
    }
    if (!pending.missing.empty()) return std::nullopt;  // settle() does the rest
  }
  if (keeps_poses_) {
    pending.taken = frame.pose;
  } else {
    pending.taken = std::move(frame.pose);
    frame.pose = {};
  }
  if (const Status taken = live_.take(pending.taken); !taken) {
    return Problem{fits ? Refusal::kBadFrame : Refusal::kInvalid,
                   fmt::format("frame {}: {}", frame.id, taken.error().message)};
  }
  return std::nullopt;
}

std::optional<Problem> StepPipeline::accept_ahead(PendingFrame& pending) const {
  TrackFrame& frame = pending.frame;
  if (frame.ahead.empty()) return std::nullopt;
  if (!ahead_) {
    return Problem{
        Refusal::kInvalid,
        fmt::format("frame {}: a pose ahead, in a session without `lookahead`", frame.id)};
  }
  const std::size_t joints = live_.joint_count();
  if (frame.ahead.size() != joints) {
    return Problem{Refusal::kInvalid, fmt::format("frame {}: the pose ahead has {} joints, the "
                                                  "skeleton {}",
                                                  frame.id, frame.ahead.size(), joints)};
  }
  pending.ahead = std::move(frame.ahead);
  frame.ahead = {};
  if (tracker_.asked()) tracker_.take(pending.ahead, {}, pending.ahead_fault);
  if (pending.ahead_fault.empty()) {
    if (const Status taken = live_.take(pending.ahead); !taken) {
      pending.ahead_fault = taken.error().message;
    }
  }
  if (!pending.ahead_fault.empty()) pending.ahead.clear();
  return std::nullopt;
}

std::string StepPipeline::accept_tracker(PendingFrame& pending) const {
  std::string fault;
  pending.missing = tracker_.missing(pending.frame.pose);
  tracker_.take(pending.frame.pose, pending.missing, fault);
  return fault;
}

std::optional<Problem> StepPipeline::settle(PendingFrame& pending) {
  if (!tracker_.holds()) return std::nullopt;
  std::vector<Transform>& pose = pending.frame.pose;
  if (pending.is_local || pending.missing.empty()) {
    tracker_.keep(pose);
    return std::nullopt;
  }
  tracker_.settle(pose, pending.missing);
  pending.taken = pose;
  const Status taken = live_.take(pending.taken);
  if (taken) return std::nullopt;
  return Problem{Refusal::kInvalid,
                 fmt::format("frame {}: {}", pending.frame.id, taken.error().message)};
}

Result<Step> StepPipeline::next_step(std::vector<Transform> taken, double tick) {
  return live_.next(std::move(taken), tick, in_between_);
}

void StepPipeline::begin(NextFrame&& next, Clock::time_point now) {
  is_begun_ = true;
  BegunStep& begun = *begun_;
  begun.next = std::move(next);
  begun.start = now;
  PendingFrame& pending = begun.next.frame;
  const TrackFrame& frame = pending.frame;
  begun.tick = frame_seconds_ ? static_cast<double>(frame.id) : frame.capture_time;
  const bool is_first = !has_pose();
  try {
    begun.problem = settle(pending);
    if (begun.problem) return;
    auto step = live_.next_from(pending.taken, begun.tick, in_between_);
    spare_.swap(pending.taken);
    if (!step) {
      begun.problem = Problem{Refusal::kFailed, step.error().message};
    } else if (!is_first) {
      begun.step = std::move(step).value();
    }
  } catch (const std::bad_alloc&) {
    begun.problem = out_of_memory();
  } catch (const std::exception& error) {
    begun.problem = unforeseen_problem(error, log_);
  }
}

StepOutcome StepPipeline::check(std::uint32_t batch, Clock::time_point now) {
  StepOutcome out = check_begun(*begun_, batch, now);
  out.received = begun_->next.frame.received;
  if (!out.partial && !out.put_off) {
    begun_.reset();
    is_begun_ = false;
    note_memory();
  }
  return out;
}

void StepPipeline::note_memory() {
  auto next = behind_.begin();
  for (const auto part : live_.memory()) *next++ = part;
  for (const auto part : checker_.memory()) *next++ = part;
}

StepOutcome StepPipeline::check_begun(BegunStep& begun, std::uint32_t batch,
                                      Clock::time_point now) {
  try {
    if (begun.problem) return ended_by(*std::move(begun.problem));
    return check({begun.next, begun.step ? &*begun.step : nullptr, begun.tick, begun.start, now},
                 batch);
  } catch (const std::bad_alloc&) {
    return ended_by(out_of_memory());
  } catch (const std::exception& error) {
    return ended_by(unforeseen_problem(error, log_));
  }
}

StepOutcome StepPipeline::check(const FrameStep& what, std::uint32_t batch) {
  StepOutcome out;  // large, and never moved
  check(what, batch, out);
  return out;
}

void StepPipeline::check(const FrameStep& what, std::uint32_t batch, StepOutcome& out) {
  TrackFrame& frame = what.next.frame.frame;
  if (what.step == nullptr) {
    out.problem = record_.add(frame, what.tick, nullptr, nullptr, passed_by(what.next));
    remember(std::move(frame));
    return;
  }
  double device_seconds = 0.0;
  auto checked = checker_.answer_to(*what.step, what.now, device_seconds);
  if (!checked) {
    out.problem = checker_.problem_of(checked.error());
    return;
  }
  StepReport result = std::move(checked).value();
  out.put_off = checker_.put_off();
  if (out.put_off) return;
  if (!result.complete) {
    if (what.meeting != nullptr) {
      add_known_meeting_contacts(*what.meeting, contacts_, result);
      out.others = what.meeting->others;
    }
    out.partial = partial_on(what.next, std::move(result), what.start, batch);
    return;
  }
  // The record leaves contacts with other avatars out: it has not their motion to prove them.
  std::optional<StepReport> alone;
  if (what.meeting != nullptr) {
    alone = result;
    add_meeting_contacts(*what.meeting, contacts_, result);
    out.others = what.meeting->others;
  }
  auto near = near_end_of(*what.step, out.problem);  // before the record says that it was checked
  if (!near) return end_with_problem(out);
  std::optional<TrackAhead> ahead;
  if (auto problem = look_ahead(*what.step, what.next.frame, ahead)) {
    out.problem = std::move(problem);
    return end_with_problem(out);
  }
  contacts_so_far_ += result.contacts.size();
  out.problem = record_room();
  if (!out.problem)
    out.problem =
        record_.add(frame, what.tick, what.step, alone ? &*alone : &result, passed_by(what.next));
  TrackReport& report = out.report.emplace();
  report_on(what.next, std::move(result), report);
  report.ahead = std::move(ahead);
  out.step = *what.step;
  put(*std::move(near), report);
  remember(std::move(frame));
  checker_.add_fallback(report);
  record_.mark(report);
  report.timing.waited = microseconds(what.start - what.next.frame.received);
  report.timing.checked =
      device_seconds > 0.0 ? device_seconds * 1e6 : microseconds(Clock::now() - what.start);
  report.timing.batch = batch;
  report.timing.parts = checker_.parts();
}

StepOutcome StepPipeline::check_absence(const Absence& absence, double tick, std::uint32_t batch) {
  const auto start = Clock::now();
  auto result = checker_.check(absence.step, start);
  if (!result) return ended_by(checker_.problem_of(result.error()));
  NextFrame stood;
  stood.frame.frame = absence.frame;
  stood.counts = absence.counts;
  stood.first_bad = absence.first_bad;
  StepOutcome out;
  if (!result->complete) {
    out.partial = partial_on(stood, std::move(result).value(), start, batch);
    return out;
  }
  auto near = near_end_of(absence.step, out.problem);
  if (!near) return ended_by(*std::move(out.problem));
  contacts_so_far_ += result->contacts.size();
  out.problem = record_room();
  if (!out.problem)
    out.problem =
        record_.add(absence.frame, tick, &absence.step, &result.value(), passed_by(stood));
  TrackReport& report = out.report.emplace();
  report_on(stood, std::move(result).value(), report);
  out.step = absence.step;
  put(*std::move(near), report);
  record_.mark(report);
  report.timing.checked = microseconds(Clock::now() - start);
  report.timing.batch = batch;
  report.timing.parts = checker_.parts();
  return out;
}

/// Before the pose that ends the step.
std::optional<Problem> StepPipeline::record_room() {
  if (checker_.follower() == nullptr) return std::nullopt;
  const auto news = checker_.follower()->take_news();
  return news ? record_.add_room(*news) : std::nullopt;
}

std::optional<NearAnswer> StepPipeline::near_end_of(const Step& step,
                                                    std::optional<Problem>& problem) {
  if (!near_) return NearAnswer{};
  auto found = checker_.watched(
      [&](const std::stop_token& stop) { return near_->at_end(step, checker_.follower(), stop); });
  if (found) return std::move(found).value();
  problem = checker_.problem_of(found.error());
  return std::nullopt;
}

std::optional<Problem> StepPipeline::look_ahead(const Step& step, PendingFrame& frame,
                                                std::optional<TrackAhead>& out) {
  if (!ahead_) return std::nullopt;
  auto found = checker_.watched([&](const std::stop_token& stop) {
    return ahead_->after(step, std::move(frame.ahead), std::move(frame.ahead_fault),
                         checker_.follower(), stop);
  });
  if (!found) return checker_.problem_of(found.error());
  out = std::move(found).value();
  return std::nullopt;
}

TrackReport StepPipeline::partial_on(const NextFrame& next, StepReport&& result,
                                     std::chrono::steady_clock::time_point start,
                                     std::uint32_t batch) const {
  TrackReport out;
  report_on(next, std::move(result), out);
  const auto now = Clock::now();
  out.timing.checked = microseconds(now - start);
  if (const auto received = next.frame.received; received != Clock::time_point()) {
    out.timing.waited = microseconds(start - received);
    out.timing.total = microseconds(now - received);
  }
  out.timing.batch = batch;
  out.timing.parts = checker_.parts();
  return out;
}

PassedOver StepPipeline::passed_by(const NextFrame& next) const {
  const FrameCounts& n = next.counts;
  return {next.skipped,
          next.bad,
          {contacts_so_far_, n.skipped, n.stale, n.duplicate, n.bad},
          next.first_bad,
          next.frame.missing};
}

void StepPipeline::report_on(const NextFrame& next, StepReport&& result, TrackReport& out) const {
  const TrackFrame& frame = next.frame.frame;
  out.from = {last_.id, last_.capture_time};
  out.to = {frame.id, frame.capture_time};
  out.skipped = next.skipped;
  out.bad = next.bad;
  out.held = next.frame.missing;
  out.safe_until_time = result.safe_until >= 1.0
                            ? out.to.capture_time
                            : out.from.capture_time +
                                  result.safe_until * (out.to.capture_time - out.from.capture_time);
  if (stop_pose_ && !result.contacts.empty()) {
    std::vector<Transform> pose = frame.pose;
    // The placed pose was valid, so this one is. The call normalises it.
    if (plain_.take(pose)) {
      out.stop_pose = pose_between(last_.pose, pose, in_between_, result.safe_until);
    }
  }
  if (checker_.follower() != nullptr) out.room = checker_.follower()->versions();
  out.result = std::move(result);
  out.result.step += first_step_;
  for (std::int64_t& pose : out.result.frames) pose += first_step_;
}

void StepPipeline::remember(TrackFrame&& frame) {
  last_.id = frame.id;
  last_.capture_time = frame.capture_time;
  if (!stop_pose_) return;
  last_.pose = std::move(frame.pose);
  if (!plain_.take(last_.pose)) last_.pose.clear();
}

}  // namespace tocsin::service
