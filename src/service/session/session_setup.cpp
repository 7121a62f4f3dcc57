#include "service/session/session_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/quoted.h"
#include "detect/crowd/name_patterns.h"
#include "detect/crowd/rest_overlaps.h"
#include "io/avatar/avatar_json.h"
#include "service/meeting/meeting_cost.h"
#include "tocsin/binding.h"
#include "tocsin/io.h"
#include "wire/limits.h"

namespace tocsin::service {
namespace {

Problem problem_of(const Error& error, const char* what = "") {
  const Refusal refusal = error.code == ErrorCode::kInput || error.code == ErrorCode::kUsage
                              ? Refusal::kInvalid
                              : Refusal::kFailed;
  return {refusal, what + error.message};
}

std::optional<Problem> too_many_links(std::size_t links, const Principal& principal) {
  if (links <= principal.limits.links) return std::nullopt;
  return Problem{Refusal::kOverloaded, fmt::format("the avatar has {} links; the limit is {}",
                                                   links, principal.limits.links)};
}

Result<BoundAvatar> bind(const TrackOptions& options, const Skeleton& skeleton) {
  if (options.model) {
    // By the rules of a model file: a record of the session has to be one.
    const auto model = io::as_in_a_file(*options.model, "inline_model");
    if (!model) return model.error();
    return bind_avatar(*model, skeleton, options.avatar.radii);
  }
  if (options.avatar.model.empty() || options.avatar.model == "auto") {
    return choose_bound_avatar(skeleton, options.avatar.radii);
  }
  // Only by its name: what a client sends is never taken for a path.
  const std::vector<std::string> shipped = shipped_avatar_models();
  if (std::find(shipped.begin(), shipped.end(), options.avatar.model) == shipped.end()) {
    return {ErrorCode::kInput,
            fmt::format("there is no avatar model {}; shipped: {}",
                        base::in_quotes(options.avatar.model), fmt::join(shipped, ", "))};
  }
  const auto model = load_avatar_model(options.avatar.model);
  if (!model) return model.error();
  return bind_avatar(*model, skeleton, options.avatar.radii);
}

/// `own`: pairs of two links, neighbours too.
std::optional<Problem> too_many_pairs(std::size_t links, std::size_t objects, std::size_t own,
                                      const TrackOptions& options) {
  // A prediction has the first contact of each pair.
  const bool first = options.spec.contacts == Contacts::kFirst && options.lookahead == 0.0;
  const std::size_t most = first ? SessionSetup::kMostPairsOfFirst : SessionSetup::kMostPairs;
  if (own <= most && objects <= (most - own) / std::max<std::size_t>(links, 1)) {
    return std::nullopt;
  }
  return Problem{Refusal::kOverloaded,
                 fmt::format("{} links and {} objects make {} pairs{}; the limit is {}{}", links,
                             objects, links * objects,
                             own > 0 ? fmt::format(", and {} of two links", own) : std::string(),
                             most, first ? "" : " (more with the first contact only)")};
}

/// Each pattern is matched with each name.
std::optional<Problem> too_much_matching(const char* field, std::span<const std::string> patterns,
                                         std::span<const Link> links,
                                         std::span<const Object> objects, bool with_self) {
  std::size_t text = 0;
  for (const std::string& pattern : patterns) text += pattern.size();
  std::size_t names = 0;
  for (const Link& link : links) names += (with_self ? 2 : 1) * link.name.size();
  for (const Object& object : objects) names += object.name.size();
  if (text <= SessionSetup::kMostMatching / std::max<std::size_t>(names, 1)) return std::nullopt;
  return Problem{
      Refusal::kOverloaded,
      fmt::format("{}: {} patterns with {} bytes, and {} bytes of links' and objects' names: "
                  "the limit of their product is {}",
                  field, patterns.size(), text, names, SessionSetup::kMostMatching)};
}

constexpr std::size_t kMostNamedPairs = 10;  // in a warning

/// Adds a pattern for each pair of own links that overlaps in the rest pose, and says which.
std::optional<Problem> ignore_rest(const TrackOptions& options, const Environment& room,
                                   SessionSetup& out) {
  std::set<std::string> objects;
  for (const Object& object : room.objects()) objects.insert(object.name);
  const Avatar& avatar = out.member.avatar;
  const auto overlaps = detect::rest_overlaps(out.member, options.spec.margin);
  const auto patterns = detect::rest_patterns(avatar, overlaps, objects);
  if (patterns.size() > detect::kMostRestPatterns) {
    return Problem{Refusal::kOverloaded,
                   fmt::format("ignore_rest: {} pairs of links overlap in the rest pose, the limit "
                               "is {}: are the radii and the margin right?",
                               patterns.size(), detect::kMostRestPatterns)};
  }
  const auto named = std::span(patterns).first(std::min(patterns.size(), kMostNamedPairs));
  out.warnings.push_back(fmt::format(
      "ignore_rest: {} pairs of links left out that overlap in the rest pose: {}{}",
      patterns.size(), fmt::join(named, ", "), named.size() < patterns.size() ? ", ..." : ""));
  out.ignore.insert(out.ignore.end(), patterns.begin(), patterns.end());
  return std::nullopt;
}

std::optional<Problem> find_own_pairs(const TrackOptions& options, const Environment& room,
                                      SessionSetup& out) {
  if (!options.spec.self) return std::nullopt;
  const auto find = [&]() -> std::optional<Problem> {
    if (out.ignore.empty()) {
      out.member.self = LinkPairs::of(out.member.avatar);
      return std::nullopt;
    }
    auto self = LinkPairs::ignoring(out.member.avatar, out.ignore);
    if (!self) return problem_of(self.error(), "ignore: ");
    out.member.self = std::move(self).value();
    return std::nullopt;
  };
  if (auto problem = find()) return problem;
  if (!options.ignore_rest) return std::nullopt;
  if (auto problem = ignore_rest(options, room, out)) return problem;
  // Matching takes as long as that of the client's own patterns may.
  if (auto problem = too_much_matching("ignore_rest", out.ignore, out.member.avatar.links(),
                                       room.objects(), true)) {
    return problem;
  }
  return find();
}

std::optional<Problem> activate_pairs(const TrackOptions& options, const Environment& room,
                                      SessionSetup& out) {
  const std::span<const Link> links = out.member.avatar.links();
  const std::span<const Object> objects = room.objects();
  const std::size_t own = options.spec.self ? links.size() * (links.size() - 1) / 2 : 0;
  if (auto problem = too_many_pairs(links.size(), objects.size(), own, options)) {
    return problem;
  }
  if (auto problem =
          too_much_matching("ignore", options.spec.ignore, links, objects, options.spec.self)) {
    return problem;
  }
  out.ignore = options.spec.ignore;
  if (auto problem = find_own_pairs(options, room, out)) return problem;
  if (options.spec.ignore.empty()) return std::nullopt;
  auto active = ActivePairs::ignoring(out.member.avatar, room, options.spec.ignore);
  if (!active) return problem_of(active.error(), "ignore: ");
  for (std::size_t i = 0; i < active->matches().size(); ++i) {
    const std::uint64_t of_two =
        i < out.member.self.matches().size() ? out.member.self.matches()[i] : 0;
    if (active->matches()[i] + of_two > 0) continue;
    out.warnings.push_back(fmt::format("ignore: {} matches no pair of a link and an object{}",
                                       base::in_quotes(options.spec.ignore[i]),
                                       options.spec.self ? ", or of two links" : ""));
  }
  out.member.active = std::move(active).value();
  return std::nullopt;
}

void warn_of_surfaces(const TrackOptions& options, const Room& room,
                      std::vector<std::string>& warnings) {
  const std::span<const Object> objects = room.environment.objects();
  for (const std::string& pattern : options.spec.surfaces) {
    const auto on =
        detect::matching(pattern, objects.size(),
                         [&](std::size_t i) -> const std::string& { return objects[i].name; });
    if (pattern == "*" || std::find(on.begin(), on.end(), 1) != on.end()) continue;
    warnings.push_back(fmt::format("surface: {} matches no object", base::in_quotes(pattern)));
  }
}

/// The same features, rounded more.
Result<Shape> grown_by(const Shape& shape, double margin) {
  const auto corners = shape.corners();
  const auto features = shape.features();
  return Shape::mesh({corners.begin(), corners.end()}, {features.begin(), features.end()},
                     shape.radius() + margin);
}

/// What an avatar that meets others may not ask for, and what it looks like to them.
std::optional<Problem> prepare_to_meet(const TrackOptions& options, SessionSetup& out) {
  if (!options.meet) return std::nullopt;
  const std::span<const Link> links = out.member.avatar.links();
  if (links.size() > SessionSetup::kMostMeetingLinks) {
    return Problem{Refusal::kOverloaded,
                   fmt::format("the avatar has {} links; with `meet` the limit is {}", links.size(),
                               SessionSetup::kMostMeetingLinks)};
  }
  const std::vector<std::size_t> chains = chain_lengths(out.member.avatar);
  const std::size_t joints = std::accumulate(chains.begin(), chains.end(), std::size_t{0});
  if (joints > SessionSetup::kMostMeetingJoints) {
    return Problem{Refusal::kOverloaded,
                   fmt::format("the joints from the root to each link's own are {}, of {} links "
                               "together; with `meet` the limit is {}",
                               joints, links.size(), SessionSetup::kMostMeetingJoints)};
  }
  std::vector<Link> grown(links.begin(), links.end());
  for (Link& link : grown) {
    link.radius += options.spec.margin;
    if (link.shape.empty() || options.spec.margin == 0.0) continue;
    auto shape = grown_by(link.shape, options.spec.margin);
    if (!shape) return problem_of(shape.error(), "avatar: ");
    link.shape = std::move(shape).value();
  }
  auto thick = Avatar::create(out.member.avatar.name(), out.live.skeleton(), std::move(grown));
  if (!thick) return problem_of(thick.error(), "avatar: ");
  out.thick = std::move(thick).value();
  return std::nullopt;
}

/// What cannot be had together.
std::optional<Problem> contradiction(const TrackOptions& options) {
  if (!options.avatar.hold.empty() || !options.spec.bodies.empty()) {
    return Problem{Refusal::kInvalid,
                   "a session has no bodies, and what it holds are links of its model"};
  }
  if (options.stop_pose && options.tracker != TrackerPoses{}) {
    return Problem{Refusal::kInvalid,
                   "`stop_pose` and `tracker` cannot be had together: stop poses are local"};
  }
  if (options.ignore_rest && !options.spec.self) {
    return Problem{Refusal::kInvalid, "`ignore_rest` is about own links: it needs `self`"};
  }
  if (!options.meet) return std::nullopt;
  if (!options.coalesce) {
    return Problem{Refusal::kInvalid,
                   "`meet` needs `coalesce`: at a tick every member goes on to its newest frame, "
                   "and those between are skipped"};
  }
  if (options.spec.clearance) {
    return Problem{Refusal::kInvalid,
                   "`meet` and `clearance` cannot be had together: distances to the others are not "
                   "measured"};
  }
  return std::nullopt;
}

/// Enters a room that changes, with what its changes must leave possible.
std::optional<Problem> follow(const TrackOptions& options, const Room& room, SessionSetup& out) {
  if (!room.scene) return std::nullopt;
  if (!options.spec.surfaces.empty()) {
    return Problem{Refusal::kInvalid, "`surface` cannot be had in a room that changes"};
  }
  const std::size_t links = std::max<std::size_t>(out.member.avatar.links().size(), 1);
  const bool first = options.spec.contacts == Contacts::kFirst && options.lookahead == 0.0;
  detect::ReaderLimits limits;
  limits.objects = (first ? SessionSetup::kMostPairsOfFirst : SessionSetup::kMostPairs) / links;
  std::size_t text = 0;
  for (const std::string& pattern : options.spec.ignore) text += pattern.size();
  if (text > 0) {
    limits.name_bytes = SessionSetup::kMostMatching / SessionSetup::kMatchingOfChanges / text;
  }
  Problem problem;
  out.follower = RoomFollower::enter(room.scene, limits, problem);
  if (!out.follower) return problem;
  auto detector = out.follower->room().with_options(out.detector.options());
  if (!detector) return problem_of(detector.error());
  out.detector = std::move(detector).value();
  return std::nullopt;
}

std::optional<Problem> set_up(const TrackOptions& options, const Room& room,
                              const Principal& principal, double tick, SessionSetup& out) {
  if (options.spec.margin > wire::kMostMargin) {  // below 0, or none: the detector's error
    return Problem{Refusal::kInvalid, fmt::format("margin is {}; must be from 0 to {} m",
                                                  options.spec.margin, wire::kMostMargin)};
  }
  const double frame_time = options.frame_seconds.value_or(1.0);
  // Who meets others is somewhere at every tick, whenever its frames came.
  auto live =
      LiveMotion::create(options.skeleton, options.avatar.place, options.meet ? tick : frame_time);
  if (!live) return problem_of(live.error());
  auto plain = LiveMotion::create(options.skeleton, {}, frame_time);
  if (!plain) return problem_of(plain.error());
  if (options.model) {  // before the work of binding it
    if (auto problem = too_many_links(options.model->links.size(), principal)) return problem;
  }
  auto avatar = bind(options, live->skeleton());
  if (!avatar) return problem_of(avatar.error(), "avatar: ");
  if (auto problem = too_many_links(avatar->avatar.links().size(), principal)) return problem;
  for (const std::string& note : avatar->binding.notes) out.warnings.push_back("avatar: " + note);
  warn_of_surfaces(options, room, out.warnings);
  out.live = std::move(live).value();
  out.plain = std::move(plain).value();
  out.member.avatar = std::move(avatar->avatar);
  if (auto problem = follow(options, room, out)) return problem;
  const Environment& objects = out.follower ? out.follower->room().environment() : room.environment;
  if (auto problem = activate_pairs(options, objects, out)) return problem;
  return prepare_to_meet(options, out);
}

/// Why the CPU checks a session in a room with a device.
std::string without_group(const RoomDevice& device) {
  const std::string why = device.fallback();
  if (why.empty()) return "the CPU checks: the server's device takes no more";
  return fmt::format("the CPU checks, as {} ({}) failed: {}", device.backend(), device.name(), why);
}

}  // namespace

std::optional<SessionSetup> SessionSetup::make(const TrackOptions& options, const Room& room,
                                               const Principal& principal, Problem& problem,
                                               double tick) {
  if (auto found = too_much_matching("surface", options.spec.surfaces, {},
                                     room.environment.objects(), false)) {
    problem = std::move(*found);
    return std::nullopt;
  }
  const DetectorOptions asked = detector_options(options.spec, room.detector.options());
  if (auto found = contradiction(options)) {
    problem = std::move(*found);
    return std::nullopt;
  }
  auto detector = room.detector.with_options(asked);
  if (!detector) {
    problem = problem_of(detector.error());
    return std::nullopt;
  }
  SessionSetup out(std::move(detector).value());
  if (auto found = set_up(options, room, principal, tick, out)) {
    problem = std::move(*found);
    return std::nullopt;
  }
  if (room.device) {
    out.group = room.device->group(asked);
    if (!out.group) out.warnings.push_back(without_group(*room.device));
  }
  return out;
}

}  // namespace tocsin::service
