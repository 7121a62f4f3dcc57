#include "wire/reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wire/distances.h"
#include "wire/limits.h"
#include "wire/text.h"
#include "wire/values.h"

namespace tocsin::wire {
namespace {

void put(const FrameStamp& stamp, v1::FrameStamp& out) {
  out.set_id(stamp.id);
  out.set_capture_time(stamp.capture_time);
}

FrameStamp stamp_of(const v1::FrameStamp& stamp) { return {stamp.id(), stamp.capture_time()}; }

v1::ContactStatus status_of(ContactStatus status) {
  switch (status) {
    case ContactStatus::kOverlap:
      return v1::CONTACT_STATUS_OVERLAP;
    case ContactStatus::kGraze:
      return v1::CONTACT_STATUS_GRAZE;
    case ContactStatus::kHit:
      break;
  }
  return v1::CONTACT_STATUS_HIT;
}

ContactStatus status_of(v1::ContactStatus status) {
  switch (status) {
    case v1::CONTACT_STATUS_OVERLAP:
      return ContactStatus::kOverlap;
    case v1::CONTACT_STATUS_GRAZE:
      return ContactStatus::kGraze;
    default:
      return ContactStatus::kHit;
  }
}

void put(const Contact& contact, v1::Contact& out) {
  out.set_link(static_cast<std::uint32_t>(contact.link));
  out.set_status(status_of(contact.status));
  out.set_toc_low(contact.toc[0]);
  out.set_toc_high(contact.toc[1]);
  if (contact.touching) out.set_touching_low(contact.touching->front());
  to_wire(contact.point, *out.mutable_point());
  if (contact.normal) to_wire(*contact.normal, *out.mutable_normal());
  out.set_limited(contact.limited);
  if (contact.inside) {
    out.set_inside(true);
    out.set_depth(contact.depth.value_or(0.0));
  }
  if (const RoomTriangle* const room = contact.room()) {
    out.set_object(room->object);
    out.set_triangle(room->triangle);
  } else {
    out.mutable_other()->set_member(static_cast<std::uint32_t>(contact.other()->avatar));
    out.mutable_other()->set_link(static_cast<std::uint32_t>(contact.other()->link));
    if (contact.other_feature) out.mutable_other()->set_triangle(*contact.other_feature);
  }
  if (contact.link_feature) out.set_link_triangle(*contact.link_feature);
}

void put(const ContactNames& names, v1::Contact& out) {
  put_text(names.link, *out.mutable_link_name());
  if (!out.has_other()) return put_text(names.object, *out.mutable_object_name());
  put_text(names.other_link, *out.mutable_other()->mutable_link_name());
  put_text(names.other_label, *out.mutable_other()->mutable_label());
}

Contact contact_of(const v1::Contact& contact) {
  Contact out;
  out.link = static_cast<std::int32_t>(contact.link());
  out.touched = RoomTriangle{contact.object(), contact.triangle()};
  out.status = status_of(contact.status());
  out.toc = {contact.toc_low(), contact.toc_high()};
  if (contact.has_touching_low()) out.touching = {contact.touching_low(), contact.toc_high()};
  out.point = from_wire(contact.point());
  if (contact.has_normal()) out.normal = from_wire(contact.normal());
  out.limited = contact.limited();
  out.inside = contact.inside();
  if (contact.inside()) out.depth = contact.depth();
  if (contact.has_other()) {
    out.touched = OtherLink{static_cast<std::int32_t>(contact.other().member()),
                            static_cast<std::int32_t>(contact.other().link())};
    if (contact.other().has_triangle()) out.other_feature = contact.other().triangle();
  }
  if (contact.has_link_triangle()) out.link_feature = contact.link_triangle();
  return out;
}

ContactNames names_of(const v1::Contact& contact) {
  return {contact.link_name(), contact.object_name(), contact.other().link_name(),
          contact.other().label()};
}

/// Which value of the contact no server sends; empty: none.
std::string problem_of(const v1::Contact& contact) {
  constexpr std::uint32_t kMost{std::numeric_limits<std::int32_t>::max()};
  if (contact.link() > kMost) return fmt::format("there is no link {}", contact.link());
  if (contact.other().link() > kMost || contact.other().member() > kMost) {
    return fmt::format("there is no link {} of a member {}", contact.other().link(),
                       contact.other().member());
  }
  if (!v1::ContactStatus_IsValid(contact.status())) {
    return fmt::format("its status is {}, which this version does not know",
                       static_cast<int>(contact.status()));
  }
  if (!(contact.toc_low() >= 0.0 && contact.toc_low() <= contact.toc_high() &&
        contact.toc_high() <= 1.0)) {
    return fmt::format("its time is [{}, {}]", contact.toc_low(), contact.toc_high());
  }
  if (contact.has_touching_low() && !(contact.touching_low() > contact.toc_low() &&
                                      contact.touching_low() <= contact.toc_high())) {
    return fmt::format("its time is [{}, {}], but its touch begins at {}", contact.toc_low(),
                       contact.toc_high(), contact.touching_low());
  }
  if (contact.inside() && !(contact.depth() > 0.0 && std::isfinite(contact.depth()))) {
    return fmt::format("it is inside, {} m deep", contact.depth());
  }
  if (!is_finite(from_wire(contact.point())) || !is_finite(from_wire(contact.normal()))) {
    return "its point or normal is not finite";
  }
  return {};
}

void put(const TrackAhead& ahead, v1::Ahead& out) {
  for (const ForeseenContact& one : ahead.contacts) {
    v1::Foreseen& made = *out.add_contacts();
    put(one.contact, *made.mutable_contact());
    put(one.names, *made.mutable_contact());
    made.set_time_to_go(one.time_to_go);
  }
  out.set_seconds(ahead.seconds);
  out.set_own_pose(ahead.own_pose);
  if (!ahead.pose_fault.empty()) put_text(ahead.pose_fault, *out.mutable_pose_fault());
}

TrackAhead ahead_of(const v1::Ahead& ahead) {
  TrackAhead out;
  out.contacts.reserve(static_cast<std::size_t>(ahead.contacts_size()));
  for (const v1::Foreseen& one : ahead.contacts()) {
    out.contacts.push_back({contact_of(one.contact()), names_of(one.contact()), one.time_to_go()});
  }
  out.seconds = ahead.seconds();
  out.own_pose = ahead.own_pose();
  out.pose_fault = ahead.pose_fault();
  return out;
}

/// Which value of it no server sends; empty: none.
std::string problem_of(const v1::Ahead& ahead) {
  const auto is_time = [](double seconds) { return seconds >= 0.0 && seconds <= kMostLookahead; };
  if (!is_time(ahead.seconds())) return fmt::format("it is checked for {} s", ahead.seconds());
  for (int i = 0; i < ahead.contacts_size(); ++i) {
    const v1::Foreseen& one = ahead.contacts(i);
    if (!is_time(one.time_to_go())) {
      return fmt::format("contact {}: in {} s", i, one.time_to_go());
    }
    const std::string problem = problem_of(one.contact());
    if (!problem.empty()) return fmt::format("contact {}: {}", i, problem);
  }
  return {};
}

std::string problem_of(const v1::FrameStamp& stamp, std::string_view which) {
  if (stamp.id() >= kIdLimit) return fmt::format("the id of `{}` is {}", which, stamp.id());
  if (!std::isfinite(stamp.capture_time())) {
    return fmt::format("the capture time of `{}` is not finite", which);
  }
  return {};
}

using IdRanges = google::protobuf::RepeatedPtrField<v1::IdRange>;

std::string problem_of(const IdRanges& ranges, std::string_view which) {
  for (const v1::IdRange& range : ranges) {
    if (range.first() > range.last() || range.last() >= kIdLimit) {
      return fmt::format("{} frames {} to {}", which, range.first(), range.last());
    }
  }
  return {};
}

void put(const std::vector<IdRange>& ranges, IdRanges& out) {
  for (const IdRange& range : ranges) {
    v1::IdRange& made = *out.Add();
    made.set_first(range.first);
    made.set_last(range.last);
  }
}

std::vector<IdRange> ranges_of(const IdRanges& ranges) {
  std::vector<IdRange> out;
  out.reserve(static_cast<std::size_t>(ranges.size()));
  for (const v1::IdRange& range : ranges) out.push_back({range.first(), range.last()});
  return out;
}

/// Which value of the report no server sends; empty: none.
std::string problem_of(const v1::StepReport& report) {
  if (report.step() >= kIdLimit) return "there is no such step";
  if (!report.has_from() || !report.has_to()) return "`from` or `to` is missing";
  if (std::string problem = problem_of(report.from(), "from"); !problem.empty()) return problem;
  if (std::string problem = problem_of(report.to(), "to"); !problem.empty()) return problem;
  if (std::string problem = problem_of(report.skipped(), "skipped"); !problem.empty()) {
    return problem;
  }
  if (std::string problem = problem_of(report.bad(), "bad"); !problem.empty()) return problem;
  if (!(report.safe_until() >= 0.0 && report.safe_until() <= 1.0) ||
      !std::isfinite(report.safe_until_time())) {
    return fmt::format("safe_until is {}, at {}", report.safe_until(), report.safe_until_time());
  }
  if (!(report.checked_until() >= 0.0 && report.checked_until() <= 1.0)) {
    return fmt::format("checked_until is {}", report.checked_until());
  }
  for (int i = 0; i < report.contacts_size(); ++i) {
    const std::string problem = problem_of(report.contacts(i));
    if (!problem.empty()) return fmt::format("contact {}: {}", i, problem);
  }
  for (const double clearance : report.clearances()) {
    if (!(clearance >= 0.0)) return fmt::format("a clearance is {}", clearance);
  }
  if (auto problem = problem_of_distances(report); !problem.empty()) return problem;
  if (report.has_ahead()) {
    const std::string problem = problem_of(report.ahead());
    if (!problem.empty()) return fmt::format("ahead: {}", problem);
  }
  if (report.has_tick() &&
      (report.tick().from() >= report.tick().to() || report.tick().to() >= kIdLimit)) {
    return fmt::format("its ticks are {} to {}", report.tick().from(), report.tick().to());
  }
  return {};
}

void put(const TrackTiming& timing, v1::Timing& out) {
  out.set_waited(timing.waited);
  out.set_checked(timing.checked);
  out.set_total(timing.total);
  out.set_batch(timing.batch);
  out.set_parts(timing.parts);
}

}  // namespace

void to_wire(const TrackReport& report, const PoseCodec& poses, v1::StepReport& out) {
  out.Clear();
  const StepReport& result = report.result;
  out.set_step(static_cast<std::uint64_t>(result.step));
  put(report.from, *out.mutable_from());
  put(report.to, *out.mutable_to());
  put(report.skipped, *out.mutable_skipped());
  put(report.bad, *out.mutable_bad());
  out.set_safe_until(result.safe_until);
  out.set_safe_until_time(report.safe_until_time);
  out.mutable_contacts()->Reserve(static_cast<int>(result.contacts.size()));
  for (std::size_t i = 0; i < result.contacts.size(); ++i) {
    v1::Contact& made = *out.add_contacts();
    put(result.contacts[i], made);
    if (i >= report.names.size()) continue;
    put(report.names[i], made);
  }
  if (!report.stop_pose.empty()) poses.to_wire(report.stop_pose, *out.mutable_stop_pose());
  out.mutable_clearances()->Add(result.clearances.begin(), result.clearances.end());
  out.set_stale_frames(report.stale_frames);
  out.set_duplicate_frames(report.duplicate_frames);
  put(report.timing, *out.mutable_timing());
  if (report.tick) {
    out.mutable_tick()->set_from(report.tick->from);
    out.mutable_tick()->set_to(report.tick->to);
    out.mutable_tick()->set_members(report.tick->members);
  }
  if (!report.fallback.empty()) put_text(report.fallback, *out.mutable_fallback());
  out.set_bad_frames(report.bad_frames);
  if (!report.first_bad_frame.empty()) {
    put_text(report.first_bad_frame, *out.mutable_first_bad_frame());
  }
  if (report.unrecorded) out.set_unrecorded(true);
  if (report.room) {
    out.mutable_room()->set_from(report.room->from);
    out.mutable_room()->set_to(report.room->to);
    out.mutable_room()->set_moves(report.room->moves);
  }
  if (!report.record_ended.empty()) put_text(report.record_ended, *out.mutable_record_ended());
  put_distances(report, out);
  if (report.ahead) put(*report.ahead, *out.mutable_ahead());
  out.mutable_held()->Add(report.held.begin(), report.held.end());
  if (result.complete) return;
  out.set_incomplete(true);
  out.set_checked_until(result.checked_until);
}

Result<TrackReport> from_wire(const v1::StepReport& report, const PoseCodec& poses) {
  if (const std::string problem = problem_of(report); !problem.empty()) {
    return {ErrorCode::kInput, fmt::format("report of step {}: {}", report.step(), problem)};
  }
  TrackReport out;
  out.from = stamp_of(report.from());
  out.to = stamp_of(report.to());
  out.skipped = ranges_of(report.skipped());
  out.bad = ranges_of(report.bad());
  out.result.step = static_cast<std::int64_t>(report.step());
  out.result.frames = {out.result.step, out.result.step + 1};
  out.result.safe_until = report.safe_until();
  out.safe_until_time = report.safe_until_time();
  out.result.contacts.reserve(static_cast<std::size_t>(report.contacts_size()));
  out.names.reserve(static_cast<std::size_t>(report.contacts_size()));
  for (const v1::Contact& contact : report.contacts()) {
    out.result.contacts.push_back(contact_of(contact));
    out.names.push_back(names_of(contact));
  }
  if (report.has_stop_pose()) {
    if (const Status pose = poses.from_wire(report.stop_pose(), out.stop_pose); !pose) {
      return {ErrorCode::kInput,
              fmt::format("report of step {}: stop_pose: {}", report.step(), pose.error().message)};
    }
  }
  out.result.clearances.assign(report.clearances().begin(), report.clearances().end());
  out.stale_frames = report.stale_frames();
  out.duplicate_frames = report.duplicate_frames();
  out.timing = {report.timing().waited(), report.timing().checked(), report.timing().total(),
                report.timing().batch(), std::max(1U, report.timing().parts())};
  if (report.has_tick()) {
    out.tick = MeetingTick{report.tick().from(), report.tick().to(), report.tick().members()};
  }
  out.fallback = report.fallback();
  out.bad_frames = report.bad_frames();
  out.first_bad_frame = report.first_bad_frame();
  out.unrecorded = report.unrecorded();
  out.record_ended = report.record_ended();
  if (report.has_room()) {
    out.room = RoomVersions{report.room().from(), report.room().to(), report.room().moves()};
  }
  take_distances(report, out);
  if (report.has_ahead()) out.ahead = ahead_of(report.ahead());
  out.held.assign(report.held().begin(), report.held().end());
  if (report.incomplete()) {
    out.result.complete = false;
    out.result.checked_until = report.checked_until();
  }
  return out;
}

}  // namespace tocsin::wire
