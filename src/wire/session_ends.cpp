// The first and the last answer of a session, on the wire.
#include <string>

#include "wire/reports.h"
#include "wire/text.h"
#include "wire/values.h"

namespace tocsin::wire {

void to_wire(const TrackOpened& opened, v1::Opened& out) {
  out.Clear();
  put_text(opened.session_id, *out.mutable_session_id());
  to_wire(opened.environment, *out.mutable_environment());
  put_text(opened.avatar, *out.mutable_avatar());
  out.set_radius_factor(opened.radius_factor);
  for (const std::string& link : opened.links) put_text(link, *out.add_links());
  put_text(opened.backend, *out.mutable_backend());
  put_text(opened.device, *out.mutable_device());
  put_text(opened.version, *out.mutable_version());
  out.set_max_pending_frames(opened.max_pending_frames);
  out.set_session_ttl(opened.session_ttl);
  out.set_next_step(opened.next_step);
  if (opened.covered) {
    out.mutable_covered()->set_id(opened.covered->id);
    out.mutable_covered()->set_capture_time(opened.covered->capture_time);
  }
  for (const std::string& warning : opened.warnings) put_text(warning, *out.add_warnings());
  if (opened.meeting) {
    out.mutable_meeting()->set_rate(opened.meeting->rate);
    out.mutable_meeting()->set_member(opened.meeting->member);
  }
  out.mutable_joints()->Add(opened.joints.begin(), opened.joints.end());
}

TrackOpened from_wire(const v1::Opened& opened) {
  TrackOpened out;
  out.session_id = opened.session_id();
  out.environment = from_wire(opened.environment());
  out.avatar = opened.avatar();
  out.radius_factor = opened.radius_factor();
  out.links.assign(opened.links().begin(), opened.links().end());
  out.backend = opened.backend();
  out.device = opened.device();
  out.version = opened.version();
  out.max_pending_frames = opened.max_pending_frames();
  out.session_ttl = opened.session_ttl();
  out.next_step = opened.next_step();
  if (opened.has_covered()) {
    out.covered = FrameStamp{opened.covered().id(), opened.covered().capture_time()};
  }
  out.warnings.assign(opened.warnings().begin(), opened.warnings().end());
  if (opened.has_meeting()) {
    out.meeting = MeetingInfo{opened.meeting().rate(), opened.meeting().member()};
  }
  out.joints.assign(opened.joints().begin(), opened.joints().end());
  return out;
}

void to_wire(const TrackCovered& covered, v1::Covered& out) {
  out.Clear();
  out.set_steps(covered.steps);
  out.set_unchecked_frames(covered.unchecked_frames);
  if (!covered.to) return;
  out.mutable_to()->set_id(covered.to->id);
  out.mutable_to()->set_capture_time(covered.to->capture_time);
}

TrackCovered from_wire(const v1::Covered& covered) {
  TrackCovered out{covered.steps(), std::nullopt, covered.unchecked_frames()};
  if (covered.has_to()) out.to = FrameStamp{covered.to().id(), covered.to().capture_time()};
  return out;
}

void to_wire(const TrackEnded& ended, v1::Ended& out) {
  out.Clear();
  out.set_steps(ended.steps);
  out.set_contacts(ended.contacts);
  out.set_skipped_frames(ended.skipped_frames);
  out.set_stale_frames(ended.stale_frames);
  out.set_duplicate_frames(ended.duplicate_frames);
  put_text(ended.record, *out.mutable_record());
  out.set_bad_frames(ended.bad_frames);
  put_text(ended.first_bad_frame, *out.mutable_first_bad_frame());
  out.set_unrecorded_steps(ended.unrecorded_steps);
  out.set_parted_steps(ended.parted_steps);
}

TrackEnded from_wire(const v1::Ended& ended) {
  return {ended.steps(),        ended.contacts(),         ended.skipped_frames(),
          ended.stale_frames(), ended.duplicate_frames(), ended.record(),
          ended.bad_frames(),   ended.first_bad_frame(),  ended.unrecorded_steps(),
          ended.parted_steps()};
}

}  // namespace tocsin::wire
