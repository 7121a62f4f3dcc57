// Numbers that are none, for tests of what must be refused.
#pragma once

#include <limits>

namespace tocsin::test {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace tocsin::test
