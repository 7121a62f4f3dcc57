// Whole takes through Detector::run on several threads.
#pragma once

#include <vector>

#include "shared/inputs.h"
#include "shared/timing.h"
#include "tocsin/detector.h"

namespace tocsin::bench {

/// One number of threads.
struct ThreadsResult {
  int threads = 1;
  Figures steps_per_second;  ///< over the passes
  Figures speedup;           ///< to one thread in the same pass
  /// The best pass's rate divided by the best of one thread: what remains when the machine is
  /// shared with other work, which can only slow passes down.
  double best_speedup = 1.0;
};

/// 1 and 2 threads, and as many as the machine has if that is more.
std::vector<ThreadsResult> run_threads(const Inputs& inputs, const Case& which,
                                       const Detector& detector, std::size_t passes);

}  // namespace tocsin::bench
