// What a figure depends on besides the code: processor, compiler, flags, revision, day.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

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

/// Three lines for the head of a table.
std::string machine_text(const Machine& machine);

/// What every bench's JSON begins with: its format, and what its figures depend on.
nlohmann::ordered_json json_head(std::string_view format, bool quick, const Machine& machine);

}  // namespace tocsin::bench
