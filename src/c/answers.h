// From options of a check to its budget, and from its answers to reports.
#pragma once

#include <stop_token>
#include <vector>

#include "c/objects.h"
#include "tocsin/step_budget.h"

namespace tocsin::c {

/// How a check is done, as the caller asks for it.
struct Asked {
  RunOptions run;
  StepBudget budget;     ///< of one step; with the caller's cancel
  bool limited = false;  ///< the budget is one
};

/// Throws a Failure for options that make no sense.
Asked asked_of(const tocsin_check_options* options);

/// Puts one report in the place of all.
void answer(Reports& out, StepReport report);
void answer(Reports& out, std::vector<StepReport> reports);
/// Throws a Failure with the first report's error, if there is one.
void need_answers(const Reports& reports);

/// What every call that answers with reports does: f(Reports&) fills them, and they stay as they
/// are where one of them has an error, which is then the call's.
template <class F>
tocsin_status answering(tocsin_reports reports, const F& f) {
  return guarded([&] {
    const Use out(reports);
    out->entries.clear();
    f(*out);
    need_answers(*out);
  });
}

}  // namespace tocsin::c
