#include "base/limited_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <utility>

#include "base/sanitized.h"
#include "base/text_file.h"

namespace tocsin::base {
namespace {

/// Time between tests whether the child exists. Only a crash is noticed so late, and only if its
/// end of the pipe is open elsewhere.
constexpr int kPollMilliseconds = 20;
constexpr std::size_t kChildBuffer = std::size_t{1} << 16U;

/// How a child reports its end: one byte through a pipe. Its result, or its error's message, is in
/// the shared memory.
enum class Ending : unsigned char { kDone = 'd', kError = 'e', kNoMemory = 'm', kNoSpace = 's' };

/// A child's report of its end: an Ending, and for kError the ErrorCode.
using Record = std::array<unsigned char, 2>;

class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  [[nodiscard]] int number() const { return number_; }
  void reset(int number) {
    close();
    number_ = number;
  }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }

 private:
  int number_;
};

// ------------------------------------------------------------------------------- in the child

int child_pipe = -1;  // the child's end; a new-handler takes no argument

[[noreturn]] void end_child(Ending ending, unsigned char code = 0) {
  const Record record{static_cast<unsigned char>(ending), code};
  while (::write(child_pipe, record.data(), record.size()) < 0 && errno == EINTR) {
  }
  ::_exit(0);
}

/// Ends the child, because code that catches std::bad_alloc and continues would give a wrong
/// result.
void when_memory_is_out() { end_child(Ending::kNoMemory); }

void close_all_but(int a, int b) {
  const auto close_from_to = [](unsigned first, unsigned last) {
    if (first > last || ::close_range(first, last, 0) == 0) return;
    struct rlimit open_files {};  // a kernel before 5.9
    ::getrlimit(RLIMIT_NOFILE, &open_files);
    const auto most = static_cast<unsigned>(std::min<rlim_t>(open_files.rlim_cur, 1U << 20U));
    for (unsigned i = first; i <= std::min(last, most); ++i) ::close(static_cast<int>(i));
  };
  const auto low = static_cast<unsigned>(std::min(a, b));
  const auto high = static_cast<unsigned>(std::max(a, b));
  constexpr unsigned kFirst = 3;  // after standard input, output and error
  if (low > kFirst) close_from_to(kFirst, low - 1);
  close_from_to(low + 1, high - 1);
  close_from_to(high + 1, std::numeric_limits<unsigned>::max());
}

void lower_limit(int which, rlim_t value) {
  struct rlimit limit {};
  if (::getrlimit(which, &limit) != 0 || limit.rlim_cur <= value) return;
  limit.rlim_cur = value;
  (void)::setrlimit(which, &limit);
}

void limit_memory(std::uint64_t beyond) {
  // The first number of statm: pages of address space.
  std::array<char, 64> text{};
  const int file = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  const ssize_t got = file < 0 ? 0 : ::read(file, text.data(), text.size() - 1);
  if (file >= 0) ::close(file);
  std::uint64_t pages = 0;
  for (ssize_t i = 0; i < got; ++i) {
    const char digit = text[static_cast<std::size_t>(i)];
    if (digit < '0' || digit > '9') break;
    pages = 10 * pages + static_cast<std::uint64_t>(digit - '0');
  }
  if (pages > 0)
    lower_limit(RLIMIT_AS, pages * static_cast<std::uint64_t>(::getpagesize()) + beyond);
}

/// A limit on the size of files holds for the shared memory as well, although nothing reaches the
/// disk. So the limit is raised as far as allowed, and exceeding it is an error of the write
/// instead of a signal.
void allow_large_output() {
  ::signal(SIGXFSZ, SIG_IGN);
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  (void)::setrlimit(RLIMIT_FSIZE, &limit);
}

/// Clear of the numbers of standard input, output and error, which may be closed in a service.
int above_standard(int descriptor) {
  const int moved = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  return moved < 0 ? descriptor : moved;
}

