#include "shared/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

namespace tocsin::bench {

int run_bench(int argc, char** argv, const About& about,
              const std::function<int(const Options&)>& run) {
  Options options;
  CLI::App app(about.what);
  app.add_flag("--quick", options.quick, about.quick);
  app.add_option("--json", options.json, "Also writes everything to this file as JSON");
  app.add_option("--passes", options.passes, about.passes)->check(CLI::Range(1, 10000));
  app.add_flag("--save", options.save, "Keeps the result under bench/results/, for this machine");
  if (!about.count.empty()) app.add_flag("--count", options.count, about.count);
  if (about.more) about.more(app);
  app.footer(about.examples);
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 4;
  }
}

}  // namespace tocsin::bench
