#include "oracle/verify_meeting.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "oracle/claim_check.h"
#include "oracle/meeting_check.h"
#include "oracle/nearby.h"
#include "oracle/room_check.h"

namespace tocsin::oracle {
namespace {

std::string name_of(const MemberClaim& claim, bool alone) {
  const std::int64_t step = claim.step->index();
  return alone ? fmt::format("step {}", step)
               : fmt::format("step {}, avatar {}", step, claim.avatar);
}

// What is wrong with the question itself; empty if nothing is.
std::string fault_of(const MemberClaim& claim) {
  const Avatar& avatar = claim.member->avatar;
  if (avatar.links().empty() ||
      claim.step->pose0().size() != static_cast<std::size_t>(avatar.skeleton().size()) ||
      claim.step->pose1().size() != claim.step->pose0().size()) {
    return "the avatar has no links, or belongs to another skeleton than the step";
  }
  if (!claim.clearances.empty() && claim.clearances.size() != avatar.links().size()) {
    return fmt::format("{} clearances of {} links", claim.clearances.size(), avatar.links().size());
  }
  for (const double clearance : claim.clearances) {
    if (!(clearance >= 0.0)) return fmt::format("a clearance of {} m", clearance);
  }
  return {};
}

const Contact* first_of(std::span<const Contact> contacts) {
  const Contact* first = nullptr;
  for (const Contact& c : contacts) {
    if (first == nullptr || c.toc[0] < first->toc[0]) first = &c;
  }
  return first;
}

}  // namespace

StepVerdict verify_meeting(std::span<const MemberClaim> claims, const Environment& environment,
                           const MeetingOptions& options) {
  StepVerdict verdict;
  ClaimCheck check(options.budget, verdict);
  std::vector<MovingAvatar> avatars;
  const ShapeTrees none;
  const ShapeTrees& trees = options.trees == nullptr ? none : *options.trees;
  const bool features = std::any_of(claims.begin(), claims.end(), has_shapes);
  for (const MemberClaim& claim : claims) {
    const std::string name = name_of(claim, claims.size() == 1);
    const auto refute = [&](const std::string& sentence) {
      check.refute(fmt::format("{}: {}", name, sentence));
    };
    if (const std::string fault = fault_of(claim); !fault.empty()) {
      refute(fault);
      continue;
    }
    verdict.contacts += claim.contacts.size();
    verdict.clearances += claim.clearances.size();
    if (options.contacts_first && claim.contacts.size() > 1) {
      refute(
          fmt::format("{} contacts although only the first was asked for", claim.contacts.size()));
    }
    avatars.push_back(moving(claim, options.margin, features, trees));
    avatars.back().name = name;
    avatars.back().first = first_of(claim.contacts);
  }
  const std::vector<Sphere> spheres = spheres_of(environment);
  std::optional<SolidClaims> own;
  if (options.solids == nullptr) own.emplace(environment, options.surfaces);
  const SolidClaims& solids = own ? *own : *options.solids;
  for (const MovingAvatar& avatar : avatars) {
    check_room(avatar, {environment, spheres, solids}, options, check);
  }
  check_meetings(avatars, options, check);
  return verdict;
}

}  // namespace tocsin::oracle