void prepare_child(const LimitedWork& work, int parent, int memory) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);  // the parent died before that took effect
  const int nothing = ::open("/dev/null", O_RDWR);
  if (nothing >= 0) {
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDOUT_FILENO);
    if (!kSanitized) ::dup2(nothing, STDERR_FILENO);
  }
  close_all_but(child_pipe, memory);
  if (!kSanitized) {
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP}) {
      ::signal(signal, SIG_DFL);  // the child must not run the program's handlers
    }
    limit_memory(work.memory_bytes);
  }
  lower_limit(RLIMIT_CORE, 0);
  allow_large_output();
  std::set_new_handler(when_memory_is_out);
}

/// Replaces what was written so far: an error has no other result.
[[noreturn]] void end_with_error(const Error& error, int memory) {
  ChildOutput output(memory);
  if (::ftruncate(memory, 0) == 0 && ::lseek(memory, 0, SEEK_SET) == 0) output.write(error.message);
  if (!output.flush()) end_child(Ending::kNoSpace);
  end_child(Ending::kError, static_cast<unsigned char>(error.code));
}

[[noreturn]] void run_child(const LimitedWork& work, int parent, int pipe, int shared,
                            const std::function<Status(ChildOutput&)>& body) {
  child_pipe = above_standard(pipe);
  const int memory = above_standard(shared);
  prepare_child(work, parent, memory);
  const auto failed = [&](std::string_view how) {
    const std::string text = fmt::format("{}: {} failed: {}", work.file, work.worker, how);
    end_with_error({ErrorCode::kInput, text}, memory);
  };
  try {
    ChildOutput output(memory);
    const Status status = body(output);
    if (!status.ok()) end_with_error(status.error(), memory);
    if (!output.flush()) end_child(Ending::kNoSpace);
    end_child(Ending::kDone);
  } catch (const std::exception& error) {
    failed(error.what());
  } catch (...) {
    failed("without a reason");
  }
  ::_exit(0);
}

// ------------------------------------------------------------------------------ in the parent

/// The end of a child.
struct ChildEnd {
  std::optional<Ending> ending;  ///< none: it ended without a report, or with an invalid one
  ErrorCode code = ErrorCode::kInput;
  bool too_slow = false;
  int signal = 0;  ///< that ended it; 0: none, or not known
};

/// True once the child has ended. Its signal is then known, unless other code waited for the child,
/// or SIGCHLD is ignored.
bool is_gone(pid_t child, int flags, int& signal) {
  int status = 0;
  pid_t got = 0;
  do {
    got = ::waitpid(child, &status, flags);
  } while (got < 0 && errno == EINTR);
  if (got == child && WIFSIGNALED(status)) signal = WTERMSIG(status);
  return got != 0;
}

/// Takes the child's report. False if a corrupted child wrote an invalid one.
bool take_record(const Record& record, ChildEnd& end) {
  const auto ending = static_cast<Ending>(record[0]);
  const bool known = ending == Ending::kDone || ending == Ending::kError ||
                     ending == Ending::kNoMemory || ending == Ending::kNoSpace;
  if (!known || record[1] > static_cast<unsigned char>(ErrorCode::kCancelled)) return false;
  end.ending = ending;
  end.code = static_cast<ErrorCode>(record[1]);
  return true;
}

ChildEnd wait_for(pid_t child, int pipe, std::chrono::milliseconds most) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + most;
  ChildEnd out;
  bool gone = false;
  bool astray = false;
  for (;;) {
    pollfd ready{pipe, POLLIN, 0};
    const int count = ::poll(&ready, 1, gone ? 0 : kPollMilliseconds);
    if (count > 0) {
      Record record{};
      const ssize_t got = ::read(pipe, record.data(), record.size());
      if (got < 0 && errno == EINTR) continue;
      if (got == static_cast<ssize_t>(record.size())) astray = !take_record(record, out);
      break;
    }
    if (gone) break;
    gone = is_gone(child, WNOHANG, out.signal);
    if (!gone && Clock::now() >= end) {
      out.too_slow = true;
      break;
    }
  }
  if (gone) return out;
  // A child that closed its end without a report is ending already, and its signal is decided. If
  // it is not ending, we must not wait for it.
  if (!out.ending) ::kill(child, SIGKILL);
  is_gone(child, 0, out.signal);
  if (astray) out.signal = 0;  // ours, perhaps
  return out;
}

