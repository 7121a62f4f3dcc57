// Checks everything that was reported about one step of one avatar: every bracket, and every (link,
// object) pair and pair of its own links that was reported as free. Several avatars at once:
// verify_meeting.h.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/detector.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"

namespace tocsin::oracle {

/// What the report was made with, and how hard to try.
struct VerifyOptions {
  double margin = 0.0;                  ///< metres, as in DetectorOptions
  bool contacts_first = false;          ///< only the earliest contact of the step was reported
  const ActivePairs* active = nullptr;  ///< none: all pairs
  const LinkPairs* self = nullptr;      ///< pairs of the avatar's own links; none: no pair
  std::int64_t budget = 20000;          ///< evaluations per query; beyond: undecided
};

/// What the oracle thinks of one step.
struct StepVerdict {
  std::uint64_t pairs = 0;       ///< active (link, object) pairs looked at
  std::uint64_t link_pairs = 0;  ///< active pairs of links looked at
  std::uint64_t contacts = 0;    ///< contacts looked at, of either kind
  std::uint64_t near = 0;        ///< link-triangle and link-link queries that needed a proof
  /// Of these, too close to call within the oracle's rounding or budget.
  std::uint64_t undecided = 0;
  /// What is wrong, a sentence each. Empty: everything that could be decided is confirmed.
  std::vector<std::string> refutations;
  /// What could not be decided, a sentence each.
  std::vector<std::string> doubts;
};

/// Brute force over all triangles, with no culling but a sphere around each, and over all active
/// pairs of links. `contacts`: all that was reported for this step, in any order; one of two links
/// has other->avatar = 0. Indices that make no sense become refutations.
StepVerdict verify_step(const Avatar& avatar, const Step& step, const Environment& environment,
                        const VerifyOptions& options, std::span<const Contact> contacts);

}  // namespace tocsin::oracle
