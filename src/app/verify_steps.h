// The second half of `tocsin verify`: a second implementation confirms what was found, step by
// step.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "app/job.h"
#include "tocsin/detector.h"

namespace tocsin::app {

/// `count` of 0 .. `total`-1, in order, chosen evenly at random; the same for the same seed
/// everywhere.
std::vector<std::size_t> sample_steps(std::size_t total, std::size_t count, std::uint64_t seed);

/// What the second implementation thinks of the steps that it looked at.
struct Confirmation {
  std::uint64_t steps = 0;
  std::uint64_t contacts = 0;    ///< looked at
  std::uint64_t free_pairs = 0;  ///< (link, object) pairs without a contact, looked at
  std::uint64_t undecided = 0;   ///< link-triangle queries too close to call
  std::vector<std::string> refutations;
  std::vector<std::string> doubts;
};

/// Asks the oracle about these steps, in parallel. `contacts`: per step of the job. Errors:
/// kCancelled.
Result<Confirmation> confirm_steps(const Job& job,
                                   const std::vector<std::vector<Contact>>& contacts,
                                   const std::vector<std::size_t>& steps,
                                   const std::stop_token& stop);

}  // namespace tocsin::app
