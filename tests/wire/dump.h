// Every field of a value as text, doubles by their bits: equal texts are equal values, to the sign
// of a zero.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tocsin/track.h"

namespace tocsin::test {

inline std::string dump(double v) {
  return fmt::format("{}[{:016x}] ", v, std::bit_cast<std::uint64_t>(v));
}
inline std::string dump(const std::string& text) { return '"' + text + "\" "; }
inline std::string dump(const Vec3& v) { return dump(v.x) + dump(v.y) + dump(v.z); }
inline std::string dump(const Transform& t) {
  const Quat& q = t.rotation;
  return dump(q.w) + dump(q.x) + dump(q.y) + dump(q.z) + dump(t.translation);
}
inline std::string dump(const FrameStamp& stamp) {
  return fmt::format("frame {} ", stamp.id) + dump(stamp.capture_time);
}
inline std::string dump(const IdRange& range) {
  return fmt::format("{}-{} ", range.first, range.last);
}
inline std::string dump(const ContactNames& names) {
  return dump(names.link) + dump(names.object) + dump(names.other_link) + dump(names.other_label);
}
inline std::string dump(const EndPoint& end);
inline std::string dump(const LinkModel& link);
inline std::string dump(const NamingScheme& scheme);
inline std::string dump(const Joint& joint);
inline std::string dump(const Contact& contact);
inline std::string dump(const LinkDistance& one);
inline std::string dump(const ForeseenContact& one);

template <class A, class B>
std::string dump(const std::pair<A, B>& both);

template <class T>
std::string dump(const std::vector<T>& list) {
  std::string out = fmt::format("{}: [", list.size());
  for (const T& item : list) out += dump(item) + "; ";
  return out + "] ";
}

template <class A, class B>
std::string dump(const std::pair<A, B>& both) {
  return dump(both.first) + dump(both.second);
}

/// Where a joint is given, the offset is not used and need not arrive.
inline std::string dump(const EndPoint& end) {
  if (end.joint.empty()) return dump(end.offset);
  return dump(end.joint) + dump(end.beyond) + dump(end.times);
}
inline std::string dump(const LinkModel& link) {
  return dump(link.name) + dump(link.joint) + dump(link.a) + dump(link.b) + dump(link.radius) +
         dump(link.length);
}
inline std::string dump(const NamingScheme& scheme) {
  return dump(scheme.name) + dump(scheme.prefix) + dump(scheme.joints);
}
inline std::string dump(const Joint& joint) {
  return dump(joint.name) + fmt::format("{} ", joint.parent) + dump(joint.rest);
}
inline std::string dump(const Skeleton& skeleton) {
  return dump(std::vector<Joint>(skeleton.joints().begin(), skeleton.joints().end()));
}
inline std::string dump(const AvatarModel& model) {
  return dump(model.name) + dump(model.description) + dump(model.links) + dump(model.aliases) +
         dump(model.schemes);
}
inline std::string dump(const Contact& contact) {
  return fmt::format("{} {} {} ", contact.link, static_cast<int>(contact.status), contact.limited) +
         dump(contact.toc[0]) + dump(contact.toc[1]) + dump(contact.point) +
         (contact.normal ? dump(*contact.normal) : "none ") + (contact.inside ? "inside " : "") +
         (contact.depth ? dump(*contact.depth) : "none ") +
         (contact.link_feature ? fmt::format("feature {} ", *contact.link_feature) : "none ") +
         (contact.other_feature ? fmt::format("its {} ", *contact.other_feature) : "none ") +
         (contact.other()
              ? fmt::format("{} of {} ", contact.other()->link, contact.other()->avatar)
              : fmt::format("{} in {} ", contact.room()->triangle, contact.room()->object));
}
inline std::string dump(const LinkDistance& one) {
  return fmt::format("{} {} {} {} ", one.link, one.nearest.object, one.nearest.triangle,
                     one.inside) +
         dump(one.distance) + dump(one.own) + dump(one.point) +
         (one.link_feature ? fmt::format("feature {} ", *one.link_feature) : "none ");
}
inline std::string dump(const TrackFrame& frame) {
  return fmt::format("{} ", frame.id) + dump(frame.capture_time) + dump(frame.pose) +
         dump(frame.ahead);
}
inline std::string dump(const ForeseenContact& one) {
  return dump(one.contact) + dump(one.names.link) + dump(one.names.object) +
         dump(one.names.other_link) + dump(one.names.other_label) + dump(one.time_to_go);
}
inline std::string dump(const TrackReport& report) {
  return dump(report.from) + dump(report.to) + dump(report.skipped) +
         fmt::format("step {} {} {} ", report.result.step, report.result.frames[0],
                     report.result.frames[1]) +
         dump(report.result.safe_until) + dump(report.safe_until_time) +
         dump(report.result.contacts) + dump(report.names) + dump(report.stop_pose) +
         dump(report.result.clearances) +
         fmt::format("{} {} {} ", report.stale_frames, report.duplicate_frames,
                     report.timing.batch) +
         dump(report.timing.waited) + dump(report.timing.checked) + dump(report.timing.total) +
         (report.tick ? fmt::format("tick {} {} {} ", report.tick->from, report.tick->to,
                                    report.tick->members)
                      : "none ") +
         dump(report.fallback) + dump(report.bad) + fmt::format("{} ", report.bad_frames) +
         dump(report.first_bad_frame) +
         fmt::format("{} {} ", report.timing.parts, report.result.complete) +
         dump(report.result.checked_until) + dump(report.distances) +
         dump(report.distance_objects) + fmt::format("{} ", report.more_distances) +
         (report.room ? fmt::format("room {} {} {} ", report.room->from, report.room->to,
                                    report.room->moves)
                      : "none ") +
         fmt::format("{} ", report.unrecorded) + dump(report.record_ended) +
         (report.ahead
              ? dump(report.ahead->contacts) + dump(report.ahead->seconds) +
                    fmt::format("{} ", report.ahead->own_pose) + dump(report.ahead->pose_fault)
              : "none ") +
         fmt::format("held {} ", fmt::join(report.held, " "));
}
inline std::string dump(const EnvironmentInfo& room) {
  return dump(room.name) + dump(room.least) + dump(room.most) + dump(room.files) +
         dump(room.backend) + dump(room.device) + dump(room.fallback) +
         fmt::format("{} {} {} {} {} ", room.revision, room.objects, room.triangles, room.sessions,
                     room.shape);
}
inline std::string dump(const TrackOpened& opened) {
  return dump(opened.session_id) + dump(opened.environment) + dump(opened.avatar) +
         dump(opened.radius_factor) + dump(opened.links) + dump(opened.backend) +
         dump(opened.device) + dump(opened.version) +
         fmt::format("{} {} ", opened.max_pending_frames, opened.next_step) +
         dump(opened.session_ttl) + (opened.covered ? dump(*opened.covered) : "none ") +
         dump(opened.warnings) +
         (opened.meeting ? dump(opened.meeting->rate) + fmt::format("{} ", opened.meeting->member)
                         : "none ") +
         fmt::format("joints {} ", fmt::join(opened.joints, " "));
}
inline std::string dump(const TrackEnded& ended) {
  return fmt::format("{} {} {} {} {} ", ended.steps, ended.contacts, ended.skipped_frames,
                     ended.stale_frames, ended.duplicate_frames) +
         dump(ended.record) + fmt::format("{} ", ended.bad_frames) + dump(ended.first_bad_frame);
}
inline std::string dump(const TrackOptions& options) {
  return dump(options.environment) + dump(options.skeleton) + dump(options.avatar.model) +
         (options.model ? dump(*options.model) : "none ") +
         fmt::format("{} ", options.avatar.radii.automatic) + dump(options.avatar.radii.factor) +
         dump(options.avatar.place.translation) + dump(options.avatar.place.yaw_degrees) +
         fmt::format("{} {} {} {} {} ", static_cast<int>(options.spec.in_between),
                     static_cast<int>(options.spec.contacts), options.spec.clearance,
                     options.coalesce, options.stop_pose) +
         dump(options.spec.margin) + dump(options.spec.tolerance) + dump(options.spec.ignore) +
         dump(options.spec.surfaces) +
         (options.frame_seconds ? dump(*options.frame_seconds) : "none ") + dump(options.label) +
         fmt::format("{} {} {} {} ", options.meet, options.spec.self, options.ignore_rest,
                     options.most_distances) +
         dump(options.nearest) + dump(options.lookahead) +
         fmt::format("{} {} {} {} {} ", options.tracker.world, options.tracker.hold_missing,
                     static_cast<int>(options.tracker.axes.along(0)),
                     static_cast<int>(options.tracker.axes.along(1)),
                     static_cast<int>(options.tracker.axes.along(2))) +
         dump(options.tracker.axes.unit());
}

}  // namespace tocsin::test
