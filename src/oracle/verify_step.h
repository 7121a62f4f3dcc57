// Checks everything that was reported about one step of one avatar: every bracket, and every (link,
// object) pair and pair of its own links that was reported as free. Several avatars at once:
// verify_meeting.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "oracle/claims.h"
#include "tocsin/active_pairs.h"
#include "tocsin/avatar.h"
#include "tocsin/contact.h"
#include "tocsin/environment.h"
#include "tocsin/link_pairs.h"
#include "tocsin/motion.h"

namespace tocsin::oracle {

/// The options of the report, and the oracle's effort.
struct VerifyOptions {
  double margin = 0.0;                     ///< metres, as in DetectorOptions
  bool contacts_first = false;             ///< only the earliest contact of the step was reported
  const ActivePairs* active = nullptr;     ///< none: all pairs
  std::vector<std::string> surfaces = {};  ///< as in DetectorOptions
  const LinkPairs* self = nullptr;         ///< pairs of the avatar's own links; none: no pair
  std::int64_t budget = 20000;             ///< evaluations per query; beyond: undecided
};

/// Brute force over all triangles, with no culling but a sphere around each, and over all active
/// pairs of links. `contacts`: all that was reported for this step, in any order; one of two links
/// has other->avatar = 0. Invalid indices become refutations.
StepVerdict verify_step(const Avatar& avatar, const Step& step, const Environment& environment,
                        const VerifyOptions& options, std::span<const Contact> contacts);

}  // namespace tocsin::oracle
