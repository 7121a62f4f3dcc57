// What a selftest compared, for people.
#pragma once

#include <string>

#include "app/selftest/selftest_report.h"

namespace tocsin::app {

/// A row for each kind of case: how much was compared, and how it ended.
std::string kinds_text(const SelftestReport& report);
/// A row for each case.
std::string cases_text(const SelftestReport& report);
/// How much was compared in all, and what was not reached. One line.
std::string coverage_text(const SelftestReport& report);

}  // namespace tocsin::app
