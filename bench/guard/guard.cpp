// bench_guard: runs one of the guard's workloads, so that scripts/guard.sh can count its
// instructions under valgrind. docs/performance.md, "The guard".
#include <fmt/format.h>
#include <hwy/targets.h>
#include <tbb/global_control.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "guard/workloads.h"
#include "shared/counted.h"
#include "shared/machine.h"

namespace tocsin::bench::guard {
namespace {

/// What every processor of the last ten years has and valgrind 3.19 knows: AVX-512 it does not.
constexpr std::int64_t kTarget = HWY_AVX2;

std::vector<Workload> all_workloads() {
  std::vector<Workload> out = step_workloads();
  for (auto* more : {&tree_workloads, &load_workloads}) {
    std::vector<Workload> some = (*more)();
    std::move(some.begin(), some.end(), std::back_inserter(out));
  }
  return out;
}

/// What counts depend on besides the code, and the workloads' names; JSON.
int about() {
  const Machine machine = this_machine();
  nlohmann::ordered_json out = {
      {"compiler", machine.compiler},
      {"flags", machine.build_type + "; " + machine.flags},
      {"simd", (hwy::SupportedTargets() & kTarget) != 0 ? hwy::TargetName(kTarget) : ""}};
  for (const Workload& w : all_workloads()) {
    out["workloads"].push_back({{"name", w.name}, {"what", w.what}, {"outcome", w.outcome}});
  }
  fmt::print("{}\n", out.dump(1));
  return 0;
}

int run(const Workload& workload) {
  const Result<Work> work = workload.prepare();
  if (!work.ok()) {
    fmt::print(stderr, "error: {}: {}\n", workload.name, work.error().message);
    return 3;
  }
  // Once beforehand: what is only paid the first time (memory, symbols, threads) does not count.
  std::uint64_t outcome = work.value()();
  outcome = tocsin_counted(work.value());
  fmt::print("{} {}\n", workload.name, outcome);
  return outcome == 0 && workload.outcome != "contacts" ? 1 : 0;
}

int run_named(const std::string& name) {
  for (const Workload& w : all_workloads()) {
    if (w.name == name) return run(w);
  }
  fmt::print(stderr, "error: there is no workload {}\n", name);
  return 2;
}

int run_all() {
  int worst = 0;
  for (const Workload& w : all_workloads()) worst = std::max(worst, run(w));
  return worst;
}

}  // namespace
}  // namespace tocsin::bench::guard

int main(int argc, char** argv) {
  using namespace tocsin::bench::guard;
  CLI::App app("One of the guard's workloads; scripts/guard.sh counts its instructions.");
  bool about_only = false;
  bool all = false;
  std::string name;
  app.add_flag("--about", about_only, "Compiler, flags, SIMD target and workloads, as JSON");
  app.add_flag("--all", all, "Every workload once");
  app.add_option("name", name, "Workload");
  CLI11_PARSE(app, argc, argv);
  try {
    if (about_only) return about();
    // The same instructions on every machine: one thread, one SIMD target.
    const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
    if ((hwy::SupportedTargets() & kTarget) != 0) {
      hwy::SetSupportedTargetsForTest(kTarget);
      hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
    return all ? run_all() : run_named(name);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 4;
  }
}
