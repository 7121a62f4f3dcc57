// The memory of this process.
#pragma once

#include <cstdint>

namespace tocsin::base {

/// Bytes.
struct ProcessMemory {
  std::uint64_t reserved = 0;  ///< address space
  std::uint64_t resident = 0;
};

/// What the process has now; zeros where the system does not say.
[[nodiscard]] ProcessMemory process_memory();

}  // namespace tocsin::base
