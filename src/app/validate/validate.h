// `tocsin validate`: every backend checks the same steps, and its results are compared with those
// of the CPU. docs/validate.md.
#pragma once

#include <stop_token>
#include <utility>
#include <vector>

#include "app/cli/exit_status.h"
#include "app/cli/options.h"

namespace tocsin::app {

struct ValidateOptions {
  CheckOptions check;  ///< the question; gl.surface is for the answers of image space only
  std::vector<Backend> backends;  ///< those that were named; the CPU always runs
  bool others = true;  ///< run the rest too where they are available, and list those that are not
  /// Pixels of a view, width and height: an answer of image space for each. Empty if the question
  /// is also about pairs of links, of which image space knows nothing.
  std::vector<std::pair<int, int>> sizes;
};

ExitStatus run_validate(const ValidateOptions& options, const std::stop_token& stop);

}  // namespace tocsin::app
