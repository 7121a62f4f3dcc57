// `tocsin verify`: reads a report, compares its inputs with the recorded hashes, runs the check
// again, and lets a second implementation confirm the answers.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "app/cli/exit_status.h"

namespace tocsin::app {

struct VerifyOptions {
  std::vector<std::string> reports;  ///< one after the other
  double fraction = 1.0;             ///< share of the steps that the oracle confirms
  std::uint64_t seed = 1;            ///< which ones
  int threads = 0;                   ///< 0: all
};

/// The worst status of all reports. An interrupt ends it with the report that it came in.
ExitStatus run_verify(const VerifyOptions& options, const std::stop_token& stop);

}  // namespace tocsin::app
