// Checks everything that was reported about one step: every bracket, and every (link, object) pair
// that was reported as free.
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
  std::int64_t budget = 20000;          ///< evaluations per link and triangle; beyond: undecided
};

/// What the oracle thinks of one step.
struct StepVerdict {
  std::uint64_t pairs = 0;     ///< active (link, object) pairs looked at
  std::uint64_t contacts = 0;  ///< contacts looked at
  std::uint64_t near = 0;      ///< link-triangle queries that needed a proof
  std::uint64_t undecided =
      0;  ///< of these, too close to call within the oracle's rounding or budget
  /// What is wrong, a sentence each. Empty: everything that could be decided is confirmed.
  std::vector<std::string> refutations;
  /// What could not be decided, a sentence each.
  std::vector<std::string> doubts;
};

/// Brute force over all triangles, with no culling but a sphere around each. `contacts`: all that
/// was reported for this step, in any order. Indices that make no sense become refutations.
StepVerdict verify_step(const Avatar& avatar, const Step& step, const Environment& environment,
                        const VerifyOptions& options, std::span<const Contact> contacts);

}  // namespace tocsin::oracle
