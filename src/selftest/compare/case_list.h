// The cases of the selftest, most telling first.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "selftest/compare/case.h"

namespace tocsin::selftest {

/// How many cases differ in what they ask. Later ones are adversarial scenes of other seeds,
/// without end.
std::size_t kinds_of_cases();

/// Case::kind of these, each once, in the order in which they come.
std::vector<std::string> case_kinds();

/// Of the time that is left, what case `number` may take for those after it to have their turn: all
/// of it from the last of the list on.
double share_of_case(std::size_t number);

/// What of case `number` nothing can stop, making it and the CPU's answer, beside that of others.
double least_of_case(std::size_t number);

/// Tells which cases still fit into a time, by what those before have cost.
class CaseCosts {
 public:
  /// `seconds`: that making case `number` and the CPU's answer have taken.
  void add(std::size_t number, double seconds);
  /// True if the least of case `number` should take no longer than `left`, seconds; also while
  /// nothing is known.
  [[nodiscard]] bool fits(std::size_t number, double left) const;

 private:
  double least_ = 0.0;
  double seconds_ = 0.0;
};

/// Case `number`, counted from 0, the same on every machine. Errors: those of making rooms and
/// takes.
Result<Case> make_case(std::size_t number);

}  // namespace tocsin::selftest
