// What `tocsin selftest` found, as tables for people.
#pragma once

#include <string>

#include "app/selftest/selftest_report.h"

namespace tocsin::app {

/// `verbose`: with a row for each case, and all that went wrong.
std::string selftest_text(const SelftestReport& report, bool verbose);

}  // namespace tocsin::app
