// What was reported about one step, and what the oracle thinks of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tocsin/contact.h"
#include "tocsin/member.h"
#include "tocsin/motion.h"

namespace tocsin::oracle {

class ShapeTrees;
class SolidClaims;

/// One of the avatars, where it moved, and what was reported about it.
struct MemberClaim {
  std::int32_t avatar = 0;  ///< its index, as in Contact::other
  const Member* member = nullptr;
  const Step* step = nullptr;
  std::span<const Contact> contacts = {};  ///< all that its report holds, in any order
  /// StepReport::safe_until, if that is to be confirmed as well.
  std::optional<double> safe_until = std::nullopt;
  /// StepReport::clearances, one a link, metres, if these are to be confirmed as well.
  std::span<const double> clearances = {};
};

/// What the reports were made with, and how hard to try.
struct MeetingOptions {
  double margin = 0.0;          ///< metres, as in DetectorOptions
  bool contacts_first = false;  ///< only the earliest contact of each avatar's own was reported
  bool meet = false;            ///< the avatars were checked against each other
  std::vector<std::string> surfaces = {};  ///< as in DetectorOptions
  /// Of the environment and these surfaces, where many steps are asked about; none: made anew.
  const SolidClaims* solids = nullptr;
  /// Of the members' shapes, the same.
  const ShapeTrees* trees = nullptr;
  std::int64_t budget = 20000;  ///< evaluations per query; beyond: undecided
};

/// What the oracle thinks of one step.
struct StepVerdict {
  std::uint64_t pairs = 0;       ///< active (link, object) pairs checked
  std::uint64_t link_pairs = 0;  ///< active pairs of links checked
  std::uint64_t contacts = 0;    ///< contacts checked, of either kind
  std::uint64_t clearances = 0;  ///< clearances of links checked
  std::uint64_t near = 0;        ///< link-triangle and link-link queries that needed a proof
  /// Of these, too close to call within the oracle's rounding or budget.
  std::uint64_t undecided = 0;
  /// What is wrong, a sentence each. Empty: everything that could be decided is confirmed.
  std::vector<std::string> refutations;
  /// What could not be decided, a sentence each.
  std::vector<std::string> doubts;
};

}  // namespace tocsin::oracle
