#include "wire/watching.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "wire/limits.h"
#include "wire/shapes.h"
#include "wire/skeletons.h"
#include "wire/text.h"
#include "wire/values.h"

namespace tocsin::wire {
namespace {

/// Names of sessions in one request. More: watch all, and look at some.
constexpr int kMostWatched = 1024;

void put(const Link& link, bool with_shape, v1::WatchedLink& out) {
  put_text(link.name, *out.mutable_name());
  out.set_joint(static_cast<std::uint32_t>(link.joint));
  to_wire(link.a, *out.mutable_a());
  to_wire(link.b, *out.mutable_b());
  out.set_radius(link.radius);
  if (link.shape.empty()) return;
  out.set_shape_triangles(static_cast<std::uint32_t>(link.shape.features().size()));
  if (with_shape) to_wire(link.shape, *out.mutable_shape());
}

Error unlikely(const std::string& session, const std::string& what) {
  return {ErrorCode::kInput, fmt::format("session {}: {}", session, what)};
}

Result<Link> link_of(const v1::WatchedLink& link, int joints, ShapeReader& shapes) {
  if (link.joint() >= static_cast<std::uint32_t>(joints)) {
    return {ErrorCode::kInput, fmt::format("there is no joint {}", link.joint())};
  }
  const auto joint = static_cast<int>(link.joint());
  if (link.has_shape()) {
    auto shape = shapes.read(link.shape());
    if (!shape) return shape.error();
    return link_of_shape(link.name(), joint, std::move(shape).value());
  }
  return Link{link.name(), joint, from_wire(link.a()), from_wire(link.b()), link.radius(), {}};
}

}  // namespace

void to_wire(const WatchOptions& options, v1::WatchRequest& out) {
  out.set_environment(options.environment);
  for (const std::string& name : options.sessions) out.add_sessions(name);
  out.set_without_poses(!options.poses);
}

Result<WatchOptions> from_wire(const v1::WatchRequest& request) {
  if (request.sessions_size() > kMostWatched) {
    return {ErrorCode::kInput,
            fmt::format("sessions: {} names; at most {}", request.sessions_size(), kMostWatched)};
  }
  // OWNER/NAME
  if (auto problem = label_problem(request.environment(), 2 * kLongestName + 1); !problem.empty()) {
    return {ErrorCode::kInput, "environment " + problem};
  }
  for (const std::string& name : request.sessions()) {
    if (auto problem = label_problem(name); !problem.empty()) {
      return {ErrorCode::kInput, "sessions: a name " + problem};
    }
  }
  return WatchOptions{request.environment(),
                      {request.sessions().begin(), request.sessions().end()},
                      !request.without_poses()};
}

void to_wire(const WatchedSession& session, v1::WatchedSession& out) {
  out.Clear();
  put_text(session.session, *out.mutable_session());
  put_text(session.principal, *out.mutable_principal());
  put_text(session.label, *out.mutable_label());
  to_wire(session.environment, *out.mutable_environment());
  to_wire(session.avatar.skeleton(), *out.mutable_skeleton());
  put_text(session.avatar.name(), *out.mutable_avatar());
  out.set_radius_factor(session.radius_factor);
  std::size_t triangles = 0;
  for (const Link& link : session.avatar.links()) {
    if (!link.shape.empty()) triangles += link.shape.features().size();
  }
  for (const Link& link : session.avatar.links()) {
    put(link, triangles <= kMostInlineTriangles, *out.add_links());
  }
  out.set_in_between(session.in_between == InBetween::kTranslateRotate
                         ? v1::IN_BETWEEN_TRANSLATE_ROTATE
                         : v1::IN_BETWEEN_SCREW);
  out.set_contacts(session.contacts == Contacts::kFirst ? v1::CONTACTS_FIRST : v1::CONTACTS_PAIRS);
  out.set_margin(session.margin);
  out.set_self(session.self);
  if (session.meeting) {
    out.mutable_meeting()->set_rate(session.meeting->rate);
    out.mutable_meeting()->set_member(session.meeting->member);
  }
  out.set_attached(session.attached);
  if (session.frame_seconds) out.set_frame_seconds(*session.frame_seconds);
}

Result<WatchedSession> from_wire(const v1::WatchedSession& session) {
  const std::string& name = session.session();
  auto skeleton = from_wire(session.skeleton());
  if (!skeleton) return unlikely(name, skeleton.error().message);
  WatchedSession out;
  std::vector<Link> links;
  ShapeReader shapes;
  for (const v1::WatchedLink& link : session.links()) {
    auto read = link_of(link, skeleton->size(), shapes);
    if (!read)
      return unlikely(name, fmt::format("link {}: {}", links.size(), read.error().message));
    out.shapes_left_out = out.shapes_left_out || (link.shape_triangles() > 0 && !link.has_shape());
    links.push_back(std::move(read).value());
  }
  auto avatar = Avatar::create(session.avatar(), std::move(skeleton).value(), std::move(links));
  if (!avatar) return unlikely(name, avatar.error().message);
  if (!std::isfinite(session.margin()) || !std::isfinite(session.radius_factor())) {
    return unlikely(name, "its margin or factor is not finite");
  }
  out.session = name;
  out.principal = session.principal();
  out.label = session.label();
  out.environment = from_wire(session.environment());
  out.avatar = std::move(avatar).value();
  out.radius_factor = session.radius_factor();
  if (session.in_between() == v1::IN_BETWEEN_TRANSLATE_ROTATE) {
    out.in_between = InBetween::kTranslateRotate;
  }
  if (session.contacts() == v1::CONTACTS_FIRST) out.contacts = Contacts::kFirst;
  out.margin = session.margin();
  out.self = session.self();
  if (session.has_meeting()) {
    out.meeting = MeetingInfo{session.meeting().rate(), session.meeting().member()};
  }
  if (session.has_frame_seconds()) out.frame_seconds = session.frame_seconds();
  out.attached = session.attached();
  return out;
}

void to_wire(const SteppedView& step, const PoseCodec& poses, v1::WatchedStep& out) {
  put_text(step.session, *out.mutable_session());
  to_wire(step.report, poses, *out.mutable_report());
  if (!step.from_pose.empty()) poses.to_wire(step.from_pose, *out.mutable_from_pose());
  if (!step.to_pose.empty()) poses.to_wire(step.to_pose, *out.mutable_to_pose());
}

Result<WatchedStep> from_wire(const v1::WatchedStep& step, const PoseCodec& poses) {
  auto report = from_wire(step.report(), poses);
  if (!report) return unlikely(step.session(), report.error().message);
  WatchedStep out{step.session(), std::move(report).value()};
  Status read = Nothing{};
  if (step.has_from_pose()) read = poses.from_wire(step.from_pose(), out.from_pose);
  if (read && step.has_to_pose()) read = poses.from_wire(step.to_pose(), out.to_pose);
  if (!read) return unlikely(step.session(), read.error().message);
  return out;
}

void to_wire(const WatchedEnd& end, v1::WatchedEnd& out) {
  put_text(end.session, *out.mutable_session());
  if (end.totals) to_wire(*end.totals, *out.mutable_totals());
  out.set_reported(end.reported);
  put_text(end.cause, *out.mutable_cause());
}

WatchedEnd from_wire(const v1::WatchedEnd& end) {
  WatchedEnd out{.session = end.session()};
  if (end.has_totals()) out.totals = from_wire(end.totals());
  out.reported = end.reported();
  out.cause = end.cause();
  return out;
}

}  // namespace tocsin::wire
