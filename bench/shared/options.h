// The command line that all benches share.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace tocsin::bench {

struct Options {
  bool quick = false;
  bool save = false;
  std::string json;        ///< file; empty: none
  std::size_t passes = 0;  ///< 0: as the bench chooses
  bool count = false;      ///< work for callgrind instead of times; not every bench has it
};

/// What --help says where benches differ.
struct About {
  std::string what;
  std::string quick;
  std::string passes;
  std::string count = {};  ///< empty: the bench has no --count
  std::string examples = {};
  /// Adds the options that only this bench has.
  std::function<void(CLI::App&)> more = {};
};

/// Parses the command line and runs a bench with it; returns the exit status. What `run` throws is
/// printed, and is exit status 4.
int run_bench(int argc, char** argv, const About& about,
              const std::function<int(const Options&)>& run);

}  // namespace tocsin::bench
