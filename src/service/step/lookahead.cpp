#include "service/step/lookahead.h"

#include <utility>

#include "scene/motion/avatar_tree.h"
#include "scene/motion/step_ahead.h"

namespace tocsin::service {
namespace {

/// The session's own, but for what nobody is told of a prediction. With Contacts::kFirst a pair
/// that touches already would hide the others.
DetectorOptions options_ahead(DetectorOptions asked) {
  asked.contacts = Contacts::kPairs;
  asked.clearance = false;
  return asked;
}

/// The joints that links hang on, directly or below: no other can touch anything.
std::vector<std::uint8_t> joints_of(const Avatar& avatar) {
  std::vector<std::uint8_t> out(avatar.skeleton().joints().size(), 0);
  for (const std::int32_t joint : scene::tree_of(avatar)->used) {
    out[static_cast<std::size_t>(joint)] = 1;
  }
  return out;
}

}  // namespace

Lookahead::Lookahead(const TrackOptions& options, const SessionLimits& limits,
                     const SessionSetup& setup)
    : seconds_(options.lookahead),
      first_(options.spec.contacts == Contacts::kFirst),
      most_(seconds_of(limits.step_seconds)),
      asked_(options_ahead(setup.detector.options())) {
  if (!asked()) return;
  moves_ = joints_of(setup.member.avatar);
  if (setup.follower) return;
  auto room = setup.detector.with_options(asked_);
  if (!room) return;  // after() says why
  room_ = std::move(room).value();
  stream_.emplace(*room_, setup.member);
}

Status Lookahead::follow(const RoomFollower& room) {
  if (stream_ && version_ == room.versions().to) return Nothing{};
  auto at_rest = room.at_rest(asked_);
  if (!at_rest) return at_rest.error();
  room_ = std::move(at_rest).value();
  stream_.emplace(*room_, room.member());
  version_ = room.versions().to;
  return Nothing{};
}

Result<std::optional<TrackAhead>> Lookahead::after(const Step& step, std::vector<Transform> pose,
                                                   std::string fault, const RoomFollower* follower,
                                                   const std::stop_token& stop) {
  if (follower != nullptr) {
    if (Status there = follow(*follower); !there) return there.error();
  }
  if (!stream_) return {ErrorCode::kResource, "the room cannot be looked ahead in: no memory"};
  TrackAhead out;
  out.own_pose = !pose.empty();
  out.pose_fault = std::move(fault);
  const auto next = out.own_pose ? step_ahead(step, seconds_, std::move(pose))
                                 : scene::step_ahead_of(step, seconds_, moves_);
  if (!next) return next.error();
  const auto now = std::chrono::steady_clock::now();
  StepReport report = stream_->check_within(
      *next, {.until = now + std::chrono::duration_cast<std::chrono::steady_clock::duration>(most_),
              .stop = stop});
  if (report.error) return *report.error;
  if (follower != nullptr) follower->number(*room_, report);
  std::vector<Contact> contacts = contacts_ahead(report.contacts);
  if (first_ && contacts.size() > 1) contacts.resize(1);
  for (Contact& contact : contacts) {
    const double time_to_go = contact.toc[0] * seconds_;
    out.contacts.push_back({std::move(contact), {}, time_to_go});
  }
  out.contacts.shrink_to_fit();  // they are kept until they are sent
  out.seconds = report.complete ? seconds_ : report.checked_until * seconds_;
  if (out.contacts.empty() && report.complete && out.pose_fault.empty()) {
    return std::optional<TrackAhead>();
  }
  return std::optional(std::move(out));
}

}  // namespace tocsin::service
