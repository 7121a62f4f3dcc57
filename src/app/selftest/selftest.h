// `tocsin selftest`: does this machine answer right, and how much does it carry?
// docs/guides/selftest.md.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>

#include "app/cli/exit_status.h"
#include "app/selftest/selftest_options.h"
#include "app/selftest/selftest_report.h"
#include "selftest/compare/compare.h"
#include "selftest/measure/carry.h"

namespace tocsin::app {

using CudaCarrier = std::function<Result<selftest::CarriedCuda>(
    const std::shared_ptr<cuda::Device>&, double, const std::stop_token&,
    const selftest::CudaRowDone&)>;
using GlCarrier = std::function<Result<selftest::CarriedGl>(
    const std::shared_ptr<gl::DeviceThread>&, double, const std::stop_token&)>;
/// How questions are answered and devices measured; others than these: for tests that need faults.
struct SelftestParts {
  selftest::Askers askers;
  CudaCarrier cuda = selftest::carry_on_cuda;
  GlCarrier gl = selftest::carry_on_gl;
};

/// Shows a table. Status 1: something differs, and its smallest case was written; 2: a backend that
/// was named does not work here; 4: interrupted, a device that failed, a file that cannot be
/// written.
ExitStatus run_selftest(const SelftestOptions& options, const std::stop_token& stop,
                        const SelftestParts& parts = {});

}  // namespace tocsin::app
