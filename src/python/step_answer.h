// A report, with the step that it is about.
#pragma once

#include <cstdint>
#include <optional>

#include "tocsin/motion.h"
#include "tocsin/step_budget.h"
#include "tocsin/step_report.h"

namespace tocsin::python {

struct StepAnswer {
  StepReport report;  ///< without an error: that was thrown
  Step step;          ///< none of an object's report
};

/// `seconds` from now. Errors (kUsage): seconds out of range.
StepBudget budget_of(const std::optional<std::uint64_t>& work,
                     const std::optional<double>& seconds);

}  // namespace tocsin::python
