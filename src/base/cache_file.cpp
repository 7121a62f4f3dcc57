#include "base/cache_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <system_error>
#include <utility>

namespace tocsin::base {
namespace {

using State = CacheFile::State;

std::string reason(int error) { return std::generic_category().message(error); }

/// An open file. Closes it.
class CacheDescriptor {
 public:
  explicit CacheDescriptor(int number) : number_(number) {}
  CacheDescriptor(const CacheDescriptor&) = delete;
  CacheDescriptor& operator=(const CacheDescriptor&) = delete;
  ~CacheDescriptor() { (void)close(); }

  [[nodiscard]] bool ok() const { return number_ >= 0; }
  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] bool close() {
    const int number = std::exchange(number_, -1);
    return number < 0 || ::close(number) == 0;
  }

 private:
  int number_;
};

CacheFile not_read(State state, std::string cause) { return {state, {}, std::move(cause)}; }

/// Fills `to`; false if the file ends before, or with errno set if it cannot be read.
bool read_whole(int file, std::string& to) {
  errno = 0;
  for (std::size_t done = 0; done < to.size();) {
    const ssize_t got = ::read(file, to.data() + done, to.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

/// False with errno set.
bool write_whole(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(file, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

/// During its lifetime a write past the limit on the size of files (ulimit -f) is an error for this
/// thread and does not end the process.
class NoSizeSignal {
 public:
  NoSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    (void)pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  NoSizeSignal(const NoSizeSignal&) = delete;
  NoSizeSignal& operator=(const NoSizeSignal&) = delete;
  ~NoSizeSignal() {
    if (sigismember(&before_, SIGXFSZ) == 1) return;
    const timespec at_once{};
    while (sigtimedwait(&signal_, nullptr, &at_once) > 0) continue;
    (void)pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t signal_{};
  sigset_t before_{};
};

/// A different name for every file that is being written, in any process or thread.
std::string partial_name(const std::string& name) {
  static std::atomic<unsigned> count{0};
  return fmt::format("{}.part-{}-{}", name, ::getpid(), count++);
}

/// Writes a new file and moves it to `target`. Errors as errno, or 0.
int write_and_move(const std::string& partial, const std::string& target, std::string_view bytes) {
  const NoSizeSignal quiet;
  CacheDescriptor file(
      ::open(partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file.ok()) return errno;
  if (write_whole(file.get(), bytes) && file.close() &&
      ::rename(partial.c_str(), target.c_str()) == 0) {
    return 0;
  }
  const int error = errno;
  ::unlink(partial.c_str());
  return error;
}

}  // namespace

CacheFile read_cache_file(const std::filesystem::path& file, std::uint64_t max_bytes) {
  struct stat about {};
  // Tested before it is opened, because opening some devices has effects.
  if (::stat(file.c_str(), &about) == 0 && !S_ISREG(about.st_mode)) {
    return not_read(State::kForeign, "is not a regular file");
  }
  // Should it have become a pipe by now, opening that does not wait.
  const CacheDescriptor descriptor(
      ::open(file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!descriptor.ok()) {
    if (errno == ENOENT || errno == ENOTDIR) return {};
    return not_read(State::kUnusable, "cannot be opened: " + reason(errno));
  }
  if (::fstat(descriptor.get(), &about) != 0) {
    return not_read(State::kUnusable, "cannot be read: " + reason(errno));
  }
  if (!S_ISREG(about.st_mode)) return not_read(State::kForeign, "is not a regular file");
  const auto size = static_cast<std::uint64_t>(about.st_size);
  if (size > max_bytes) {
    return not_read(State::kUnusable,
                    fmt::format("has {} bytes where {} are the most", size, max_bytes));
  }
  CacheFile out{State::kRead, std::string(size, '\0'), {}};
  if (read_whole(descriptor.get(), out.bytes)) return out;
  return not_read(State::kUnusable,
                  errno != 0 ? "cannot be read: " + reason(errno) : "was cut short meanwhile");
}

std::string write_cache_file(const std::filesystem::path& folder, const std::string& name,
                             std::string_view bytes) {
  if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST) return reason(errno);
  const std::string target = folder / name;
  // A file left by a killed process of the same number is skipped.
  constexpr int kTries = 100;
  int error = EEXIST;
  for (int i = 0; i < kTries && error == EEXIST; ++i) {
    error = write_and_move(folder / partial_name(name), target, bytes);
  }
  return error == 0 ? std::string() : reason(error);
}

}  // namespace tocsin::base
