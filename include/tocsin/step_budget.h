// How much the check of a step may cost, where an answer in time matters more than a whole one.
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>

namespace tocsin {

/// How much one call may do for a step (paper 001, section 5.2.3: time-critical collision
/// detection). When it is spent, the report tells what is proved so far: StepReport::complete,
/// checked_until. Each call does at least one unit of work, so that repeated calls come to an end.
/// docs/exact.md, "A step in parts".
struct StepBudget {
  /// Units of work: a link that is looked up in the tree, a link and a triangle or two links that
  /// are certified, two features of links with shapes each time that they are looked at closely or
  /// certified, 256 pairs of nodes, a link whose clearance is proved; an object of a scene that
  /// moves or deforms near the avatar, with all links. A report depends on nothing else then, so it
  /// is the same everywhere.
  std::uint64_t work = std::numeric_limits<std::uint64_t>::max();
  /// The same by the clock, which is looked at before each unit of work. A unit is not broken off.
  std::optional<std::chrono::steady_clock::time_point> until = std::nullopt;
  /// Gives the step up: the report's error is kCancelled.
  std::stop_token stop = {};
};

}  // namespace tocsin
