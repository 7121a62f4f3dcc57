// Reading a file whole.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "tocsin/result.h"

namespace tocsin::base {

/// Bytes. A file beyond this is refused instead of filling the memory (a device such as /dev/zero
/// has no end): 4 GiB is an hour-long take of a hundred joints a thousand times over. Raising it
/// past 2^32 would let OBJ files hold more vertices than a 32-bit index reaches.
inline constexpr std::size_t kMaxFileBytes = std::size_t{1} << 32U;

/// Most bytes from a pipe, whose size is not known beforehand.
inline constexpr std::size_t kMaxPipeBytes = std::size_t{1} << 30U;

/// UTF-8's byte order mark, with which a text may begin.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// Closes a std::FILE: for a std::unique_ptr.
struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// kInput: "file: cause".
Error file_error(const std::filesystem::path& file, std::string_view cause);

/// The system's message for an errno.
std::string errno_text(int error);

/// Why a path cannot be read as a file (a directory, a device without end such as /dev/zero), or an
/// empty string.
std::string not_a_file(const std::filesystem::path& file);

/// The bytes of a file. It is read, not mapped: truncating a mapped file would kill the process.
/// Errors, naming the file: kInput if it cannot be opened or read, is a directory or a device, or
/// is too large; kResource if there is not enough memory.
Result<std::string> read_file(const std::filesystem::path& file,
                              std::size_t max_bytes = kMaxFileBytes);

}  // namespace tocsin::base
