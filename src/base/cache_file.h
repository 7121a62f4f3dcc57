// Files of a cache: checked when they are read, written whole or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace tocsin::base {

struct CacheFile {
  enum class State : std::uint8_t {
    kRead,
    kMissing,
    kUnusable,  ///< it cannot be read, or is too large: it may be replaced
    kForeign,   ///< a folder, a pipe, a device: must not be replaced
  };
  State state = State::kMissing;
  std::string bytes;
  std::string cause;  ///< why it was not read, without the file's name
};

/// Reads a regular file of at most `max_bytes`, whole. It is read, not mapped: truncating a mapped
/// file would kill the process. Never waits for a pipe's other end. Throws std::bad_alloc only.
[[nodiscard]] CacheFile read_cache_file(const std::filesystem::path& file, std::uint64_t max_bytes);

/// Writes `name` into a folder, which is made if its parent exists. The file is written under
/// another name and renamed at the end: other processes never see half of it, two writers do not
/// conflict, and a failure leaves nothing. Returns why it failed, or an empty string. Throws
/// std::bad_alloc only.
[[nodiscard]] std::string write_cache_file(const std::filesystem::path& folder,
                                           const std::string& name, std::string_view bytes);

}  // namespace tocsin::base
