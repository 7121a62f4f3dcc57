// What a figure depends on besides the code: processor, compiler, flags, revision, day.
#pragma once

#include <string>

namespace tocsin::bench {

struct Machine {
  std::string cpu;       ///< model name
  unsigned threads = 0;  ///< hardware threads
  std::string slug;      ///< folder under bench/results: "amd-epyc-2-threads"
  std::string compiler;
  std::string flags;
  std::string build_type;
  std::string revision;  ///< git's, with "-dirty" where sources were changed; or "unknown"
  std::string date;      ///< UTC, ISO 8601
};

Machine this_machine();

}  // namespace tocsin::bench
