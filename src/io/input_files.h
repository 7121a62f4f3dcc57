// Reads input files once, and keeps the hash of the bytes that were parsed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_file.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// A file that was read.
struct InputRecord {
  std::string role;    ///< "motion", "skeleton", "avatar", "mesh", "environment" or "buffer"
  std::string file;    ///< as given; the name of an avatar model that Tocsin ships
  std::string sha256;  ///< of its bytes, 64 hexadecimal digits
};

/// The files that were read, in order.
using InputLog = std::vector<InputRecord>;

/// The bytes of a file. `log`, unless it is null, gets the record of exactly these bytes, so a file
/// that changes later does not matter. Errors: as base::read_file().
Result<std::string> read_input(const std::filesystem::path& file, std::string_view role,
                               InputLog* log, std::size_t max_bytes = base::kMaxFileBytes);

/// The same for a text file, of which the bytes come as UTF-8 (base::make_utf8()); the record is of
/// the bytes in the file. Errors also (kInput): what make_utf8() refuses.
Result<std::string> read_text_input(const std::filesystem::path& file, std::string_view role,
                                    InputLog* log, std::size_t max_bytes = base::kMaxFileBytes);

}  // namespace tocsin::io
