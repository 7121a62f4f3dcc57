// Clocks, distributions and what is measured with them: shared with `tocsin selftest`.
#pragma once

#include "selftest/measure/timing.h"

namespace tocsin::bench {

// NOLINTNEXTLINE(google-build-using-namespace): the selftest's measuring is the benches' own
using namespace selftest;
using selftest::keep;  // beside bench::keep of files.h

}  // namespace tocsin::bench
