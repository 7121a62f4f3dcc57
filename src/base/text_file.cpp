#include "base/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <new>
#include <system_error>

namespace tocsin::base {
namespace {

/// Bytes asked for at a time where a file does not tell its size.
constexpr std::size_t kChunk = std::size_t{1} << 16U;

Result<std::string> read_all(const std::filesystem::path& file, std::size_t max_bytes) {
  if (const std::string cause = not_a_file(file); !cause.empty()) return file_error(file, cause);
  const std::unique_ptr<std::FILE, CloseFile> in(std::fopen(file.c_str(), "rb"));
  if (!in) return file_error(file, "cannot be opened: " + errno_text(errno));

  std::error_code no_size;
  if (!std::filesystem::is_regular_file(file, no_size))
    max_bytes = std::min(max_bytes, kMaxPipeBytes);
  const std::string too_large = fmt::format("is larger than {} bytes", max_bytes);
  const std::uintmax_t size = std::filesystem::file_size(file, no_size);
  if (!no_size && size > max_bytes) return file_error(file, too_large);

  // One byte more than the size says, so that the first read also meets the end of the file.
  std::string bytes;
  std::size_t used = 0;
  std::size_t want = no_size ? kChunk : static_cast<std::size_t>(size) + 1;
  for (;;) {
    bytes.resize(used + want);
    errno = 0;
    const std::size_t got = std::fread(bytes.data() + used, 1, want, in.get());
    used += got;
    if (used > max_bytes) return file_error(file, too_large);
    if (got < want) break;
    want = std::max(kChunk, used / 2);
  }
  if (std::ferror(in.get()) != 0) return file_error(file, "cannot be read: " + errno_text(errno));
  bytes.resize(used);
  return bytes;
}

}  // namespace

Error file_error(const std::filesystem::path& file, std::string_view cause) {
  return {ErrorCode::kInput, fmt::format("{}: {}", file.string(), cause)};
}

std::string errno_text(int error) { return std::generic_category().message(error); }

std::string not_a_file(const std::filesystem::path& file) {
  std::error_code none;
  switch (std::filesystem::status(file, none).type()) {
    case std::filesystem::file_type::directory:
      return "is a directory";
    case std::filesystem::file_type::character:
    case std::filesystem::file_type::block:
      return "is a device, not a file";
    default:
      return {};
  }
}

Result<std::string> read_file(const std::filesystem::path& file, std::size_t max_bytes) {
  try {
    return read_all(file, max_bytes);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, fmt::format("{}: not enough memory to read it", file.string())};
  }
}

}  // namespace tocsin::base
