#include "step/threads.h"

#include <algorithm>
#include <thread>

namespace tocsin::bench {

namespace {

double best_of(const std::vector<double>& rates) {
  return rates.empty() ? 0.0 : *std::max_element(rates.begin(), rates.end());
}

}  // namespace

std::vector<ThreadsResult> run_threads(const Inputs& inputs, const Case& which,
                                       const Detector& detector, std::size_t passes) {
  std::vector<int> counts{1, 2};
  const int most = static_cast<int>(std::thread::hardware_concurrency());
  if (most > 2) counts.push_back(most);
  std::vector<std::vector<double>> rates(counts.size());
  std::vector<std::vector<double>> speedups(counts.size());
  for (std::size_t pass = 0; pass <= passes; ++pass) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double begin = now_us();
      const Status status = detector.run(inputs.avatar, which.steps, {.threads = counts[i]},
                                         [](const StepReport&) { return true; });
      const double seconds = 1e-6 * (now_us() - begin);
      if (!status.ok()) return {};
      if (pass == 0) continue;  // starts the threads
      rates[i].push_back(static_cast<double>(which.steps.size()) / seconds);
      speedups[i].push_back(rates[i].back() / rates[0].back());
    }
  }
  std::vector<ThreadsResult> out;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double best = best_of(rates[i]) / best_of(rates[0]);
    out.push_back({counts[i], figures_of(rates[i]), figures_of(speedups[i]), best});
  }
  return out;
}

}  // namespace tocsin::bench
