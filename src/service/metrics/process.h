// What this process takes of the machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tocsin::service {

struct ProcessFigures {
  std::uint64_t resident = 0;  ///< bytes
  std::uint64_t reserved = 0;  ///< bytes of address space
  std::uint64_t open_files = 0;
  std::uint64_t most_files = 0;
  double cpu_seconds = 0.0;  ///< of all threads, user and system
};

/// As the system says; zeros where it does not.
ProcessFigures process_figures();

/// Bytes that may still be written in a folder. None: it cannot be written to.
std::optional<std::uint64_t> free_bytes(const std::filesystem::path& folder);

}  // namespace tocsin::service
