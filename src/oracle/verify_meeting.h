// Checks everything that was reported about one step of several avatars that were checked together:
// against the room, against themselves, and against each other.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "oracle/verify_step.h"
#include "tocsin/detector.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"

namespace tocsin::oracle {

/// One of the avatars, where it moved, and what was reported about it.
struct MemberClaim {
  std::int32_t avatar = 0;  ///< its index, as in Contact::other
  const Member* member = nullptr;
  const Step* step = nullptr;
  std::span<const Contact> contacts = {};  ///< all that its report holds, in any order
  /// StepReport::safe_until, if that is to be confirmed as well.
  std::optional<double> safe_until = std::nullopt;
};

/// What the reports were made with, and how hard to try.
struct MeetingOptions {
  double margin = 0.0;          ///< metres, as in DetectorOptions
  bool contacts_first = false;  ///< only the earliest contact of each avatar's own was reported
  bool meet = false;            ///< the avatars were checked against each other
  std::int64_t budget = 20000;  ///< evaluations per query; beyond: undecided
};

/// Verifies all that was reported about avatars whose local times are the same time. `claims`: in
/// order of `avatar`, none twice. Every active (link, object) pair is looked at as verify_step
/// does, then every active pair of links: of one avatar those that its Member::self has, and with
/// `meet` every link of one against every link of another. A contact of two links is looked for in
/// the list of the avatar that comes first. Nonsense (a link that is not there, a pair told twice
/// or by the wrong avatar) becomes a refutation. No culling but a sphere around each triangle, and
/// around each link.
StepVerdict verify_meeting(std::span<const MemberClaim> claims, const Environment& environment,
                           const MeetingOptions& options);

}  // namespace tocsin::oracle
