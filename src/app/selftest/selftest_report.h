// What `tocsin selftest` found, and as JSON.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "selftest/compare/compare.h"
#include "selftest/measure/carry.h"

namespace tocsin::app {

/// A backend that does not work here, and why.
struct MissingBackend {
  std::string name;
  std::string reason;
};

/// A case that was written to be run alone.
struct WrittenCase {
  std::string way;
  std::string name;
  std::string folder;
  std::size_t avatars = 0;
  std::size_t triangles = 0;
};

struct SelftestReport {
  std::string machine;   ///< processor and threads
  double seconds = 0.0;  ///< asked for
  double used = 0.0;
  bool finished = false;             ///< not interrupted
  std::vector<std::string> devices;  ///< "cuda: NVIDIA H100"
  std::vector<MissingBackend> missing;
  std::vector<std::string> ways;
  bool oracle = false;
  std::vector<selftest::CaseResult> cases;
  std::size_t kinds = 0;                 ///< of cases there are; fewer results: the time was up
  std::vector<std::string> not_reached;  ///< Case::kind, of these no case was asked
  std::vector<WrittenCase> written;
  std::optional<selftest::CarriedCpu> cpu;
  std::optional<selftest::CarriedGl> gl;
  std::optional<selftest::CarriedCuda> cuda;
  std::vector<std::string> problems;  ///< of measuring: a device that failed

  /// It has finished, nothing differs and nothing failed.
  [[nodiscard]] bool holds() const;
  [[nodiscard]] bool differs() const;
};

/// docs/selftest.schema.json.
std::string selftest_json(const SelftestReport& report);

}  // namespace tocsin::app
