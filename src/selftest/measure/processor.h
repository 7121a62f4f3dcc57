// Which processor this is.
#pragma once

#include <string>

namespace tocsin::selftest {

/// Its model's name as the kernel has it, or "unknown processor".
std::string cpu_model();

}  // namespace tocsin::selftest
