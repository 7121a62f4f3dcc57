// `tocsin selftest`: does this machine answer right, and how much does it carry?
// docs/guides/selftest.md.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "app/cli/exit_status.h"
#include "app/selftest/selftest_report.h"
#include "selftest/compare/compare.h"
#include "selftest/measure/carry.h"

namespace tocsin::app {

struct SelftestOptions {
  /// The backends that are tested; none: all, and those that do not work here are listed with the
  /// reason.
  std::optional<Backend> backend;
  bool emulate = false;             ///< CUDA's kernel bodies on the CPU
  double seconds = 60.0;            ///< for everything; making what is being made is finished
  std::optional<std::size_t> only;  ///< the number of the only case; nothing is measured then
  std::string json;                 ///< file, or "-"; empty: none
  std::string failed = "selftest-failed";  ///< folder for the smallest case that differs
};

/// Shows a table. Status 1: something differs, and its smallest case was written; 2: a backend that
/// was named does not work here; 4: interrupted, a device that failed, a file that cannot be
/// written.
ExitStatus run_selftest(const SelftestOptions& options, const std::stop_token& stop);

/// The same, with an asker that may err and a way to measure CUDA that may, for tests.
using CudaCarrier = std::function<Result<selftest::CarriedCuda>(
    const std::shared_ptr<cuda::Device>&, double, const std::stop_token&)>;
ExitStatus run_selftest(const SelftestOptions& options, const std::stop_token& stop,
                        const selftest::Asker& asker,
                        const CudaCarrier& carrier = selftest::carry_on_cuda);

}  // namespace tocsin::app
