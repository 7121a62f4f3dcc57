// The cases of the selftest, most telling first.
#pragma once

#include <cstddef>

#include "selftest/compare/case.h"

namespace tocsin::selftest {

/// How many cases differ in kind. Later ones are adversarial scenes of other seeds, without end.
std::size_t kinds_of_cases();

/// Case `number`, counted from 0, the same on every machine. Errors: those of making rooms and
/// takes.
Result<Case> make_case(std::size_t number);

}  // namespace tocsin::selftest
