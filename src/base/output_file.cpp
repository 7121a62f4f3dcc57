#include "base/output_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

namespace tocsin::base {
namespace {

// Few, large writes: a report has up to millions of short lines.
constexpr std::size_t kBufferSize = std::size_t{1} << 16U;

/// The partial files of all OutputFiles that are open: what discard_open_output() removes.
class OpenPartials {
 public:
  /// A name beside `target` that no other OutputFile of this process writes to.
  std::string claim(const std::string& target) {
    const std::lock_guard lock(mutex_);
    std::string name = fmt::format("{}.part-{}", target, ::getpid());
    const std::size_t first = name.size();
    for (int i = 2; !names_.insert(name).second; ++i) {
      name.resize(first);
      name += fmt::format("-{}", i);
    }
    return name;
  }
  void release(const std::string& name) {
    const std::lock_guard lock(mutex_);
    names_.erase(name);
  }
  void remove_files() {
    const std::lock_guard lock(mutex_);
    for (const std::string& name : names_) ::unlink(name.c_str());
  }

 private:
  std::mutex mutex_;
  std::set<std::string> names_;
};

/// Never destroyed: a thread may still be writing while the process exits.
OpenPartials& open_partials() {
  static OpenPartials& partials = *new OpenPartials;
  return partials;
}

/// The descriptor of this process that a path names: /dev/stdout, /dev/fd/63, /proc/self/fd/63.
std::optional<int> named_descriptor(const std::filesystem::path& file) {
  const std::string name = file.lexically_normal().string();
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  const std::string own = fmt::format("/proc/{}/fd/", ::getpid());
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/", own.c_str()}) {
    if (!name.starts_with(folder)) continue;
    const char* const end = name.data() + name.size();
    int number = 0;
    const auto [stop, error] = std::from_chars(name.data() + folder.size(), end, number);
    if (error == std::errc() && stop == end && number >= 0) return number;
  }
  return std::nullopt;
}

/// The file that a chain of symbolic links ends at, there or not: it is to be replaced, and not the
/// link. It ends at the name of a descriptor, too, whose own link need not be a path ("pipe:[7]").
std::filesystem::path link_target(std::filesystem::path file) {
  constexpr int kLongestChain = 40;  // as Linux has it; a longer one is a circle
  for (int i = 0; i < kLongestChain && !named_descriptor(file); ++i) {
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
  if (const auto number = named_descriptor(path)) return open_descriptor(*number);
  struct stat existing {};
  const bool exists = ::stat(path.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode)) {
    cause_ = "it is a folder";
    return error();
  }
  const bool direct = exists && !S_ISREG(existing.st_mode);
  if (!direct) {
    target_ = path;
    partial_ = open_partials().claim(path.string());
    path = partial_;
  }
  const int flags = direct ? O_WRONLY : O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;
  descriptor_ = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    keep_cause();
    if (!direct) open_partials().release(partial_.string());
    partial_.clear();
    return error();
  }
  owns_descriptor_ = true;
  if (exists && !direct) (void)::fchmod(descriptor_, existing.st_mode & 07777U);
  return Nothing{};
}

Status OutputFile::open_descriptor(int number) {
  const int flags = ::fcntl(number, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
    cause_ = "it is open for reading only";
    return error();
  }
  descriptor_ = flags < 0 ? -1 : ::fcntl(number, F_DUPFD_CLOEXEC, 0);
  if (descriptor_ < 0) {
    keep_cause();
    return error();
  }
  owns_descriptor_ = true;
  return Nothing{};
}

bool OutputFile::write(std::string_view bytes) {
  if (bytes.size() < kBufferSize) {
    buffer_ += bytes;
    return buffer_.size() < kBufferSize || flush();
  }
  return flush() && write_through(bytes);
}

bool OutputFile::flush() {
  if (!write_through(buffer_)) return false;
  buffer_.clear();
  return true;
}

bool OutputFile::write_through(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(descriptor_, bytes.data(), bytes.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) {
      keep_cause();
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
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
  open_partials().release(partial_.string());
  partial_.clear();
  return Nothing{};
}

void OutputFile::discard() noexcept {
  if (owns_descriptor_) ::close(descriptor_);
  descriptor_ = -1;
  owns_descriptor_ = false;
  if (partial_.empty()) return;
  ::unlink(partial_.c_str());
  open_partials().release(partial_.string());
  partial_.clear();
}

Status write_to_standard_output(std::string_view text) {
  OutputFile output;
  if (Status opened = output.open("-"); !opened) return opened;
  if (!output.write(text)) return output.error();
  return output.finish();
}

void discard_open_output() noexcept { open_partials().remove_files(); }

}  // namespace tocsin::base
