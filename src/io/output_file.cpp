#include "io/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <mutex>
#include <system_error>
#include <utility>

namespace tocsin::io {
namespace {

// Few, large writes: a report has up to millions of short lines.
constexpr std::size_t kBufferSize = std::size_t{1} << 16U;

std::mutex open_partial_mutex;
std::string open_partial;  // guarded by the mutex: what discard_open_output() removes

void remember_partial(const std::string& file) {
  const std::lock_guard lock(open_partial_mutex);
  open_partial = file;
}

/// The file that a chain of symbolic links ends at, there or not: it is to be replaced, and not the
/// link.
std::filesystem::path link_target(std::filesystem::path file) {
  constexpr int kLongestChain = 40;  // as Linux has it; a longer one is a circle
  for (int i = 0; i < kLongestChain; ++i) {
    std::error_code error;
    const auto next = std::filesystem::read_symlink(file, error);
    if (error) break;
    file = file.parent_path() / next;
  }
  return file;
}

}  // namespace

OutputFile::OutputFile(OutputFile&& other) noexcept { *this = std::move(other); }

OutputFile& OutputFile::operator=(OutputFile&& other) noexcept {
  if (this == &other) return *this;
  discard();
  descriptor_ = std::exchange(other.descriptor_, -1);
  owns_descriptor_ = std::exchange(other.owns_descriptor_, false);
  shown_name_ = std::move(other.shown_name_);
  target_ = std::exchange(other.target_, {});
  partial_ = std::exchange(other.partial_, {});
  buffer_ = std::move(other.buffer_);
  cause_ = std::move(other.cause_);
  return *this;
}

OutputFile::~OutputFile() { discard(); }

void OutputFile::keep_cause() {
  cause_ = std::strerror(errno);  // NOLINT(concurrency-mt-unsafe): copied at once, one writer
}

Error OutputFile::error() const {
  return {ErrorCode::kResource, fmt::format("cannot write {}: {}", shown_name_, cause_)};
}

Status OutputFile::open(const std::string& file) {
  if (file == "-") {
    shown_name_ = "standard output";
    descriptor_ = STDOUT_FILENO;
    return Nothing{};
  }
  shown_name_ = file;
  std::filesystem::path path = link_target(file);
  struct stat existing {};
  const bool exists = ::stat(path.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode)) {
    cause_ = "it is a folder";
    return error();
  }
  const bool direct = exists && !S_ISREG(existing.st_mode);
  if (!direct) {
    target_ = path;
    path += fmt::format(".part-{}", ::getpid());
    partial_ = path;
  }
  const int flags = direct ? O_WRONLY : O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;
  descriptor_ = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    keep_cause();
    partial_.clear();
    return error();
  }
  owns_descriptor_ = true;
  if (!direct) remember_partial(partial_.string());
  if (exists && !direct) (void)::fchmod(descriptor_, existing.st_mode & 07777U);
  return Nothing{};
}

bool OutputFile::write(std::string_view bytes) {
  buffer_ += bytes;
  return buffer_.size() < kBufferSize || flush();
}

bool OutputFile::flush() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t wrote = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) {
      keep_cause();
      return false;
    }
    done += static_cast<std::size_t>(wrote);
  }
  buffer_.clear();
  return true;
}

Status OutputFile::finish() {
  if (!flush()) return error();
  if (!owns_descriptor_) return Nothing{};
  owns_descriptor_ = false;
  if (::close(std::exchange(descriptor_, -1)) != 0) {
    keep_cause();
    return error();
  }
  if (partial_.empty()) return Nothing{};
  if (::rename(partial_.c_str(), target_.c_str()) != 0) {
    keep_cause();
    return error();
  }
  partial_.clear();
  remember_partial({});
  return Nothing{};
}

void OutputFile::discard() noexcept {
  if (owns_descriptor_) ::close(descriptor_);
  descriptor_ = -1;
  owns_descriptor_ = false;
  if (partial_.empty()) return;
  ::unlink(partial_.c_str());
  partial_.clear();
  remember_partial({});
}

Status write_to_standard_output(std::string_view text) {
  OutputFile output;
  if (Status opened = output.open("-"); !opened) return opened;
  if (!output.write(text)) return output.error();
  return output.finish();
}

void discard_open_output() noexcept {
  const std::lock_guard lock(open_partial_mutex);
  if (!open_partial.empty()) ::unlink(open_partial.c_str());
}

}  // namespace tocsin::io
