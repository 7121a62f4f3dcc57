// Files of a cache: read with suspicion, written whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tocsin::detect {

struct CacheFile {
  enum class State : std::uint8_t {
    kRead,
    kMissing,
    kUnusable,  ///< it cannot be read, or is too large: a new one may take its place
    kForeign,   ///< a folder, a pipe, a device: not ours to replace
  };
  State state = State::kMissing;
  std::string bytes;
  std::string cause;  ///< why it was not read, without the file's name
};

/// Reads a regular file of at most `max_bytes`, whole. It is read, not mapped: one that somebody
/// cuts short would kill the process that maps it. Never waits for a pipe's other end. Throws
/// std::bad_alloc only.
[[nodiscard]] CacheFile read_cache_file(const std::filesystem::path& file, std::uint64_t max_bytes);

/// Writes `name` into a folder, which is made if the one around it is there. It is written under
/// another name and moved to its place at the end: others never see half of it, two writers do not
/// meet, and a failure leaves nothing. Gives why it failed, or an empty string. Throws
/// std::bad_alloc only.
[[nodiscard]] std::string write_cache_file(const std::filesystem::path& folder,
                                           const std::string& name, std::string_view bytes);

}  // namespace tocsin::detect