Result<ChildBytes> map_result(const LimitedWork& work, int memory) {
  struct stat state {};
  if (::fstat(memory, &state) != 0) state.st_size = 0;
  if (state.st_size == 0) return ChildBytes();
  const auto size = static_cast<std::size_t>(state.st_size);
  void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, memory, 0);
  if (data == MAP_FAILED) {
    return {ErrorCode::kResource, fmt::format("{}: not enough memory for it", work.file)};
  }
  return ChildBytes(data, size);
}

Result<ChildBytes> judge(const LimitedWork& work, const ChildEnd& end, int memory) {
  const auto refuse = [&](const std::string& what) {
    return Error{ErrorCode::kInput, fmt::format("{}: {} {}", work.file, work.worker, what)};
  };
  if (end.too_slow) {
    const double seconds = static_cast<double>(work.time.count()) / 1000.0;
    return refuse(fmt::format("took longer than {} s on it", seconds));
  }
  if (!end.ending) {
    if (end.signal == 0) return refuse("crashed on it");
    return refuse(fmt::format("crashed (signal {}) on it", end.signal));
  }
  if (*end.ending == Ending::kNoMemory) {
    const double gib = static_cast<double>(work.memory_bytes) / static_cast<double>(1U << 30U);
    return refuse(fmt::format("needs more than {:.1f} GiB of memory for it", gib));
  }
  if (*end.ending == Ending::kNoSpace) {
    return {ErrorCode::kResource,
            fmt::format("{}: no room for what {} makes of it: not enough memory, or a limit on the "
                        "size of files (ulimit -f)",
                        work.file, work.worker)};
  }
  Result<ChildBytes> bytes = map_result(work, memory);
  if (*end.ending == Ending::kDone || !bytes.ok()) return bytes;
  return {end.code, std::string(bytes->view())};
}

}  // namespace

void ChildOutput::write_out(std::string_view bytes) {
  while (!failed_ && !bytes.empty()) {
    const ssize_t wrote = ::write(descriptor_, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    failed_ = wrote < 0;
    if (!failed_) bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

void ChildOutput::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kChildBuffer) flush();
  if (bytes.size() > kChildBuffer) {
    write_out(bytes);
  } else {
    buffer_ += bytes;
  }
}

bool ChildOutput::flush() {
  write_out(buffer_);
  buffer_.clear();
  return !failed_;
}

ChildBytes::ChildBytes(ChildBytes&& other) noexcept { *this = std::move(other); }

ChildBytes& ChildBytes::operator=(ChildBytes&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

ChildBytes::~ChildBytes() {
  if (data_ != nullptr) ::munmap(data_, size_);
}

Result<ChildBytes> run_limited(const LimitedWork& work,
                               const std::function<Status(ChildOutput&)>& body) {
  const auto cannot = [&](int error) {
    return Error{ErrorCode::kResource, fmt::format("{}: cannot start a process for it: {}",
                                                   work.file, errno_text(error))};
  };
  const Descriptor memory(::memfd_create("tocsin", MFD_CLOEXEC));
  if (memory.number() < 0) return cannot(errno);
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return cannot(errno);
  const Descriptor from_child(ends[0]);
  Descriptor to_parent(ends[1]);

  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) return cannot(errno);
  if (child == 0) run_child(work, parent, to_parent.number(), memory.number(), body);
  to_parent.close();
  return judge(work, wait_for(child, from_child.number(), work.time), memory.number());
}

}  // namespace tocsin::base
