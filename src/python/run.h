// A check of many steps: what was asked, and all that was found.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tocsin/detector.h"

namespace tocsin::python {

/// A contact, and whose step it is in.
struct FoundContact {
  std::int32_t avatar = 0;
  std::size_t step = 0;  ///< position in the avatar's steps
  Contact contact;
};

struct Run {
  Detector detector;
  std::vector<Member> members;
  std::vector<StepList> steps;           ///< of each member, on one time line
  std::vector<FoundContact> found = {};  ///< in order of (step, avatar, link, thing)
  /// Of each member, step after step, one a link; empty without DetectorOptions::clearance.
  std::vector<std::vector<double>> clearances = {};

  /// The avatars were checked against each other.
  [[nodiscard]] bool meet() const { return members.size() > 1; }
  [[nodiscard]] std::size_t step_count() const;
};

/// Detector::run. Throws its errors.
Run run_check(const Detector& detector, std::vector<Member> members, std::vector<StepList> steps,
              int threads, const std::stop_token& stop);

/// The hash that `tocsin check` prints of these contacts.
std::string hash_of(const Run& run);

}  // namespace tocsin::python
