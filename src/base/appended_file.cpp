#include "base/appended_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace tocsin::base {
namespace {

/// Most data that a crash may lose: so many bytes (some thirty poses of a whole body), or the data
/// of so long a time. Smaller values cost a write per pose.
constexpr std::size_t kMostUnwritten = std::size_t{1} << 16U;
constexpr std::chrono::seconds kLongestUnwritten{1};

}  // namespace

AppendedFile::~AppendedFile() {
  [[maybe_unused]] const Status written = flush();
  [[maybe_unused]] const Status closed = close();
}

Status AppendedFile::open(const std::filesystem::path& file) {
  shown_ = file.string();
  descriptor_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor_ < 0) return error();
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) return error();
  return Nothing{};
}

Status AppendedFile::write(std::string_view lines) {
  if (failed_) return *failed_;
  buffer_ += lines;
  const auto now = std::chrono::steady_clock::now();
  if (buffer_.size() < kMostUnwritten && now - written_ < kLongestUnwritten) return Nothing{};
  written_ = now;
  return flush();
}

Status AppendedFile::flush() {
  if (failed_) return *failed_;
  std::string_view bytes = buffer_;
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(descriptor_, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) {
      failed_ = error();
      [[maybe_unused]] const int cut = ::ftruncate(descriptor_, whole_);  // no half a line
      return *failed_;
    }
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  whole_ += static_cast<std::int64_t>(buffer_.size());
  buffer_.clear();
  return Nothing{};
}

Status AppendedFile::read_back(const std::function<bool(std::string_view)>& take) {
  if (Status flushed = flush(); !flushed) return flushed;
  std::string piece(kMostUnwritten, '\0');
  for (off_t at = 0;;) {
    const ssize_t got = ::pread(descriptor_, piece.data(), piece.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return error();
    if (got == 0) return Nothing{};
    if (!take(std::string_view(piece.data(), static_cast<std::size_t>(got)))) return Nothing{};
    at += got;
  }
}

Status AppendedFile::close() {
  if (descriptor_ < 0) return Nothing{};
  const bool closed = ::close(std::exchange(descriptor_, -1)) == 0;
  if (!closed && !failed_) failed_ = error();
  if (failed_) return *failed_;
  return Nothing{};
}

Error AppendedFile::error() const {
  return {ErrorCode::kResource,
          fmt::format("cannot write {}: {}", shown_, std::generic_category().message(errno))};
}

Status append_to_file(const std::filesystem::path& file, std::string_view bytes, bool sync) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  bool done = descriptor >= 0;
  while (done && !bytes.empty()) {
    const ssize_t wrote = ::write(descriptor, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    done = wrote >= 0;
    if (done) bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  if (done && sync) done = ::fdatasync(descriptor) == 0;
  int cause = errno;
  if (descriptor >= 0 && ::close(descriptor) != 0 && done) {
    done = false;
    cause = errno;
  }
  if (done) return Nothing{};
  return {ErrorCode::kResource, fmt::format("cannot write {}: {}", file.string(),
                                            std::generic_category().message(cause))};
}

}  // namespace tocsin::base
