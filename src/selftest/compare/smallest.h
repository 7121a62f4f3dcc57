// From a case in which a backend errs to the smallest part of it in which the backend still errs.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "selftest/compare/case.h"

namespace tocsin::selftest {

/// Tries to leave out ever smaller stretches of `all`, while `errs` holds for what is left (delta
/// debugging, Zeller 1999). Precondition: errs(all). At most `tries` calls.
std::vector<std::size_t> fewest(std::vector<std::size_t> all,
                                const std::function<bool(const std::vector<std::size_t>&)>& errs,
                                std::size_t tries);

/// One instant, as few members, and as few objects and triangles as it takes. `report`: the first
/// that differs, as ask() numbers them. `errs`: whether a part of the case still shows the error.
/// If no single instant does, the case itself.
Case smallest(const Case& whole, std::size_t report, const std::function<bool(const Case&)>& errs);

}  // namespace tocsin::selftest
