// Verifies the reports about one step of several avatars that were checked together: against the
// room, against themselves, and against each other.
#pragma once

#include <span>

#include "oracle/claims.h"
#include "tocsin/environment.h"

namespace tocsin::oracle {

/// Verifies all that was reported about avatars whose local times are the same time. `claims`: in
/// order of `avatar`, none twice. Every active (link, object) pair is checked as by verify_step.
/// Then every active pair of links is checked: of one avatar those that its Member::self has, and
/// with `meet` every link of one against every link of another. A contact of two links must be in
/// the list of the avatar that comes first. Clearances, where they are claimed, must not be above
/// the least distance of the step: to the triangles of active objects, and to the links of active
/// pairs. Invalid claims (a link that does not exist, a pair
/// reported twice or by the wrong avatar) become refutations. No culling but a sphere around each
/// triangle, around each link, and around parts of shapes (shapes/shape_prover.h).
StepVerdict verify_meeting(std::span<const MemberClaim> claims, const Environment& environment,
                           const MeetingOptions& options);

}  // namespace tocsin::oracle
