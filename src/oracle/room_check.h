// verify_meeting's part about the room: one avatar against all triangles.
#pragma once

#include <vector>

#include "oracle/claim_check.h"
#include "oracle/nearby.h"
#include "oracle/solid_claims.h"
#include "tocsin/environment.h"

namespace tocsin::oracle {

/// The environment and the spheres around its triangles.
struct Room {
  const Environment& environment;
  const std::vector<Sphere>& spheres;
  const SolidClaims& solids;
};

/// Checks every active (link, object) pair of an avatar, and all of its contacts that have no
/// `other`.
void check_room(const MovingAvatar& avatar, const Room& room, const MeetingOptions& options,
                ClaimCheck& check);

}  // namespace tocsin::oracle
