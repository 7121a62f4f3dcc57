#include "app/selftest/selftest_report.h"

#include <algorithm>

namespace tocsin::app {

using selftest::Answer;
using selftest::CaseResult;
using selftest::Verdict;

bool SelftestReport::differs() const {
  const auto wrong = [](const CaseResult& c) {
    return !c.oracle.refutations.empty() || std::ranges::any_of(c.answers, [](const Answer& a) {
      return a.verdict == Verdict::kDiffers;
    });
  };
  return std::ranges::any_of(cases, wrong) || (gl && !gl->equal()) ||
         (cuda &&
          std::ranges::any_of(cuda->rows, [](const selftest::CudaRow& row) { return !row.equal; }));
}

bool SelftestReport::holds() const {
  const auto failed = [](const CaseResult& c) {
    return std::ranges::any_of(c.answers,
                               [](const Answer& a) { return a.verdict == Verdict::kFailed; });
  };
  return finished && !differs() && problems.empty() && std::ranges::none_of(cases, failed);
}

}  // namespace tocsin::app
