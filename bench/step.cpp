// bench_step: what one step costs, by stage, beside the main paper's Table 1 and a frozen scalar
// reference. docs/performance.md explains the figures.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <string>

#include "files.h"
#include "inputs.h"
#include "output.h"
#include "timing.h"

namespace tocsin::bench {
namespace {

struct Options {
  bool quick = false;
  bool save = false;
  std::string json;
  std::size_t passes = 0;  ///< 0: as many as quick or not says
};

/// Threads and volumes need no more passes than this to be repeatable to a few percent.
constexpr std::size_t kThreadPasses = 7;

int run(const Options& options) {
  const Result<Inputs> inputs = load_inputs(options.quick);
  if (!inputs.ok()) {
    fmt::print(stderr, "error: {}\n", inputs.error().message);
    return 3;
  }
  Report report;
  report.machine = this_machine();
  report.inputs = &inputs;
  report.quick = options.quick;
  const double begin = now_us();
  const Detector detector(inputs.environment);
  report.tree_seconds = 1e-6 * (now_us() - begin);
  const std::size_t passes = options.passes > 0 ? options.passes : options.quick ? 3 : 15;
  for (const Case& which : inputs.cases) {
    CaseReport c;
    c.which = &which;
    c.result = run_case(inputs, which, detector, passes);
    c.volumes = compare_volumes(inputs, which, options.quick ? 32 : 8);
    c.threads = run_threads(inputs, which, detector, options.quick ? 1 : kThreadPasses);
    report.cases.push_back(std::move(c));
  }
  fmt::print("{}", as_text(report));
  std::fflush(stdout);
  const Results results{"step", as_text(report), as_json(report)};
  if (!keep(results, options.json, options.save, report.machine)) return 4;
  if (agrees(report)) return 0;
  fmt::print(stderr, "error: contacts differ (see above)\n");
  return 1;
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  tocsin::bench::Options options;
  CLI::App app(
      "What one step of an avatar costs, by stage, beside the main paper's Table 1 and a frozen "
      "scalar reference. Exit status 1: contacts differ from the reference's.");
  app.add_flag("--quick", options.quick, "Few steps and passes: shows that it runs, not how fast");
  app.add_option("--json", options.json, "Also writes everything to this file as JSON");
  app.add_option("--passes", options.passes, "Passes over every case (15)")
      ->check(CLI::Range(1, 10000));
  app.add_flag("--save", options.save, "Keeps the result under bench/results/, for this machine");
  CLI11_PARSE(app, argc, argv);
  return tocsin::bench::run(options);
}
