// A second opinion about some of the reference's reports.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "selftest/compare/case.h"

namespace tocsin::selftest {

/// What the oracle thinks of some of the reference's reports.
struct OracleSample {
  std::size_t steps = 0;       ///< that it was asked about
  std::size_t contacts = 0;    ///< that it confirmed
  std::size_t free_pairs = 0;  ///< that it confirmed
  std::size_t undecided = 0;   ///< too close to call within its rounding
  std::vector<std::string> refutations;
  std::optional<std::size_t> first;  ///< the first report that it refutes, as ask() numbers them
};

/// Asks src/oracle, which shares no arithmetic with the detector, about at most so many reports,
/// spread over all. It checks contacts with the room and of an avatar's own links, and that
/// everything else is free. Ends early after so many `seconds`: the oracle looks at every triangle,
/// and in large rooms a step takes it a tenth of a second.
OracleSample ask_oracle(const Case& question, const std::vector<StepReport>& reports,
                        double seconds = 0.5, std::size_t most = 16);

}  // namespace tocsin::selftest
