// bench_step: what one step costs, by stage, beside the main paper's Table 1 and a frozen scalar
// reference. docs/performance.md explains the figures.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "shared/files.h"
#include "shared/inputs.h"
#include "shared/options.h"
#include "shared/timing.h"
#include "step/counting.h"
#include "step/output.h"

namespace tocsin::bench {
namespace {

/// Enough for one pass during which nothing else runs, on a machine that is shared.
constexpr std::size_t kThreadPasses = 25;

int run(const Options& options) {
  const Result<Inputs> inputs = load_inputs(options.quick);
  if (!inputs.ok()) {
    fmt::print(stderr, "error: {}\n", inputs.error().message);
    return 3;
  }
  if (options.count) {
    count_rows(*inputs, Detector::make(inputs->environment).value());
    return 0;
  }
  Report report;
  report.machine = this_machine();
  report.inputs = &*inputs;
  report.quick = options.quick;
  const double begin = now_us();
  const Detector detector = Detector::make(inputs->environment).value();
  report.tree_seconds = 1e-6 * (now_us() - begin);
  const std::size_t passes = options.passes > 0 ? options.passes : options.quick ? 3 : 15;
  for (const Case& which : inputs->cases) {
    CaseReport c;
    c.which = &which;
    c.result = run_case(*inputs, which, detector, passes);
    c.volumes = compare_volumes(*inputs, which, options.quick ? 32 : 8);
    c.threads = run_threads(*inputs, which, detector, options.quick ? 1 : kThreadPasses);
    report.cases.push_back(std::move(c));
  }
  const Results results{"step", as_text(report), as_json(report)};
  return finish(results, options, report.machine, agrees(report), "contacts differ (see above)");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  return tocsin::bench::run_bench(
      argc, argv,
      {"What one step of an avatar costs, by stage, beside the main paper's Table 1 and a frozen "
       "scalar reference. Exit status 1: contacts differ from the reference's.",
       "Few steps and passes: shows that it runs, not how fast", "Passes over every case (15)",
       "Steps for callgrind to count: scripts/guard.sh --steps"},
      tocsin::bench::run);
}
